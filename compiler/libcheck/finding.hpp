#pragma once
// What a check found, as values that a child process can hand to its parent.

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "patterns/pattern.hpp"

namespace kasc::libcheck {

enum class PartKind { load, save, compute, reference };

/// One array of one part of an implementation.
struct Site {
    int implementation = 0;  ///< number among the plan's of the function
    PartKind part = PartKind::load;
    int argument = 0;        ///< of a load or an input, from 0; -1: the result
    bool global = false;     ///< the array in global memory
    bool registers = false;  ///< in the variant for registers
    auto operator<=>(const Site&) const = default;
};

enum class Fault {
    undeclared,           ///< touches a word that the pattern lacks
    not_written,          ///< leaves a declared word of the tile unwritten
    not_saved,            ///< a save that leaves a declared word unread
    not_read,             ///< an input's declared word that no thread reads
    reads_result,         ///< reads a word of its result before it writes it
    writes_argument,      ///< writes what it should only read
    outside_tile,         ///< of global memory
    layout,               ///< a transfer that moves a word to another place
    clash,                ///< two threads write different values to one word
    registers_differ,     ///< the variant for registers computes something else
    value,                ///< unlike the reference
    value_among,          ///< unlike another implementation, where there is no reference
    rounding,             ///< unlike the reference by a few roundings
    rounding_among,       ///< unlike another implementation by as many
    indexed,              ///< an input's words are picked by the thread's number, where registers are allowed
    reference_overrun,    ///< the reference writes beyond its result
    disagreeing_numbers,  ///< transfers that copy different numbers of elements
};

struct FindingKey {
    Fault fault = Fault::undeclared;
    Site site;
    auto operator<=>(const FindingKey&) const = default;
};

struct FindingText {
    std::vector<std::string> examples;  ///< "thread 5 … reads word 17; its pattern has words 15 16"; the first few
    std::int64_t count = 0;             ///< of all
};

/// In the order of their keys, each with the first few examples.
class Findings {
public:
    void add(const FindingKey& key, std::string example);
    [[nodiscard]] bool has(Fault fault, const Site& site) const { return all_.contains({fault, site}); }
    /// Any fault of a part, whichever array it was found at.
    [[nodiscard]] bool has_any(int implementation, PartKind part) const;
    [[nodiscard]] bool has_any(int implementation) const;
    [[nodiscard]] const std::map<FindingKey, FindingText>& all() const { return all_; }
    void merge(const Findings& more);

    /// Lines of text and back. What is no such text gives no findings.
    [[nodiscard]] std::string store() const;
    [[nodiscard]] static Findings restore(const std::string& text);

private:
    std::map<FindingKey, FindingText> all_;
};

}  // namespace kasc::libcheck
