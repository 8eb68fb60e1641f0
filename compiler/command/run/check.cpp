#include "command/run/check.hpp"

#include <fmt/format.h>

#include "command/streams.hpp"
#include "command/tune/key.hpp"
#include "runtime/runs/compare.hpp"

namespace kasc::command {

namespace {

/// `tolerance`: how far results may be off.
Diagnostic unlike_reference(const Compilation& c, std::string message, float tolerance) {
    if (c.rewriting_tolerance > 0)
        return flag_fault(
            "K0813", std::move(message),
            {{{"--no-rewrite"}, "rewrites round otherwise than the program as written: is it the same with {}?"}});
    if (has_streams(c.program) && c.library.folders.size() > 1)
        return placeless(
            "K0813", std::move(message),
            "kasc check-lib says whether functions of the program's own library give what their references "
            "give; where they do, please report this, with the program and the library");
    if (tolerance > 0)
        return placeless("K0813", std::move(message),
                         "plans may round transforms otherwise, and of what nearly equal numbers leave, as residuals, "
                         "that may be all; else please report this, with the program");
    return placeless("K0813", std::move(message), "please report this, with the program");
}

}  // namespace

Diagnostics check_against_reference(const Compilation& compilation, const RunBinding& bound,
                                    const runtime::Outputs& outputs, const std::string& library, emit::Target target) {
    const auto entry = runtime::load_entry(library, compilation.program.name + "_reference");
    if (!entry) return entry.diagnostics;
    std::vector<std::vector<std::byte>> expected;
    std::vector<void*> results;
    const std::vector<runtime::ArrayView> arrays = outputs.arrays();
    for (const runtime::ArrayView& array : arrays) expected.emplace_back(array.values.size_bytes());
    for (auto& values : expected) results.push_back(values.data());
    const auto run = runtime::invoke(*entry, bound.arguments(results));
    if (!run) return run.diagnostics;
    const float tolerance = result_tolerance(compilation, target);
    for (std::size_t i = 0; i < arrays.size(); ++i) {
        const auto& [name, shape, values] = arrays[i];
        const runtime::Words reference(values.type(), expected[i].data(), values.size());
        const auto word = runtime::first_difference(values, reference, tolerance);
        if (word)
            return {unlike_reference(compilation, runtime::difference_text(name, values, reference, *word), tolerance)};
    }
    tell(fmt::format("checked: all results equal the unfused reference on the CPU, {}\n",
                     tolerance == 0 ? "bit for bit" : fmt::format("to {} of the largest value", tolerance)));
    return {};
}

}  // namespace kasc::command
