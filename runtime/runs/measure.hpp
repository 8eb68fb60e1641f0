#pragma once
// The work of a measuring process.

#include <functional>
#include <string>
#include <vector>

#include "runtime/building/build.hpp"
#include "runtime/interface.hpp"
#include "runtime/runs/entry_library.hpp"
#include "runtime/runs/measure_event.hpp"

namespace kasc::runtime {

/// A program's array as a file of words (word_file.hpp).
struct RawArray {
    std::string name, path;
    WordType type = WordType::float32;
};

/// Computes everything anew at each call, and makes itself ready at the first; the arrays are the same each time.
/// Seconds of the kernels. K0804, K0811, K0812.
using Trial = std::function<Outcome<double>(const EntryArguments&)>;

struct MeasureJob {
    BuildTarget target = BuildTarget::cpu;
    std::vector<long long> extents;
    std::vector<double> parameters;
    std::vector<RawArray> inputs;
    std::vector<RawArray> outputs;  ///< what the reference computed
    bool check = true;              ///< false: the outputs' files give sizes alone
    float tolerance = 0;            ///< of the comparison, see compare.hpp
    int repeats = 20;
    int limit_seconds = 120;  ///< for one step of one candidate
    struct Candidate {
        int number = 0;
        Trial run;
    };
    std::vector<Candidate> candidates;
};

/// Checks every candidate against the reference, then times those that passed in turns, so that a drift of the clock
/// meets all alike. Every line of the answer goes to `say` as soon as it is known. After a device failure it returns:
/// nothing that the device does later can be trusted. A step that takes longer than the limit ends the process by
/// SIGALRM.
void measure(const MeasureJob& job, const std::function<void(const MeasureEvent&)>& say);

}  // namespace kasc::runtime
