// libFuzzer target: any bytes as a library file end in a library or in diagnostics that can be printed; every pattern
// that was read is enumerated, in a small block and for a few elements. Seeds: corpus/library.

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

/// Short inputs are expressions as well: most files are refused before any expression is looked at.
constexpr std::size_t longest_expression = 64;
void try_expression(const std::string& start, const std::string& block, const kasc::SourceRef& source) {
    kasc::Pattern pattern;
    pattern.start = start;
    pattern.block = pattern.stride = block;
    pattern.count = 3;
    pattern.start_span = pattern.block_span = pattern.stride_span = pattern.span = {source, 0, source->text.size()};
    try_pattern(pattern, "scale_1");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    const kasc::SourceRef source = kasc::make_source("fuzz.cu", text);
    if (size <= longest_expression) {
        try_expression(text, "1", source);
        try_expression("0", text, source);
    }
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
            check((result.value != nullptr) == result.reason.empty());
        }
    }
    return 0;
}
