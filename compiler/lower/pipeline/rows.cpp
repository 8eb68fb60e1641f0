#include "lower/pipeline/rows.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lower/block.hpp"
#include "lower/walk/walk.hpp"

namespace kasc::kernel {

void PipelineRows::hold_rows_of(const PipelineStage& stage) {
    rows_.clear();
    if (!lane_) return;
    for (const FieldCall& call : stage.cells.plan().calls) {
        for (const FieldRead& read : call.reads) hold(stage, read);
        if (call.former) hold(stage, *call.former);
    }
    for (const auto& [row, beside] : rows_) {
        const std::string array = row_name(row);
        const int all = words(beside) * (is_exchanged(row) ? rows() : 1);
        if (row_arrays_.insert(array).second) arrays_.push_back({PrivateArray{array, all, type_of(row.value)}});
    }
}

void PipelineRows::hold(const PipelineStage& stage, const FieldRead& read) {
    const KeptPlanes* kept = work_.find(read.value);
    if (kept == nullptr || !moves_everywhere(read.indices)) return;
    const FieldShape& shape = field_shape(program_, graph_.values[read.value].variable);
    // What is read along the row and the walk, images beyond the grid included.
    PlanesRead along, planes;
    int row = 0;
    for (std::size_t k = 0; k < read.indices.size(); ++k) {
        const auto& [axis, step] = std::get<Moving>(read.indices[k]);
        const bool mapped = may_cross_face(work_, stage, read.value, axis, step);
        const PlanesRead all =
            mapped ? planes_read(shape.faces[k].crossed_by(step).kind, step, false) : PlanesRead{step, step};
        if (axis == walk())
            planes = all;
        else if (axis == 0)
            along = all;
        else
            row = step;
    }
    if (along.low == 0 && along.high == 0 && row == 0 && schedule_.queue(*kept) > 0) return;
    const int age = stage.extent.lag - kept->extent.lag;
    for (int plane = planes.low; plane <= planes.high; ++plane) {
        Beside& beside = rows_[{kept->value, row, age - plane}];
        beside.low = std::max(beside.low, -along.low);
        beside.high = std::max(beside.high, along.high);
    }
}

std::string PipelineRows::row_name(const RowOf& row) {
    const Beside& beside = rows_.at(row);
    return context_->once(fmt::format("row {} {} {} {} {}", row.value.index, row.row, row.age, beside.low, beside.high),
                          variable(row.value) + "_row");
}

ExprRef PipelineRows::in_row(const RowOf& row, int step) {
    const Beside& beside = rows_.at(row);
    const ExprRef word = add(integer(beside.low + step), lane_);
    return element(row_name(row), is_exchanged(row) ? add(multiply(row_, integer(words(beside))), word) : word);
}

ExprRef PipelineRows::in_ring(const RowOf& row, int step) {
    const int words = row.row * schedule_.cells(0) + step;
    const ExprRef at = words < 0 ? subtract(first_cell(), integer(-words)) : add(first_cell(), integer(words));
    return add(slot_of(*work_.find(row.value), row.age), at);
}

bool PipelineRows::exchanges() const {
    return std::any_of(rows_.begin(), rows_.end(), [&](const auto& row) { return is_exchanged(row.first); });
}

Body PipelineRows::rows_filled() {
    Body body;
    for (const auto& [row, beside] : rows_)
        if (!is_exchanged(row)) append(body, filled(row, beside));
    return body;
}

Body PipelineRows::filled(const RowOf& row, const Beside& beside) {
    const std::string array = row_name(row), ring = ring_name(row.value);
    Body body, own;
    const Statement load{LoadVector{array, integer(beside.low), ring, in_ring(row, 0), vector()}};
    const bool in_queue = row.age < schedule_.queue(*work_.find(row.value)) && std::abs(row.row) < rows();
    if (in_queue) {
        const Statement word{Assign{in_row(row, 0), queued(row.value, row.age, row.row)}};
        own.push_back({For{text_of(lane_), integer(0), integer(vector()), 1, -1, {word}}});
    }
    if (!in_queue)
        body.push_back(load);
    else if (row.row == 0)
        append(body, std::move(own));
    else
        body.push_back(
            {If{row.row < 0 ? binary(">=", row_, integer(-row.row)) : binary("<", row_, integer(rows() - row.row)),
                std::move(own),
                {load}}});
    for (int k = 1; k <= beside.low; ++k)
        body.push_back({Assign{element(array, integer(beside.low - k)), element(ring, in_ring(row, -k))}});
    for (int k = 0; k < beside.high; ++k)
        body.push_back(
            {Assign{element(array, integer(beside.low + vector() + k)), element(ring, in_ring(row, vector() + k))}});
    return body;
}

Body PipelineRows::rows_exchanged() {
    Body own, between;
    for (const auto& [row, beside] : rows_) {
        if (!is_exchanged(row)) continue;
        const std::string array = row_name(row);
        own.push_back({Assign{in_row(row, 0), queued(row.value, row.age)}});
        for (int r = 0; r < rows(); ++r) {
            const int own_words = r * words(beside) + beside.low;
            append(between, exchanged_before(array, own_words, vector(), beside.low, true));
            append(between, exchanged_behind(array, own_words, vector(), beside.high, true));
        }
    }
    Body body{{Threads{each_cell(std::move(own))}}};
    append(body, std::move(between));
    return body;
}

}  // namespace kasc::kernel
