// random_programs FIRST COUNT
//     checks the programs over streams of COUNT seeds from FIRST on, batch by batch, and says after each where it
//     stands, so that a long run can go on from there. Status 1 where a program fails.
// random_programs --field-files FILE…
//     checks these programs over fields, each with the choices and inputs of some seeds.
// random_programs FIRST COUNT FOLDER cuda|cpu|cpu-checking
//     writes them as emitted code with main programs, many to a translation unit.
// With --fields in front, both of programs over fields.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "random/batch.hpp"
#include "random/emission.hpp"
#include "random/field_batch.hpp"
#include "support/of_the_day.hpp"
#include "support/temporary.hpp"

namespace {

using namespace kasc::random;

constexpr unsigned field_programs_a_batch = 50;

int check_fields(unsigned first, unsigned end) {
    bool failed = false;
    FieldTally all;
    for (unsigned seed = first; seed < end; seed += field_programs_a_batch) {
        const unsigned count = std::min(end - seed, field_programs_a_batch);
        const FieldReport report = check_field_programs(seed, count);
        for (const std::string& fault : report.faults) fmt::print("{}\n", fault);
        failed = failed || !report.faults.empty();
        all.add(report.tally);
        fmt::print("seeds {} to {}: {}\n", seed, seed + count - 1, report.faults.empty() ? "ok" : "FAILED");
        std::fflush(stdout);
    }
    fmt::print(
        "{} programs ({} with transforms, in {} plans of lines, {} with cells; by rules {}), {} fusions and {} "
        "refused, {} plans, {} kernels "
        "({} at "
        "stores, {} with a prologue, {} with loops of lines, {} with sums across lines, {} in last blocks), {} riders; "
        "{} launches counted, {} to the byte, {} with their accesses\n",
        all.programs, all.transforms, all.lines, all.cells, all.rules, all.fusions, all.refused, all.plans, all.kernels,
        all.storing, all.prologues, all.loops_of_lines, all.sums_across, all.completed, all.riders, all.counts.kernels,
        all.counts.to_the_byte, all.counts.accesses);
    return failed ? 1 : 0;
}

/// Every day each file in one way, with KASC_FULL in many.
unsigned seeds_a_file() { return 40 / static_cast<unsigned>(kasc::test::one_of(40)); }

int check_field_files(int count, char** files) {
    bool failed = false;
    for (int k = 0; k < count; ++k) {
        const FieldReport report = check_field_text(kasc::test::read_file(files[k]), seeds_a_file());
        for (const std::string& fault : report.faults) fmt::print("{}\n", fault);
        failed = failed || !report.faults.empty();
        fmt::print("{}: {}\n", files[k], report.faults.empty() ? "ok" : "FAILED");
        std::fflush(stdout);
    }
    return failed ? 1 : 0;
}

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
    if (count > 2 && std::string(arguments[1]) == "--field-files") return check_field_files(count - 2, arguments + 2);
    const bool fields = count > 1 && std::string(arguments[1]) == "--fields";
    if (fields) ++arguments, --count;
    if (count != 3 && count != 5) {
        fmt::print(stderr,
                   "random_programs [--fields] FIRST COUNT [FOLDER cuda|cpu|cpu-checking]\n"
                   "random_programs --field-files FILE...\n");
        return 2;
    }
    const auto first = static_cast<unsigned>(std::strtoul(arguments[1], nullptr, 10));
    const auto programs = static_cast<unsigned>(std::strtoul(arguments[2], nullptr, 10));
    if (count == 3) return fields ? check_fields(first, first + programs) : check(first, first + programs);
    const std::string name = arguments[4];
    const kasc::emit::Target target = name == "cuda"  ? kasc::emit::Target::cuda
                                      : name == "cpu" ? kasc::emit::Target::cpu
                                                      : kasc::emit::Target::cpu_checking;
    const int groups = fields ? emit_field_programs(arguments[3], first, programs, target)
                              : emit_programs(arguments[3], first, programs, target);
    fmt::print("{} programs in {} groups\n", programs, groups);
    return 0;
}
