// Global memory holds three tiles, every word of another value; a block loads tile 0, 1, 2 (the last ends with the
// memory), each from 2 threads of 3 words:
//
//     global  1 2 3 4 5 6 | 7 8 9 10 11 12 | …        tile 1 in shared memory must be 7 8 9 10 11 12
//
// Into registers, thread 1 of tile 0 must take 4 5 6 to places 0 1 2.

#include "libcheck/check_transfers.hpp"

#include <fmt/format.h>

#include <numeric>

namespace kasc::libcheck {

namespace {

constexpr int tiles = 3;
constexpr std::size_t most_measured_words = std::size_t{1} << 20;  // as patterns reach

/// 1 2 3 …: below 2^24 all different in float32.
Words numbered(std::size_t words) {
    Words values(words);
    std::iota(values.begin(), values.end(), 1.0F);
    return values;
}

/// A load or the save, and how its two arrays are called.
struct TransferSide {
    Site site;
    const Transfer& transfer;
    const AddressSet& set;
    PartVariants variants;
    int argument;  ///< as findings name it
    [[nodiscard]] bool loads() const { return site.part == PartKind::load; }
};

class TransferCheck {
public:
    TransferCheck(const FunctionTask& task, const TransferSide& side, const BlockShape& block, int elements,
                  Findings& findings)
        : task_(task),
          side_(side),
          block_(block),
          words_(task.library.types[side.transfer.type].words * elements),
          findings_(findings) {}

    void run() {
        for (int bx = 0; bx < tiles; ++bx) {
            side_.loads() ? load(bx) : save(bx);
        }
        const bool good = !findings_.has_any(side_.site.implementation, side_.site.part);
        if (good && side_.variants.registers >= 0) side_.loads() ? load_registers() : save_registers();
    }

private:
    const FunctionTask& task_;
    TransferSide side_;
    BlockShape block_;
    std::int64_t words_;  ///< of a tile
    Findings& findings_;

    [[nodiscard]] std::size_t tile() const { return static_cast<std::size_t>(words_); }

    void load(int bx) {
        PartRun run(task_, findings_, side_.site, block_);
        TracedArray global(numbered(tiles * tile())), shared(tile());
        Writers writers(tile());
        for (int t = 0; t < run.threads(); ++t) {
            run.thread(side_.variants.shared, t, bx, {&global, &shared});
            run.judge_global(global, bx * words_, (bx + 1) * words_, false, side_.argument);
            run.judge_result(shared, {side_.set}, side_.argument, &writers);
        }
        compare(run, shared.values(), 0, "shared memory", global.values(), tile() * static_cast<std::size_t>(bx));
    }
    void save(int bx) {
        PartRun run(task_, findings_, side_.site, block_);
        TracedArray global(tiles * tile()), shared(numbered(tile()));
        Writers writers(tiles * tile());
        for (int t = 0; t < run.threads(); ++t) {
            run.thread(side_.variants.shared, t, bx, {&shared, &global});
            run.judge_global(global, bx * words_, (bx + 1) * words_, true, side_.argument);
            run.judge_argument(shared, {side_.set}, side_.argument);
            judge_reads_all(run, shared, t);
            judge_clash(run, global, t, writers);
        }
        const std::size_t at = tile() * static_cast<std::size_t>(bx);
        for (std::size_t w = 0; w < tile(); ++w) {
            if (writers.written(at + w)) continue;
            run.add(Fault::outside_tile, side_.argument, true,
                    fmt::format("no thread writes word {} of tile {}", at + w, bx));
        }
        compare(run, global.values(), at, "global memory", shared.values(), 0);
    }
    void judge_reads_all(PartRun& run, const TracedArray& shared, int t) {
        std::vector<std::int64_t> missing;
        for (const std::int32_t offset : side_.set.offsets) {
            const std::int64_t word = Declared{side_.set}.start(t) + offset;
            if (word >= words_ || !shared.reads(word)) missing.push_back(word);
        }
        if (!missing.empty())
            run.add(Fault::not_saved, side_.argument, false,
                    fmt::format("{} leaves out {}", run.who(), word_list(missing)));
    }
    void judge_clash(PartRun& run, const TracedArray& global, int t, Writers& writers) {
        for (const std::int64_t word : global.touched()) {
            if (!global.writes(word)) continue;
            const int other = writers.write(t, word, global.values()[static_cast<std::size_t>(word)]);
            if (other >= 0)
                run.add(Fault::clash, side_.argument, true,
                        fmt::format("{} writes word {}, where thread {} writes another value", run.who(), word, other));
        }
    }

    /// Word w of the tile in `to` must be that in `from`; words that nothing wrote have been told of already.
    void compare(PartRun& run, const Words& to, std::size_t to_begin, const char* where, const Words& from,
                 std::size_t from_begin) {
        // A transfer of another tile has been told of already.
        Site global = side_.site;
        global.global = true;
        if (findings_.has(Fault::outside_tile, global)) return;
        for (std::size_t w = 0; w < tile(); ++w) {
            const float moved = to[to_begin + w];
            if (same_bits(moved, from[from_begin + w]) || same_bits(moved, unwritten_word())) continue;
            run.add(Fault::layout, side_.argument, false,
                    fmt::format("word {} of {} is word {:.0f}; it should be {}", to_begin + w, where, moved - 1.0F,
                                from_begin + w));
        }
    }

    void load_registers() {
        Site site = side_.site;
        site.registers = true;
        PartRun run(task_, findings_, site, block_);
        TracedArray global(numbered(tile()));
        for (int t = 0; t < run.threads(); ++t) {
            TracedArray own(static_cast<std::size_t>(side_.set.span_words()));
            run.thread(side_.variants.registers, t, 0, {&global, &own});
            run.judge_result(own, {side_.set, true}, side_.argument, nullptr);
            for (const std::int32_t o : side_.set.offsets) {
                const auto word = static_cast<std::size_t>(Declared{side_.set}.start(t) + o);
                if (!own.writes(o) || same_bits(own.values()[static_cast<std::size_t>(o)], global.values()[word]))
                    continue;
                run.add(Fault::registers_differ, side_.argument, false,
                        fmt::format("{} takes another word to place {} than into shared memory", run.who(), o));
            }
        }
    }
    void save_registers() {
        Site site = side_.site;
        site.registers = true;
        PartRun run(task_, findings_, site, block_);
        TracedArray global(tile());
        for (int t = 0; t < run.threads(); ++t) {
            TracedArray own(static_cast<std::size_t>(side_.set.span_words()));
            for (const std::int32_t o : side_.set.offsets)
                own.values()[static_cast<std::size_t>(o)] = static_cast<float>(Declared{side_.set}.start(t) + o + 1);
            run.thread(side_.variants.registers, t, 0, {&own, &global});
            run.judge_argument(own, {side_.set, true}, side_.argument);
        }
        for (std::size_t w = 0; w < tile(); ++w) {
            if (same_bits(global.values()[w], static_cast<float>(w + 1))) continue;
            run.add(Fault::registers_differ, side_.argument, false,
                    fmt::format("word {} of global memory is another than from shared memory", w));
        }
    }
};

std::vector<TransferSide> sides_of(const FunctionTask& task, std::size_t implementation, std::size_t block) {
    const CheckedImplementation& checked = task.checked.implementations[implementation];
    const Implementation& how = task.library.functions[task.checked.function].implementations[checked.number];
    const EnumeratedImplementation& sets = checked.blocks[block];
    const BlockParts& parts = task.place.parts[implementation][block];
    std::vector<TransferSide> sides;
    const int number = static_cast<int>(implementation);
    for (std::size_t k = 0; k < how.loads.size(); ++k) {
        const int argument = static_cast<int>(k);
        sides.push_back(
            {{number, PartKind::load, argument, false, false}, how.loads[k], sets.loads[k], parts.loads[k], argument});
    }
    sides.push_back({{number, PartKind::save, -1, false, false}, how.save, sets.save, parts.save, -1});
    return sides;
}

/// Elements of which a transfer's block 0 touches words in global memory, in whole or in part.
int elements_moved(const FunctionTask& task, const TransferSide& side, const BlockShape& block, Findings& unheard) {
    PartRun run(task, unheard, side.site, block);
    TracedArray global(numbered(most_measured_words)), shared(most_measured_words);
    const std::vector<TracedArray*> arrays =
        side.loads() ? std::vector{&global, &shared} : std::vector{&shared, &global};
    std::vector<bool> moved(most_measured_words, false);
    std::size_t count = 0;
    for (int t = 0; t < run.threads(); ++t) {
        run.thread(side.variants.shared, t, 0, arrays);
        for (const std::int64_t word : global.touched()) {
            const auto w = static_cast<std::size_t>(word);
            count += moved[w] ? 0 : 1;
            moved[w] = true;
        }
    }
    const auto words = static_cast<std::size_t>(task.library.types[side.transfer.type].words);
    return static_cast<int>((count + words - 1) / words);
}

}  // namespace

int measured_elements(const FunctionTask& task, std::size_t implementation, std::size_t block, Findings& findings) {
    const BlockShape& shape = task.checked.implementations[implementation].blocks[block].block;
    Findings unheard;
    int most = 1;
    std::string told;
    bool agree = true;
    for (const TransferSide& side : sides_of(task, implementation, block)) {
        const int elements = elements_moved(task, side, shape, unheard);
        agree = agree && (told.empty() || elements == most);
        told += fmt::format("{}{} {}", told.empty() ? "" : ", ",
                            side.loads() ? fmt::format("load {} moves", side.argument + 1) : "the save", elements);
        most = std::max(most, elements);
    }
    if (!agree) {
        const Site site{static_cast<int>(implementation), PartKind::save, -1, true, false};
        findings.add({Fault::disagreeing_numbers, site},
                     fmt::format("in a block of {} x {} x {}: {}", shape[0], shape[1], shape[2], told));
    }
    return most;
}

void check_transfers(const FunctionTask& task, std::size_t implementation, std::size_t block, int elements,
                     Findings& findings) {
    const BlockShape& shape = task.checked.implementations[implementation].blocks[block].block;
    for (const TransferSide& side : sides_of(task, implementation, block))
        TransferCheck(task, side, shape, elements, findings).run();
}

}  // namespace kasc::libcheck
