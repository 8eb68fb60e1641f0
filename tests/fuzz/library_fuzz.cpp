// Bytes as a library file: they end in a library or in diagnostics that can be printed; every pattern that was read is
// enumerated, in a small block and for a few elements.
//   cmake -DCMAKE_CXX_COMPILER=clang++ -DKASC_FUZZ=ON …; tests/library_fuzz tests/fuzz/corpus/library

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "patterns/pattern.hpp"

namespace {

void check(bool holds) {
    if (!holds) std::abort();
}

void show(const kasc::Diagnostics& diagnostics) {
    const kasc::Diagnostics tidied = kasc::tidy(diagnostics);
    check(kasc::render_text(tidied).empty() == tidied.empty());
    (void)kasc::render_json(tidied);
}

void try_pattern(const kasc::Pattern& pattern, const std::string& implementation) {
    if (pattern.count > 256) return;  // sizes are bounded by the enumeration itself; the fuzzer wants many runs
    const auto set = kasc::enumerate(pattern, {4, 3, 2}, implementation);
    show(set.diagnostics);
    check(set.value.has_value() != kasc::has_errors(set.diagnostics));
    if (!set) return;
    check(set->start.size() == 24 && !set->offsets.empty() && set->offsets.front() >= 0);
    check(static_cast<bool>(kasc::compatible(*set, *set)));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    const kasc::SourceRef source = kasc::make_source("fuzz.cu", text);
    const auto library = kasc::read_library_sources({source});
    show(library.diagnostics);
    check(library.value.has_value() != kasc::has_errors(library.diagnostics));
    if (!library) return 0;
    for (const kasc::Function& function : library->functions) {
        for (const kasc::Implementation& implementation : function.implementations) {
            check(implementation.inputs.size() == implementation.loads.size());
            for (const kasc::Transfer& load : implementation.loads) try_pattern(load.pattern, implementation.name);
            for (const kasc::Pattern& input : implementation.inputs) try_pattern(input, implementation.name);
            try_pattern(implementation.save.pattern, implementation.name);
            try_pattern(implementation.output, implementation.name);
            const auto result = kasc::enumerate_implementation(*library, implementation, 4);
            show(result.diagnostics);
            check(result.value.has_value() == result.reason.empty());
        }
    }
    return 0;
}
