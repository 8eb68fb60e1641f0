#include <fmt/format.h>

#include <iterator>

#include "plan/host_plan.hpp"

namespace kasc {

namespace {

class Printer {
public:
    Printer(const HostPlan& plan, const Program& program) : plan_(plan), program_(program) {}

    std::string run() {
        for (const Slot& slot : plan_.slots) line(0, fmt::format("array {} : {}", slot.name, storage(slot)));
        steps(plan_.steps, 0);
        return std::move(out_);
    }

private:
    const HostPlan& plan_;
    const Program& program_;
    std::string out_;

    void line(int depth, const std::string& text) {
        out_ += std::string(static_cast<std::size_t>(depth) * 2, ' ') + text + "\n";
    }
    [[nodiscard]] const std::string& name(SlotId slot) const { return plan_.slots[slot].name; }

    [[nodiscard]] std::string storage(const Slot& slot) const {
        if (const auto* in = std::get_if<InputStorage>(&slot.storage)) return fmt::format("input {}", in->position);
        if (const auto* out = std::get_if<OutputStorage>(&slot.storage)) return fmt::format("output {}", out->position);
        return "temporary";
    }

    void steps(const std::vector<HostStep>& all, int depth) {
        for (const HostStep& s : all) std::visit([&](const auto& step) { print(step, depth); }, s.what);
    }
    [[nodiscard]] std::string kernel(const LaunchStep& s) const {
        std::string arrays;
        for (const auto& [value, slot] : s.arrays) arrays += (arrays.empty() ? "" : ", ") + name(slot);
        return fmt::format("{} ({})", plan_.kernels[s.kernel].alternatives.front().name, arrays);
    }
    void print(const LaunchStep& s, int depth) {
        line(depth, "launch " + kernel(s));
        for (const RiderOfLaunch& rider : s.riders)
            line(depth + 1,
                 fmt::format("with {}{}", rider.kernel, rider.of_former_iteration ? " of the former iteration" : ""));
        for (const std::string& completed : s.completed) line(depth + 1, "its last block goes on with " + completed);
    }
    void print(const TransformStep& s, int depth) {
        const Direction direction = s.statement.direction;
        line(depth, fmt::format("{} {} -> {}", transforms(direction) ? "transform" : name_of(direction), name(s.from),
                                name(s.to)));
        if (s.stores) line(depth + 1, "storing " + kernel(*s.stores));
    }
    void print(const LoopStep& s, int depth) {
        const Loop& variable = program_.loops[s.loop];
        const std::string by = variable.by == 1 ? "" : fmt::format(" by {}", variable.by);
        const std::string asking = s.looking == LoopStep::Looking::ahead   ? ", run ahead"
                                   : s.looking == LoopStep::Looking::never ? ", asked by its kernels"
                                                                           : "";
        const std::string plain = variable.plain ? " where " + to_text(*variable.plain, program_, {}) : "";
        const std::string going = s.going ? fmt::format(" while {} > 0{}", name(*s.going), asking) : "";
        line(depth, fmt::format("loop {} = {} .. {}{}{}{}", variable.name, to_text(*s.from, program_, {}),
                                to_text(*s.to, program_, {}), by, plain, going));
        std::string state;
        for (const StateArray& array : s.state)
            state += fmt::format("{}{} in {}", state.empty() ? "" : ", ", array.name, name(array.slot));
        if (!state.empty()) line(depth + 1, "state " + state);
        for (const CapturedSteps& g : s.graphs)
            line(depth + 1, fmt::format("graph of steps {} to {}", g.first + 1, g.end));
        steps(s.body, depth + 1);
        for (const auto& [a, b] : s.swaps) line(depth + 1, fmt::format("swap {}, {}", name(a), name(b)));
        if (!s.after.empty()) line(depth, "after the last iteration");
        steps(s.after, depth + 1);
    }
    void print(const CopyStep& s, int depth) { line(depth, fmt::format("copy {} -> {}", name(s.from), name(s.to))); }
    void print(const ZeroStep& s, int depth) { line(depth, fmt::format("zero {}", name(s.slot))); }
    void print(const DeliverStep& s, int depth) {
        line(depth, fmt::format("deliver {} -> output {}", name(s.slot), s.position));
    }
};

}  // namespace

std::string print(const HostPlan& plan, const Program& program) { return Printer(plan, program).run(); }

}  // namespace kasc
