#include "runtime/building/prebuilt.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <set>
#include <sstream>

#include "runtime/building/trusted_files.hpp"

namespace kasc::runtime {

namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{64} << 20;  // of an entry: a hundred times what one has

#if defined(__x86_64__)
/// What the system lets programs use of the first processor: AVX only where it keeps the registers.
std::set<std::string> processor_flags() {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line) && !line.empty();) {
        if (!line.starts_with("flags")) continue;
        std::istringstream words(line.substr(line.find(':') + 1));
        return {std::istream_iterator<std::string>(words), {}};
    }
    return {};
}
#endif

}  // namespace

#if defined(__x86_64__)
std::string portable_level() { return "x86-64-v3"; }

bool has_portable_level() {
    // x86-64 psABI, table of micro-architecture levels, in Linux's words; LZCNT is "abm", OSXSAVE "xsave".
    constexpr std::array needed{"cx16", "lahf_lm", "popcnt", "sse4_1", "sse4_2", "ssse3", "avx",  "avx2",
                                "bmi1", "bmi2",    "f16c",   "fma",    "abm",    "movbe", "xsave"};
    const std::set<std::string> flags = processor_flags();
    return std::all_of(needed.begin(), needed.end(), [&](const char* flag) { return flags.contains(flag); });
}
#else
std::string portable_level() { return ""; }

bool has_portable_level() { return false; }
#endif

std::optional<Artefact> find_prebuilt(const std::filesystem::path& folder, const BuildKey& key) {
    const Descriptor opened = open_trusted_folder(folder, Trust::installer);
    if (!opened) return std::nullopt;
    const std::string digest = key.digest();
    struct stat info {};
    const Descriptor file = open_trusted_file(opened, entry_name(digest), Trust::installer, info);
    if (!file || static_cast<std::uint64_t>(info.st_size) > most_bytes) return std::nullopt;
    auto text = read_bytes_of(file, static_cast<std::uint64_t>(info.st_size));
    return text ? unpack_entry(std::move(*text), digest) : std::nullopt;
}

std::optional<std::string> load_fault(const std::filesystem::path& library) {
    // From here the loader looks beside kasc's own libraries as well; once it has one of that name, programs get it.
    static_cast<void>(dlopen("libgomp.so.1", RTLD_NOW | RTLD_LOCAL));
    // An absolute path: a bare name is looked for in the system's folders.
    std::error_code error;
    const auto path = std::filesystem::absolute(library, error);
    if (dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) != nullptr) return std::nullopt;
    const char* fault = dlerror();
    return fault == nullptr ? "" : fault;
}

}  // namespace kasc::runtime
