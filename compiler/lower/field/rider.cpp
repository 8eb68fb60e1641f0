// A block takes as many cells of the rider as it has threads; the first blocks take them all, or all blocks in turn
// where the list is longer than the grid has threads. 64 probes in a kernel of 32×8 threads:
//
//   const int own_block = ((int)blockIdx.z * ((ny + 7) / 8) + (int)blockIdx.y) * ((nx + 127) / 128) + (int)blockIdx.x
//   for (int part = own_block; part < (ns_riding + 255) / 256; part += …)       block 0 alone
//       s = part * 256 + thread
//       if (s < ns_riding) probe[n_before * ns + s] = T[…]
#include "lower/field/rider.hpp"

namespace kasc::kernel {

namespace {

[[nodiscard]] bool is_one(const ExprRef& e) {
    const auto* n = std::get_if<Integer>(&e->node);
    return n != nullptr && n->value == 1;
}

struct BlockNumber {
    ExprRef own, count;
};

/// Over the dimensions that the grid has.
BlockNumber block_number(const std::array<ExprRef, 3>& grid) {
    BlockNumber number{integer(0), integer(1)};
    for (const Dimension d : {Dimension::z, Dimension::y, Dimension::x}) {
        const ExprRef& count = grid[static_cast<std::size_t>(d)];
        if (is_one(count)) continue;
        number.own = add(multiply(number.own, count), block_index(d));
        number.count = multiply(number.count, count);
    }
    return number;
}

}  // namespace

Body rider_body(FieldContext& rider, const Walked& carrier) {
    const int threads = thread_count(carrier.block);
    const ExprRef cells = rider.rider_cells();
    const std::string part = rider.once("part", "part"), block = rider.once("block", "own_block");
    const std::string cell = rider.rank() == 0 ? rider.once("cell", "cell") : rider.coordinate(0);
    Body own{{Let{Type::i32, cell, add(multiply(name(part), integer(threads)), linear_thread())}}};
    const ExprRef listed = binary("<", name(cell), cells);
    Body computed = cells_of_thread(rider);
    append_if(own, both(listed, rider.rank() == 0 ? nullptr : is_visited(rider, 0)), std::move(computed));

    const BlockNumber number = block_number(carrier.grid);
    const ExprRef parts = divide(add(cells, integer(threads - 1)), integer(threads));
    // What is the same for all cells stands inside: with no cell, nothing of it may be read.
    Body each = rider.preamble();
    each.push_back({Threads{std::move(own)}});
    return {{Let{Type::i32, block, number.own}}, {For{part, name(block), parts, 1, 0, std::move(each), number.count}}};
}

}  // namespace kasc::kernel
