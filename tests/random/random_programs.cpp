// random_programs FIRST COUNT
//     checks the programs of COUNT seeds from FIRST on, batch by batch, and says after each where it stands, so that a
//     long run can go on from there. Status 1 where a program fails.
// random_programs FIRST COUNT FOLDER cuda|cpu-checking
//     writes them as emitted code with main programs, many to a translation unit.

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "random/batch.hpp"
#include "random/emission.hpp"

namespace {

using namespace kasc::random;

int check(unsigned first, unsigned end) {
    bool failed = false;
    Tally all;
    for (unsigned seed = first; seed < end;) {
        const unsigned next = std::min(end, (seed / programs_a_library + 1) * programs_a_library);
        const BatchReport report = check_batch(seed, next - seed);
        for (const std::string& fault : report.faults) fmt::print("{}\n", fault);
        failed = failed || !report.faults.empty();
        all.add(report.tally);
        fmt::print("seeds {} to {}: {}\n", seed, next - 1, report.faults.empty() ? "ok" : "FAILED");
        std::fflush(stdout);
        seed = next;
    }
    fmt::print(
        "{} programs ({} with loops), {} fusions and {} refused, {} plans, {} kernels ({} with rounds), {} barriers, "
        "{} "
        "compiled functions\n",
        all.programs, all.with_loops, all.fusions, all.refused, all.plans, all.kernels, all.rounds, all.barriers,
        all.functions);
    return failed ? 1 : 0;
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 3 && count != 5) {
        fmt::print(stderr, "random_programs FIRST COUNT [FOLDER cuda|cpu-checking]\n");
        return 2;
    }
    const auto first = static_cast<unsigned>(std::strtoul(arguments[1], nullptr, 10));
    const auto programs = static_cast<unsigned>(std::strtoul(arguments[2], nullptr, 10));
    if (count == 3) return check(first, first + programs);
    const bool cuda = std::string(arguments[4]) == "cuda";
    const int groups = emit_programs(arguments[3], first, programs,
                                     cuda ? kasc::emit::Target::cuda : kasc::emit::Target::cpu_checking);
    fmt::print("{} programs in {} groups\n", programs, groups);
    return 0;
}
