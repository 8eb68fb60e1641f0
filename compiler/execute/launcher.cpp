#include "execute/launcher.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "frontend/expression_parts.hpp"
#include "kernel/dynamic_shared.hpp"

namespace kasc::execute {

namespace {

bool moves(const kernel::Parameter& p) {
    if (std::holds_alternative<kernel::RiderCells>(p.source)) return true;
    const auto* host = std::get_if<kernel::HostExpression>(&p.source);
    return host != nullptr && uses_loop(*host->expression);
}

}  // namespace

Launcher::Launcher(const Program& program, const kernel::Lowered& lowered, const Numbers& numbers,
                   runtime::ComputeDevice& device, bool storing)
    : program_(program),
      numbers_(numbers),
      device_(device),
      first_(&lowered.alternatives.front()),
      kernel_(first_),
      storing_(storing) {
    for (const kernel::Kernel& k : lowered.alternatives) {
        kernel_ = &k;
        if (!k.requirement || k.requirement->holds(numbers.extents())) break;
    }
    if (!storing) number_ = device.find_kernel(kernel_->name, kernel::dynamic_shared(*kernel_).bytes);
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
        if (!a.value) compute(a, false);
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

void Launcher::compute(Argument& a, bool riding) {
    const kernel::Parameter& p = *a.parameter;
    kernel::HostNumber number;
    if (std::holds_alternative<kernel::ElementCount>(p.source)) {
        number = kernel::host_integer(numbers_.elements());
    } else if (const auto* extent = std::get_if<kernel::AxisExtent>(&p.source)) {
        number = kernel::host_integer(numbers_.extent(extent->axis));
    } else if (const auto* cells = std::get_if<kernel::RiderCells>(&p.source)) {
        number = kernel::host_integer(!riding ? 0 : cells->axis ? numbers_.extent(*cells->axis) : 1);
    } else {
        const Precision precision = p.type == kernel::Type::f64 ? Precision::dual : Precision::single;
        number = numbers_.value(*std::get<kernel::HostExpression>(p.source).expression, precision, p.former);
    }
    number = kernel::convert(number, p.type);
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
    const auto blocks = [&](std::size_t d) { return kernel::host_value(kernel_->grid.at(d), named).as_integer(); };
    if (!storing_) grid_ = {blocks(0), blocks(1), blocks(2)};
}

void Launcher::launch_bound() {
    if (grid_moves_) compute_grid();
    if (grid_.x <= 0 || grid_.y <= 0 || grid_.z <= 0) return;
    constexpr long long most = std::numeric_limits<int>::max();
    const long long most_across = device_.most_blocks_across();
    if (grid_.x > most || grid_.y > most_across || grid_.z > most_across) {
        fault_ = fmt::format("the arrays are too large for {}", kernel_->name);
        return;
    }
    device_.launch(number_, grid_, {kernel_->block[0], kernel_->block[1], kernel_->block[2]}, addresses_.data());
}

}  // namespace kasc::execute
