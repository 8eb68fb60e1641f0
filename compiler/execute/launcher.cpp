#include "execute/launcher.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "execute/launch_values.hpp"
#include "execute/touches.hpp"
#include "kernel/dynamic_shared.hpp"

namespace kasc::execute {

Launcher::Launcher(const Run& run, const kernel::Lowered& lowered, const LaunchStep& step, bool storing)
    : program_(run.program),
      numbers_(run.numbers),
      device_(run.device),
      division_(run.division),
      order_(run.order),
      slots_(run.slots),
      step_(step),
      first_(&lowered.alternatives.front()),
      kernel_(&chosen(lowered, run.numbers)),
      storing_(storing) {
    if (!storing) number_ = device_.find_kernel(kernel_->name, kernel::dynamic_shared(*kernel_).bytes);
    for (const kernel::Parameter& p : kernel_->parameters) {
        Argument a{&p, std::nullopt};
        if (const auto* in = std::get_if<kernel::ArrayIn>(&p.source)) a.value = in->value;
        if (const auto* out = std::get_if<kernel::ArrayOut>(&p.source)) a.value = out->value;
        if (storing && kernel_->at_store && a.value == kernel_->at_store->given &&
            std::holds_alternative<kernel::ArrayIn>(p.source))
            continue;
        a.moves = moves(p);
        grid_moves_ = grid_moves_ || a.moves;
        arguments_.push_back(a);
    }
    for (Argument& a : arguments_) {
        addresses_.push_back(&a.word);
        if (a.parameter->is_count())
            count_blocks(a);
        else if (!a.value)
            compute(a, false);
    }
    compute_grid();
}

std::string Launcher::misplaced(bool riding) const {
    for (const kernel::PositionCheck& check : first_->positions) {
        if (check.former && !riding) continue;
        const long long at = numbers_.integer(*check.position, check.former), cells = numbers_.extent(check.axis);
        if (at < 0 || at >= cells)
            return fmt::format("position {} lies outside of axis {}, which has {} cells", at,
                               program_.axes[check.axis].name, cells);
    }
    return "";
}

/// Each launch leaves it as it was: 0.
void Launcher::count_blocks(Argument& a) {
    constexpr std::uint64_t bytes = sizeof(std::int32_t);
    a.word.address = device_.take(kernel_->name + " finished", bytes);
    if (a.word.address != nullptr) device_.zero(a.word.address, bytes);
}

void Launcher::compute(Argument& a, bool riding) {
    const kernel::Parameter& p = *a.parameter;
    const kernel::HostNumber number = scalar_of(p, numbers_, riding);
    switch (p.type) {
        case kernel::Type::f32:
            a.word.f32 = static_cast<float>(number.real);
            break;
        case kernel::Type::f64:
            a.word.f64 = number.real;
            break;
        case kernel::Type::i64:
            a.word.i64 = number.integer;
            break;
        case kernel::Type::i32:
            a.word.i32 = static_cast<std::int32_t>(number.integer);
            break;
        case kernel::Type::u8:
        case kernel::Type::boolean:
            a.word.u8 = static_cast<std::uint8_t>(number.integer);
            break;
        default:
            throw std::logic_error("a complex number is no scalar of a launch");
    }
}

void Launcher::compute_grid() {
    const auto named = [&](const std::string& name) {
        for (const Argument& a : arguments_) {
            if (a.parameter->name != name || a.value) continue;
            return kernel::host_integer(a.parameter->type == kernel::Type::i64 ? a.word.i64 : a.word.i32,
                                        a.parameter->type);
        }
        throw std::logic_error("a grid asks for " + name);
    };
    if (storing_) return;
    grid_ = grid_of(*kernel_, named);
    if (order_.several()) share_out();
}

void Launcher::share_out() {
    shares_ = division_.divided(step_, *kernel_, grid_, numbers_);
    parts_ = division_.in_lanes(step_, *kernel_, shares_, numbers_);
    std::erase_if(parts_, [&](const ranks::LanePart& part) { return !order_.is_here(part.rank); });
}

void Launcher::launch_bound() {
    if (grid_moves_) compute_grid();
    if (std::any_of(grid_.begin(), grid_.end(), [](long long blocks) { return blocks <= 0; })) return;
    constexpr long long most = std::numeric_limits<int>::max();
    const long long most_across = device_.most_blocks_across();
    const bool counts = !kernel_->requirement || kernel_->requirement->holds(numbers_.extents());
    if (!counts || grid_[0] > most || grid_[1] > most_across || grid_[2] > most_across) {
        fault_ = fmt::format("the arrays are too large for {}", kernel_->name);
        return;
    }
    const runtime::LaunchShape block{kernel_->block[0], kernel_->block[1], kernel_->block[2]};
    if (order_.several()) return launch_parts(block);
    device_.launch(number_, {grid_[0], grid_[1], grid_[2]}, block, addresses_.data());
}

void Launcher::launch_parts(const runtime::LaunchShape& block) {
    std::vector<ranks::Part> of_ranks, here;
    for (std::size_t r = 0; r < shares_.of_rank.size() && order_.memory() == ranks::Memory::own; ++r) {
        if (!shares_.of_rank[r].empty()) of_ranks.push_back({static_cast<int>(r), touches(&shares_.of_rank[r])});
    }
    for (const ranks::LanePart& part : parts_) here.push_back({order_.lane_here(part.lane), touches(&part.share)});
    order_.launch(of_ranks, here, [&](std::size_t k, const RankOrder::Seen& seen) {
        const auto& [first, blocks] = parts_[k].share;
        device_.launch_share(here[k].lane, number_, {{first[0], first[1], first[2]}, {blocks[0], blocks[1], blocks[2]}},
                             block, addresses_seen(seen));
    });
}

/// An argument may lie beside its array, as that of a window on a series does.
const std::vector<void*>& Launcher::addresses_seen(const RankOrder::Seen& seen) {
    seen_.clear();
    for (const Argument& a : arguments_) {
        seen_.push_back(a.word);
        if (!a.value) continue;
        const SlotBytes known = slots_.known_as(step_.arrays.at(*a.value));
        seen_.back().address = seen(known.array) + known.first;
    }
    seen_addresses_.clear();
    for (Word& word : seen_) seen_addresses_.push_back(&word);
    return seen_addresses_;
}

std::vector<ranks::Touch> Launcher::touches(const ranks::GridShare* share) const {
    return execute::touches(
        {program_, numbers_, slots_.plan(), *kernel_, step_, [&](SlotId slot) { return slots_.known_as(slot); },
         division_.by_lists(step_, *kernel_) ? division_.lists() : nullptr, order_.memory() == ranks::Memory::one},
        share);
}

}  // namespace kasc::execute
