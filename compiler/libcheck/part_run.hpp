#pragma once
// One part of an implementation at one block: runs it thread by thread and judges what each thread touches.

#include "libcheck/function_check.hpp"
#include "libcheck/traced_array.hpp"

namespace kasc::libcheck {

/// What a thread may do to an array that lies as its pattern says.
struct Declared {
    const AddressSet& set;
    bool in_registers = false;  ///< the array is the thread's own, and starts at its start

    [[nodiscard]] std::int64_t start(int thread) const {
        return in_registers ? 0 : set.start[static_cast<std::size_t>(thread)];
    }
    [[nodiscard]] bool has(int thread, std::int64_t word) const;
};

/// The thread that wrote each word of a tile last, and what it wrote.
class Writers {
public:
    explicit Writers(std::size_t words) : thread_(words, -1), value_(words) {}
    /// The thread that wrote another value to `word` before; -1: none.
    int write(int thread, std::int64_t word, float value);
    [[nodiscard]] bool written(std::size_t word) const { return thread_.at(word) >= 0; }

private:
    std::vector<int> thread_;
    Words value_;
};

class PartRun {
public:
    /// `site` names the part; its argument and array are set by each judgement.
    PartRun(const FunctionTask& task, Findings& findings, const Site& site, const BlockShape& block, int data_set = -1);

    [[nodiscard]] int threads() const { return thread_count(block_); }
    /// Runs the thread; `bx` is the tile. All arrays forget what threads before it touched.
    void thread(int variant, int thread, int bx, const std::vector<TracedArray*>& arrays);

    // Judgements of the thread that has just run.
    void judge_argument(const TracedArray& array, const Declared& declared, int argument);
    void judge_result(const TracedArray& array, const Declared& declared, int argument, Writers* writers);
    /// Judges what was touched of an array in global memory, whose words [begin, end) are the tile.
    void judge_global(const TracedArray& array, std::int64_t begin, std::int64_t end, bool writes, int argument);

    void add(Fault fault, int argument, bool global, std::string example);
    /// "thread 5 of block 3 x 32 x 1"
    [[nodiscard]] std::string who() const;

private:
    [[nodiscard]] std::string declared_text(const Declared& declared) const;
    void judge_beyond(const TracedArray& array, Fault reads, Fault writes, int argument, const Declared& declared);

    const FunctionTask& task_;
    Findings& findings_;
    Site site_;
    BlockShape block_;
    int thread_ = 0;
};

/// "words 15 16", the first few.
[[nodiscard]] std::string word_list(const std::vector<std::int64_t>& words);

}  // namespace kasc::libcheck
