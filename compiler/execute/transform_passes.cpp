#include "execute/transform_passes.hpp"

#include <fmt/format.h>

#include "execute/transforms.hpp"

namespace kasc::execute {

namespace {

/// The side whose axes have the lengths of the transform.
const FieldShape& whole_side(const TransformStatement& s, const Program& program) {
    const FieldShape& source = field_shape(program, s.source);
    return is_complex(source.type) ? field_shape(program, s.target) : source;
}

}  // namespace

ranks::TransformAxes axes_of(const TransformStatement& s, const Program& program, const Numbers& numbers) {
    const runtime::TransformShape shape = shape_of(s, program, numbers);
    const FieldShape& whole = whole_side(s, program);
    return {shape.lengths,
            shape.inner,
            shape.outer,
            !is_complex(shape.from),
            !is_complex(shape.to),
            numbers.extent(whole.axes.back()),
            s.axes.back() + 1 == whole.axes.size()};
}

std::string text_of(const TransformStatement& s, const Program& program) {
    return fmt::format("{} = {}({})", program.variables[s.target].name, name_of(s.direction),
                       program.variables[s.source].name);
}

std::vector<SharedPass> shared_passes(const TransformStatement& s, const Program& program, const Numbers& numbers,
                                      const SlotBytes& from, const SlotBytes& to, int ranks) {
    const ranks::TransformAxes axes = axes_of(s, program, numbers);
    const FieldShape& whole = whole_side(s, program);
    std::vector<SharedPass> all;
    for (const ranks::Pass& pass : ranks::passes_of(axes)) {
        SharedPass& shared = all.emplace_back();
        shared.along = program.axes[whole.axes[s.axes[s.axes.size() - 1 - pass.axis]]].name;
        const auto shares = ranks::share_pass(pass, axes.planes, ranks);
        for (std::size_t r = 0; r < shares.size(); ++r) {
            const ranks::PassShare& share = shares[r];
            shared.of_rank.push_back(
                {pass.axis, share.outer_low, share.outer_high, share.column_low, share.column_high});
            if (share.empty()) continue;
            ranks::Part& part = shared.parts.emplace_back(ranks::Part{static_cast<int>(r), {}});
            const auto touch = [&](ranks::Side side, long long rows, bool writes) {
                const bool source = side == ranks::Side::from;
                const SlotBytes& array = source ? from : to;
                const auto cell =
                    static_cast<long long>(cell_bytes(field_shape(program, source ? s.source : s.target).type));
                for (const ranks::ByteRange& range : ranks::bytes_of(share, pass, rows, cell))
                    part.touches.push_back({array.array, writes, array.first + range.low, array.first + range.high});
            };
            if (pass.read != pass.stored) touch(pass.read, pass.rows_read, false);
            touch(pass.stored, pass.rows_stored, true);
        }
    }
    return all;
}

}  // namespace kasc::execute
