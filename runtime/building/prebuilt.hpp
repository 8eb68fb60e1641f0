#pragma once
// Programs that were built as kasc was installed: entries like the cache's (building/cache.hpp), in a folder beside
// kasc's own data that is only read. They run on every processor of a level and take no compiler, so that neither
// decides their keys.

#include <filesystem>
#include <optional>
#include <string>

#include "runtime/building/cache_entry.hpp"

namespace kasc::runtime {

/// For which processors such programs are built, as -march= has it: "x86-64-v3" (AVX2, FMA; Intel's since 2013, AMD's
/// since 2015), which is what loops over cells gain most by. Empty: of this architecture there is none.
[[nodiscard]] std::string portable_level();
/// Whether the machine's processor is one of them.
[[nodiscard]] bool has_portable_level();

/// What the folder has under the key, where it and the file are trusted as kasc itself is (Trust::installer) and the
/// entry is whole.
[[nodiscard]] std::optional<Artefact> find_prebuilt(const std::filesystem::path& folder, const BuildKey& key);

/// Why the loader does not find all that the library needs, in its words: "libfftw3f.so.3: cannot open …". None: it
/// does, and the library stays loaded. The library needs FFTW as it is installed; OpenMP's library may also lie beside
/// kasc's own.
[[nodiscard]] std::optional<std::string> load_fault(const std::filesystem::path& library);

}  // namespace kasc::runtime
