// Threads counted through the rows of a plane, one cell each: where rows are no multiple of a warp, as those of half a
// spectrum (n / 2 + 1), blocks that are cut from single rows would leave threads idle and start their accesses
// anywhere.
//
//   grid (ceil(nx * ny / 256), nz)     at = bx * 256 + tx, y = at / nx, x = at - y * nx
//
// The division costs some twenty instructions a thread, which a kernel that waits for memory does not notice.
#include "lower/walk/walk.hpp"

namespace kasc::kernel {

Walked walk_flat(FieldContext& context) {
    Walked walked;
    const int threads = context.schedule.choice.threads_x;
    const ExprRef nx = context.extent(std::size_t{0}), ny = context.extent(std::size_t{1});
    walked.block = {threads, 1, 1};
    walked.grid = {block_count(multiply(nx, ny), threads), integer(1), integer(1)};

    if (context.rank() > 2) {
        walked.grid[1] = context.extent(std::size_t{2});
        if (context.rank() == 3 && context.plan.parts.empty())
            walked.along = loaded_ahead({2, Dimension::y, integer(1)}, context);
        walked.body.push_back({Let{Type::i32, context.coordinate(2), block_index(Dimension::y)}});
    }
    const ExprRef at = name(context.once("place in the plane", "at"));
    const ExprRef x = name(context.coordinate(0)), y = name(context.coordinate(1));
    const ExprRef first = multiply(block_index(Dimension::x), integer(threads));
    Body body{{Let{Type::i32, text_of(at), add(first, thread_index(Dimension::x))}},
              {Let{Type::i32, text_of(y), divide(at, nx)}},
              {Let{Type::i32, text_of(x), subtract(at, multiply(y, nx))}}};
    append_if(body, both(binary("<", y, ny), is_visited(context, 0)), cells_of_thread(context));
    walked.body.push_back({Threads{std::move(body)}});
    return walked;
}

}  // namespace kasc::kernel
