#include "execute/transforms.hpp"

#include <algorithm>

namespace kasc::execute {

runtime::TransformShape shape_of(const TransformStatement& s, const Program& program, const Numbers& numbers) {
    const FieldShape &source = field_shape(program, s.source), &target = field_shape(program, s.target);
    const FieldShape& whole = is_complex(source.type) ? target : source;
    runtime::TransformShape shape;
    shape.from = source.type;
    shape.to = target.type;
    for (std::size_t k = whole.axes.size(); k-- > 0;) {
        const long long cells = numbers.extent(whole.axes[k]);
        if (std::find(s.axes.begin(), s.axes.end(), k) != s.axes.end()) {
            shape.lengths.push_back(cells);
        } else {
            (k < s.axes.front() ? shape.inner : shape.outer) *= cells;
        }
    }
    return shape;
}

runtime::ListShape list_of(const TransformStatement& s, const Program& program, const Numbers& numbers) {
    runtime::ListShape list{numbers.extent(field_shape(program, s.source).axes.front()), 1};
    for (const AxisId axis : s.cells) list.cells *= list.cells < most_listed_cells ? numbers.extent(axis) : 1;
    return list;
}

long long target_cells(const runtime::TransformShape& shape) {
    long long cells = shape.inner * shape.outer;
    for (std::size_t k = 0; k < shape.lengths.size(); ++k) {
        const bool half = k + 1 == shape.lengths.size() && !is_complex(shape.from);
        cells *= half ? shape.lengths[k] / 2 + 1 : shape.lengths[k];
    }
    return cells;
}

}  // namespace kasc::execute
