// Steps of a run that are CUDA graphs: a function each, which is captured as the program is prepared.
#include "emit/run_printer.hpp"
#include "plan/swaps.hpp"

namespace kasc::emit {

void RunPrinter::name_graphs(const std::vector<HostStep>& steps) {
    for (const HostStep& s : steps) {
        const auto* loop = std::get_if<LoopStep>(&s.what);
        if (loop == nullptr) continue;
        around_.push_back(loop->loop);
        for (const CapturedSteps& g : loop->graphs) {
            const std::size_t k = graphs_.size();
            graphs_.push_back({loop, &g, around_, scope_.fresh(fmt::format("graph_{}", k)),
                               scope_.fresh(fmt::format("steps_{}", k))});
        }
        name_graphs(loop->body);
        around_.pop_back();
    }
}

void RunPrinter::captured(const NamedGraph& graph) {
    out_.line("// The same in every iteration in which their arrays are.");
    out_.open("int {}_run::{}()", c_.prefix, graph.steps);
    in_graph_ = true;
    around_ = graph.around;
    for (std::size_t k = graph.captured->first; k < graph.captured->end; ++k) step(graph.loop->body[k]);
    around_.clear();
    in_graph_ = false;
    out_.line("return memory.status();");
    out_.close();
    out_.blank();
}

std::string RunPrinter::arrays_of(const CapturedSteps& graph) const {
    std::string arrays;
    for (const SlotId slot : graph.arrays) arrays += (arrays.empty() ? "" : ", ") + c_.slot(slot);
    return arrays;
}

void RunPrinter::capture() {
    out_.line(
        "// Graphs for the arrays that the program is prepared with, and for each place that loops bring them to.");
    out_.open("void {}_run::capture()", c_.prefix);
    std::string missing;
    for (const std::string& array : callers_arrays()) {
        const SeriesSlot* series = series_of(array);
        missing += series == nullptr ? fmt::format("{}args.{} == nullptr", missing.empty() ? "" : " || ", array)
                                     : fmt::format("{}(args.{} == nullptr && args.{} == 0)",
                                                   missing.empty() ? "" : " || ", array, series->names->rows);
    }
    if (!missing.empty()) out_.line("if ({}) return;", missing);
    out_.line("bind();");
    out_.line("{} = args;", captured_arguments_);
    capture_loops(computing_);
    out_.close();
    out_.blank();
}

void RunPrinter::capture_loops(const std::vector<HostStep>& steps) {
    for (const HostStep& s : steps) {
        const auto* loop = std::get_if<LoopStep>(&s.what);
        if (loop == nullptr) continue;
        if (!loop->swaps.empty()) out_.open("for (int turn = 0; turn < {}; ++turn)", turns_of(loop->swaps));
        for (const NamedGraph& graph : graphs_) {
            if (graph.loop == loop)
                out_.line("{}.capture(memory, {{{}}}, [&] {{ return {}(); }});", graph.name, arrays_of(*graph.captured),
                          graph.steps);
        }
        capture_loops(loop->body);
        for (const auto& [a, b] : loop->swaps) out_.line("std::swap({}, {});", c_.slot(a), c_.slot(b));
        if (!loop->swaps.empty()) out_.close();
    }
}

void RunPrinter::same_as_captured() {
    std::string same;
    const auto equal = [&](const std::string& name) {
        same += fmt::format(" && args.{0} == {1}.{0}", name, captured_arguments_);
    };
    for (const std::string& name : c_.names.parameters) equal(name);
    for (const std::string& name : callers_arrays()) equal(name);
    out_.line("{} = !memory.is_captured(){};", replayed_, same);
}

}  // namespace kasc::emit
