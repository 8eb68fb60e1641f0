#pragma once
// A kernel that folds more cells than the words that they are made of: matrix products, all pairs (Fold::chained). A
// block has a tile of results, of which each thread has some in registers. Cells are gone through along the folded
// axis, `chunk` at a time, whose words are copied to shared memory while the ones before them are used: each is read
// from memory once a block, and from shared memory once for all results of a thread that it is part of.
//
//   C[i, j] = sum(A[i, k]*B[k, j], k)       tile of 128 × 128 results, 16 × 16 threads with 8 × 8 of them each
//     copy   the first 16 of k: of A 16 × 128 words, of B as many
//     loop   copy     the next 16
//            fold     these: of each k a thread takes 8 words of A and 8 of B to 64 sums
//            join     where a part of 512 ends, with the sums of the parts before
//     store  C, and what is computed of its words
//
// Where the tiles are too few for a device the parts are results, and another kernel joins them. Where results along
// the two axes are few, as of small matrices, a block has several tiles: those of cells beside each other along the
// axes that are left (small matrices of a list, parts of one sum), `threads_z` of them.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "schedule/line/schedule.hpp"
#include "schedule/tile_words.hpp"

namespace kasc {

/// What cells read: a field, at these of the kernel's axes (those of the cells' plan).
struct ProductRead {
    ValueId value;
    CellType type;  ///< of its words in memory
    std::vector<FieldIndex> indices;
    Precision precision = Precision::single;  ///< of reals in its positions
    std::vector<const FieldRead*> by;         ///< operands that are this one
    bool along = false;                       ///< it is another word for each cell that is folded,
    bool across = false, down = false;        ///< and for results of the tile that lie beside each other along its axes
    bool beside = false;                      ///< each tile of a block has words of its own
    /// Where the word is another along the fold: words of neighbouring cells lie beside each other in memory, not those
    /// of results.
    bool along_first = false;

    [[nodiscard]] bool is_staged() const { return along; }
};

struct ProductWork {
    /// One pass: the cells, the joins of their parts, none where parts are the kernel's results, and words of results.
    std::shared_ptr<const LineWork> pass;
    AxisId across;               ///< of the tile's results: those that lie beside each other, for threads along x
    std::optional<AxisId> down;  ///< along y; none: the tile is a row
    /// Axes that follow `across`: results are counted through all of them, row by row, since rows of pictures are
    /// short.
    std::vector<AxisId> rows;
    std::vector<AxisId> beside;  ///< the other ones, of parts first where they are results
    std::vector<ProductRead> reads;
    /// What is computed of a cell, each part of an expression once: several folds may have it in common.
    struct Part {
        const Expression* expression = nullptr;
        Precision precision = Precision::single;
    };
    std::vector<Part> parts;

    [[nodiscard]] const LinePass& of() const { return pass->passes.front(); }
    [[nodiscard]] bool joins() const { return of().joins.has_value(); }
};

struct ProductSchedule {
    std::shared_ptr<const ProductWork> work;
    FieldChoice choice;  ///< walk `product` (search/choice.hpp)
    std::shared_ptr<const block::BlockProgram> block;

    [[nodiscard]] const Fusion& fusion() const { return work->pass->fusion; }
    [[nodiscard]] int tiles() const { return choice.threads_z; }  ///< of a block
    [[nodiscard]] int threads() const { return choice.threads_x * choice.threads_y * tiles(); }
    [[nodiscard]] int results() const { return choice.vector * choice.rows; }     ///< of a thread and fold
    [[nodiscard]] int width() const { return choice.threads_x * choice.vector; }  ///< of the tile
    [[nodiscard]] int height() const { return choice.threads_y * choice.rows; }
    /// Results of a thread along the tile's axis that the read moves along; 1: it moves along none.
    [[nodiscard]] int results_along(const ProductRead& read) const {
        return read.across ? choice.vector : read.down ? choice.rows : 1;
    }
    /// Words of a read for one folded cell, in shared memory, and to those of the next.
    [[nodiscard]] int words(const ProductRead& read) const;
    [[nodiscard]] int pitch(const ProductRead& read) const;
    /// Tiles that have words of their own of it, and words from one to the next.
    [[nodiscard]] int copies(const ProductRead& read) const { return read.beside ? tiles() : 1; }
    [[nodiscard]] int tile_pitch(const ProductRead& read) const;
    /// Words of a thread that join parts; more than its registers are for lie in shared memory.
    [[nodiscard]] int joined_words() const;
    [[nodiscard]] bool joins_in_shared() const;
    /// Words from those of a thread to those of the next: odd, so that threads meet all banks.
    [[nodiscard]] int joined_pitch() const { return results() + 1; }
};

struct ProductWorkResult {
    std::shared_ptr<const ProductWork> value;  ///< null: see reason
    std::string reason;
};
/// Requires: the fusion folds in chains (search/lines.hpp). Infeasible, with the reason: neighbours at faces or
/// positions that are made of words are read, complex numbers.
[[nodiscard]] ProductWorkResult product_work(const Program& program, const Graph& graph, const Fusion& fusion);

struct ProductScheduleResult {
    std::optional<ProductSchedule> value;
    std::string reason;
};
[[nodiscard]] ProductScheduleResult schedule_product(std::shared_ptr<const ProductWork> work, const FieldChoice& choice,
                                                     const Program& program, const Graph& graph);

/// Choices worth scheduling, in a fixed order.
[[nodiscard]] std::vector<FieldChoice> product_choices(const ProductWork& work);
/// Words of a thread along an axis of the tile lie in groups of so many beside each other, which are one access; groups
/// lie as far apart as the threads have words in one.
[[nodiscard]] int group_of(int results);
/// Words that a thread takes from shared memory by one access: four of 4 bytes, where its group has them.
[[nodiscard]] int words_of_access(int results, int word_bytes);
/// Registers that a thread takes, as far as they are known before ptxas.
[[nodiscard]] int registers_of(const ProductSchedule& schedule);

[[nodiscard]] std::string print(const ProductSchedule& schedule, const Program& program, const Graph& graph);

}  // namespace kasc
