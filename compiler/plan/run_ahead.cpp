#include "plan/run_ahead.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

#include "frontend/expression_parts.hpp"

namespace kasc {

namespace {

/// Launches of a branch that together take no longer than a look, where all of them compute nothing.
constexpr std::size_t few_launches = 4;

bool is_number(const ExpressionRef& e, double number) {
    const auto* literal = std::get_if<Literal>(&e->node);
    return literal != nullptr && literal->value == number;
}
bool is_branch(const LoopStep& loop) { return is_number(loop.from, 0) && is_number(loop.to, 1); }

std::size_t launches_in(const std::vector<HostStep>& steps) {
    std::size_t count = 0;
    for (const HostStep& step : steps) {
        const auto* loop = std::get_if<LoopStep>(&step.what);
        count += loop == nullptr ? 1 : launches_in(loop->body) + launches_in(loop->after);
    }
    return count;
}

template <class Use>
void for_each_launch(const std::vector<HostStep>& steps, const Use& use) {
    for (const HostStep& step : steps) {
        if (const LaunchStep* launch = launch_in(step)) use(*launch);
        if (const auto* loop = std::get_if<LoopStep>(&step.what)) {
            for_each_launch(loop->body, use);
            for_each_launch(loop->after, use);
        }
    }
}

bool is_of_one_thread(const kernel::Kernel& k) {
    return thread_count(k.block) == 1 && std::all_of(k.grid.begin(), k.grid.end(), [](const kernel::ExprRef& blocks) {
               const auto* number = std::get_if<kernel::Integer>(&blocks->node);
               return number != nullptr && number->value == 1;
           });
}

class RunningAhead {
public:
    RunningAhead(HostPlan plan, const Program& program) : program_(program) { made_.plan = std::move(plan); }

    AheadPlan run() {
        loops_of(made_.plan.steps);
        return std::move(made_);
    }

private:
    using Looking = LoopStep::Looking;
    const Program& program_;
    AheadPlan made_;
    std::map<std::size_t, std::vector<SlotId>> guarded_;  ///< by kernel: what it asks
    std::map<std::size_t, std::vector<ValueId>> asked_;   ///< by kernel: what it calls them

    void loops_of(std::vector<HostStep>& steps) {
        for (HostStep& step : steps) {
            auto* loop = std::get_if<LoopStep>(&step.what);
            if (loop == nullptr) continue;
            const bool asks = loop->going.has_value();
            if (asks) {
                Verdict verdict = is_branch(*loop) ? branch(*loop) : ahead(*loop);
                const bool allowed{verdict};
                made_.verdicts.push_back({to_text_of(*loop), std::move(verdict)});
                if (allowed) {
                    loop->looking = is_branch(*loop) ? Looking::never : Looking::ahead;
                    guard(loop->body, {*loop->going});
                    continue;
                }
            }
            loops_of(loop->body);
        }
    }
    [[nodiscard]] std::string to_text_of(const LoopStep& loop) const { return program_.loops[loop.loop].name; }

    Verdict branch(const LoopStep& loop) const {
        if (launches_in(loop.body) > few_launches)
            return Verdict::no("a branch of many launches is asked for before it");
        if (const std::string reason = reason_against(loop); !reason.empty()) return Verdict::no(reason);
        return Verdict::yes("a branch whose kernels ask");
    }

    Verdict ahead(LoopStep& loop) {
        if (!program_.loops[loop.loop].counts)
            return Verdict::no("its condition is a number of the program's, which does not count its iterations");
        if (std::any_of(program_.loops.begin(), program_.loops.end(),
                        [&](const Loop& l) { return l.plain != nullptr && l.rest == loop.loop; }))
            return Verdict::no("its condition changes in some steps, and those between are done several at a time");
        std::string reason = reason_against(loop);
        if (reason.empty()) reason = bring_last(loop);
        if (!reason.empty()) return Verdict::no(std::move(reason));
        return Verdict::yes(fmt::format("1, 2, 4 … {} iterations are launched before the host looks", most_ahead));
    }

    /// Empty: nothing in the body does anything but in kernels, which can be told not to.
    [[nodiscard]] std::string reason_against(const LoopStep& loop) const {
        if (is_branch(loop) && !loop.swaps.empty()) return "arrays change places in a branch";
        if (is_branch(loop) && stores(loop.body, *loop.going)) return "its condition changes within it";
        return reason_against(loop.body, loop);
    }
    [[nodiscard]] bool stores(const std::vector<HostStep>& steps, SlotId slot) const {
        bool any = false;
        for_each_launch(steps, [&](const LaunchStep& launch) { any = any || touched(launch, true).contains(slot); });
        return any;
    }
    [[nodiscard]] std::string reason_against(const std::vector<HostStep>& steps, const LoopStep& loop) const {
        for (const HostStep& step : steps) {
            if (const auto* transform = std::get_if<TransformStep>(&step.what))
                return transforms(transform->statement.direction) ? "a transform is no kernel of its own"
                       : orders(transform->statement.direction)   ? "an ordered list is no kernel of its own"
                                                                  : "other processes are waited for in it";
            if (std::holds_alternative<CopyStep>(step.what) || std::holds_alternative<ZeroStep>(step.what))
                return "an array is copied in it";
            if (const auto* launch = std::get_if<LaunchStep>(&step.what)) {
                if (std::string reason = reason_against(*launch, loop); !reason.empty()) return reason;
            }
            if (const auto* inner = std::get_if<LoopStep>(&step.what)) {
                if (inner->going && !is_branch(*inner)) return "a loop in it ends by what it computes";
                if (!inner->swaps.empty()) return "arrays change places in a loop within it";
                if (inner->going && has_positions(inner->body)) return "a position is in a branch of it";
                if (inner->going && stores(inner->body, *inner->going)) return "a branch of it changes its condition";
                if (std::string reason = reason_against(inner->body, loop); !reason.empty()) return reason;
                if (std::string reason = reason_against(inner->after, loop); !reason.empty()) return reason;
            }
        }
        return "";
    }
    /// A position is checked before the launch, and one of an iteration that does not run may be off the grid.
    [[nodiscard]] std::string reason_against(const LaunchStep& launch, const LoopStep& loop) const {
        const auto& checks = first(launch).positions;
        if (is_branch(loop)) return checks.empty() ? "" : "a position is in a branch";
        const bool moves_inside = std::any_of(checks.begin(), checks.end(), [&](const kernel::PositionCheck& check) {
            return check.former || any_part(*check.position, [&](const Expression& part) {
                       const auto* use = std::get_if<LoopIndexUse>(&part.node);
                       return use != nullptr && use->loop != loop.loop && !is_around(use->loop, loop);
                   });
        });
        return moves_inside ? "a position changes with a loop within it" : "";
    }
    [[nodiscard]] bool has_positions(const std::vector<HostStep>& steps) const {
        bool has = false;
        for_each_launch(steps, [&](const LaunchStep& launch) { has = has || !first(launch).positions.empty(); });
        return has;
    }
    /// No loop within `loop` has this variable.
    [[nodiscard]] static bool is_around(LoopId variable, const LoopStep& loop) {
        return std::all_of(loop.body.begin(), loop.body.end(), [&](const HostStep& step) {
            const auto* inner = std::get_if<LoopStep>(&step.what);
            return inner == nullptr || (inner->loop != variable && is_around(variable, *inner));
        });
    }

    [[nodiscard]] const kernel::Kernel& first(const LaunchStep& launch) const {
        return made_.plan.kernels[launch.kernel].alternatives.front();
    }
    /// Slots that the launch reads or writes.
    [[nodiscard]] std::set<SlotId> touched(const LaunchStep& launch, bool written_only) const {
        std::set<SlotId> slots;
        for (const kernel::Parameter& p : first(launch).parameters) {
            const auto* in = std::get_if<kernel::ArrayIn>(&p.source);
            const auto* out = std::get_if<kernel::ArrayOut>(&p.source);
            if (out != nullptr) slots.insert(launch.arrays.at(out->value));
            if (in != nullptr && !written_only) slots.insert(launch.arrays.at(in->value));
        }
        return slots;
    }

    /// A branch in the step goes by one of the numbers.
    [[nodiscard]] static bool asks(const HostStep& step, const std::set<SlotId>& numbers) {
        const auto* loop = std::get_if<LoopStep>(&step.what);
        if (loop == nullptr) return false;
        const auto inner = [&](const HostStep& s) { return asks(s, numbers); };
        return (loop->going && numbers.contains(*loop->going)) ||
               std::any_of(loop->body.begin(), loop->body.end(), inner) ||
               std::any_of(loop->after.begin(), loop->after.end(), inner);
    }

    /// The launch that stores the number becomes the last of the body; empty, or why it cannot be.
    std::string bring_last(LoopStep& loop) const {
        const auto stores = [&](const HostStep& step) {
            const auto* launch = std::get_if<LaunchStep>(&step.what);
            return launch != nullptr && touched(*launch, true).contains(*loop.going);
        };
        for (const auto& [a, b] : loop.swaps) {
            if (a == *loop.going || b == *loop.going) return "the number of its iterations has two places";
        }
        const auto at = std::find_if(loop.body.begin(), loop.body.end(), stores);
        if (at == loop.body.end() || std::any_of(at + 1, loop.body.end(), stores))
            return "no one launch stores the number of its iterations";
        const auto& own = std::get<LaunchStep>(at->what);
        const auto& alternatives = made_.plan.kernels[own.kernel].alternatives;
        if (!std::all_of(alternatives.begin(), alternatives.end(), is_of_one_thread))
            return "its condition is computed beside other cells";
        const std::set<SlotId> all = touched(own, false), written = touched(own, true);
        bool meets = false;
        for_each_launch({at + 1, loop.body.end()}, [&](const LaunchStep& later) {
            for (const SlotId slot : touched(later, false)) meets = meets || written.contains(slot);
            for (const SlotId slot : touched(later, true)) meets = meets || all.contains(slot);
        });
        for (auto later = at + 1; later != loop.body.end(); ++later) meets = meets || asks(*later, written);
        if (meets) return "what is computed beside its condition is read in the same iteration";
        std::rotate(at, at + 1, loop.body.end());
        return "";
    }

    /// Kernels of the steps ask these numbers.
    void guard(std::vector<HostStep>& steps, const std::vector<SlotId>& words) {
        for (HostStep& step : steps) {
            if (auto* launch = std::get_if<LaunchStep>(&step.what)) guard(*launch, words);
            if (auto* loop = std::get_if<LoopStep>(&step.what)) {
                std::vector<SlotId> inner = words;
                if (loop->going) {
                    inner.push_back(*loop->going);
                    loop->looking = Looking::never;
                    made_.verdicts.push_back({to_text_of(*loop), Verdict::yes("a branch whose kernels ask")});
                }
                guard(loop->body, inner);
                guard(loop->after, inner);
            }
        }
    }

    void guard(LaunchStep& launch, const std::vector<SlotId>& words) {
        const auto [known, is_new] = guarded_.emplace(launch.kernel, words);
        if (known->second != words) throw std::logic_error("a kernel is launched in two loops");
        std::vector<ValueId>& values = asked_[launch.kernel];
        for (std::size_t k = 0; k < words.size(); ++k) {
            if (is_new) values.push_back(value_in(launch, words[k]));
            launch.arrays[values[k]] = words[k];
        }
        if (!is_new) return;
        for (kernel::Kernel& k : made_.plan.kernels[launch.kernel].alternatives) {
            for (const ValueId value : values) k.guards.push_back(array_of(k, value));
        }
    }
    /// What the kernel calls the slot's array, or may call it.
    [[nodiscard]] ValueId value_in(const LaunchStep& launch, SlotId slot) const {
        std::uint32_t next = 0;
        for (const auto& [value, array] : launch.arrays) {
            if (array == slot && parameter_of(first(launch), value) != nullptr) return value;
            next = std::max(next, value.index + 1);
        }
        return ValueId{next};
    }
    [[nodiscard]] static const kernel::Parameter* parameter_of(const kernel::Kernel& k, ValueId value) {
        const auto at = std::find_if(k.parameters.begin(), k.parameters.end(), [&](const kernel::Parameter& p) {
            const auto* in = std::get_if<kernel::ArrayIn>(&p.source);
            const auto* out = std::get_if<kernel::ArrayOut>(&p.source);
            return (in != nullptr && in->value == value) || (out != nullptr && out->value == value);
        });
        return at == k.parameters.end() ? nullptr : &*at;
    }
    /// The kernel's parameter for the array: a new one where it has none.
    static std::string array_of(kernel::Kernel& k, ValueId value) {
        if (const kernel::Parameter* p = parameter_of(k, value)) return p->name;
        // No name in a kernel begins so (kernel::Names).
        const std::string name =
            k.guards.empty() ? "kasc_goes_on" : fmt::format("kasc_goes_on_{}", k.guards.size() + 1);
        k.parameters.push_back({kernel::Type::i32, name, kernel::ArrayIn{value}});
        return name;
    }
};

}  // namespace

AheadPlan run_ahead(HostPlan plan, const Program& program) { return RunningAhead(std::move(plan), program).run(); }

std::vector<kernel::PositionCheck> moving_positions(const HostPlan& plan, const LoopStep& loop) {
    std::vector<kernel::PositionCheck> moving;
    for_each_launch(loop.body, [&](const LaunchStep& launch) {
        for (const kernel::PositionCheck& check : plan.kernels[launch.kernel].alternatives.front().positions) {
            if (uses_loop(*check.position, loop.loop)) moving.push_back(check);
        }
    });
    return moving;
}

}  // namespace kasc
