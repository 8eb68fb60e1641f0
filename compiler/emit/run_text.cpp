// struct <prefix>_run: the host plan in parts. An outermost loop is a part, what stands before it another; a run
// stands in one of them, and in a loop at an iteration:
//
//   part 0   launches before the loop over n
//   part 1   the loop over n
//   part 2   launches behind it
#include <algorithm>
#include <stdexcept>
#include <utility>

#include "emit/files.hpp"
#include "emit/host_context.hpp"
#include "emit/transform_text.hpp"
#include "frontend/reduction.hpp"

namespace kasc::emit {

namespace {

class RunPrinter {
public:
    RunPrinter(Writer& out, const HostContext& context)
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

    void print() {
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

private:
    struct Outermost {
        const LoopStep* step;
        std::string from, to, count;  ///< names
    };
    struct SeriesSlot {
        const SeriesNames* names;
        SlotId slot;
    };
    Writer& out_;
    const HostContext& c_;
    kernel::Names scope_;
    TransformCalls transforms_;
    std::vector<HostStep> before_, computing_, after_;
    std::vector<Outermost> loops_;
    std::vector<SeriesSlot> series_;
    std::vector<LoopId> around_;        ///< loops around the step that is being printed
    std::optional<LoopId> just_ended_;  ///< the one whose last iteration it belongs to
    std::string begun_;                 ///< the first iteration of the innermost loop in this piece, where a step asks
    std::vector<std::pair<const CapturedSteps*, std::string>> graphs_;  ///< names of members
    const std::string own_stream_ = scope_.fresh("own_stream");

    void name_graphs(const std::vector<HostStep>& steps) {
        for (const HostStep& s : steps) {
            const auto* loop = std::get_if<LoopStep>(&s.what);
            if (loop == nullptr) continue;
            for (const CapturedSteps& g : loop->graphs)
                graphs_.emplace_back(&g, scope_.fresh(fmt::format("graph_{}", graphs_.size())));
            name_graphs(loop->body);
        }
    }

    [[nodiscard]] SlotId slot_of(const Series& series) const {
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
    [[nodiscard]] const SeriesSlot* series_at(SlotId slot) const {
        const auto at = std::find_if(series_.begin(), series_.end(), [&](const auto& s) { return s.slot == slot; });
        return at == series_.end() ? nullptr : &*at;
    }
    [[nodiscard]] const char* word(VariableId variable) const { return word_text(c_.program, variable); }
    [[nodiscard]] const std::string& index(const LoopStep& loop) const {
        return c_.names.local.loops.at(loop.loop.index);
    }

    // ---- members -----------------------------------------------------------------------------------------------

    void declare() {
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

    void prepare() {
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

    void check_extents() {
        const InterfaceNames& names = c_.names;
        if (c_.program.kind == ProgramKind::stream) {
            const int fewest = std::max(1, c_.plan.minimum_elements);
            out_.open("if (args.{0} < {1} || args.{0} > INT_MAX - {1})", names.elements, fewest);
            out_.line("return kasc_fail(1, \"%lld elements: this call takes from {} to 2^31 of them\", args.{});",
                      fewest, names.elements);
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

    void take_slot(SlotId id) {
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

    // ---- steps -------------------------------------------------------------------------------------------------

    void advance() {
        out_.line("// As far as `until` iterations; what stands between the loops runs on the way.");
        out_.open("int {}_run::advance([[maybe_unused]] long long until)", c_.prefix);
        out_.line("const kasc_range range(\"{}\");", c_.prefix);
        write_parameters(out_, c_);
        out_.open("switch (part)");
        std::size_t part = 0;
        out_.open("case 0:");
        for (const SeriesSlot& s : series_) {
            const Series& series = s.names->series;
            std::vector<int> rows;
            if (series.before > 0) rows.push_back(series.first);
            if (series.before > 1) rows.push_back(series.first + series.before - 1);  // windows have no gaps
            for (const int row : rows) out_.line("if (!{0}.holds({1})) return {0}.lacks({1});", s.names->window, row);
        }
        for (const HostStep& s : computing_) {
            const auto* loop = std::get_if<LoopStep>(&s.what);
            if (loop == nullptr) {
                step(s);
                continue;
            }
            next_part(++part);
            outermost(*loop, loops_.at(part / 2).to);
            next_part(++part);
        }
        out_.line("part = {};", part + 1);
        out_.close();
        out_.close();
        out_.line("return memory.status();");
        out_.close();
        out_.blank();
    }
    void next_part(std::size_t part) {
        out_.line("part = {};", part);
        out_.close();
        out_.line("[[fallthrough]];");
        out_.open("case {}:", part);
    }
    void outermost(const LoopStep& loop, const std::string& to) {
        const std::string& i = index(loop);
        const bool leaves = !loop.after.empty();
        if (leaves) out_.line("const int {} = {};", begun_ = scope_.fresh(i + "_begun"), i);
        out_.open("for (; {0} < {1}; ++{0}, ++done)", i, to);
        out_.line("if (done == until) {};", leaves ? "break" : "return memory.status()");
        for (const SeriesSlot& s : series_) {
            const Series& series = s.names->series;
            if (series.loop != loop.loop) continue;
            std::vector<int> rows{series.low};
            if (series.high != series.low) rows.push_back(series.high);  // windows have no gaps
            for (const int row : rows) {
                const std::string at = row == 0 ? i : fmt::format("{} {} {}", i, row < 0 ? "-" : "+", std::abs(row));
                out_.line("if (!{0}.holds({1})) return {0}.lacks({1});", s.names->window, at);
            }
        }
        body(loop);
        after(loop);
        if (leaves) out_.line("if ({} < {}) return memory.status();", i, to);
    }
    /// Of the last iteration before the loop's variable as it is now.
    void after(const LoopStep& loop) {
        if (loop.after.empty()) return;
        out_.open("if ({} > {})", index(loop), begun_);
        around_.push_back(loop.loop);
        just_ended_ = loop.loop;
        for (const HostStep& s : loop.after) step(s);
        just_ended_ = std::nullopt;
        around_.pop_back();
        out_.close();
    }
    void body(const LoopStep& loop) {
        around_.push_back(loop.loop);
        std::size_t next = 0;
        for (const CapturedSteps& g : loop.graphs) {
            const auto graph =
                std::find_if(graphs_.begin(), graphs_.end(), [&](const auto& named) { return named.first == &g; });
            if (graph == graphs_.end()) break;  // another target's
            for (; next < g.first; ++next) step(loop.body[next]);
            std::string arrays;
            for (const SlotId slot : g.arrays) arrays += (arrays.empty() ? "" : ", ") + c_.slot(slot);
            out_.open("if (const int status = {}.run(memory, {{{}}}, [&]() -> int", graph->second, arrays);
            for (; next < g.end; ++next) step(loop.body[next]);
            out_.line("return memory.status();");
            out_.close("); status != 0) return status;");
        }
        for (; next < loop.body.size(); ++next) step(loop.body[next]);
        for (const auto& [a, b] : loop.swaps) out_.line("std::swap({}, {});", c_.slot(a), c_.slot(b));
        around_.pop_back();
        out_.close();
    }

    void step(const HostStep& s) {
        std::visit([&](const auto& what) { print(what); }, s.what);
    }
    void print(const LaunchStep& s) { launch(s, "args, memory", std::nullopt); }
    /// `arguments`: the first. `given`: a value that comes with them.
    void launch(const LaunchStep& s, std::string arguments, std::optional<ValueId> given) {
        const kernel::Kernel& first = c_.plan.kernels[s.kernel].alternatives.front();
        for (const LoopId loop : around_)
            arguments += ", " + c_.names.local.loops.at(loop.index) + (just_ended_ == loop ? " - 1" : "");
        if (carries_former_iteration(first))
            arguments += fmt::format(", {} > {}", c_.names.local.loops.at(around_.back().index), begun_);
        for (const auto& [value, array] : s.arrays) {
            if (value != given && !array_name(first, value).empty()) arguments += ", " + c_.slot(array);
        }
        out_.line("if (const int status = launch_{}({}); status != 0) return status;", first.name, arguments);
    }
    void print(const TransformStep& s) {
        if (is_storing(s, c_.target)) {
            launch(*s.stores,
                   fmt::format("args, memory, transforms, {}, {}, {}", storing_name(c_.plan, s), c_.slot(s.to),
                               c_.slot(s.from)),
                   c_.plan.kernels[s.stores->kernel].alternatives.front().at_store->given);
            return;
        }
        transforms_.run(out_, s);
        if (s.stores) print(*s.stores);
    }
    void print(const LoopStep& s) {
        const std::string& i = index(s);
        const std::string to = scope_.fresh(i + "_to");
        const std::string from = host_text(*s.from, c_.names), end = host_text(*s.to, c_.names);
        if (s.after.empty()) {
            out_.open("for (int {0} = {1}, {2} = {3}; {0} < {2}; ++{0})", i, from, to, end);
            body(s);
            return;
        }
        const std::string around = std::exchange(begun_, scope_.fresh(i + "_begun"));
        out_.open_block();
        out_.line("const int {} = {}, {} = {};", begun_, from, to, end);
        out_.line("int {} = {};", i, begun_);
        out_.open("for (; {0} < {1}; ++{0})", i, to);
        body(s);
        after(s);
        out_.close();
        begun_ = around;
    }
    void print(const CopyStep& s) {
        out_.line("memory.copy({}, {}, {});", c_.slot(s.to), c_.slot(s.from), c_.words(c_.plan.slots[s.to].variable));
    }
    void print(const ZeroStep& s) {
        const SeriesSlot* series = series_at(s.slot);
        const std::string whole = series == nullptr ? "" : fmt::format("if (args.{} == 0) ", series->names->rows);
        out_.line("{}memory.zero({}, {});", whole, c_.slot(s.slot), c_.words(c_.plan.slots[s.slot].variable));
    }
    void print(const DeliverStep& s) {
        const SeriesSlot* series = series_at(s.slot);
        const std::string whole = series == nullptr ? "" : fmt::format("if (args.{} == 0) ", series->names->rows);
        out_.line("{}memory.deliver(args.{}, {}, {});", whole, c_.names.outputs.at(s.position), c_.slot(s.slot),
                  c_.words(c_.plan.slots[s.slot].variable));
    }

    // ---- going on elsewhere ------------------------------------------------------------------------------------

    void seek() {
        out_.line("// To the start of an iteration; its state is the caller's to write.");
        out_.open("int {}_run::seek(long long iteration)", c_.prefix);
        if (!loops_.empty()) out_.line("long long first = 0;");
        for (std::size_t k = 0; k < loops_.size(); ++k) {
            const auto& [step, from, to, count] = loops_[k];
            out_.line("const long long {} = std::max(0LL, (long long){} - {});", count, to, from);
            out_.open("if (iteration >= first && iteration < first + {})", count);
            out_.line("{} = {} + (int)(iteration - first), part = {}, done = iteration;", index(*step), from,
                      2 * k + 1);
            out_.line("return 0;");
            out_.close();
            if (k + 1 < loops_.size()) out_.line("first += {};", count);
        }
        out_.line("return kasc_fail(1, \"the run has no iteration %lld of %lld\", iteration, total);");
        out_.close();
        out_.blank();
    }

    void state() {
        out_.line("// What an iteration needs of those before it.");
        out_.open("std::vector<kasc_live_array> {}_run::state() const", c_.prefix);
        for (std::size_t k = 0; k < loops_.size(); ++k) {
            if (loops_[k].step->state.empty()) continue;
            out_.open("if (part == {})", 2 * k + 1);
            out_.line("std::vector<kasc_live_array> arrays;");
            for (const StateArray& a : loops_[k].step->state) {
                const SeriesSlot* series = series_at(a.slot);
                const std::string whole =
                    series == nullptr ? "" : fmt::format("if (args.{} == 0) ", series->names->rows);
                const VariableId variable = c_.plan.slots[a.slot].variable;
                const auto* field = std::get_if<FieldShape>(&c_.program.variables[variable].shape);
                const CellType type = field == nullptr ? CellType::float32 : field->type;
                out_.line("{}arrays.push_back({{\"{}\", {}, {}, {}, sizeof({})}});", whole, a.name,
                          static_cast<int>(type), c_.slot(a.slot), c_.words(variable), word(variable));
            }
            out_.line("return arrays;");
            out_.close();
        }
        out_.line("return {{}};");
        out_.close();
        out_.blank();
    }

    void window() {
        out_.line("// Null: there is no such series, or all of it lies in memory.");
        out_.open("kasc_rows *{}_run::window(int series)", c_.prefix);
        for (std::size_t k = 0; k < series_.size(); ++k) {
            out_.line("if (series == {} && args.{} != 0) return &{};", k, series_[k].names->rows,
                      series_[k].names->window);
        }
        out_.line("return nullptr;");
        out_.close();
        out_.blank();
    }

    void deliver() {
        out_.open("int {}_run::deliver()", c_.prefix);
        for (const HostStep& s : after_) step(s);
        out_.open("if (on_host)");
        for (std::size_t i = 0; i < c_.program.outputs.size(); ++i) {
            const auto series = std::find_if(series_.begin(), series_.end(), [&](const SeriesSlot& s) {
                return !s.names->series.input && s.names->series.position == i;
            });
            const std::string whole =
                series == series_.end() ? "" : fmt::format("if (args.{} == 0) ", series->names->rows);
            out_.line("{0}memory.download(host.{1}, args.{1}, {2});", whole, c_.names.outputs[i],
                      c_.words(c_.program.outputs[i], "host."));
        }
        out_.line("memory.synchronise();");
        out_.close();
        out_.line("return memory.status();");
        out_.close();
        out_.blank();
    }
};

}  // namespace

void write_run(Writer& out, const HostContext& context) { RunPrinter(out, context).print(); }

}  // namespace kasc::emit
