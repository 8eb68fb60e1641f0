// Cells as a library's transform stores them: each comes by its number in memory, with the word that the transform has
// made. Where the library takes no such function, and on a CPU, a kernel of its own does the same behind the transform:
//
//   grid (ceil(cells / 256))     at = bx * 256 + tx, word = result[at], then the cell
#include <algorithm>
#include <set>
#include <stdexcept>

#include "frontend/expression_parts.hpp"
#include "lower/walk/walk.hpp"

namespace kasc::kernel {

namespace {

constexpr int block_threads = 256;

/// Axes of the kernel along which some call wants to know where the cell is.
std::set<std::size_t> known_coordinates(const FieldContext& context) {
    std::set<std::size_t> axes;
    for (const FieldCall& call : context.plan.calls) {
        for (const FieldRead& read : call.reads) {
            if (read.producer || context.is_cell_layout(read.value, read.indices)) continue;
            for (const FieldIndex& index : read.indices) {
                if (const auto* moving = std::get_if<Moving>(&index)) axes.insert(moving->axis);
            }
        }
        for_each_part(*call.statement->value, [&](const Expression& part) {
            if (const auto* use = std::get_if<CoordinateUse>(&part.node)) axes.insert(context.kernel_axis(use->axis));
        });
    }
    return axes;
}

const FieldRead& read_of(const FieldPlan& plan, ValueId value) {
    for (const FieldCall& call : plan.calls) {
        const auto read = std::find_if(call.reads.begin(), call.reads.end(),
                                       [&](const FieldRead& r) { return !r.producer && r.value == value; });
        if (read != call.reads.end()) return *read;
    }
    throw std::logic_error("nothing reads what the transform makes");
}

}  // namespace

Walked walk_stored(FieldContext& context) {
    const ValueId given = context.schedule.kept<StoredParts>()->given;
    const std::string at = context.once("number of the cell", "at");
    const FieldCall& call = context.plan.calls.front();
    const std::string index = context.once("index" + context.layout(call.value, call.target), "i");
    CellWriter writer(context, *context.schedule.paths.cells, coordinates(context));
    const std::string word = writer.load_name(read_of(context.plan, given), std::vector<int>(context.rank(), 0));
    writer.hold(index);
    writer.hold(word);
    writer.write();

    AtStore stored{given, register_type(context.cell_type(given)), at, word, {}};
    const std::vector<ExprRef> positions = unfold(context, 0, name(at));
    for (const std::size_t axis : known_coordinates(context))
        stored.cell.push_back({Let{Type::i32, context.coordinate(axis), positions[axis]}});
    stored.cell.push_back({Let{Type::i64, index, wide(name(at))}});
    append(stored.cell, writer.take_body());

    Walked walked;
    ExprRef cells = context.extent(std::size_t{0});
    for (std::size_t k = 1; k < context.rank(); ++k) cells = multiply(cells, context.extent(k));
    walked.block = {block_threads, 1, 1};
    walked.grid = {block_count(cells, block_threads), integer(1), integer(1)};
    Body own{{Let{stored.type, word, element(context.array_in(given), name(at))}}};
    own.insert(own.end(), stored.cell.begin(), stored.cell.end());
    Body body{{Let{Type::i32, at,
                   add(multiply(block_index(Dimension::x), integer(block_threads)), thread_index(Dimension::x))}}};
    append_if(body, binary("<", name(at), cells), std::move(own));
    walked.body.push_back({Threads{std::move(body)}});
    walked.at_store = std::move(stored);
    return walked;
}

}  // namespace kasc::kernel
