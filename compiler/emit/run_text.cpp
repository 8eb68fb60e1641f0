// The run's members; what it takes before its first step and gives after its last.
#include <algorithm>
#include <stdexcept>

#include "emit/files.hpp"
#include "emit/run_printer.hpp"
#include "frontend/reduction.hpp"

namespace kasc::emit {

RunPrinter::RunPrinter(Writer& out, const HostContext& context)
    : out_(out), c_(context), scope_(context.scope), transforms_(context) {
    // Copies before the first launch prepare the run, deliveries end it.
    const auto computes = [](const HostStep& s) {
        return std::holds_alternative<LaunchStep>(s.what) || std::holds_alternative<TransformStep>(s.what) ||
               std::holds_alternative<LoopStep>(s.what);
    };
    const auto delivers = [](const HostStep& s) { return std::holds_alternative<DeliverStep>(s.what); };
    const auto& steps = c_.plan.steps;
    const auto last = std::find_if(steps.begin(), steps.end(), delivers);
    const auto first = std::find_if(steps.begin(), last, computes);
    before_.assign(steps.begin(), first);
    computing_.assign(first, last);
    after_.assign(last, steps.end());
    for (const HostStep& s : computing_) {
        const auto* loop = std::get_if<LoopStep>(&s.what);
        if (loop == nullptr) continue;
        const std::string& i = index(*loop);
        loops_.push_back({loop, scope_.fresh(i + "_from"), scope_.fresh(i + "_to"), scope_.fresh(i + "_count")});
    }
    if (c_.target == Target::cuda) name_graphs(computing_);
    for (const SeriesNames& s : c_.names.series) series_.push_back({&s, slot_of(s.series)});
}

void RunPrinter::print() {
    declare();
    prepare();
    advance();
    if (!c_.is_reference()) {
        seek();
        state();
        if (!series_.empty()) window();
    }
    deliver();
}

void RunPrinter::name_graphs(const std::vector<HostStep>& steps) {
    for (const HostStep& s : steps) {
        const auto* loop = std::get_if<LoopStep>(&s.what);
        if (loop == nullptr) continue;
        for (const CapturedSteps& g : loop->graphs)
            graphs_.emplace_back(&g, scope_.fresh(fmt::format("graph_{}", graphs_.size())));
        name_graphs(loop->body);
    }
}

SlotId RunPrinter::slot_of(const Series& series) const {
    for (const SlotId id : c_.plan.slots.ids()) {
        const auto& storage = c_.plan.slots[id].storage;
        const auto* in = std::get_if<InputStorage>(&storage);
        const auto* out = std::get_if<OutputStorage>(&storage);
        if ((series.input && in != nullptr && in->position == series.position) ||
            (!series.input && out != nullptr && out->position == series.position))
            return id;
    }
    throw std::logic_error("a series has no array of its own");
}

const RunPrinter::SeriesSlot* RunPrinter::series_at(SlotId slot) const {
    const auto at = std::find_if(series_.begin(), series_.end(), [&](const auto& s) { return s.slot == slot; });
    return at == series_.end() ? nullptr : &*at;
}

std::string RunPrinter::where_whole(const SeriesSlot* series) const {
    return series == nullptr ? "" : fmt::format("if (args.{} == 0) ", series->names->rows);
}

void RunPrinter::declare() {
    out_.line("// One run: its arrays, and how far it has come.");
    out_.open("struct {}_run", c_.prefix);
    out_.line("{} args;  // arrays in the target's memory", run_arguments(c_));
    out_.line("{}_arguments host = {{}};  // of a run on arrays of the host", c_.program.name);
    out_.line("bool on_host = false;");
    if (!graphs_.empty()) out_.line("kasc_stream {};", own_stream_);
    out_.line("kasc_memory memory;");
    for (const SlotId id : c_.plan.slots.ids())
        out_.line("kasc_memory::array<{}> {} = {{}};", word(c_.plan.slots[id].variable), c_.slot(id));
    for (const SeriesSlot& s : series_)
        out_.line("kasc_window<{}> {};", word(c_.plan.slots[s.slot].variable), s.names->window);
    for (std::size_t k = 0; k < loops_.size(); ++k) {
        out_.line("int {} = 0, {} = 0, {} = 0;  // of the loop that is part {}", loops_[k].from, loops_[k].to,
                  index(*loops_[k].step), 2 * k + 1);
    }
    transforms_.declare(out_);
    for (const auto& graph : graphs_) out_.line("kasc_graph {};", graph.second);
    out_.line("int part = 0;");
    out_.line("long long done = 0, total = 0;  // iterations of the outermost loops");
    out_.blank();
    const std::string of_stream =
        graphs_.empty() ? "memory(stream)" : fmt::format("{0}(stream), memory({0}.get())", own_stream_);
    out_.line("{0}_run(const {1}_arguments &arguments, void *stream) : args(arguments), {2} {{}}", c_.prefix,
              c_.program.name, of_stream);
    out_.line("int prepare();");
    out_.line("int advance(long long until);");
    if (!c_.is_reference()) {
        out_.line("int seek(long long iteration);");
        out_.line("std::vector<kasc_live_array> state() const;");
        if (!series_.empty()) out_.line("kasc_rows *window(int series);");
    }
    out_.line("int deliver();");
    out_.close(";");
    out_.blank();
}

void RunPrinter::prepare() {
    out_.line("// Allocates, and makes what kernels expect to find in memory.");
    out_.open("int {}_run::prepare()", c_.prefix);
    check_extents();
    write_parameters(out_, c_);
    for (const SlotId id : c_.plan.slots.ids()) take_slot(id);
    transforms_.prepare(out_);
    out_.line("if (memory.status() != 0) return memory.status();");
    for (const HostStep& s : before_) step(s);
    for (const Outermost& loop : loops_) {
        out_.line("{} = {} = {}, {} = {};", index(*loop.step), loop.from, host_text(*loop.step->from, c_.names),
                  loop.to, host_text(*loop.step->to, c_.names));
        out_.line("total += std::max(0LL, (long long){} - {});", loop.to, loop.from);
    }
    out_.line("return memory.status();");
    out_.close();
    out_.blank();
}

void RunPrinter::check_extents() {
    const InterfaceNames& names = c_.names;
    if (c_.program.kind == ProgramKind::stream) {
        const int fewest = std::max(1, c_.plan.minimum_elements);
        out_.open("if (args.{0} < {1} || args.{0} > INT_MAX - {1})", names.elements, fewest);
        out_.line("return kasc_fail(1, \"%lld elements: this call takes from {} to 2^31 of them\", args.{});", fewest,
                  names.elements);
        out_.close();
        if (c_.plan.element_multiple > 1) {
            out_.open("if (args.{} % {} != 0)", names.elements, c_.plan.element_multiple);
            out_.line(
                "return kasc_fail(1, \"%lld elements: this call takes multiples of {}, {}_compute any number\", "
                "args.{});",
                c_.plan.element_multiple, c_.prefix, names.elements);
            out_.close();
        }
        return;
    }
    for (const AxisId axis : c_.program.axes.ids()) {
        if (c_.program.axes[axis].parts) continue;
        out_.open("if (args.{0} < 1 || args.{0} > INT_MAX - 1024)", names.extents.at(axis.index));
        out_.line("return kasc_fail(1, \"extent {0} is %lld\", args.{0});", names.extents.at(axis.index));
        out_.close();
    }
    for (const AxisId axis : c_.program.axes.ids()) {
        const auto& parts = c_.program.axes[axis].parts;
        if (!parts) continue;
        std::string cells;
        for (const AxisId folded : parts->of)
            cells += fmt::format("{}args.{}", cells.empty() ? "" : " * ", names.extents.at(folded.index));
        out_.line("args.{} = std::min({}LL, ({} + {}) / {});", names.extents.at(axis.index), parts->most, cells,
                  least_cells_of_part - 1, least_cells_of_part);
    }
}

void RunPrinter::take_slot(SlotId id) {
    const Slot& s = c_.plan.slots[id];
    const std::string& name = c_.slot(id);
    const std::string words = c_.words(s.variable);
    std::string whole = fmt::format("memory.take<{}>(\"{}\", {})", word(s.variable), name, words);
    if (const auto* in = std::get_if<InputStorage>(&s.storage)) {
        whole = fmt::format("memory.input(\"{}\", args.{}, {})", name, c_.names.inputs.at(in->position), words);
    } else if (const auto* o = std::get_if<OutputStorage>(&s.storage)) {
        whole = fmt::format("memory.output(\"{}\", args.{}, {})", name, c_.names.outputs.at(o->position), words);
    }
    const SeriesSlot* series = series_at(id);
    if (series == nullptr) {
        out_.line("{} = {};", name, whole);
        return;
    }
    const auto& axes = field_shape(c_.program, s.variable).axes;
    const std::string& extent = c_.names.extents.at(axes.back().index);
    std::string row;
    for (auto axis = axes.begin(); axis + 1 != axes.end(); ++axis)
        row += fmt::format("{}args.{}", row.empty() ? "" : " * ", c_.names.extents.at(axis->index));
    const std::string& rows = series->names->rows;
    out_.open("if (args.{} == 0)", rows);
    out_.line("{} = {};", name, whole);
    out_.reopen("else");
    out_.line("{}.take(memory, \"{}\", &{}, {}, args.{}, std::min(args.{}, args.{}));", series->names->window,
              c_.program.variables[s.variable].name, name, row, extent, rows, extent);
    out_.close();
}

void RunPrinter::deliver() {
    out_.open("int {}_run::deliver()", c_.prefix);
    for (const HostStep& s : after_) step(s);
    out_.open("if (on_host)");
    for (std::size_t i = 0; i < c_.program.outputs.size(); ++i) {
        const auto series = std::find_if(series_.begin(), series_.end(), [&](const SeriesSlot& s) {
            return !s.names->series.input && s.names->series.position == i;
        });
        out_.line("{0}memory.download(host.{1}, args.{1}, {2});",
                  where_whole(series == series_.end() ? nullptr : &*series), c_.names.outputs[i],
                  c_.words(c_.program.outputs[i], "host."));
    }
    out_.line("memory.synchronise();");
    out_.close();
    out_.line("return memory.status();");
    out_.close();
    out_.blank();
}

void write_run(Writer& out, const HostContext& context) { RunPrinter(out, context).print(); }

}  // namespace kasc::emit
