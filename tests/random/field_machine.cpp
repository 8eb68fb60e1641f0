#include "random/field_machine.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <utility>

#include "plan/run_ahead.hpp"
#include "random/field_counts.hpp"
#include "support/complex_apart.hpp"
#include "support/field_kernel.hpp"
#include "support/list_order.hpp"

namespace kasc::random {

using namespace test;
using test::Problem;  // not the model's

namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

bool word_is_complex(kernel::Type type) { return type == kernel::Type::c32 || type == kernel::Type::c64; }

/// A kernel as the interpreter takes it.
struct LoadedKernel {
    explicit LoadedKernel(const kernel::Kernel& k) : kernel(ComplexApart::of(k)), interpreter(kernel) {}
    const kernel::Kernel kernel;
    Interpreter interpreter;
};

/// What is computed as a transform stores, called for so many cells: each is handed its word, which no array of the
/// plan holds.
kernel::Kernel called_for_cells(kernel::Kernel k, std::size_t cells) {
    using namespace kernel;
    const AtStore stored = *std::exchange(k.at_store, std::nullopt);
    std::erase_if(k.parameters, [&](const kernel::Parameter& p) {
        const auto* in = std::get_if<ArrayIn>(&p.source);
        return in != nullptr && in->value == stored.given;
    });
    k.parameters.push_back({stored.type, "handed", ArrayIn{stored.given}});
    k.block = {1, 1, 1};
    k.grid = {integer(static_cast<std::int64_t>(cells)), integer(1), integer(1)};
    Body cell{{Let{Type::i32, stored.index, block_index(Dimension::x)}},
              {Let{stored.type, stored.word, element("handed", name(stored.index))}}};
    cell.insert(cell.end(), stored.cell.begin(), stored.cell.end());
    k.body = {{Threads{std::move(cell)}}};
    return k;
}

class PlanMachine {
public:
    PlanMachine(const Program& program, const TestedFieldPlan& plan, const FieldRunCase& run, bool backwards)
        : program_(program), plan_(plan), run_(run), problem_(run.problem), backwards_(backwards) {
        for (const Slot& slot : plan.host.slots) {
            const FieldShape& shape = field_shape(program, slot.variable);
            // What nothing writes must not be read: it spoils what comes of it.
            const double garbage = is_integer(shape.type) ? 77 : nothing;
            const auto* in = std::get_if<InputStorage>(&slot.storage);
            std::size_t words = word_count(problem_, shape);
            if (slot.row_multiple > 1) {
                const auto row = static_cast<std::size_t>(problem_.extents.at(shape.axes.front().index)),
                           multiple = static_cast<std::size_t>(slot.row_multiple);
                words = words / row * ((row + multiple - 1) / multiple * multiple);
            }
            arrays_.push_back(in ? run.inputs[in->position] : Cells(words, garbage));
        }
        result_.outputs.resize(program.outputs.size());
    }

    FieldPlanRun run() {
        try {
            steps(plan_.host.steps);
        } catch (const KernelFault& e) {
            result_.fault = e.what();
        }
        for (const SlotId slot : plan_.host.slots.ids()) {
            const auto* in = std::get_if<InputStorage>(&plan_.host.slots[slot].storage);
            if (in && result_.fault.empty() && !same(arrays_[slot.index], run_.inputs[in->position]))
                result_.fault = "an input was written";
        }
        return std::move(result_);
    }

private:
    const Program& program_;
    const TestedFieldPlan& plan_;
    const FieldRunCase& run_;
    Problem problem_;
    bool backwards_;
    bool in_loop_ = false, riding_ = false;  ///< riding: a former iteration of the piece has left something
    std::vector<Cells> arrays_;              ///< by slot; loops make them change places
    std::map<std::pair<std::size_t, bool>, std::unique_ptr<LoadedKernel>> kernels_;  ///< true: called for cells
    FieldPlanRun result_;

    [[nodiscard]] static bool same(const Cells& a, const Cells& b) {
        return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), same_cell);
    }
    [[nodiscard]] long long integer(const Expression& e) const { return Host(program_, problem_).integer(e); }

    void steps(const std::vector<HostStep>& all) {
        const LoopStep* several = nullptr;
        for (const HostStep& s : all) {
            const bool has_rest = !in_loop_ && rest_of(s, program_).has_value();
            const auto* loop = std::get_if<LoopStep>(&s.what);
            if (has_rest) {
                several = loop;
            } else if (several != nullptr) {
                in_pieces(*std::exchange(several, nullptr), *loop);
            } else {
                std::visit([this](const auto& step) { take(step); }, s.what);
            }
        }
    }
    /// An outermost loop whose iterations are several at a time where a piece has room for them: of pieces of one
    /// iteration, then of twice as many as stand together and one more, then of one more than that.
    void in_pieces(const LoopStep& several, const LoopStep& single) {
        const long long by = program_.loops[several.loop].by, to = integer(*single.to);
        long long piece = 1;
        in_loop_ = true;
        for (long long i = integer(*several.from); i < to;) {
            const long long end = std::min(to, i + piece);
            while (i < end) {
                if (single.going && word(*single.going) <= 0) return (void)(in_loop_ = false);
                long long next = i;
                while (end - next >= by && are_plain(several, single, next)) next += by;
                i = iterations(several, i, next);
                while (next < end && (end - next < by || !are_plain(several, single, next))) ++next;
                i = iterations(single, i, next);
            }
            piece = piece == 1 ? 2 * by + 1 : piece + 1;
        }
        in_loop_ = false;
    }
    /// No condition of the loop's next iterations holds.
    [[nodiscard]] bool are_plain(const LoopStep& several, const LoopStep& single, long long next) {
        const ExpressionRef& plain = program_.loops[several.loop].plain;
        problem_.loops[single.loop.index] = next;
        return plain == nullptr || Host(program_, problem_).condition(*plain);
    }
    /// One behind the other, as a piece of a run.
    long long iterations(const LoopStep& loop, long long from, long long to) {
        const bool riding_around = riding_;
        for (long long i = from; i < to; i += program_.loops[loop.loop].by) {
            if (loop.going && word(*loop.going) <= 0) break;
            problem_.loops[loop.loop.index] = i;
            riding_ = i > from;
            steps(loop.body);
            for (const auto& [a, b] : loop.swaps) std::swap(arrays_.at(a.index), arrays_.at(b.index));
        }
        if (to > from) steps(loop.after);
        riding_ = riding_around;
        return std::max(from, to);
    }
    void take(const LaunchStep& step) { launch(step, nullptr); }
    /// All of its guards are more than 0.
    [[nodiscard]] bool asked_to_run(const kernel::Kernel& k, const LaunchStep& step) const {
        return std::all_of(k.guards.begin(), k.guards.end(), [&](const std::string& guard) {
            const auto p = std::find_if(k.parameters.begin(), k.parameters.end(),
                                        [&](const kernel::Parameter& parameter) { return parameter.name == guard; });
            const auto* in = std::get_if<kernel::ArrayIn>(&p->source);
            return word(step.arrays.at(in != nullptr ? in->value : std::get<kernel::ArrayOut>(p->source).value)) > 0;
        });
    }
    /// `handed`: what a transform made, where the kernel is called for its cells.
    void launch(const LaunchStep& step, Cells* handed) {
        const kernel::Lowered& lowered = plan_.host.kernels.at(step.kernel);
        const std::optional<kernel::AtStore>& at_store = lowered.alternatives.front().at_store;
        auto& loaded = kernels_[{step.kernel, handed != nullptr}];
        const bool first = !loaded;
        if (first) {
            const kernel::Kernel& k = lowered.alternatives[alternative_for(lowered, problem_)];
            const bool complex = handed && word_is_complex(at_store->type);
            loaded =
                std::make_unique<LoadedKernel>(handed ? called_for_cells(k, handed->size() / (complex ? 2 : 1)) : k);
        }
        const kernel::Kernel& k = loaded->kernel;
        if (!asked_to_run(k, step)) return;
        if (!positions_hold(k, program_, problem_, riding_)) throw KernelFault("a position is not on the grid");
        loaded->interpreter.backwards(backwards_);
        const auto in_place = [&](const std::string& kernel, ValueId v) {
            return plan_.kernels.at(kernel).in_place.contains(v);
        };
        const auto use = [&](ValueId v) {
            bool is = in_place(lowered.alternatives.front().name, v);
            for (const RiderOfLaunch& rider : step.riders) {
                for (const auto& [value, array] : rider.arrays) is = array == v ? in_place(rider.kernel, value) : is;
            }
            for (const std::string& completed : step.completed) is = is || in_place(completed, v);
            if (is && plan_.kernels.at(lowered.alternatives.front().name).loop() != nullptr) return ArrayUse::of_thread;
            return is ? ArrayUse::in_place : ArrayUse::output;
        };
        const auto cells = [&](ValueId v) -> Cells& {
            return handed && v == at_store->given ? *handed : arrays_.at(step.arrays.at(v).index);
        };
        run_kernel(loaded->interpreter, k, program_, problem_, cells, use, riding_);
        // Traffic adds up over launches.
        if (backwards_ || !first || handed || !step.riders.empty() || !step.completed.empty()) return;
        const std::string wrong = count_fault(program_, plan_.kernels.at(lowered.alternatives.front().name), k,
                                              problem_, loaded->interpreter.traffic(), result_.counts);
        if (!wrong.empty()) throw KernelFault(wrong);
    }
    /// What is computed as the transform stores runs behind it; or, as where cuFFT calls it, it is handed words that no
    /// array holds, in an order that is cuFFT's.
    void take(const TransformStep& step) {
        Cells& from = arrays_.at(step.from.index);
        Cells result = made_by_library(program_, problem_, step.statement, from);
        const auto is_real = [&](VariableId v) { return !is_complex(field_shape(program_, v).type); };
        if (is_real(step.statement.target) && !is_real(step.statement.source))
            std::fill(from.begin(), from.end(), nothing);
        const bool called = step.stores && backwards_;
        Cells& to = arrays_.at(step.to.index);
        if (called)
            std::fill(to.begin(), to.end(), nothing);
        else
            to = result;
        if (step.stores) launch(*step.stores, called ? &result : nullptr);
    }
    void take(const LoopStep& step) {
        const long long from = integer(*step.from), to = integer(*step.to);
        const bool outermost = !std::exchange(in_loop_, true), riding_around = riding_;
        long long begun = from;
        const int by = program_.loops[step.loop].by;
        if (step.looking == LoopStep::Looking::ahead) {
            run_ahead(step, from, to);
            in_loop_ = !outermost;
            riding_ = riding_around;
            return;
        }
        for (long long i = from; i < to; i += by) {
            if (step.going && step.looking == LoopStep::Looking::each && word(*step.going) <= 0) break;
            problem_.loops[step.loop.index] = i;
            riding_ = i > begun;
            steps(step.body);
            for (const auto& [a, b] : step.swaps) std::swap(arrays_.at(a.index), arrays_.at(b.index));
            // A piece ends here, as it may in emitted code: all that the iteration has left is made up for.
            if (i + by < to && !(outermost && i % 2 == 1)) continue;
            steps(step.after);
            begun = i + by;
        }
        in_loop_ = !outermost;
        riding_ = riding_around;
    }
    [[nodiscard]] long long word(SlotId slot) const { return static_cast<long long>(arrays_.at(slot.index).at(0)); }
    /// Batches of 1, 3, 5 … iterations, of which those behind the last that runs find their kernels guarded.
    void run_ahead(const LoopStep& step, long long from, long long to) {
        const auto positions = moving_positions(plan_.host, step);
        long long i = from;
        for (long long more = 1;; more += 2) {
            const long long going = word(*step.going), ran = going > 0 ? going - 1 : -going;
            for (; i > from + ran; --i) {
                for (auto swap = step.swaps.rbegin(); swap != step.swaps.rend(); ++swap)
                    std::swap(arrays_.at(swap->first.index), arrays_.at(swap->second.index));
            }
            if (i != from + ran) throw KernelFault("a loop that ran ahead lost an iteration");
            if (going <= 0 || i >= to) return;
            for (const long long first = i, last = std::min(to, i + more); i < last; ++i) {
                problem_.loops[step.loop.index] = i;
                const bool on_grid = std::all_of(positions.begin(), positions.end(), [&](const auto& check) {
                    const long long at = integer(*check.position);
                    return at >= check.low && at < problem_.extents.at(check.axis.index) - check.high;
                });
                if (i > first && !on_grid) break;
                riding_ = i > from;
                steps(step.body);
                for (const auto& [a, b] : step.swaps) std::swap(arrays_.at(a.index), arrays_.at(b.index));
            }
        }
    }
    void take(const CopyStep& step) { arrays_.at(step.to.index) = arrays_.at(step.from.index); }
    void take(const ZeroStep& step) {
        std::fill(arrays_.at(step.slot.index).begin(), arrays_.at(step.slot.index).end(), 0);
    }
    void take(const DeliverStep& step) { result_.outputs.at(step.position) = arrays_.at(step.slot.index); }
};

}  // namespace

FieldPlanRun run_field_plan(const Program& program, const TestedFieldPlan& plan, const FieldRunCase& run,
                            bool backwards) {
    return PlanMachine(program, plan, run, backwards).run();
}

}  // namespace kasc::random
