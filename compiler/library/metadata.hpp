#pragma once
// Metadata blocks as written: a name and lines `KEY = value`. What the keys mean is decided by their readers.

#include <optional>
#include <string>
#include <vector>

#include "library/c_tokens.hpp"

namespace kasc::library {

struct Entry {
    std::string key;  ///< blanks inside are single
    Span key_span;
    std::string value;
    Span value_span;  ///< of an empty value: the place after '='
};

struct MetadataBlock {
    std::string name;
    Span name_span;
    std::vector<Entry> entries;
};

/// Splits a metadata token. None where its heading is no `<name> metadata` (K0304); lines without '=' are faults, too.
[[nodiscard]] std::optional<MetadataBlock> parse_metadata(const Token& token, Faults& faults);

/// The entries of a block under the keys that its kind knows.
class Keys {
public:
    /// Faults: a key that is not among `known` (K0305), a key twice (K0306). A known key that ends in " #" stands for
    /// any number there ("INPATTERN #").
    Keys(const MetadataBlock& block, const std::vector<std::string>& known, Faults& faults);

    [[nodiscard]] const Entry* find(const std::string& key) const;
    /// As find; a missing key is a fault (K0307) with `example` as its mend. Silent where an unknown key was near it.
    [[nodiscard]] const Entry* require(const std::string& key, const std::string& example) const;

private:
    const MetadataBlock& block_;
    Faults& faults_;
    std::vector<std::string> meant_;  ///< known keys that unknown ones were taken for
};

}  // namespace kasc::library
