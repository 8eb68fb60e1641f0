#pragma once
// Blocks that stand in a program more than once: made texts, which are read like any other, so that what is said of
// them is said of the text that the user gave, with what asked for it (foundation/source.hpp).
//
// Bounds: texts within each other, and the bytes of all of them.

#include "frontend/building.hpp"
#include "frontend/replaced_names.hpp"

namespace kasc::frontend {

/// Procedures within procedures, lists within lists.
inline constexpr std::size_t most_expansions_within_each_other = 64;

/// A made text while it is read.
class Expansion {
public:
    /// K0120, and no text, where a bound is passed.
    Expansion(Building& building, const Span& of, const Replacements& replacements, const Span& by, std::string why);
    ~Expansion();
    Expansion(const Expansion&) = delete;
    Expansion& operator=(const Expansion&) = delete;

    [[nodiscard]] explicit operator bool() const { return source_ != nullptr; }
    [[nodiscard]] const SourceRef& source() const { return source_; }

private:
    Building& building_;
    SourceRef source_;
};

/// A statement while it is read: how deep the reader recurses is bounded over all expansions.
class Nested {
public:
    /// False, with K0105, where statements and blocks stand deeper in each other than a text's brackets may.
    Nested(Building& building, const Span& span);
    ~Nested() { --building_.nesting; }
    Nested(const Nested&) = delete;
    Nested& operator=(const Nested&) = delete;
    [[nodiscard]] explicit operator bool() const { return fits_; }

private:
    Building& building_;
    bool fits_;
};

/// K0118 at a name with a part for which nothing stands.
void report_open_parts(const ast::Name& name, Report& report);

}  // namespace kasc::frontend
