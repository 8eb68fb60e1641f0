#include "command/run_check.hpp"

#include <fmt/format.h>

#include "command/tune_key.hpp"
#include "runtime/compare.hpp"

namespace kasc::command {

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
            return {call_fault("K0813", runtime::difference_text(name, values, reference, *word),
                               compilation.rewriting_tolerance > 0 ? "rewrites round otherwise than the program as "
                                                                     "written: is it the same with --no-rewrite?"
                                                                   : "please report this, with the program")};
    }
    fmt::print("checked: all results equal the unfused reference on the CPU, {}\n",
               tolerance == 0 ? "bit for bit" : fmt::format("to {} of the largest value", tolerance));
    return {};
}

}  // namespace kasc::command
