#pragma once
// Who touched each word of a block's shared memory since its last barrier, and what the word holds. The threads of a
// region come one after the other, each through all its statements, so that what two of them do in one interval is
// compared in whatever order it is seen.

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernel/findings.hpp"

namespace kasc::kernel {

/// A thread at a statement. Several threads may write one word at one site, an author's function that stores one result
/// several times: no barrier of ours could order that.
struct Toucher {
    int thread = 0;
    std::int64_t site = 0;  ///< 0: a statement of ours, of which each thread has a word of its own
};
/// A copy of which any thread may take any word.
constexpr int any_thread = -2;

class SharedWords {
public:
    /// `findings` outlives it.
    explicit SharedWords(Findings& findings) : findings_(findings) {}

    /// A number for the array. `offset`: in the block of floats that arrays share; none: apart from all others.
    int add(std::string array, std::optional<int> offset, int words);
    /// Another block of threads begins: nothing is written. Requires: all arrays were added.
    void begin_block();
    /// What a word holds from here on is another round's.
    void begin_round() { ++round_; }
    /// Copies since the last of these are a group.
    void commit_copies() { ++groups_; }
    /// What copies bring is there behind it, but for those of the `under_way` groups committed last; none: no copy is
    /// awaited.
    void pass_barrier(std::optional<int> under_way);

    void read(int array, long long at, const Toucher& who) { touch(array, at, who, false); }
    void write(int array, long long at, const Toucher& who) { touch(array, at, who, true); }
    /// A word that a copy brings some time before the next barrier that awaits its group.
    void bring(int array, long long at, const Toucher& who);
    /// The thread adds to some word of the array, as others may: data say to which.
    void add_to_some(int array, const Toucher& who);

private:
    /// The last interval in which threads did something to an array, and which one; any_thread: several.
    struct Last {
        int interval = -1, thread = 0;
        void add(int now, int who);
        /// Another thread than this one did, in the interval.
        [[nodiscard]] bool has_other(int now, int who) const;
    };
    struct Array {
        std::string name;
        int offset = 0, words = 0;
        Last added{}, touched{};  ///< to some word; one that is known
    };
    struct Touch {
        Toucher who;  ///< thread any_thread: several
        bool writes = false;
    };
    struct Word {
        int interval = -1;
        boost::container::small_vector<Touch, 2> touches;  ///< in the interval
        int holds = -1, round = -1;                        ///< the array it was written as
        std::int64_t brought_in = 0;                       ///< the group of copies that it comes with; 0: none
    };
    std::vector<Array> arrays_;
    std::vector<Word> words_;
    int shared_block_ = 0, apart_ = 0;
    int interval_ = 0, round_ = 0;
    std::int64_t groups_ = 0, complete_ = 0;  ///< groups of copies: committed, and known to be there
    Findings& findings_;

    void touch(int array, long long at, const Toucher& who, bool writes);
    [[nodiscard]] Word* word(const Array& array, long long at);
};

}  // namespace kasc::kernel
