// What is known of a plan that several ranks run, before any of them begins.
#include <algorithm>

#include "execute/exchanges.hpp"
#include "execute/plan_run.hpp"

namespace kasc::execute {

ProcessArrays process_arrays(const Program& program, const Library& library, const HostPlan& plan,
                             const runtime::EntryArguments& arguments, const DividedAmong& among) {
    Numbers numbers(program, padded(arguments, program, plan), arguments.parameters);
    const Division division(program, library, plan, numbers, among);
    ProcessArrays arrays;
    for (const Slot& slot : plan.slots) {
        const VariableId variable = slot.variable;
        const std::vector<std::uint64_t> bytes = division.ends(variable);
        if (bytes.empty() || arrays.ends.contains(variable)) continue;
        const auto all = static_cast<std::int64_t>(bytes.back());
        const bool stream = std::holds_alternative<StreamShape>(program.variables[variable].shape);
        const std::int64_t plane = bytes_of_plane(program, numbers, variable, all);
        for (const std::uint64_t end : bytes) {
            const auto planes = static_cast<std::int64_t>(end) / plane;
            arrays.ends[variable].push_back(stream ? std::min<long long>(planes, arguments.extents.at(0)) : planes);
        }
    }
    arrays.most_bytes = most_bytes_of_process(program, library, plan, std::move(numbers), division);
    return arrays;
}

ExpectedExchanges expected_exchanges(const Program& program, const Library& library, const HostPlan& plan,
                                     const runtime::EntryArguments& arguments, const DividedAmong& among) {
    Numbers numbers(program, padded(arguments, program, plan), arguments.parameters);
    const Division division(program, library, plan, numbers, among);
    return expected_exchanges(program, library, plan, std::move(numbers), division);
}

std::string division_text(const Program& program, const Library& library, const HostPlan& plan,
                          const runtime::EntryArguments& arguments, const DividedAmong& among) {
    Numbers numbers(program, padded(arguments, program, plan), arguments.parameters);
    const Division division(program, library, plan, numbers, among);
    return division.text() + exchanges_text(program, library, plan, std::move(numbers), division);
}

}  // namespace kasc::execute
