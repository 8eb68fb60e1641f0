#pragma once
// Element patterns, enumerated: the addresses that each thread of a block touches, in words from the start of the
// block's tile of a value. Everything about fusing stream functions follows from pairs of these.

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "foundation/outcome.hpp"
#include "foundation/verdict.hpp"
#include "library/library.hpp"

namespace kasc {

/// Block dimensions of an implementation with the free one chosen.
using BlockShape = std::array<int, 3>;
[[nodiscard]] inline int thread_count(const BlockShape& block) { return block[0] * block[1] * block[2]; }
/// Threads that a GPU runs together, in the order of their numbers in the block (CUDA C++ Programming Guide).
constexpr int warp_threads = 32;

namespace patterns {
/// A block that kasc enumerates: every dimension at least 1, at most 1024 threads in all.
inline constexpr int most_threads = 1024;
[[nodiscard]] bool is_block(const BlockShape& block);
}  // namespace patterns

/// thread t (linear, x fastest) touches start[t] + o for every o of offsets.
struct AddressSet {
    std::vector<std::int32_t> start;    ///< one a thread
    std::vector<std::int32_t> offsets;  ///< sorted, distinct, relative to the start, the same for all threads
    bool noreg = false;

    [[nodiscard]] int span_words() const;  ///< 1 + the largest offset: the words a register copy is declared with
    [[nodiscard]] int tile_words() const;  ///< 1 + the largest address
    [[nodiscard]] bool operator==(const AddressSet&) const = default;
};

/// An implementation at one block shape: all its patterns enumerated.
struct EnumeratedImplementation {
    BlockShape block{1, 1, 1};
    int elements = 0;  ///< of the stream that a block serves in one round of BATCH: words its loads and save cover /
                       ///< words of the type
    std::vector<AddressSet> loads;
    AddressSet save;
    std::vector<AddressSet> inputs;
    AddressSet output;
};

/// Evaluates one pattern for every thread of the block. `macros` gives <FUNCTION>_<IMPLEMENTATION>_BX/_BY/_BZ.
/// K04xx: a syntax error in an expression, a negative or non-integer address, more than 2^16 words a thread.
[[nodiscard]] Outcome<AddressSet> enumerate(const Pattern& pattern, const BlockShape& block,
                                            const std::string& implementation_name);

/// The implementation with its free block dimension (if any) set so that a block serves `elements` elements; none,
/// with the reason, where its fixed dimensions allow no such block or its patterns disagree about the number.
struct EnumerationResult {
    std::shared_ptr<const EnumeratedImplementation> value;  ///< shared by all schedules that have it
    std::string reason;                                     ///< why not
    Diagnostics diagnostics;                                ///< faults of the library file
};
[[nodiscard]] EnumerationResult enumerate_implementation(const Library& library, const Implementation& implementation,
                                                         int elements);

/// Compatible when thread n touches the same addresses in both, for every n.
[[nodiscard]] Verdict compatible(const AddressSet& producer, const AddressSet& consumer);

}  // namespace kasc
