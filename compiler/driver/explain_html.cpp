// support/explorer/page.html with three things in their places: the style, the data as JSON, the scripts. In the data
// "<" is written \u003c, so that no text of the program ends or begins a script.

#include "driver/explain_html.hpp"

#include <algorithm>
#include <string_view>

#include "driver/explorer/emitted_lines.hpp"
#include "driver/explorer/graph_json.hpp"
#include "driver/explorer/neighbours.hpp"
#include "driver/explorer/plan_view.hpp"
#include "driver/explorer/program_lines.hpp"
#include "driver/json_parts.hpp"
#include "driver/plan_text.hpp"
#include "driver/report_parts.hpp"
#include "search/plan_wish.hpp"

namespace kasc {

namespace {

using namespace explorer;

constexpr std::size_t most_candidates = 4000;  // of all graphs together: about half a megabyte of text
constexpr const char* scripts[] = {"page.js",       "drawing.js", "code.js",     "graph.js",
                                   "candidates.js", "kernels.js", "decisions.js"};

/// Pieces [text, statement] of each line; -1: of no statement.
Json source_json(const Compilation& c, const SourceRef& source, const PlanView& view) {
    Json lines = Json::array();
    for (const auto& line : program_lines(source->text, view.statements)) {
        Json pieces = Json::array();
        for (const ProgramPiece& piece : line)
            pieces.push_back({piece.text, piece.statement ? static_cast<int>(*piece.statement) : -1});
        lines.push_back(std::move(pieces));
    }
    Json statements = Json::array();
    for (const ViewedStatement& s : view.statements)
        statements.push_back({{"line", line_column(*source, s.begin).line}, {"kernels", s.kernels}});
    return {{"name", c.program.name + ".kas"}, {"lines", lines}, {"statements", statements}};
}

Json code_json(const Compilation& c, const emit::EmittedCode& code, const PlanView& view) {
    Json files = Json::array();
    for (std::size_t k : {1, 2}) {  // kernels, and the host's side
        const emit::EmittedFile& file = code.files.at(k);
        const EmittedLines lines = emitted_lines(file.text, c, *c.plans.front().host, view);
        Json kernels = Json::array(), statements = Json::array();
        for (const KernelLines& l : lines.kernels) kernels.push_back({l.first, l.last, l.kernel});
        for (const StatementLine& l : lines.statements) statements.push_back({l.line, l.kernel, l.statement});
        files.push_back({{"name", file.name}, {"text", file.text}, {"kernels", kernels}, {"statements", statements}});
    }
    return files;
}

Json kernels_json(const Compilation& c, const PlanView& view) {
    Json all = Json::array();
    const std::vector<GraphInPlan> explained = graphs_of(c, c.plans.front());
    const std::vector<NamedCall> names = named_calls(c.program, c.graph);
    for (const ViewedKernel& kernel : view.kernels) {
        const ViewedGraph& in = view.graphs[kernel.graph];
        const auto at = std::find_if(explained.begin(), explained.end(),
                                     [&](const GraphInPlan& g) { return g.planned == in.planned; });
        const Graph& expanded = *in.planned->costed->expanded;
        const Fusion& fusion = fusion_of(kernel.candidate->schedule);
        all.push_back({{"name", kernel.name},
                       {"anchor", kernel.anchor},
                       {"graph", kernel.graph},
                       {"explained", {at - explained.begin(), kernel.place}},
                       {"set", plan_calls(names, in.graph, fusion.calls)},
                       {"inputs", values_json(c, expanded, fusion.inputs)},
                       {"outputs", values_json(c, expanded, fusion.outputs)},
                       {"inner", values_json(c, expanded, fusion.inner)},
                       {"text", print(kernel.candidate->schedule, c.program, expanded, c.library)}});
    }
    return all;
}

Json neighbours_json(const Compilation& c, const PlanView& view, std::size_t graph) {
    Json all = Json::array();
    for (const KernelPair& n : neighbours_of(c, view, graph))
        all.push_back({{"first", n.first},
                       {"second", n.second},
                       {"values", n.values},
                       {"shared", n.shared},
                       {"reason", n.reason}});
    return all;
}

Json graphs_json(const Compilation& c, const PlanView& view) {
    const std::vector<NamedCall> names = named_calls(c.program, c.graph);
    std::size_t searched = 0;
    for (const ViewedGraph& g : view.graphs)
        searched += g.planned != nullptr && !g.planned->costed->candidates.empty() ? 1 : 0;
    Json all = Json::array();
    for (std::size_t k = 0; k < view.graphs.size(); ++k) {
        const ViewedGraph& g = view.graphs[k];
        Json entry{{"name", g.name}, {"times", g.times}};
        if (g.loop) {
            const Loop& loop = c.program.loops[*g.loop];
            entry["loop"] = {{"name", loop.name}, {"by", loop.by}, {"rest", loop.rest.has_value()}};
        }
        if (g.kernel) entry["kernel"] = *g.kernel;
        entry["kernels"] = g.kernels;
        entry["drawing"] = graph_json(c, view, k, names);
        if (g.planned != nullptr) {
            entry["neighbours"] = neighbours_json(c, view, k);
            entry["candidates"] = candidates_json(view, k, names, most_candidates / std::max<std::size_t>(searched, 1));
        }
        all.push_back(std::move(entry));
    }
    return all;
}

Json measured_json(const MeasuredPlans& measured) {
    Json plans = Json::array();
    for (const MeasuredPlan& p : measured.plans) {
        Json plan{{"plan", p.plan}, {"position", p.position}, {"predicted_ns", p.predicted_ns}};
        if (p.fault.empty()) {
            plan["measured_ns"] = p.median_ns;
            plan["low_ns"] = p.low_ns;
            plan["high_ns"] = p.high_ns;
        } else {
            plan["fault"] = p.fault;
        }
        plans.push_back(std::move(plan));
    }
    return {{"device", measured.device},
            {"sizes", measured.sizes},
            {"parameters", measured.parameters},
            {"compiler", measured.compiler},
            {"plans", plans}};
}

/// As the data of a script: text ends neither it nor a comment.
std::string escaped(const std::string& json) {
    std::string out;
    for (const char c : json) {
        if (c == '<') {
            out += "\\u003c";
        } else {
            out.push_back(c);
        }
    }
    return out;
}

void put(std::string& page, std::string_view mark, const std::string& text) {
    const std::size_t at = page.find(mark);
    if (at != std::string::npos) page.replace(at, mark.size(), text);
}

}  // namespace

Outcome<std::string> explain_html(const Compilation& c, const CompileRequest& request, const PageFacts& facts) {
    const emit::Target target = c.device.kind == DeviceKind::gpu ? emit::Target::cuda : emit::Target::cpu;
    const auto code = emit_plan(c, request, 0, target);
    if (!code) return failure<std::string>(code.diagnostics);
    const PlanView view = view_of(c, c.plans.front(), request.source);

    Json data{{"kasc", facts.version},
              {"sizes", problem_text(c)},
              {"least_bytes", facts.least_bytes},
              {"least_ns", facts.least_bytes / c.device.copy_gb_s},
              {"copy_gb_s", c.device.copy_gb_s},
              {"shared_bytes_per_block", c.device.max_dynamic_shared_bytes_per_block}};
    data["source"] = source_json(c, request.source, view);
    data["code"] = code_json(c, *code, view);
    data["graphs"] = graphs_json(c, view);
    data["kernels"] = kernels_json(c, view);
    data["explanation"] = explanation_json(c, facts.step);
    // The page shows the next best plan as text alone.
    for (std::size_t k = 1; k < data["explanation"]["plans"].size(); ++k)
        data["explanation"]["plans"][k].erase("graphs");
    if (facts.measured) data["measured"] = measured_json(*facts.measured);

    const std::string folder = (request.data_folder / "support" / "explorer").string();
    const auto page = emit::data_file(folder, "page.html"), style = emit::data_file(folder, "page.css");
    if (!page || !style) return failure<std::string>(page ? style.diagnostics : page.diagnostics);
    std::string text = page->text, code_of_page;
    for (const char* name : scripts) {
        const auto script = emit::data_file(folder, name);
        if (!script) return failure<std::string>(script.diagnostics);
        code_of_page += script->text;
    }
    put(text, "{{program}}", c.program.name);
    put(text, "/*{{style}}*/", style->text);
    put(text, "/*{{scripts}}*/", code_of_page);
    put(text, "{{data}}", escaped(data.dump(-1, ' ', false, Json::error_handler_t::replace)));
    return success(std::move(text), code.diagnostics);
}

}  // namespace kasc
