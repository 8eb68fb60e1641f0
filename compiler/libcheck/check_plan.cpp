// Blocks of mmul33_1 (BX = 3, BY free) for the search's 32, 64, … elements: 3 x 32, 3 x 64, …; of a block that its
// author fixed, the one that it serves.
//
// Patterns that are wrong in themselves (a count too small, a hole) allow no block at all. Then the recommended block
// is run nevertheless, since what the code touches is what the pattern should have said.

#include "libcheck/check_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "library/faults.hpp"
#include "patterns/start_in_code.hpp"
#include "search/element_numbers.hpp"

namespace kasc::libcheck {

namespace {

constexpr int threads_without_advice = 32;  // a warp, where a free dimension has no recommended value

BlockShape advised_block(const Implementation& how) {
    BlockShape block{1, 1, 1};
    for (std::size_t d = 0; d < 3; ++d) block[d] = how.block[d].fixed.value_or(1);
    const int most = patterns::most_threads / std::max(1, thread_count(block));
    for (std::size_t d = 0; d < 3; ++d) {
        if (how.block[d].fixed) continue;
        block[d] = std::clamp(how.block[d].recommended.value_or(threads_without_advice), 1, std::max(1, most));
    }
    return block;
}

/// Every pattern at the block, whether or not they agree with each other.
EnumeratedImplementation enumerate_apart(const Implementation& how, const BlockShape& block, Diagnostics& said) {
    EnumeratedImplementation all;
    all.block = block;
    const auto add = [&](const Pattern& pattern) {
        auto set = enumerate(pattern, block, how.name);
        said.insert(said.end(), set.diagnostics.begin(), set.diagnostics.end());
        return std::move(set.value).value_or(AddressSet{});
    };
    for (const Transfer& load : how.loads) all.loads.push_back(add(load.pattern));
    all.save = add(how.save.pattern);
    for (const Pattern& input : how.inputs) all.inputs.push_back(add(input));
    all.output = add(how.output);
    return all;
}

/// At most three of the blocks: the smallest, the largest and one between, whose number of elements is no power of two
/// if there is such: each costs as much to compile as the function itself.
std::vector<EnumeratedImplementation> chosen(std::vector<EnumeratedImplementation> blocks) {
    std::sort(blocks.begin(), blocks.end(), [](const auto& a, const auto& b) { return a.elements < b.elements; });
    if (blocks.size() <= 3) return blocks;
    const auto between = std::find_if(blocks.begin() + 1, blocks.end() - 1, [](const EnumeratedImplementation& block) {
        return !std::has_single_bit(static_cast<unsigned>(block.elements));
    });
    return {blocks.front(), between == blocks.end() - 1 ? blocks[1] : *between, blocks.back()};
}

/// A start becomes a macro in the function that the pattern belongs to.
Diagnostics start_faults(const Implementation& how) {
    Diagnostics faults;
    const auto check = [&](const Pattern& pattern, const DeviceFunction& function) {
        const Verdict stands = patterns::start_in_code(pattern, function, how.name);
        if (stands) return;
        faults.push_back(library::fault("K0424", pattern.start_span, stands.reason(), "becomes a macro in the function",
                                        "use the coordinates that the function takes, and + - * / %"));
    };
    for (const Transfer& load : how.loads) check(load.pattern, load.function);
    check(how.save.pattern, how.save.function);
    for (const Pattern& input : how.inputs) check(input, how.compute);
    check(how.output, how.compute);
    return faults;
}

/// None where no kernel can hold its code, or its patterns cannot be evaluated: `said` tells why.
std::optional<CheckedImplementation> plan_implementation(const Library& library, const Implementation& how,
                                                         std::size_t number, Diagnostics& said) {
    CheckedImplementation checked;
    checked.number = number;
    if (!how.faults.empty()) {
        said.insert(said.end(), how.faults.begin(), how.faults.end());
        return std::nullopt;
    }
    if (!patterns::is_block(advised_block(how))) return checked;
    Diagnostics faults;
    EnumeratedImplementation advised = enumerate_apart(how, advised_block(how), faults);
    if (faults.empty()) faults = start_faults(how);
    if (!faults.empty()) {
        said.insert(said.end(), faults.begin(), faults.end());
        return std::nullopt;
    }
    bool told = false;
    Enumerations enumerations(library);
    ElementNumbers numbers(enumerations);
    for (const int elements : numbers.of(how)) {
        const EnumerationResult& result = enumerations.of(how, elements);
        // What is wrong with a pattern is wrong with it at every block.
        if (!std::exchange(told, told || !result.diagnostics.empty()))
            said.insert(said.end(), result.diagnostics.begin(), result.diagnostics.end());
        if (result.value) {
            checked.blocks.push_back(*result.value);
        } else if (checked.no_block.empty()) {
            checked.no_block = result.reason;
        }
    }
    if (checked.blocks.empty()) {
        checked.blocks.push_back(std::move(advised));
    } else {
        checked.blocks = chosen(std::move(checked.blocks));
        checked.no_block.clear();
    }
    return checked;
}

bool lies_in(const Implementation& how, const std::vector<std::string>& folders) {
    const std::string& file = how.source->name;
    return folders.empty() || std::any_of(folders.begin(), folders.end(), [&](const std::string& folder) {
               return file.starts_with(folder.ends_with('/') ? folder : folder + "/");
           });
}

Diagnostics unknown_functions(const Library& library, const CheckSelection& selection) {
    Diagnostics faults;
    std::vector<std::string> known;
    for (const Function& function : library.functions) known.push_back(function.name);
    for (const std::string& name : selection.functions) {
        if (library.find_function(name)) continue;
        Diagnostic d;
        d.code = "K0905";
        d.message = fmt::format("the library has no function '{}'", name);
        d.help = library::suggest(name, known, fmt::format("it has {}", library::counted(known.size(), "function")));
        faults.push_back(std::move(d));
    }
    return faults;
}

}  // namespace

Outcome<CheckPlan> plan_checks(const Library& library, const CheckSelection& selection) {
    Diagnostics said = unknown_functions(library, selection);
    if (!said.empty()) return failure<CheckPlan>(std::move(said));
    CheckPlan plan;
    for (const FunctionId id : library.functions.ids()) {
        const Function& function = library.functions[id];
        const auto& names = selection.functions;
        if (!names.empty() && std::find(names.begin(), names.end(), function.name) == names.end()) continue;
        CheckedFunction checked{id, {}};
        for (std::size_t k = 0; k < function.implementations.size(); ++k) {
            const Implementation& how = function.implementations[k];
            if (!lies_in(how, selection.folders)) continue;
            if (auto planned = plan_implementation(library, how, k, said))
                checked.implementations.push_back(std::move(*planned));
        }
        if (!checked.implementations.empty()) plan.push_back(std::move(checked));
    }
    return success(std::move(plan), std::move(said));
}

}  // namespace kasc::libcheck
