// A tile is filled row by row, in groups of the choice's width, thread after thread:
//
//   for (int w = thread; w < 12 * 10; w += 256)            10 groups of four in a row, 12 rows
//     x = min(max(block's x - 4 + w % 10 * 4, 0), nx - 4)
//     y = min(max(block's y - 2 + w / 10, 0), ny - 1)
//     T_tile[w / 10 * 40 + w % 10 * 4 …] = T[y * nx + x …]
#include "lower/field/tile.hpp"

#include <fmt/format.h>

#include "lower/block.hpp"
#include "lower/field/path.hpp"

namespace kasc::kernel {

namespace {

std::string tile_array(FieldContext& context, const SharedTile& tile) {
    return context.once(fmt::format("tile {}", tile.value.index),
                        context.program.variables[context.variable(tile.value)].name + "_tile");
}

class TileFill {
public:
    TileFill(FieldContext& context, const SharedTile& tile, const std::vector<ExprRef>& origins)
        : context_(context), tile_(tile), origins_(origins), width_(context.schedule.choice.vector) {}

    Statement loop() {
        const FieldChoice& choice = context_.schedule.choice;
        const int threads = choice.threads_x * choice.threads_y * choice.threads_z;
        const std::string word = context_.once("tile group", "w");
        int groups = 1;
        for (std::size_t k = 0; k < tile_.cells.size(); ++k) groups *= count(k);
        return {For{word, linear_thread(), integer(groups), threads, 0, one_group(name(word))}};
    }

private:
    FieldContext& context_;
    const SharedTile& tile_;
    const std::vector<ExprRef>& origins_;
    int width_;

    /// Groups along the first axis, cells along the others.
    [[nodiscard]] int count(std::size_t k) const {
        const int cells = tile_.low[k] + context_.schedule.choice.tile(k) + tile_.high[k];
        return k == 0 ? cells / width_ : cells;
    }

    Body one_group(ExprRef group) {
        Body body;
        std::vector<ExprRef> at;
        ExprRef word = integer(0);
        int pitch = 1;
        for (std::size_t k = 0; k < tile_.cells.size(); ++k) {
            const bool last = k + 1 == tile_.cells.size();
            const int step = k == 0 ? width_ : 1;
            const ExprRef own = multiply(last ? group : modulo(group, integer(count(k))), integer(step));
            if (!last) group = divide(group, integer(count(k)));
            word = add(word, multiply(own, integer(pitch)));
            pitch *= tile_.cells[k];
            const std::string n = context_.once(fmt::format("tile coordinate {}", k), context_.coordinate(k) + "_tile");
            const ExprRef inside = maximum(subtract(add(origins_[k], own), integer(tile_.low[k])), integer(0));
            body.push_back({Let{Type::i32, n, minimum(inside, subtract(context_.extent(k), integer(step)))}});
            at.push_back(name(n));
        }
        if (context_.schedule.choice.walk == Walk::column) word = add(name(plane_slot(context_, tile_)), word);
        for (std::size_t k = at.size(); k < context_.rank(); ++k) at.push_back(name(context_.coordinate(k)));
        copy(body, word, context_.index(tile_.value, at));
        return body;
    }

    void copy(Body& body, const ExprRef& word, const ExprRef& index) {
        const std::string array = context_.array_in(tile_.value), tile = tile_array(context_, tile_);
        if (width_ == 1) {
            body.push_back({Assign{element(tile, word), element(array, index)}});
            return;
        }
        const std::string group = context_.once("tile words", "group");
        body.push_back({RegisterArray{group, width_, word_type(context_.cell_type(tile_.value))}});
        body.push_back({LoadVector{group, integer(0), array, index, width_}});
        body.push_back({StoreVector{tile, word, group, integer(0), width_}});
    }
};

}  // namespace

Body declare_tiles(FieldContext& context) {
    std::vector<std::string> names;
    std::vector<Type> types;
    for (const SharedTile& tile : context.schedule.tiles) {
        names.push_back(tile_array(context, tile));
        types.push_back(word_type(context.cell_type(tile.value)));
    }
    return declare_shared(*context.schedule.block, names, types);
}

Statement fill_tiles(FieldContext& context, const std::vector<ExprRef>& origins) {
    Body body;
    for (const SharedTile& tile : context.schedule.tiles) body.push_back(TileFill(context, tile, origins).loop());
    return {Threads{std::move(body)}};
}

}  // namespace kasc::kernel
