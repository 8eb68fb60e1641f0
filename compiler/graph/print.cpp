// The graph as text, a line a node, bodies of loops indented:
//
//   inputs v.0, w
//   n0  v.1 = scale(v.0, w)
//   n1  loop i  carries v: v.1 → v.2  captures w
//     inputs v.0, w
//     n0  v.1 = scale(v.0, w)
//     outputs v.1
//   outputs v.2

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <iterator>

#include "frontend/reduction.hpp"
#include "graph/graph.hpp"

namespace kasc {

std::string value_name(const Graph& graph, const Program& program, ValueId value) {
    const Value& v = graph.values[value];
    const bool versions = std::any_of(graph.values.begin(), graph.values.end(), [&](const Value& other) {
        return other.variable == v.variable && other.version != v.version;
    });
    const std::string& name = program.variables[v.variable].name;
    return versions ? fmt::format("{}.{}", name, v.version) : name;
}

namespace {

/// Written text up to `stop`, on one line.
std::string one_line(std::string_view written, char stop) {
    std::string line;
    for (char c : written.substr(0, written.find(stop))) {
        const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
        if (!blank) line.push_back(c);
        if (blank && !line.empty() && line.back() != ' ') line.push_back(' ');
    }
    while (!line.empty() && line.back() == ' ') line.pop_back();
    return line;
}

/// " along z" for one of the passes that are written as one transform, else nothing.
std::string pass_text(const Graph& graph, const Program& program, const Node& node) {
    const auto* transform = std::get_if<Transform>(&node.what);
    if (!transform || !transforms(transform->statement.direction)) return "";
    const std::vector<std::size_t>& axes = transform->statement.axes;
    const auto is_other_pass = [&](const Node& other) {
        const auto* pass = std::get_if<Transform>(&other.what);
        return pass && pass->statement.axes != axes && other.span.source == node.span.source &&
               other.span.begin == node.span.begin && other.span.end == node.span.end;
    };
    if (std::none_of(graph.nodes.begin(), graph.nodes.end(), is_other_pass)) return "";
    const bool forward = transform->statement.direction == Direction::forward;
    const FieldShape& shape = field_shape(program, forward ? transform->statement.source : transform->statement.target);
    std::vector<std::string> names;
    for (const std::size_t axis : axes) names.push_back(program.axes[shape.axes[axis]].name);
    return fmt::format(" along {}", fmt::join(names, ", "));
}

}  // namespace

namespace {

/// A statement about cells that have a shape is one a word: each says what it computes itself. Null: another node.
const FieldStatement* word_statement(const Node& n, const Program& program) {
    const auto* update = std::get_if<FieldUpdate>(&n.what);
    if (!update || program.shaped.empty()) return nullptr;
    const std::string_view text = text_of(n.span);
    const std::string& target = program.variables[update->statement.target].name;
    const auto name_end = std::find_if(
        text.begin(), text.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_'; });
    const bool assigns = text.find('=') != std::string_view::npos;
    return assigns && std::string_view(text.begin(), name_end) != target ? &update->statement : nullptr;
}

/// A word of what functions compute of cells may be as long as a page; its kernel says it, too.
std::string begun(std::string text) {
    constexpr std::size_t most = 240;
    if (text.size() <= most) return text;
    text.resize(most);
    return text + " …";
}

}  // namespace

std::string node_text(const Graph& graph, const Program& program, NodeId node) {
    const Node& n = graph.nodes[node];
    if (const FieldStatement* statement = word_statement(n, program)) {
        const Operand target{statement->target, statement->target_indices, statement->span};
        const std::vector<std::string> operands = operand_texts(*statement, program);
        return fmt::format("{} = {}", to_text(target, program, operands),
                           begun(to_text(*statement->value, program, operands)));
    }
    const bool loop = std::holds_alternative<LoopNode>(n.what);
    std::string line = one_line(text_of(n.span), loop ? '{' : ';');
    // What a transform within a statement reads and writes has no name in the text.
    if (!line.empty() && !loop && !n.writes.empty()) {
        const std::string& target = program.variables[graph.values[n.writes.front()].variable].name;
        if (line.find('=') == std::string::npos) line = fmt::format("{} = {}", target, line);
        line += pass_text(graph, program, n);
    }
    return line.empty() && !n.writes.empty() ? value_name(graph, program, n.writes.front()) + " = …" : line;
}

namespace {

class Printer {
public:
    Printer(const Program& program, const Library& library) : program_(program), library_(library) {}

    void graph(const Graph& g, const std::string& indent) {
        values(g, "inputs", g.inputs, indent);
        for (NodeId id : g.nodes.ids()) {
            fmt::format_to(std::back_inserter(out_), "{}n{}  ", indent, id.index);
            const Node& n = g.nodes[id];
            std::visit([&](const auto& what) { node(g, n, what, indent); }, n.what);
        }
        values(g, "outputs", g.outputs, indent);
    }

    std::string out_;

private:
    [[nodiscard]] std::string names(const Graph& g, const std::vector<ValueId>& list) const {
        std::vector<std::string> all;
        for (ValueId v : list) all.push_back(value_name(g, program_, v));
        return fmt::format("{}", fmt::join(all, ", "));
    }

    void values(const Graph& g, const char* what, const std::vector<ValueId>& list, const std::string& indent) {
        fmt::format_to(std::back_inserter(out_), "{}{}{}{}\n", indent, what, list.empty() ? "" : " ", names(g, list));
    }

    void node(const Graph& g, const Node& n, const StreamCall& call, const std::string&) {
        fmt::format_to(std::back_inserter(out_), "{} = {}({})\n", names(g, n.writes),
                       library_.functions[call.callee].name, names(g, n.reads));
    }

    void node(const Graph& g, const Node& n, const FieldUpdate& update, const std::string& indent) {
        fmt::format_to(std::back_inserter(out_), "{} = update", names(g, n.writes));
        if (update.former) fmt::format_to(std::back_inserter(out_), " of {}", value_name(g, program_, *update.former));
        if (update.statement.fold) fold(*update.statement.fold);
        if (const auto& running = update.statement.running; running)
            fmt::format_to(std::back_inserter(out_), " by running {} along {}{}", name_of(running->op),
                           running->backward ? "-" : "", program_.axes[running->axis].name);
        const std::string text = one_line(text_of(n.span), ';');
        fmt::format_to(std::back_inserter(out_), "{}{}\n", text.empty() ? "" : "  // ", text);
        for (std::size_t i = 0; i < update.accesses.size(); ++i) {
            fmt::format_to(std::back_inserter(out_), "{}      reads {}: {}\n", indent,
                           value_name(g, program_, n.reads.at(i)), print(update.accesses[i], program_));
        }
    }

    void fold(const Fold& f) {
        std::vector<std::string> axes;
        for (const AxisId axis : f.axes) axes.push_back(program_.axes[axis].name);
        fmt::format_to(std::back_inserter(out_), " by {} over {} in {} lanes{}", name_of(f.op), fmt::join(axes, ", "),
                       f.lanes, f.parts ? " of each part" : "");
    }

    void node(const Graph& g, const Node& n, const Transform& transform, const std::string&) {
        const std::string text = one_line(text_of(n.span), ';');
        const Direction direction = transform.statement.direction;
        const std::string what = !transforms(direction)            ? name_of(direction)
                                 : direction == Direction::forward ? "forward transform"
                                                                   : "backward transform";
        fmt::format_to(std::back_inserter(out_), "{} = {} of {}  // {}\n", names(g, n.writes), what, names(g, n.reads),
                       text);
    }

    void node(const Graph& g, const Node&, const LoopNode& loop, const std::string& indent) {
        fmt::format_to(std::back_inserter(out_), "loop {}", program_.loops[loop.loop].name);
        const char* separator = "  carries ";
        for (const Carried& c : loop.carried) {
            fmt::format_to(std::back_inserter(out_), "{}{}: {} → {}", separator, program_.variables[c.variable].name,
                           c.initial ? value_name(g, program_, *c.initial) : "nothing",
                           value_name(g, program_, c.result));
            separator = ", ";
        }
        separator = "  captures ";
        for (const Captured& c : loop.captured) {
            fmt::format_to(std::back_inserter(out_), "{}{}", separator, value_name(g, program_, c.outer));
            separator = ", ";
        }
        out_ += '\n';
        graph(*loop.body, indent + "  ");
    }

    const Program& program_;
    const Library& library_;
};

}  // namespace

std::string print(const Graph& graph, const Program& program, const Library& library) {
    Printer printer(program, library);
    printer.graph(graph, "");
    return std::move(printer.out_);
}

}  // namespace kasc
