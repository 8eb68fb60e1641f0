// A run stands in a part: an outermost loop is one, what stands before, between and behind them another.
//
//   part 0   launches before the loop over n
//   part 1   the loop over n, at one of its iterations
//   part 2   launches behind it
#include "execute/plan_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <stdexcept>

#include "execute/exchanges.hpp"
#include "execute/launch_ahead.hpp"
#include "execute/listed_planes.hpp"
#include "execute/loops.hpp"
#include "execute/run_steps.hpp"
#include "execute/slots.hpp"
#include "execute/state_parts.hpp"

namespace kasc::execute {

namespace {

/// Statuses as emitted code returns them (runtime/runs/entry.hpp).
constexpr int input_at_fault = 1, device_failed = 2;

class PlanRun final : public WalkedRun {
public:
    explicit PlanRun(PlanRunRequest request)
        : program_(request.program),
          library_(request.library),
          plan_(std::move(request.plan)),
          arguments_(std::move(request.arguments)),
          device_(std::move(request.device)),
          numbers_(program_, padded(arguments_, program_, plan_), arguments_.parameters),
          sharing_(request.sharing),
          processor_(request.processor),
          block_(request.block),
          order_(request.processes != nullptr ? ranks_of(*request.processes, *device_) : ranks_of(*device_)) {
        const auto computes = [](const HostStep& s) {
            return std::holds_alternative<LaunchStep>(s.what) || std::holds_alternative<TransformStep>(s.what) ||
                   std::holds_alternative<LoopStep>(s.what);
        };
        const auto delivers = [](const HostStep& s) { return std::holds_alternative<DeliverStep>(s.what); };
        last_ = std::find_if(plan_.steps.begin(), plan_.steps.end(), delivers) - plan_.steps.begin();
        first_ = std::find_if(plan_.steps.begin(), plan_.steps.begin() + last_, computes) - plan_.steps.begin();
        next_ = first_;
    }

    /// What stands before the first launch.
    [[nodiscard]] Diagnostics prepare() {
        if (std::string fault = extents_fault(arguments_, program_, plan_, numbers_); !fault.empty())
            fail(input_at_fault, std::move(fault));
        if (!well()) return said();
        if (order_->several() && order_->memory() == ranks::Memory::own)
            lists_.emplace(program_, plan_, numbers_, arguments_, *order_);
        division_.emplace(program_, library_, plan_, numbers_,
                          DividedAmong{order_->ranks(), sharing_, order_->memory(), processor_, device_->page_bytes()},
                          lists_ ? &*lists_ : nullptr);
        slots_.emplace(program_, library_, plan_, numbers_, arguments_, *device_, *division_, order_->here());
        parts().give_inputs(program_.inputs.size());
        if (well()) make_ready();
        if (well()) device_->ready_transforms();
        // Nobody waits for one that does not come.
        if (const bool own = well(); !order_->all_well(own) && own) fail(device_failed, others_failed);
        step_before_first();
        loops_ = outermost_loops(plan_, first_, last_, program_, numbers_);
        for (const OutermostLoop& loop : loops_) total_ += loop.to - loop.from;
        return said();
    }

    [[nodiscard]] Diagnostics rewind(const runtime::EntryArguments& arguments) override {
        arguments_.inputs = arguments.inputs, arguments_.outputs = arguments.outputs;
        slots_->restore();
        parts().give_inputs(program_.inputs.size());
        next_ = first_;
        inside_ = false;
        done_ = 0;
        step_before_first();
        return said();
    }

    [[nodiscard]] Diagnostics advance(long long iterations) override {
        const long long left = total_ - done_;
        device_->begin_timing();
        run_until(iterations < 0 || iterations > left ? total_ : done_ + iterations);
        kernel_seconds_ += device_->end_timing();
        return said();
    }
    [[nodiscard]] Diagnostics finish() override {
        run_until(total_);
        for (auto at = plan_.steps.begin() + last_; at != plan_.steps.end(); ++at) step(*at);
        for (std::size_t i = 0; i < program_.outputs.size() && well(); ++i) {
            if (slots_->output(i) != nullptr) order_->each(slots_->output_parts(i));
        }
        if (well()) slots_->download();
        device_->synchronise();
        return said();
    }

    [[nodiscard]] long long done() const override { return done_; }
    [[nodiscard]] long long total() const override { return total_; }
    [[nodiscard]] double kernel_seconds() const override { return kernel_seconds_; }

    [[nodiscard]] std::vector<runtime::StateArray> state() const override {
        std::vector<runtime::StateArray> all;
        for (const StateArray& a : live()) {
            const VariableId variable = plan_.slots[a.slot].variable;
            all.push_back({a.name, slots_->type(variable), numbers_.words(library_, variable)});
        }
        return all;
    }
    [[nodiscard]] Diagnostics read_state(std::size_t index, void* values) override {
        const auto arrays = live();
        if (index >= arrays.size()) return no_array(index);
        const ranks::Touch whole = slots_->known_as(arrays[index].slot).whole(false);
        order_->bring_to_first(whole.array, whole.low, whole.high);
        if (order_->is_here(0)) slots_->download(values, arrays[index].slot);
        return said();
    }
    [[nodiscard]] Diagnostics write_state(std::size_t index, const void* values) override {
        const auto arrays = live();
        if (index >= arrays.size()) return no_array(index);
        const ranks::Touch whole = slots_->known_as(arrays[index].slot).whole(true);
        if (order_->is_here(0)) slots_->upload(arrays[index].slot, values);
        order_->give_to_first(whole.array, whole.low, whole.high);
        return said();
    }
    [[nodiscard]] Diagnostics digest_state(std::size_t index, runtime::Digest& digest) override {
        const auto arrays = live();
        if (index >= arrays.size()) return no_array(index);
        digest = parts().digest(arrays[index].slot);
        return said();
    }
    [[nodiscard]] Diagnostics store_state(std::size_t index, runtime::ArrayFile& file, std::size_t array) override {
        const auto arrays = live();
        if (index >= arrays.size()) return no_array(index);
        const Diagnostics bad = parts().store(arrays[index].slot, file, array);
        return bad.empty() ? said() : bad;
    }
    [[nodiscard]] Diagnostics take_state(std::size_t index, const void* values) override {
        const auto arrays = live();
        if (index >= arrays.size()) return no_array(index);
        parts().take(arrays[index].slot, values);
        return said();
    }
    [[nodiscard]] Diagnostics seek(long long iteration) override {
        long long first = 0;
        for (const OutermostLoop& loop : loops_) {
            const long long count = loop.to - loop.from;
            if (iteration >= first && iteration < first + count) {
                next_ = loop.place;
                numbers_.set_loop(loop.step->loop, loop.from + iteration - first);
                inside_ = true;
                done_ = iteration;
                return {};
            }
            first += count;
        }
        return refused(fmt::format("the run has no iteration {} of {}", iteration, total_));
    }

    [[nodiscard]] Diagnostics load(std::size_t series, long long first, long long rows, const void* values) override {
        if (!has_window(series)) return refused(fmt::format("series {} has no window", series));
        RowsInMemory& window = *slots_->windows()[series];
        const std::string& name = program_.variables[window.series.variable].name;
        if (first < 0 || rows < 1 || rows > window.most || first > window.extent - rows)
            return refused(fmt::format("rows {} to {} of {} do not fit its window", first, first + rows - 1, name));
        window.first = first;
        window.held = rows;
        const std::uint64_t bytes = static_cast<std::uint64_t>(rows) * window.row_bytes;
        // The address of row 0, which may lie outside of all arrays: it is a number until rows are added to it.
        slots_->at(window.slot) = reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(window.rows) -
                                                               static_cast<std::uint64_t>(first) * window.row_bytes);
        if (values != nullptr) {
            if (order_->is_here(0)) device_->upload(window.rows, values, bytes);
            order_->give_to_first(window.rows, 0, static_cast<std::int64_t>(bytes));
        } else {
            order_->all({{window.rows, true, 0, static_cast<std::int64_t>(bytes)}});
            device_->zero(window.rows, bytes);
        }
        return said();
    }
    [[nodiscard]] Diagnostics save(std::size_t series, long long first, long long rows, void* values) override {
        if (!has_window(series)) return refused(fmt::format("series {} has no window", series));
        const RowsInMemory& window = *slots_->windows()[series];
        if (rows < 1 || first < window.first || first > window.first + window.held - rows)
            return refused(lacks(window, first));
        const auto row = static_cast<std::int64_t>(window.row_bytes);
        order_->bring_to_first(window.rows, (first - window.first) * row, (first - window.first + rows) * row);
        if (!order_->is_here(0)) return said();
        device_->download(values, window.rows + static_cast<std::uint64_t>(first - window.first) * window.row_bytes,
                          static_cast<std::uint64_t>(rows) * window.row_bytes);
        return said();
    }

private:
    const Program& program_;
    const Library& library_;
    const HostPlan plan_;
    runtime::EntryArguments arguments_;
    const std::unique_ptr<runtime::ComputeDevice> device_;
    Numbers numbers_;
    const ranks::Sharing sharing_;
    const ranks::Processor processor_;
    const BlockRun* const block_;
    const std::unique_ptr<RankOrder> order_;
    std::optional<ListedPlanes> lists_;  ///< of several processes
    std::optional<Division> division_;
    std::optional<Slots> slots_;
    std::optional<Overlaps> overlaps_;
    std::optional<StepRunner> steps_;
    std::vector<OutermostLoop> loops_;
    std::ptrdiff_t first_ = 0, last_ = 0;  ///< the steps that compute are [first, last) of the plan's
    std::ptrdiff_t next_ = 0;              ///< the step that is run next, or gone on with
    bool inside_ = false;                  ///< of a loop, at the iteration where its variable stands
    long long done_ = 0, total_ = 0;
    double kernel_seconds_ = 0;
    int status_ = 0;
    std::string message_;

    [[nodiscard]] StateParts parts() { return {*slots_, *order_, *device_}; }
    void fail(int status, std::string message) {
        if (status_ == 0) status_ = status, message_ = std::move(message);
    }
    [[nodiscard]] bool well() {
        if (status_ == 0 && !device_->fault().empty()) fail(device_failed, device_->fault());
        return status_ == 0;
    }
    /// The fault of a call that cannot be done; the run goes on without it.
    [[nodiscard]] Diagnostics refused(const std::string& why) const {
        return {runtime::run_fault(program_.name, input_at_fault, why)};
    }
    [[nodiscard]] Diagnostics no_array(std::size_t index) const {
        return refused(fmt::format("the state has no array {}", index));
    }
    [[nodiscard]] bool has_window(std::size_t series) {
        return series < slots_->windows().size() && slots_->windows()[series].has_value();
    }
    [[nodiscard]] Diagnostics said() {
        if (well()) return {};
        return {runtime::run_fault(program_.name, status_, message_)};
    }

    // ---- before the first step -----------------------------------------------------------------------------------

    void make_ready() {
        if (block_ != nullptr) overlaps_.emplace(program_, numbers_, *device_, *block_);
        Overlaps* const overlaps = overlaps_ ? &*overlaps_ : nullptr;
        steps_.emplace(Launcher::Run{program_, numbers_, *device_, *division_, *order_, *slots_, overlaps}, plan_,
                       *slots_);
        if (const std::string& fault = steps_->ready().fault(); !fault.empty()) fail(input_at_fault, fault);
    }
    void step_before_first() {
        for (auto at = plan_.steps.begin(); at != plan_.steps.begin() + first_; ++at) step(*at);
    }

    // ---- steps ---------------------------------------------------------------------------------------------------

    Around around_;

    /// Runs as far as `until` iterations; what stands between the loops runs on the way.
    void run_until(long long until) {
        if (next_ == first_ && !inside_) check_rows_before();
        while (next_ < last_ && well()) {
            const HostStep& s = plan_.steps[static_cast<std::size_t>(next_)];
            if (!std::holds_alternative<LoopStep>(s.what)) {
                step(s);
                ++next_;
                continue;
            }
            const auto loop =
                std::find_if(loops_.begin(), loops_.end(), [&](const auto& l) { return l.place == next_; });
            if (!outermost(*loop, until)) return;
            next_ += loop->several != nullptr ? 2 : 1;
        }
    }
    /// Rows that are assigned before the loops. Windows have no gaps.
    void check_rows_before() {
        for (const auto& window : slots_->windows()) {
            if (!window || window->series.before == 0) continue;
            const Series& s = window->series;
            for (const int row : {s.first, s.first + s.before - 1}) check_row(*window, row);
        }
    }
    [[nodiscard]] std::string lacks(const RowsInMemory& window, long long row) const {
        return fmt::format("row {} of {} is not in its window", row, program_.variables[window.series.variable].name);
    }
    void check_row(const RowsInMemory& window, long long row) {
        if (!window.holds(row)) fail(input_at_fault, lacks(window, row));
    }
    /// False: it stands in the loop.
    bool outermost(const OutermostLoop& range, long long until) {
        const LoopStep& loop = *range.step;
        if (!std::exchange(inside_, true)) numbers_.set_loop(loop.loop, range.from);
        do {
            if (takes_turns(range, program_) && done_ < until && ends(range)) break;
            if (range.several != nullptr) several(range, until);
            if (well()) single(range, until);
        } while (well() && takes_turns(range, program_) && numbers_.loop(loop.loop) < range.to && done_ < until);
        if (!well() || numbers_.loop(loop.loop) < range.to) return false;
        inside_ = false;
        return true;
    }
    void single(const OutermostLoop& range, long long until) {
        const LoopStep& loop = *range.step;
        const long long begun = numbers_.loop(loop.loop);
        while (numbers_.loop(loop.loop) < range.to && well() && done_ < until) {
            if (takes_turns(range, program_) && has_room(range, until - done_, program_, numbers_, *slots_)) break;
            if (loop.looking == LoopStep::Looking::ahead) {
                const long long before = numbers_.loop(loop.loop);
                ahead({loop, range.from, range.to, std::min(range.to, before + until - done_)});
                done_ += numbers_.loop(loop.loop) - before;
                continue;
            }
            if (ends(range)) break;
            const long long i = numbers_.loop(loop.loop);
            for (const auto& window : slots_->windows()) {
                if (!window || window->series.loop != loop.loop) continue;
                check_row(*window, i + window->series.low);
                check_row(*window, i + window->series.high);
            }
            iteration(loop, begun);
            numbers_.set_loop(loop.loop, i + 1);
            ++done_;
        }
        if (well()) leave(loop, begun);
    }
    void several(const OutermostLoop& range, long long until) {
        const LoopStep& loop = *range.several;
        const LoopId single = range.step->loop;
        const int by = program_.loops[loop.loop].by;
        const long long begun = numbers_.loop(single);
        numbers_.set_loop(loop.loop, begun);
        for (; has_room(range, until - done_, program_, numbers_, *slots_) && well(); done_ += by) {
            iteration(loop, begun);
            const long long next = numbers_.loop(single) + by;
            numbers_.set_loop(loop.loop, next);
            numbers_.set_loop(single, next);
        }
        if (well()) leave(loop, begun);
    }
    void inner(const LoopStep& loop) {
        const long long from = numbers_.integer(*loop.from), to = numbers_.integer(*loop.to);
        const long long outside = numbers_.loop(loop.loop);
        numbers_.set_loop(loop.loop, from);
        const int by = program_.loops[loop.loop].by;
        if (loop.looking == LoopStep::Looking::ahead) ahead({loop, from, to, to});
        for (long long i = numbers_.loop(loop.loop); i < to && well() && goes_on(loop); i += by) {
            iteration(loop, from);
            numbers_.set_loop(loop.loop, i + by);
        }
        if (well()) leave(loop, from);
        numbers_.set_loop(loop.loop, outside);
    }
    /// No further iteration runs: the loop stands at its end.
    [[nodiscard]] bool ends(const OutermostLoop& range) {
        const LoopId loop = range.step->loop;
        if (goes_on(*range.step)) return false;
        done_ += range.to - numbers_.loop(loop);
        numbers_.set_loop(loop, range.to);
        return true;
    }
    /// Whether the iteration before which the loop stands runs: what was computed says it.
    [[nodiscard]] bool goes_on(const LoopStep& loop) {
        return !loop.going || loop.looking != LoopStep::Looking::each || look(loop) > 0;
    }
    /// 0 where the run has failed.
    [[nodiscard]] std::int32_t look(const LoopStep& loop) {
        std::int32_t going = 0;
        if (order_->memory() == ranks::Memory::own) order_->all({slots_->known_as(*loop.going).whole(false)});
        device_->download(&going, slots_->at(*loop.going), sizeof(going));
        return well() ? going : 0;
    }
    void ahead(const LoopAhead& of) {
        const auto iterate = [&] { return well() && (iteration(of.loop, of.from), well()); };
        launch_ahead(
            of, plan_, numbers_, *slots_, [&] { return look(of.loop); }, iterate);
    }
    void iteration(const LoopStep& loop, long long begun) {
        const Around outside = std::exchange(around_, {begun, loop.loop});
        std::size_t next = 0;
        for (const CapturedSteps& g : loop.graphs) {
            for (; next < g.first; ++next) step(loop.body[next]);
            std::vector<std::byte*> arrays;
            for (const SlotId slot : g.arrays) arrays.push_back(slots_->at(slot));
            device_->repeat(steps_->ready().group(g), arrays, [&] {
                for (std::size_t k = g.first; k < g.end; ++k) step(loop.body[k]);
            });
            next = g.end;
        }
        for (; next < loop.body.size(); ++next) step(loop.body[next]);
        for (const auto& [a, b] : loop.swaps) std::swap(slots_->at(a), slots_->at(b));
        around_ = outside;
    }
    /// What the last iteration of this piece has left.
    void leave(const LoopStep& loop, long long begun) {
        const long long i = numbers_.loop(loop.loop);
        if (loop.after.empty() || i <= begun) return;
        const Around outside = std::exchange(around_, {begun, loop.loop});
        numbers_.set_loop(loop.loop, i - program_.loops[loop.loop].by);
        for (const HostStep& s : loop.after) step(s);
        numbers_.set_loop(loop.loop, i);
        around_ = outside;
    }

    void step(const HostStep& s) {
        if (well()) std::visit([&](const auto& what) { run(what); }, s.what);
    }
    void run(const LaunchStep& s) {
        const bool riding = around_.loop && numbers_.loop(*around_.loop) > around_.begun;
        judge(steps_->run(s, riding));
    }
    void run(const TransformStep& s) { judge(steps_->run(s)); }
    void run(const LoopStep& s) { inner(s); }
    template <class Step>
    void run(const Step& s) {
        steps_->run(s);
    }
    void judge(std::string fault) {
        if (!fault.empty()) fail(input_at_fault, std::move(fault));
    }

    /// What the iteration where the run stands needs of those before it.
    [[nodiscard]] std::vector<StateArray> live() const {
        if (!inside_) return {};
        std::vector<StateArray> arrays;
        for (const StateArray& a : std::get<LoopStep>(plan_.steps[static_cast<std::size_t>(next_)].what).state) {
            if (slots_->window_at(a.slot) == nullptr) arrays.push_back(a);
        }
        return arrays;
    }
};

}  // namespace

Outcome<std::unique_ptr<WalkedRun>> begin_plan(PlanRunRequest request) {
    using Begun = std::unique_ptr<WalkedRun>;
    auto run = std::make_unique<PlanRun>(std::move(request));
    Diagnostics bad = run->prepare();
    if (!bad.empty()) return failure<Begun>(std::move(bad));
    return success<Begun>(std::move(run));
}

}  // namespace kasc::execute
