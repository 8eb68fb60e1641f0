#pragma once
// An entry of the cache as bytes. First line: the digest of all that follows; second line: a JSON object that names the
// key and what was said as the artefact was made; then the artefact.

#include <optional>
#include <string>
#include <string_view>

#include "foundation/diagnostic.hpp"
#include "runtime/building/key.hpp"

namespace kasc::runtime {

/// What was built.
struct Artefact {
    std::string bytes;
    Diagnostics said;  ///< warnings; code, message, notes' texts and help are kept
};

/// What an entry says of itself.
struct EntryHead {
    std::string key;  ///< its digest
    std::string title, target;
};

[[nodiscard]] std::string pack_entry(const BuildKey& key, const Artefact& artefact);
/// None: the bytes are no entry of that key, or were damaged.
[[nodiscard]] std::optional<Artefact> unpack_entry(std::string bytes, const std::string& key);
/// The head that an entry's first bytes say (most_head_bytes of them, or all); whether the entry is whole is not looked
/// at.
[[nodiscard]] std::optional<EntryHead> head_of_entry(std::string_view first_bytes);

constexpr std::size_t most_head_bytes = 65536;

/// The file of the entry of a key with this digest.
constexpr std::string_view entry_suffix = ".built";
[[nodiscard]] inline std::string entry_name(const std::string& digest) { return digest + std::string(entry_suffix); }

}  // namespace kasc::runtime
