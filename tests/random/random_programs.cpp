// random_programs FIRST COUNT: checks the programs of COUNT seeds from FIRST on, batch by batch, and says after each
// where it stands, so that a long run can go on from there. Status 1 where a program fails.

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "random/batch.hpp"

int main(int count, char** arguments) {
    using kasc::random::programs_a_library;
    if (count != 3) {
        fmt::print(stderr, "random_programs FIRST COUNT\n");
        return 2;
    }
    const unsigned first = static_cast<unsigned>(std::strtoul(arguments[1], nullptr, 10));
    const unsigned end = first + static_cast<unsigned>(std::strtoul(arguments[2], nullptr, 10));
    bool failed = false;
    kasc::random::Tally all;
    for (unsigned seed = first; seed < end;) {
        const unsigned next = std::min(end, (seed / programs_a_library + 1) * programs_a_library);
        const auto report = kasc::random::check_batch(seed, next - seed);
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
