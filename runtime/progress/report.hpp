#pragma once
// Progress as lines of a report: one after the first step, then one every so many per cent of the steps, on whatever
// standard output is. Unlike ProgressDisplay it has the same lines however fast the run is.

#include <functional>
#include <string>

#include "runtime/progress/progress.hpp"

namespace kasc::runtime {

struct ReportForm {
    double percent = 5;    ///< of the steps, from line to line
    long long before = 0;  ///< steps that are done before the first iteration, and count
};

class ProgressReport {
public:
    /// `begun`: iterations that an earlier run has done.
    ProgressReport(ReportForm form, ProgressDisplay::Medium medium, long long begun = 0);
    /// The iteration, behind `done`, after which the next line is due; `total` at the latest.
    [[nodiscard]] long long due(long long done, long long total) const;
    /// "  5%  50 of 1000 steps, 0:07 elapsed, 2:13 to go", where that is due.
    void update(long long done, long long total);

private:
    ReportForm form_;
    ProgressDisplay::Medium medium_;
    double start_;
    long long begun_, told_;
};

}  // namespace kasc::runtime
