// What a block does with its tile of results (schedule.hpp). What is copied lies in two places in turn: one is filled
// while the other is read, with one barrier between.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "schedule/field/walk/fold.hpp"
#include "schedule/product/schedule.hpp"
#include "schedule/registers.hpp"

namespace kasc {

namespace {

using namespace block;

constexpr int most_product_threads = 1024, most_results = 64;
constexpr int most_tiles = 64;  // CUDA's limit, the third dimension of a block
/// Behind each folded cell's words, where neighbouring ones of them are written by threads beside each other: against
/// bank conflicts, and a multiple of 16 bytes.
constexpr int bytes_between = 16;
/// Bytes of a block, so that a multiprocessor of compute capability 8.0 holds one, of 9.0 two.
constexpr int most_shared_bytes = 112 * 1024;
/// Words of parts that a thread joins in registers: 64 sums and as many of parts, in registers, leave room for 8 warps
/// on a multiprocessor of an H200; parts in shared memory for 16, and take 0.86 of the time (4096³: 3.77 and 3.24 ms).
constexpr int most_joined_in_registers = 32;

class ProductBlock {
public:
    ProductBlock(const ProductSchedule& schedule, const Program& program, const Graph& graph)
        : schedule_(schedule), program_(program), graph_(graph) {}

    BlockProgram run() {
        std::vector<Touch> first, next, read;
        for (const ProductRead& r : schedule_.work->reads) {
            if (!r.is_staged()) continue;
            const std::size_t region = made_.regions.size();
            const int words = schedule_.words(r), pitch = schedule_.pitch(r), chunk = schedule_.choice.chunk;
            const int copies = schedule_.copies(r);
            made_.regions.push_back({value_name(graph_, program_, r.value),
                                     Residence::shared,
                                     copies * schedule_.tile_pitch(r),
                                     2,
                                     tile_word_bytes(r.type),
                                     copies == 1 ? fmt::format("words of {} cells, twice", chunk)
                                                 : fmt::format("words of {} cells of {} tiles, twice", chunk, copies),
                                     {words, pitch - words}});
            Touch fill{region, 0, true};
            fill.copied_words = chunk * words * copies;
            first.push_back(fill);
            fill.copy = 1;
            next.push_back(fill);
            read.push_back({region, 0, false, std::make_shared<const AddressSet>(words_read(r))});
        }
        std::vector<Touch> joined;
        if (schedule_.joins_in_shared()) {
            for (const FieldCall& join : schedule_.work->of().joins->plan().calls) {
                const std::size_t region = made_.regions.size();
                made_.regions.push_back({value_name(graph_, program_, join.value), Residence::shared,
                                         schedule_.joined_pitch() * schedule_.threads(), 1, bytes_of(join),
                                         "sums of parts, of each thread its own"});
                joined.push_back({region, 0, true, std::make_shared<const AddressSet>(words_joined())});
            }
        }
        step(StepKind::compute, "start of sums", "begun", joined);
        copy("first cells", std::move(first));
        step(StepKind::loop_begin, "cells", "");
        copy("next cells", std::move(next));
        step(StepKind::fold, "products", "folded", std::move(read));
        if (schedule_.work->joins()) step(StepKind::compute, "join of parts", "joined", joined);
        step(StepKind::loop_end, "", "");
        for (Touch& touch : joined) touch.writes = false;
        step(StepKind::store, "store", "", std::move(joined));
        return with_barriers(std::move(made_));
    }

private:
    const ProductSchedule& schedule_;
    const Program& program_;
    const Graph& graph_;
    BlockProgram made_;

    void step(StepKind kind, const char* label, const char* made, std::vector<Touch> touches = {}) {
        made_.steps.push_back({kind, label, std::string("the ") + label, made, std::move(touches)});
    }
    void copy(const char* label, std::vector<Touch> touches) {
        step(StepKind::copy, label, "copied", std::move(touches));
        made_.steps.back().asynchronous =
            std::any_of(schedule_.work->reads.begin(), schedule_.work->reads.end(),
                        [](const ProductRead& read) { return read.is_staged() && !is_widened(read.type); });
    }

    [[nodiscard]] int bytes_of(const FieldCall& join) const {
        const bool reals = !is_integer(field_shape(program_, join.statement->target).type);
        return reals && join.statement->precision == Precision::single ? 4 : 8;
    }
    [[nodiscard]] AddressSet words_joined() const {
        AddressSet set;
        for (int t = 0; t < schedule_.threads(); ++t) set.start.push_back(t * schedule_.joined_pitch());
        for (int k = 0; k < schedule_.results(); ++k) set.offsets.push_back(k);
        return set;
    }
    /// By thread the words of its results, of each folded cell in turn.
    [[nodiscard]] AddressSet words_read(const ProductRead& r) const {
        const FieldChoice& choice = schedule_.choice;
        const int results = schedule_.results_along(r);
        const int threads = r.across ? choice.threads_x : choice.threads_y, group = group_of(results);
        AddressSet set;
        for (int t = 0; t < schedule_.threads(); ++t) {
            const int of_tile = choice.threads_x * choice.threads_y, in_tile = t % of_tile;
            const int own = r.across ? in_tile % choice.threads_x : r.down ? in_tile / choice.threads_x : 0;
            const int tile = r.beside ? t / of_tile : 0;
            set.start.push_back(tile * schedule_.tile_pitch(r) + own * group);
        }
        for (int cell = 0; cell < choice.chunk; ++cell)
            for (int k = 0; k < results; ++k)
                set.offsets.push_back(cell * schedule_.pitch(r) + k / group * threads * group + k % group);
        return set;
    }
};

FieldChoice product_choice(int threads_x, int threads_y, int vector, int rows, int chunk, int tiles = 1) {
    FieldChoice choice;
    choice.walk = Walk::product;
    choice.threads_x = threads_x, choice.threads_y = threads_y, choice.threads_z = tiles;
    choice.vector = vector, choice.rows = rows, choice.chunk = chunk;
    return choice;
}

/// Empty: none.
std::string product_fault(const ProductSchedule& s) {
    const FieldChoice& c = s.choice;
    const auto power = [](int n, int most) { return n >= 1 && n <= most && (n & (n - 1)) == 0; };
    if (c != product_choice(c.threads_x, c.threads_y, c.vector, c.rows, c.chunk, c.threads_z) ||
        !power(c.threads_x, most_product_threads) || !power(c.threads_y, most_product_threads) || !power(c.vector, 8) ||
        !power(c.threads_z, most_tiles) || !power(c.rows, 8) || !power(c.chunk, chained_part_cells))
        return "a product's blocks have threads by threads, each with 1, 2, 4 or 8 results along both, and go through "
               "a power of two of cells at a time: product 16x16 vector 8 rows 8 chunk 16";
    if (s.threads() > most_product_threads || s.threads() % warp_threads != 0)
        return fmt::format("a product's blocks have at most {} threads, in whole warps", most_product_threads);
    if (s.tiles() > 1 && s.work->beside.empty()) return "nothing is left whose tiles could lie beside each other";
    if (!s.work->down && (c.threads_y > 1 || c.rows > 1)) return "its results lie along one axis: product 256x1 rows 1";
    const auto folds = static_cast<int>(folds_of(s.work->of().cells.plan()).size());
    if (folds * s.results() > most_results) return fmt::format("a thread has registers for {} results", most_results);
    return {};
}

}  // namespace

int group_of(int results) { return std::min(results, 4); }

int words_of_access(int results, int word_bytes) { return group_of(results) == 4 && word_bytes == 4 ? 4 : 1; }

int ProductSchedule::words(const ProductRead& read) const { return read.across ? width() : read.down ? height() : 1; }

int ProductSchedule::pitch(const ProductRead& read) const {
    const int all = words(read);
    return all > 1 && read.along_first ? all + bytes_between / 4 : all;
}

/// Tiles that threads beside each other read lie in banks beside each other.
int ProductSchedule::tile_pitch(const ProductRead& read) const {
    const int words = choice.chunk * pitch(read);
    return copies(read) == 1 ? words : words + bytes_between / 4;
}

int ProductSchedule::joined_words() const {
    return work->joins() ? static_cast<int>(work->of().joins->plan().calls.size()) * results() : 0;
}

bool ProductSchedule::joins_in_shared() const { return joined_words() > most_joined_in_registers; }

std::vector<FieldChoice> product_choices(const ProductWork& work) {
    std::vector<FieldChoice> all;
    if (!work.down) {
        for (const int threads : {64, 128, 256})
            for (const int vector : {1, 2, 4, 8})
                for (const int chunk : {16, 64, 128}) all.push_back(product_choice(threads, 1, vector, 1, chunk));
        return all;
    }
    // The last ones for few results along the second axis: 16 channels, small images of a matrix.
    constexpr std::array<std::array<int, 5>, 16> shapes{{{16, 16, 8, 8, 16},
                                                         {16, 16, 8, 8, 8},
                                                         {16, 16, 8, 4, 16},
                                                         {16, 16, 4, 8, 16},
                                                         {16, 8, 8, 8, 16},
                                                         {8, 16, 8, 8, 16},
                                                         {8, 8, 8, 8, 16},
                                                         {16, 16, 4, 4, 16},
                                                         {16, 8, 4, 4, 16},
                                                         {8, 8, 4, 4, 16},
                                                         {16, 16, 2, 2, 16},
                                                         {16, 8, 2, 2, 16},
                                                         {32, 4, 8, 8, 16},
                                                         {64, 2, 8, 8, 16},
                                                         {32, 2, 8, 8, 16},
                                                         {64, 4, 4, 4, 16}}};
    for (const auto& [x, y, vector, rows, chunk] : shapes) all.push_back(product_choice(x, y, vector, rows, chunk));
    if (work.beside.empty()) return all;
    // Products of matrices of 2^26 words in all on an H100, ms: of 8 × 8 0.30 with 2 × 2 results a thread, 0.61 with
    // one; of 16 × 16 0.32 (8x8x2), 0.70 with 4 × 4; of 32 × 32 0.31 with one tile of 4 × 4 a thread, 0.51 with two.
    constexpr std::array<std::array<int, 5>, 9> small{{{2, 2, 2, 2, 16},
                                                       {2, 2, 2, 2, 32},
                                                       {4, 4, 1, 1, 8},
                                                       {4, 4, 1, 1, 16},
                                                       {4, 4, 2, 2, 8},
                                                       {4, 4, 2, 2, 16},
                                                       {8, 8, 1, 1, 4},
                                                       {8, 8, 2, 2, 2},
                                                       {8, 8, 2, 2, 4}}};
    for (const auto& [x, y, vector, rows, tiles] : small)
        for (const int chunk : {4, 8, 16}) all.push_back(product_choice(x, y, vector, rows, chunk, tiles));
    return all;
}

int registers_of(const ProductSchedule& schedule) {
    // Beside sums and words: addresses of what is copied, counters.
    constexpr int own_registers = 40;
    const FieldChoice& choice = schedule.choice;
    int registers = own_registers;
    for (const FieldCall* call : folds_of(schedule.work->of().cells.plan())) {
        const int words = call->statement->precision == Precision::dual ? 2 : 1;
        registers += schedule.results() * words;
        if (schedule.work->joins() && !schedule.joins_in_shared()) registers += schedule.results() * words;
    }
    for (const ProductRead& read : schedule.work->reads) {
        const int words = (read.across ? choice.vector : 1) * (read.down ? choice.rows : 1);
        registers += words * tile_word_bytes(read.type) / 4;
    }
    return std::min(registers, most_registers_of_thread);
}

ProductScheduleResult schedule_product(std::shared_ptr<const ProductWork> work, const FieldChoice& choice,
                                       const Program& program, const Graph& graph) {
    ProductSchedule schedule{std::move(work), choice, {}};
    if (std::string fault = product_fault(schedule); !fault.empty()) return {std::nullopt, std::move(fault)};
    BlockProgram block = ProductBlock(schedule, program, graph).run();
    if (const int bytes = shared_bytes(block); bytes > most_shared_bytes)
        return {std::nullopt, fmt::format("it takes {} bytes of shared memory", bytes)};
    schedule.block = std::make_shared<const BlockProgram>(std::move(block));
    return {std::move(schedule), {}};
}

}  // namespace kasc
