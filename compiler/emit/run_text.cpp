// struct <prefix>_run as it is emitted: its members; what is prepared once; what a run takes before its first step and
// gives after its last.
#include <algorithm>
#include <stdexcept>

#include "emit/files.hpp"
#include "emit/run_printer.hpp"
#include "emit/skeleton.hpp"
#include "frontend/reduction.hpp"

namespace kasc::emit {

namespace {

/// The most cells of an axis and elements of a stream: the numbers of cells and of their neighbours are 32-bit.
constexpr const char* most_cells_text = "INT_MAX - 1024";

constexpr std::string_view run_skeleton = R"(
// The program on arrays in the target's memory: what it needs beside them, and how far a run has come.
struct ${prefix}_run {
    kasc_memory &memory;
    ${run_arguments} args = {};
    ${members}

    explicit ${prefix}_run(kasc_memory &of) : memory(of) {}
    static int check(const ${p}_arguments &given);
    int prepare(const ${p}_arguments &given);
    void bind();
    ${graph_functions}
    int begin(const ${p}_arguments &given);
    int advance(${until});
    ${piece_functions}
    int deliver();
    int release();
};

// Extents that the program takes.
int ${prefix}_run::check(const ${p}_arguments &given) {
    ${extents}
    return 0;
}

// All that does not depend on the caller's arrays.
int ${prefix}_run::prepare(const ${p}_arguments &given) {
    ${set_arguments}
    ${take_memory}
    ${prepare_transforms}
    ${load_kernels}
    ${make_graphs}
    memory.synchronise();
    return memory.status();
}

// Where the arrays of args lie; loops change some places.
void ${prefix}_run::bind() {
    ${places}
}

${graphs}
// A run on these arrays: what kernels expect to find in memory, and where loops begin.
int ${prefix}_run::begin(const ${p}_arguments &given) {
    ${no_part}
    ${as_prepared}
    ${expected}
    if (memory.status() != 0) return memory.status();
    ${set_arguments}
    bind();
    ${clear_windows}
    ${replayed}
    ${first_steps}
}

${about_advance}
int ${prefix}_run::advance(${until_given}) {
    const kasc_range range("${prefix}");
    ${steps}
}

${elsewhere}
// Ends the run.
int ${prefix}_run::deliver() {
    ${deliveries}
    ${no_part}
    return memory.status();
}

int ${prefix}_run::release() {
    ${release}
}

)";

}  // namespace

RunPrinter::RunPrinter(Writer& out, const HostContext& context)
    : out_(out), c_(context), scope_(context.scope), transforms_(context), orders_(context) {
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
    const LoopStep* several = nullptr;
    for (const HostStep& s : computing_) {
        const auto* loop = std::get_if<LoopStep>(&s.what);
        if (loop != nullptr && rest_of(s, c_.program)) several = loop;
        if (loop == nullptr || rest_of(s, c_.program)) continue;
        const std::string& i = index(*loop);
        loops_.push_back({std::exchange(several, nullptr), loop, scope_.fresh(i + "_from"), scope_.fresh(i + "_to"),
                          scope_.fresh(i + "_count")});
    }
    if (c_.target == Target::cuda) name_graphs(computing_);
    find_swapped(computing_);
    name_counts();
    if (c_.is_reference()) return;
    for (const SeriesNames& s : c_.names.series) series_.push_back({&s, slot_of(s.series)});
}

void RunPrinter::print() {
    const bool pieces = has_pieces(c_.program) && !c_.is_reference(), parts = c_.has_parts();
    // One after the other: names are taken as they come.
    Holes holes{{"prefix", c_.prefix},
                {"p", c_.program.name},
                {"run_arguments", run_arguments(c_)},
                {"until", parts ? "long long until" : ""},
                {"no_part", parts ? "part = -1;" : ""},
                {"make_graphs", graphs_.empty() ? "" : "capture();"}};
    const auto fill = [&](const char* name, const auto& print) { holes[name] = lines(print); };
    fill("members", [&] { members(); });
    fill("graph_functions", [&] {
        for (const NamedGraph& graph : graphs_) out_.line("int {}();", graph.steps);
        if (!graphs_.empty()) out_.line("void capture();");
    });
    fill("piece_functions", [&] {
        if (!pieces) return;
        out_.line("int seek(long long iteration);");
        out_.line("std::vector<kasc_live_array> state() const;");
        if (!series_.empty()) out_.line("kasc_rows *window(int series);");
    });
    fill("extents", [&] { extents(); });
    fill("set_arguments", [&] { set_arguments(); });
    fill("take_memory", [&] { take_memory(); });
    fill("prepare_transforms", [&] { transforms_.prepare(out_), orders_.prepare(out_); });
    fill("load_kernels", [&] {
        if (c_.target == Target::cuda) load_kernels();
    });
    fill("places", [&] { places(); });
    fill("graphs", [&] {
        for (const NamedGraph& graph : graphs_) captured(graph);
        if (!graphs_.empty()) capture();
    });
    fill("as_prepared", [&] { as_prepared(); });
    fill("expected", [&] {
        for (const std::string& array : callers_arrays()) {
            const SeriesSlot* series = series_of(array);
            const std::string whole = series == nullptr ? "" : fmt::format("if (given.{} == 0) ", series->names->rows);
            out_.line("{0}memory.expect(\"{1}\", given.{1});", whole, array);
        }
    });
    fill("clear_windows", [&] {
        for (const SeriesSlot& s : series_) out_.line("{}.clear();", s.names->window);
    });
    fill("replayed", [&] {
        if (!graphs_.empty()) same_as_captured();
    });
    fill("first_steps", [&] { with_parameters([&] { first_steps(); }); });
    holes["about_advance"] =
        parts ? "// As far as `until` iterations; what stands between the loops runs on the way." : "// All launches.";
    holes["until_given"] = !parts ? "" : loops_.empty() ? "[[maybe_unused]] long long until" : "long long until";
    fill("steps", [&] { with_parameters([&] { steps(); }); });
    fill("elsewhere", [&] {
        if (pieces) go_on_elsewhere();
    });
    fill("deliveries", [&] {
        for (const HostStep& s : after_) step(s);
    });
    fill("release", [&] { release(); });
    out_.lines(filled(run_skeleton, holes));
}

std::string RunPrinter::lines(const std::function<void()>& print) {
    Writer part;
    std::swap(out_, part);
    print();
    std::swap(out_, part);
    std::string text = part.take();
    if (!text.empty()) text.pop_back();  // the last line break
    return text;
}

void RunPrinter::with_parameters(const std::function<void()>& print) {
    const std::string text = lines(print) + "\n";
    write_parameters(out_, c_, text);
    out_.lines(text);
}

void RunPrinter::find_swapped(const std::vector<HostStep>& steps) {
    for (const HostStep& s : steps) {
        const auto* loop = std::get_if<LoopStep>(&s.what);
        if (loop == nullptr) continue;
        for (const auto& [a, b] : loop->swaps)
            for (const SlotId slot : {a, b}) {
                if (!swapped_.contains(slot)) swapped_[slot] = scope_.fresh("own_" + c_.slot(slot));
            }
        find_swapped(loop->body);
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

const RunPrinter::SeriesSlot* RunPrinter::series_of(const std::string& array) const {
    const auto at = std::find_if(series_.begin(), series_.end(), [&](const SeriesSlot& s) {
        const Series& of = s.names->series;
        return (of.input ? c_.names.inputs : c_.names.outputs).at(of.position) == array;
    });
    return at == series_.end() ? nullptr : &*at;
}

std::string RunPrinter::where_whole(const SeriesSlot* series) const {
    return series == nullptr ? "" : fmt::format("if (args.{} == 0) ", series->names->rows);
}

bool RunPrinter::is_own(SlotId id) const { return std::holds_alternative<TemporaryStorage>(c_.plan.slots[id].storage); }

void RunPrinter::members() {
    for (const SlotId id : c_.plan.slots.ids())
        out_.line("kasc_memory::array<{}> {} = {{}};", word(c_.plan.slots[id].variable), c_.slot(id));
    for (const auto& [slot, own] : swapped_) {
        if (is_own(slot)) out_.line("kasc_memory::array<{}> {} = {{}};", word(c_.plan.slots[slot].variable), own);
    }
    declare_counts();
    for (const SeriesSlot& s : series_)
        out_.line("kasc_window<{}> {};", word(c_.plan.slots[s.slot].variable), s.names->window);
    for (std::size_t k = 0; k < loops_.size(); ++k) {
        out_.line("int {} = 0, {} = 0, {} = 0;  // of the loop that is part {}", loops_[k].from, loops_[k].to,
                  index(*loops_[k].step), 2 * k + 1);
    }
    transforms_.declare(out_);
    orders_.declare(out_);
    for (const NamedGraph& graph : graphs_) out_.line("kasc_graph {};", graph.name);
    if (!graphs_.empty()) {
        out_.line("{}_arguments {} = {{}};  // that the graphs were made for", c_.program.name, captured_arguments_);
        out_.line("bool {} = false;", replayed_);
    }
    if (c_.has_parts()) {
        out_.line("int part = -1;  // none: nothing was begun");
        out_.line("long long done = 0, total = 0;  // iterations of the outermost loops");
    }
}

void RunPrinter::extents() {
    const InterfaceNames& names = c_.names;
    const auto extent = [&](const std::string& name, const char* what) {
        out_.open("if (given.{0} < 1 || given.{0} > {1})", name, most_cells_text);
        out_.line("return kasc_fail(1, \"{}{} is %lld: from 1 to %d are taken\", given.{}, {});", what, name, name,
                  most_cells_text);
        out_.close();
    };
    if (!names.elements.empty()) extent(names.elements, "the number of elements ");
    for (const AxisId axis : c_.program.axes.ids()) {
        if (!c_.program.axes[axis].own) extent(names.extents.at(axis.index), "extent ");
    }
    // Axes that are the run's own have extents that follow from the others' lengths.
    for (const AxisId axis : c_.program.axes.ids()) {
        const Axis& own = c_.program.axes[axis];
        if (!own.own || own.parts || own.half_of) continue;
        out_.open("if ({} > {})", of_given(*own.fallback_extent), most_cells_text);
        out_.line("return kasc_fail(1, \"extent {0} would be %lld: up to %d are taken\", {1}, {2});", own.name,
                  of_given(*own.fallback_extent), most_cells_text);
        out_.close();
    }
    for (const auto& [axis, length] : lengths_of(c_.plan)) {
        if (const Axis& own = c_.program.axes[axis]; own.own) {
            out_.line(
                "if ({0} != {1}) return kasc_fail(1, \"extent {2} would be %lld: the kernels are made for {1}\", {0});",
                of_given(*own.fallback_extent), length, own.name);
            continue;
        }
        const std::string& name = names.extents.at(axis.index);
        out_.open("if (given.{} != {})", name, length);
        out_.line("return kasc_fail(1, \"extent {0} is %lld: the kernels are made for {1}\", given.{0});", name,
                  length);
        out_.close();
    }
    for (const AxisId axis : c_.program.axes.ids()) {
        const auto& whole = c_.program.axes[axis].half_of;
        if (!whole || c_.program.axes[axis].own) continue;
        out_.open("if (given.{0} != given.{1} / 2 + 1)", names.extents.at(axis.index), names.extents.at(whole->index));
        out_.line(
            "return kasc_fail(1, \"extent {0} is %lld: half a spectrum has %lld\", given.{0}, given.{1} / 2 + 1);",
            names.extents.at(axis.index), names.extents.at(whole->index));
        out_.close();
    }
}

std::string RunPrinter::of_given(const Expression& length) const {
    const std::string text = host_text(length, c_.names), from = "args.", to = "given.";
    std::string made;
    std::size_t at = 0;
    for (std::size_t next = text.find(from); next != std::string::npos; next = text.find(from, at)) {
        made += text.substr(at, next - at) + to;
        at = next + from.size();
    }
    return made + text.substr(at);
}

void RunPrinter::set_arguments() {
    out_.line("args = given;");
    for (const AxisId axis : c_.program.axes.ids()) {
        const auto& parts = c_.program.axes[axis].parts;
        if (!parts && c_.program.axes[axis].own)
            out_.line("args.{} = {};", c_.names.extents.at(axis.index),
                      host_text(*c_.program.axes[axis].fallback_extent, c_.names));
        if (!parts) continue;
        std::string cells;
        for (const AxisId folded : parts->of)
            cells += fmt::format("{}args.{}", cells.empty() ? "" : " * ", c_.names.extents.at(folded.index));
        const std::string needed = fmt::format("({} + {}) / {}", cells, parts->cells - 1, parts->cells);
        out_.line("args.{} = {};", c_.names.extents.at(axis.index),
                  parts->most ? fmt::format("std::min({}LL, {})", *parts->most, needed) : needed);
    }
}

void RunPrinter::take_memory() {
    for (const SlotId id : c_.plan.slots.ids()) {
        const VariableId variable = c_.plan.slots[id].variable;
        if (is_own(id))
            out_.line("{} = memory.take<{}>(\"{}\", {});", own_name(id), word(variable), c_.slot(id),
                      c_.words_of_slot(id));
        if (const SeriesSlot* series = series_at(id)) take_window(*series);
    }
    take_counts();
}

void RunPrinter::load_kernels() {
    std::string kernels;
    for (const kernel::Lowered& lowered : c_.plan.kernels) {
        for (const kernel::Kernel& k : lowered.alternatives) {
            if (k.at_store) continue;  // the transform's own
            kernels += fmt::format("{}reinterpret_cast<const void *>({})", kernels.empty() ? "" : ", ", k.name);
        }
    }
    if (!kernels.empty()) out_.line("memory.load({{{}}});", kernels);
}

const std::string& RunPrinter::own_name(SlotId id) const {
    const auto swapped = swapped_.find(id);
    return swapped == swapped_.end() ? c_.slot(id) : swapped->second;
}

void RunPrinter::take_window(const SeriesSlot& series) {
    const VariableId variable = c_.plan.slots[series.slot].variable;
    const auto& axes = field_shape(c_.program, variable).axes;
    const std::string& extent = c_.names.extents.at(axes.back().index);
    std::string row;
    for (auto axis = axes.begin(); axis + 1 != axes.end(); ++axis)
        row += fmt::format("{}args.{}", row.empty() ? "" : " * ", c_.names.extents.at(axis->index));
    const std::string& rows = series.names->rows;
    out_.line("if (args.{0} != 0) {1}.take(memory, \"{2}\", &{3}, {4}, args.{5}, std::min(args.{0}, args.{5}));", rows,
              series.names->window, c_.program.variables[variable].name, c_.slot(series.slot), row, extent);
}

void RunPrinter::places() {
    for (const SlotId id : c_.plan.slots.ids()) {
        const Slot& s = c_.plan.slots[id];
        const std::string& name = c_.slot(id);
        const auto callers = [&](bool input, const std::string& array) {
            out_.line("{}{} = memory.{}(\"{}\", {}, {});", where_whole(series_at(id)), name, input ? "input" : "output",
                      name, callers_array_text(c_.program, s.variable, "args." + array, input), c_.words(s.variable));
        };
        if (const auto* in = std::get_if<InputStorage>(&s.storage)) {
            callers(true, c_.names.inputs.at(in->position));
        } else if (const auto* o = std::get_if<OutputStorage>(&s.storage)) {
            callers(false, c_.names.outputs.at(o->position));
        } else if (swapped_.contains(id)) {
            out_.line("{} = {};", name, swapped_.at(id));
        }
    }
}

std::vector<std::string> RunPrinter::callers_arrays() const {
    std::vector<std::string> all = c_.names.inputs;
    all.insert(all.end(), c_.names.outputs.begin(), c_.names.outputs.end());
    return all;
}

void RunPrinter::as_prepared() {
    const auto same = [&](const std::string& name) {
        out_.line(
            "if (given.{0} != args.{0}) return kasc_fail(1, \"{0} is %lld, the program is prepared for %lld\", "
            "given.{0}, args.{0});",
            name);
    };
    if (!c_.names.elements.empty()) same(c_.names.elements);
    for (const AxisId axis : c_.program.axes.ids()) {
        if (!c_.program.axes[axis].own) same(c_.names.extents.at(axis.index));
    }
    for (const SeriesSlot& s : series_) same(s.names->rows);
}

void RunPrinter::first_steps() {
    for (const HostStep& s : before_) step(s);
    if (c_.has_parts()) out_.line("part = 0, done = 0, total = 0;");
    for (const Outermost& loop : loops_) {
        const LoopStep& first = loop.several != nullptr ? *loop.several : *loop.step;
        out_.line("{} = {} = {}, {} = {};", index(*loop.step), loop.from, host_text(*first.from, c_.names), loop.to,
                  host_text(*loop.step->to, c_.names));
        out_.line("total += std::max(0LL, (long long){} - {});", loop.to, loop.from);
    }
    out_.line("return memory.status();");
}

void RunPrinter::release() {
    std::vector<std::string> held;
    if (!transforms_.empty()) held.emplace_back("transforms");
    for (const NamedGraph& graph : graphs_) held.push_back(graph.name);
    if (held.empty()) return out_.line("return 0;");
    out_.line("int status = 0;");
    for (const std::string& name : held)
        out_.line("if (const int failed = {}.release(); status == 0) status = failed;", name);
    out_.line("return status;");
}

void write_run(Writer& out, const HostContext& context) { RunPrinter(out, context).print(); }

}  // namespace kasc::emit
