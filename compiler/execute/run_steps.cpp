#include "execute/run_steps.hpp"

#include "execute/overlaps.hpp"
#include "execute/transform_passes.hpp"

namespace kasc::execute {

std::string StepRunner::run(const LaunchStep& s, bool riding) {
    Launcher& launcher = steps_.launcher(s);
    if (std::string fault = launcher.misplaced(riding); !fault.empty()) return fault;
    launcher.launch([&](ValueId value) { return slots_.at(s.arrays.at(value)); }, riding);
    return launcher.fault();
}

std::string StepRunner::run(const TransformStep& s) {
    if (s.statement.direction == Direction::renew) return run_.overlaps->renew(s.statement, slots_.at(s.to)), "";
    const ReadyTransform& transform = steps_.transform(s);
    runtime::ComputeDevice& device = run_.device;
    const Direction direction = s.statement.direction;
    const bool forward = direction == Direction::forward;
    std::byte *const to = slots_.at(s.to), *const from = slots_.at(s.from);
    if (run_.order.several() && run_.division.shares(s, run_.numbers)) {
        transform_together(s, transform.number);
        return s.stores ? run(*s.stores, false) : "";
    }
    std::vector<ranks::Touch> touches{slots_.known_as(s.to).whole(true), slots_.known_as(s.from).whole(true)};
    if (run_.division.on_first(s)) {
        run_.order.launch({{0, touches}});
        if (!run_.order.is_here(0)) return s.stores ? run(*s.stores, false) : "";
    } else if (!transform.storing) {
        run_.order.whole(touches);
    }
    if (direction == Direction::order) return device.order(transform.number, to, from), "";
    if (direction == Direction::runs) return device.runs(transform.number, to, from), "";
    if (direction == Direction::starts) return device.starts(transform.number, to, from), "";
    if (!transform.storing) {
        device.transform(transform.number, to, from, forward);
        return s.stores ? run(*s.stores, false) : "";
    }
    Launcher& stored = steps_.launcher(*s.stores);
    if (std::string fault = stored.misplaced(false); !fault.empty()) return fault;
    const auto array = [&](ValueId value) { return slots_.at(s.stores->arrays.at(value)); };
    const std::vector<void*>& bound = stored.bind(array, false);
    for (const ranks::Touch& touch : stored.touches()) touches.push_back(touch);
    run_.order.whole(touches);
    device.storing_transform(transform.number, to, from, forward, bound);
    return "";
}

/// Pass by pass: what a rank lacks of its lines it is sent before each.
void StepRunner::transform_together(const TransformStep& s, std::size_t number) {
    const auto here = static_cast<std::size_t>(run_.order.here());
    const SlotBytes from = slots_.known_as(s.from), to = slots_.known_as(s.to);
    for (const SharedPass& pass :
         shared_passes(s.statement, run_.program, run_.numbers, from, to, run_.division.ranks())) {
        run_.order.launch(pass.parts);
        run_.device.transform_part(number, slots_.at(s.to), slots_.at(s.from),
                                   s.statement.direction == Direction::forward, pass.of_rank.at(here));
    }
}

void StepRunner::each_part(const std::vector<std::vector<ranks::Touch>>& arrays) {
    std::vector<ranks::Part> parts;
    for (int r = 0; r < run_.division.ranks(); ++r) {
        parts.push_back({r, {}});
        for (const auto& array : arrays) parts.back().touches.push_back(array[static_cast<std::size_t>(r)]);
    }
    run_.order.launch(parts);
}

void StepRunner::copy(const SlotBytes& to, const SlotBytes& from, VariableId variable) {
    const std::vector<ranks::Touch> stored = run_.division.parts_of(to, variable, true),
                                    read = run_.division.parts_of(from, variable, false);
    if (run_.order.several()) each_part({stored, read});
    const ranks::Touch& own = stored[static_cast<std::size_t>(run_.order.here())];
    run_.device.copy(to.array + own.low, from.array + own.low, static_cast<std::uint64_t>(own.high - own.low));
}

void StepRunner::run(const CopyStep& s) {
    copy(slots_.known_as(s.to), slots_.known_as(s.from), slots_.plan().slots[s.to].variable);
}

void StepRunner::run(const ZeroStep& s) {
    if (slots_.window_at(s.slot) != nullptr) return;
    const SlotBytes of = slots_.known_as(s.slot);
    const std::vector<ranks::Touch> stored = run_.division.parts_of(of, slots_.plan().slots[s.slot].variable, true);
    if (run_.order.several()) each_part({stored});
    const ranks::Touch& own = stored[static_cast<std::size_t>(run_.order.here())];
    run_.device.zero(of.array + own.low, static_cast<std::uint64_t>(own.high - own.low));
}

void StepRunner::run(const DeliverStep& s) {
    if (slots_.window_at(s.slot) != nullptr) return;
    const SlotBytes from = slots_.known_as(s.slot);
    std::byte* const output = slots_.output(s.position);
    copy({output, 0, from.bytes, from.bytes}, from, slots_.plan().slots[s.slot].variable);
}

}  // namespace kasc::execute
