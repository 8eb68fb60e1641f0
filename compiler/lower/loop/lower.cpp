// A thread is a cell, and the loop stands in it:
//
//   const float b_0 = …                                  calls before the loop
//   float c_word = c[i]                                  what the first iteration is handed
//   for (int k = 1; k < nz; ++k) {
//       const int k_1 = k - 1                            what is the same for all cells of an iteration
//       const float c_new_0 = …                          statement by statement, through registers
//       d[k * plane + i] = d_new_0
//       c_word = c_new_0, d_former = d_new_0             what the next one is handed
//   }
//   c_out[i] = c_word                                    and calls behind it
//
// Threads are counted through all cells, the first axis fastest: those beside each other are so in memory. Where the
// iterations go along the first axis of fields, the loop is one of chunks, whose words lie in tiles of shared memory.
#include <fmt/format.h>

#include <map>

#include "kernel/used_names.hpp"
#include "lower/block.hpp"
#include "lower/loop/cells.hpp"
#include "lower/loop/lines.hpp"
#include "lower/lower.hpp"
#include "schedule/tile_words.hpp"

namespace kasc::kernel {

namespace {

class LoopKernel : public LoopCells {
public:
    using LoopCells::LoopCells;

    Kernel run(const std::string& kernel_name) {
        Kernel kernel;
        kernel.name = kernel_name;
        Body body = schedule_.tiled() ? chunks(kernel) : whole_loop(kernel);
        kernel.body = c().preamble();
        append(kernel.body, std::move(body));
        kernel.block = {c().rank() == 0 ? 1 : schedule_.choice.threads_x, schedule_.choice.threads_y, 1};
        kernel.grid = {c().rank() == 0 ? integer(1) : block_count(cells(), schedule_.choice.threads_x), integer(1),
                       integer(1)};
        kernel.parameters = c().parameters();
        kernel.functions = c().functions();
        kernel.value_names = c().value_names();
        return kernel;
    }

private:
    Body whole_loop(Kernel& kernel) {
        Body cell = place();
        append(cell, calls_before(kernel));
        kernel.comment.push_back(node_text(graph_, program_, work_.node));
        append(cell, words_before());
        append(cell, former_before());
        append(cell, alive_before());
        For loop{c().loop_variable(),     bound(work_.loop.from), bound(work_.loop.to), 1,
                 schedule_.choice.unroll, iteration(kernel)};
        loop.going = goes_on();
        cell.push_back({std::move(loop)});
        append(cell, calls_behind(kernel));
        append(cell, words_after());
        return {{Threads{c().rank() == 0 ? cell : at_cell(std::move(cell))}}};
    }
    /// The body for a thread's own cell, if it has one: by the threads along x, or by all, where they `help`.
    Body at_cell(Body cell, bool help = false) {
        const bool line = c().rank() == 1;
        const ExprRef block = line ? block_index(Dimension::x) : wide(block_index(Dimension::x));
        const ExprRef own =
            kernel::add(multiply(block, integer(schedule_.choice.threads_x)), thread_index(Dimension::x));
        const std::string named = line ? c().coordinate(0) : text_of(number());
        Body body{{Let{line ? Type::i32 : Type::i64, named, own}}};
        ExprRef is_cell = binary("<", name(named), cells());
        if (schedule_.choice.threads_y > 1 && !help)
            is_cell = both(binary("==", thread_index(Dimension::y), integer(0)), is_cell);
        append_if(body, is_cell, std::move(cell));
        return body;
    }

    // ---- chunks of iterations ---------------------------------------------------------------------------------------

    [[nodiscard]] int chunk_iterations() const { return schedule_.choice.chunk; }
    ExprRef chunk() { return name(c().once("chunk", "chunk")); }
    ExprRef begin() { return name(c().once("begin of the chunk", "begin")); }
    ExprRef end() { return name(c().once("end of the chunk", "end")); }
    ExprRef first_cell() { return name(c().once("first cell of the block", "first")); }
    ExprRef lines() { return name(c().once("lines of the block", "lines")); }
    ExprRef line() { return name(c().once("line of the tile", "line")); }
    ExprRef column() { return name(c().once("column of the tile", "column")); }
    std::string tile_name(const LoopTile& tile) {
        return c().once(fmt::format("tile {}", tile.region), schedule_.block->regions[tile.region].name);
    }
    static bool goes_back(const LoopTile& tile) { return tile.at.coefficient < 0; }

    Body chunks(Kernel& kernel) {
        Body handed = calls_before(kernel);
        kernel.comment.push_back(node_text(graph_, program_, work_.node));
        append(handed, words_before());
        append(handed, former_before());
        Body first = at_place(std::move(handed));
        const ExprRef to = bound(work_.loop.to);
        const bool has_lines =
            std::any_of(work_.tiles.begin(), work_.tiles.end(), [](const LoopTile& t) { return t.lines; });
        Body opening = has_lines ? block_of_lines() : Body{};
        bool inside = false;  // the loop of the chunks
        Body bounds{{Let{Type::i32, text_of(begin()), maximum(chunk(), bound(work_.loop.from))}},
                    {Let{Type::i32, text_of(end()), minimum(kernel::add(chunk(), integer(chunk_iterations())), to)}}};
        if (has_ring()) append(bounds, slots());
        const auto statements = [&](const block::Step& step) -> Body {
            Body body;
            switch (step.kind) {
                case block::StepKind::loop_begin:
                    inside = true;
                    return {{For{text_of(chunk()), start(), to, chunk_iterations(), 0, {}}}};
                case block::StepKind::copy: {
                    if (!inside) return {{Threads{along_memory(start(), true, integer(0))}}};
                    body = std::move(bounds);
                    bounds.clear();
                    const ExprRef next = kernel::add(chunk(), integer(chunk_iterations()));
                    body.push_back({Threads{along_memory(next, true, other_slot())}});
                    return body;
                }
                case block::StepKind::compute:
                    body = std::move(bounds);
                    bounds.clear();
                    body.push_back({Threads{iterations(kernel)}});
                    return body;
                case block::StepKind::store:
                    return {{Threads{along_memory(chunk(), false, own_slot())}}};
                default:
                    return {};
            }
        };
        Body walk = lower_block(*schedule_.block, statements);
        Body behind = calls_behind(kernel);
        append(behind, words_after());
        Body last = at_place(std::move(behind));
        std::vector<std::string> names;
        std::vector<Type> types;
        for (const LoopTile& tile : work_.tiles) {
            if (tile.region < names.size()) continue;
            names.push_back(tile_name(tile));
            types.push_back(register_type(c().cell_type(tile.value)));
        }
        Body body = declare_shared(*schedule_.block, names, types);
        append(body, std::move(opening));
        append(body, std::move(words_of_threads_));
        append(body, std::move(first));
        append(body, std::move(walk));
        append(body, std::move(last));
        return body;
    }
    /// Its first cell, and how many lines it has.
    Body block_of_lines() {
        const int most = schedule_.choice.threads_x;
        const ExprRef whole = binary("<", kernel::add(first_cell(), integer(most)), cells());
        return {{Let{Type::i64, text_of(first_cell()), multiply(wide(block_index(Dimension::x)), integer(most))}},
                {Let{Type::i32, text_of(lines()),
                     select(whole, integer(most), convert(Type::i32, subtract(cells(), first_cell())))}}};
    }
    ExprRef start() { return subtract(bound(work_.loop.from), integer(schedule_.early())); }
    [[nodiscard]] bool has_ring() const {
        return std::any_of(work_.tiles.begin(), work_.tiles.end(), [](const LoopTile& t) { return t.loaded; });
    }
    /// The copy of the tiles, of two, that has this chunk, and the one that has the next.
    ExprRef own_slot() { return name(c().once("slot of the chunk", "slot")); }
    ExprRef other_slot() { return subtract(integer(1), own_slot()); }
    Body slots() {
        const ExprRef number = divide(subtract(chunk(), start()), integer(chunk_iterations()));
        return {{Let{Type::i32, text_of(own_slot()), modulo(number, integer(2))}}};
    }
    /// A word of the tile, in the slot's copy where there are two.
    ExprRef tile_place(const LoopTile& tile, const ExprRef& slot, const ExprRef& word) {
        const block::Region& region = schedule_.block->regions[tile.region];
        return region.copies == 1 ? word : kernel::add(multiply(slot, integer(region.words)), word);
    }
    /// Statements at the thread's cell, whose coordinates they know; nothing, where there are none.
    Body at_place(Body own) {
        if (own.empty()) return {};
        return {{Threads{at_cell(placed(std::move(own)))}}};
    }
    Body placed(Body own) {
        Body cell = place();
        append(cell, std::move(own));
        return without_unused(std::move(cell));
    }

    Body iterations(Kernel& kernel) {
        Body held;
        std::map<std::pair<bool, bool>, ExprRef> places;  // in tiles of lines, that go back, and of others
        tile_word_ = [&](const LoopTile& tile) {
            const bool back = tile.lines && goes_back(tile);
            ExprRef& own = places[{tile.lines, back}];
            if (!own) {
                const ExprRef k = subtract(name(c().loop_variable()), chunk());
                const ExprRef in_line = back ? subtract(integer(chunk_iterations() - 1), k) : k;
                const ExprRef cell = thread_index(Dimension::x), pitch = integer(schedule_.pitch(tile));
                own = name(c().fresh(!tile.lines ? "own" : back ? "back_in_line" : "in_line"));
                held.push_back({Let{
                    Type::i32, text_of(own),
                    tile.lines ? kernel::add(multiply(cell, pitch), in_line) : kernel::add(multiply(k, pitch), cell)}});
            }
            return element(tile_name(tile), tile_place(tile, own_slot(), own));
        };
        Body statements = iteration(kernel);
        tile_word_ = nullptr;
        append(held, std::move(statements));
        return at_cell(
            placed({{For{c().loop_variable(), begin(), end(), 1, schedule_.choice.unroll, std::move(held)}}}));
    }

    /// All threads together, each a word of the tiles in turn, along memory: those of the iterations from `first` on.
    Body along_memory(const ExprRef& first, bool loads, const ExprRef& slot) {
        Body body;
        for (const bool lines : {true, false}) {
            std::vector<const LoopTile*> tiles;
            for (const LoopTile& tile : work_.tiles)
                if (tile.lines == lines && (loads ? tile.loaded : tile.stored)) tiles.push_back(&tile);
            if (tiles.empty()) continue;
            append(body, lines ? along_lines(tiles, first, loads, slot) : along_cells(tiles, first, loads, slot));
        }
        return body;
    }
    [[nodiscard]] Statement passes(const ExprRef& pass, std::size_t tiles, Body each) const {
        constexpr int words_under_way = 16;
        const int all = schedule_.choice.threads_x * schedule_.choice.chunk / schedule_.threads();
        const int together = std::min(all, std::max(1, words_under_way / static_cast<int>(tiles)));
        return {For{text_of(pass), integer(0), integer(all), 1, together > 1 ? together : 0, std::move(each)}};
    }
    [[nodiscard]] ExprRef is_iteration(const ExprRef& k) {
        return both(binary(">=", k, bound(work_.loop.from)), binary("<", k, bound(work_.loop.to)));
    }

    Body along_lines(const std::vector<const LoopTile*>& tiles, const ExprRef& first, bool loads, const ExprRef& slot) {
        const int threads = schedule_.threads(), words = chunk_iterations();
        const ExprRef thread = schedule_.choice.threads_y > 1 ? linear_thread() : thread_index(Dimension::x);
        const ExprRef pass = name(c().once("pass over the tile", "pass"));
        Body body, each;
        if (threads % words == 0) {
            body.push_back({Let{Type::i32, text_of(column()), modulo(thread, integer(words))}});
            const ExprRef upper = divide(thread, integer(words));
            each.push_back(
                {Let{Type::i32, text_of(line()), kernel::add(upper, multiply(pass, integer(threads / words)))}});
        } else {
            const ExprRef word = kernel::add(multiply(pass, integer(threads)), thread);
            each.push_back({Let{Type::i32, text_of(line()), divide(word, integer(words))}});
            each.push_back({Let{Type::i32, text_of(column()), modulo(word, integer(words))}});
        }
        for (const bool back : {false, true}) {
            Body copies;
            const std::string at = c().once(back ? "iteration that goes back" : "iteration that goes on",
                                            c().loop_variable() + (back ? "_back" : "_there"));
            for (const LoopTile* tile : tiles) {
                if (goes_back(*tile) != back) continue;
                const ExprRef words_of_line = c().extent(c().shape(tile->value).axes.front());
                const ExprRef start_of_line =
                    kernel::add(multiply(first_cell(), words_of_line), multiply(wide(line()), words_of_line));
                const ExprRef position = c().in_iteration(tile->position(), name(at));
                const ExprRef place = kernel::add(multiply(line(), integer(schedule_.pitch(*tile))), column());
                copies.push_back(
                    copy(*tile, kernel::add(start_of_line, position), tile_place(*tile, slot, place), loads));
            }
            if (copies.empty()) continue;
            const ExprRef in_line = back ? subtract(integer(words - 1), column()) : column();
            each.push_back({Let{Type::i32, at, kernel::add(first, in_line)}});
            append_if(each, both(binary("<", line(), lines()), is_iteration(name(at))), std::move(copies));
        }
        body.push_back(passes(pass, tiles.size(), std::move(each)));
        return body;
    }
    /// A thread has the words of its cell, those along y every so many iterations.
    Body along_cells(const std::vector<const LoopTile*>& tiles, const ExprRef& first, bool loads, const ExprRef& slot) {
        const ExprRef pass = name(c().once("pass over the tile", "pass"));
        const ExprRef row = name(c().once("iteration of the chunk", "row"));
        const std::string at = c().once("iteration of a row", c().loop_variable() + "_of_row");
        const int rows = schedule_.choice.threads_y;
        ExprRef own = multiply(pass, integer(rows));
        if (rows > 1) own = kernel::add(own, thread_index(Dimension::y));
        Body each{{Let{Type::i32, text_of(row), own}}, {Let{Type::i32, at, kernel::add(first, row)}}}, copies;
        for (const LoopTile* tile : tiles) {
            std::vector<ExprRef> place;
            for (const FieldIndex& index : tile->indices) {
                const auto* cell = std::get_if<Moving>(&index);
                place.push_back(cell != nullptr ? name(c().coordinate(cell->axis))
                                                : c().in_iteration(tile->position(), name(at)));
            }
            static_cast<void>(array_of(tile->value));  // whose name an index needs
            const ExprRef in_tile =
                kernel::add(multiply(row, integer(schedule_.pitch(*tile))), thread_index(Dimension::x));
            copies.push_back(copy(*tile, c().index(tile->value, place), tile_place(*tile, slot, in_tile), loads));
        }
        append_if(each, is_iteration(name(at)), std::move(copies));
        return at_cell(placed({passes(pass, tiles.size(), std::move(each))}), true);
    }
    Statement copy(const LoopTile& tile, const ExprRef& in_memory, const ExprRef& in_tile, bool load) {
        const std::string array = array_of(tile.value);
        if (load && is_widened(c().cell_type(tile.value)))
            return {Assign{element(tile_name(tile), in_tile), element(array, in_memory)}};
        if (load) return {Fetch{tile_name(tile), in_tile, array, in_memory}};
        return {Assign{element(array, in_memory), element(tile_name(tile), in_tile)}};
    }
};

}  // namespace

}  // namespace kasc::kernel

namespace kasc {

kernel::Lowered lower_loop(const LoopSchedule& schedule, const Program& program, const Graph& graph,
                           const std::string& kernel_name) {
    kernel::Lowered lowered;
    lowered.alternatives.push_back(schedule.work->of_lines()
                                       ? kernel::LoopOfLines(schedule, program, graph).run(kernel_name)
                                       : kernel::LoopKernel(schedule, program, graph).run(kernel_name));
    return lowered;
}

}  // namespace kasc
