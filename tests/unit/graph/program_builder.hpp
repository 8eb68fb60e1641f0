#pragma once
// Programs built by hand, with a source text, for the stages that start from a checked program.
//
//   ProgramBuilder b;
//   const auto v = b.stream("v", "vector3"), w = b.stream("w", "scalar");
//   b.input({v, w});
//   b.call(v, "scale", {v, w});                       v = scale(v, w);
//   b.loop("i", 0, 3, [&] { b.call(v, "scale", {v, w}); });
//   const Program program = b.output({v});
//
// Functions and types are made up as they are named: the builder's library knows them afterwards.

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "frontend/program.hpp"
#include "library/library.hpp"

namespace kasc::test {

/// One axis of a read or target: a name, and a constant offset or an absolute position.
struct At {
    int cells = 0;
    ExpressionRef position;
    static At offset(int cells) { return {cells, nullptr}; }
    static At absolute(ExpressionRef position) { return {0, std::move(position)}; }
};

struct Read {
    VariableId variable;
    std::vector<At> at;  ///< empty: the cell itself
};

/// words of "scalar", "vector3", "matrix33", "matrix55".
[[nodiscard]] inline int words_of(const std::string& type) {
    static const std::map<std::string, int> words{{"scalar", 1}, {"vector3", 3}, {"matrix33", 9}, {"matrix55", 25}};
    return words.at(type);
}

class ProgramBuilder {
public:
    static ExpressionRef literal(double value, ScalarKind kind = ScalarKind::integer);
    ExpressionRef parameter(const std::string& name, double fallback);
    /// `operations` additions over the operands: only their number matters to the stages under test.
    static ExpressionRef sum(std::size_t operands, int operations);

    VariableId stream(const std::string& name, const std::string& type);
    VariableId field(const std::string& name, const std::vector<std::string>& axes, int keep_layers = 0);
    AxisId axis(const std::string& name);

    void input(std::vector<VariableId> variables) { program_.inputs = std::move(variables); }
    void call(VariableId target, const std::string& callee, const std::vector<VariableId>& arguments);
    /// target[target_at] = a sum over the reads of `operations` operations.
    void update(VariableId target, const std::vector<Read>& reads, int operations = 1,
                const std::vector<At>& target_at = {});
    void loop(const std::string& variable, ExpressionRef from, ExpressionRef to, const std::function<void()>& body);
    void loop(const std::string& variable, int from, int to, const std::function<void()>& body) {
        loop(variable, literal(from), literal(to), body);
    }

    /// Ends the program.
    Program output(std::vector<VariableId> variables);

    Library library;

private:
    [[nodiscard]] Span write(const std::string& text);
    [[nodiscard]] std::string access_text(VariableId variable, const std::vector<At>& at) const;
    void bind(std::vector<Statement>& statements, const SourceRef& source) const;

    Program program_;
    std::vector<std::vector<Statement>*> open_{&program_.statements};
    std::string text_;
};

inline ExpressionRef ProgramBuilder::literal(double value, ScalarKind kind) {
    return std::make_shared<const Expression>(Expression{Literal{value}, kind, {}});
}

inline ExpressionRef ProgramBuilder::parameter(const std::string& name, double fallback) {
    const ParameterId id =
        program_.parameters.add({name, ScalarKind::integer, Precision::single, literal(fallback), {}});
    return std::make_shared<const Expression>(Expression{ParameterUse{id}, ScalarKind::integer, {}});
}

inline ExpressionRef ProgramBuilder::sum(std::size_t operands, int operations) {
    const auto operand = [&](std::size_t i) {
        if (operands == 0) return literal(1, ScalarKind::real);
        return std::make_shared<const Expression>(Expression{OperandUse{i % operands}, ScalarKind::real, {}});
    };
    ExpressionRef total = operand(0);
    for (int i = 1; i <= operations; ++i) {
        total = std::make_shared<const Expression>(Expression{
            BinaryOperation{BinaryOperator::add, total, operand(static_cast<std::size_t>(i))}, ScalarKind::real, {}});
    }
    return total;
}

inline VariableId ProgramBuilder::stream(const std::string& name, const std::string& type) {
    TypeId id{};
    if (const auto known = std::find_if(library.types.begin(), library.types.end(),
                                        [&](const StreamType& t) { return t.name == type; });
        known != library.types.end()) {
        id.index = static_cast<std::uint32_t>(known - library.types.begin());
    } else {
        id = library.types.add({type, {words_of(type)}, words_of(type), {}});
    }
    const Span span = write(fmt::format("{} {};\n", type, name));
    return program_.variables.add({name, span, StreamShape{id}});
}

inline AxisId ProgramBuilder::axis(const std::string& name) {
    for (AxisId id : program_.axes.ids()) {
        if (program_.axes[id].name == name) return id;
    }
    return program_.axes.add({name, {}, nullptr, {}, false});
}

inline VariableId ProgramBuilder::field(const std::string& name, const std::vector<std::string>& axes,
                                        int keep_layers) {
    FieldShape shape;
    for (const std::string& a : axes) shape.axes.push_back(axis(a));
    const Face face{keep_layers > 0 ? BoundaryKind::keep : BoundaryKind::none, keep_layers, nullptr, {}};
    shape.faces.assign(axes.size(), {face, face});
    const Span span = write(fmt::format("field {}[{}];\n", name, fmt::join(axes, ",")));
    return program_.variables.add({name, span, shape});
}

inline void ProgramBuilder::call(VariableId target, const std::string& callee,
                                 const std::vector<VariableId>& arguments) {
    std::optional<FunctionId> function;
    for (FunctionId id : library.functions.ids()) {
        if (library.functions[id].name == callee) function = id;
    }
    const auto type = [&](VariableId v) { return std::get<StreamShape>(program_.variables[v].shape).type; };
    if (!function) {
        Function made;
        made.name = callee;
        for (VariableId a : arguments) made.arguments.push_back(type(a));
        made.result = type(target);
        made.flops = 2 * library.types[made.result].words;
        function = library.functions.add(made);
    }
    std::vector<std::string> names;
    for (VariableId a : arguments) names.push_back(program_.variables[a].name);
    const Span span =
        write(fmt::format("{} = {}({});\n", program_.variables[target].name, callee, fmt::join(names, ", ")));
    open_.back()->push_back(CallStatement{span, target, *function, arguments});
}

inline std::string ProgramBuilder::access_text(VariableId variable, const std::vector<At>& at) const {
    std::vector<std::string> parts;
    for (const At& a : at) parts.push_back(a.position ? "p" : fmt::format("{}", a.cells));
    return fmt::format("{}[{}]", program_.variables[variable].name, fmt::join(parts, ","));
}

inline void ProgramBuilder::update(VariableId target, const std::vector<Read>& reads, int operations,
                                   const std::vector<At>& target_at) {
    const auto indices = [&](VariableId v, const std::vector<At>& at) {
        std::vector<AxisIndex> list(std::get<FieldShape>(program_.variables[v].shape).axes.size(), Offset{0});
        for (std::size_t i = 0; i < at.size(); ++i) {
            list[i] = at[i].position ? AxisIndex{Absolute{at[i].position}} : AxisIndex{Offset{at[i].cells}};
        }
        return list;
    };
    FieldStatement statement;
    std::vector<std::string> texts;
    for (const Read& r : reads) {
        statement.operands.push_back({r.variable, indices(r.variable, r.at), {}});
        texts.push_back(access_text(r.variable, r.at));
    }
    statement.target = target;
    statement.target_indices = indices(target, target_at);
    statement.value = sum(reads.size(), operations);
    statement.span = write(fmt::format("{} = {};\n", access_text(target, target_at), fmt::join(texts, " + ")));
    open_.back()->push_back(statement);
}

inline void ProgramBuilder::loop(const std::string& variable, ExpressionRef from, ExpressionRef to,
                                 const std::function<void()>& body) {
    auto statement = std::make_shared<LoopStatement>();
    statement->loop = program_.loops.add({variable, {}});
    statement->from = std::move(from);
    statement->to = std::move(to);
    const std::size_t begin = text_.size();
    static_cast<void>(write(fmt::format("for ({}) {{\n", variable)));
    open_.push_back(&statement->body);
    body();
    open_.pop_back();
    static_cast<void>(write("}\n"));
    statement->span = {nullptr, begin, text_.size()};
    open_.back()->push_back(std::shared_ptr<const LoopStatement>(statement));
}

inline Span ProgramBuilder::write(const std::string& text) {
    const std::size_t begin = text_.size();
    text_ += text;
    return {nullptr, begin, text_.size() - 1};
}

inline void ProgramBuilder::bind(std::vector<Statement>& statements, const SourceRef& source) const {
    for (Statement& statement : statements) {
        if (auto* call = std::get_if<CallStatement>(&statement)) {
            call->span.source = source;
        } else if (auto* update = std::get_if<FieldStatement>(&statement)) {
            update->span.source = source;
        } else {
            auto& loop = std::get<std::shared_ptr<const LoopStatement>>(statement);
            auto bound = std::make_shared<LoopStatement>(*loop);
            bound->span.source = source;
            bind(bound->body, source);
            loop = bound;
        }
    }
}

inline Program ProgramBuilder::output(std::vector<VariableId> variables) {
    program_.outputs = std::move(variables);
    program_.name = "test";
    program_.source = make_source("test.kas", text_);
    for (Variable& v : program_.variables) v.span.source = program_.source;
    bind(program_.statements, program_.source);
    return program_;
}

}  // namespace kasc::test
