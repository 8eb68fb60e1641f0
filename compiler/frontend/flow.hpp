#pragma once
// Follows which variables hold a value at the statement that is being checked, and which are ever used.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "frontend/program.hpp"
#include "frontend/report.hpp"

namespace kasc::frontend {

/// slice: trace[t = n] = …, which makes the whole series; what no statement assigns is zero.
enum class AssignedPart { whole, slice };

class Flow {
public:
    /// `first_assigned`: where each name is assigned first in the text, to point at.
    explicit Flow(std::map<std::string, Span> first_assigned) : first_assigned_(std::move(first_assigned)) {}

    void input(VariableId variable);
    /// Takes note of a variable that the compiler made: it is assigned and used from the beginning.
    void hidden(VariableId variable);
    void read(const Variable& variable, VariableId id, const Span& span, Report& report);
    void assign(VariableId variable, AssignedPart part);
    /// The variable has a value for certain; a field that loops may have left without one is zero before them.
    [[nodiscard]] bool has_value(const Variable& variable, VariableId id);
    void output(const Variable& variable, VariableId id, const Span& span, Report& report);

    /// always: its bounds are numbers, so that it is known to run at least once. by_cell: each cell ends it by itself.
    enum class LoopRuns { always, perhaps, by_cell };
    /// What both sides of an `if` assign has a value behind it. The second is entered as soon as the first is left;
    /// where there is no second, the first one need not be told from a loop but for what is said.
    enum class Side { none, first, second };
    void enter_loop(const Span& head, LoopRuns runs, Side side);
    /// Nothing more is said of a loop at fault: what it assigns counts as assigned.
    void leave_loop(bool faulty);

    /// Fields that loops alone assign, which may run zero times, and that are read behind them: zero before the first.
    [[nodiscard]] const std::set<VariableId>& zero_before_loops() const { return zero_before_loops_; }

    /// Warnings for what is declared, marked as input or assigned for nothing.
    void report_unused(const Program& program, Report& report) const;

private:
    enum class State { never, perhaps, assigned };
    struct Track {
        State state = State::never;
        Span loop;          ///< perhaps: the loop that may not run
        bool side = false;  ///< it is one side of an `if`
        bool by_cell = false;
        bool by_loop = false;  ///< perhaps, or once: it is one that runs for all cells, or for none
        bool input = false, written = false, used = false;
    };
    struct OpenLoop {
        Span head;
        LoopRuns runs;
        Side side;
        std::vector<VariableId> other_side;  ///< of a second side: what the first one gave a value
        std::vector<VariableId> first_here;  ///< had no certain value when the loop began
    };
    [[nodiscard]] Track& track(VariableId variable);

    std::map<std::string, Span> first_assigned_;
    std::vector<Track> tracks_;
    std::vector<OpenLoop> loops_;
    std::set<VariableId> zero_before_loops_;
    std::vector<VariableId> first_side_;  ///< what the loop that was left last gave a value
};

}  // namespace kasc::frontend
