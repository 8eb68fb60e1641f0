#pragma once
// A kernel that runs a loop of the program: a thread has a cell, and goes through all iterations of it.
//
//   for (k = 1; k < extent(z); k++) {              thread x, y
//       c = r / (b[z = k] - a[z = k]*c);               c      in a register from iteration to iteration
//       d[z = k] = (q[z = k] - d[z = k - 1])*c;        d      stored where it stands; d[z = k - 1] is at hand
//   }
//
// Statements are scheduled one by one, as kernels of one call would be, cell by cell.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "graph/graph.hpp"
#include "schedule/field/schedule.hpp"

namespace kasc {

/// A field over the kernel's axes alone that the loop hands on: a word in a register.
struct HandedWord {
    VariableId variable;
    std::optional<ValueId> initial, entering;  ///< of the graph, of the body
    ValueId leaving, result;                   ///< of the body, of the graph
};
/// A field with axes on which it stands at positions: it lies in memory, in one array.
struct WalkedField {
    VariableId variable;
    std::optional<ValueId> initial;  ///< none: what the loop does not assign is zero
    ValueId result;
    std::vector<ValueId> versions;  ///< of the body
    /// The word that one iteration leaves and the next reads stays in a register: of this statement, where it is read
    /// by others in the same iteration or the next. None: memory has it.
    std::optional<std::size_t> kept_of;
};

struct LoopWork {
    Fusion fusion;  ///< of the loop's node alone; walked fields are outputs
    NodeId node;
    LoopNode loop;
    std::vector<FieldSchedule> statements;  ///< of the body's calls, in order
    /// By statement, what is right at any cell; a word has its former value where the call keeps layers.
    std::vector<std::shared_ptr<const CellProgram>> cells;
    std::vector<HandedWord> words;
    std::vector<WalkedField> walked;

    [[nodiscard]] const std::vector<AxisId>& axes() const { return statements.front().axes(); }
    [[nodiscard]] const FieldCall& call(std::size_t k) const { return statements[k].plan().calls.front(); }
    /// The field in memory that a value of the body is a version of; null: it is none.
    [[nodiscard]] const WalkedField* walked_of(ValueId value) const;
};

/// How a statement comes to a word of a walked field.
enum class WordOf { memory, this_iteration, former_iteration };

struct LoopSchedule {
    std::shared_ptr<const LoopWork> work;
    FieldChoice choice;  ///< walk `loop`

    [[nodiscard]] const Fusion& fusion() const { return work->fusion; }
};

struct LoopWorkResult {
    std::shared_ptr<const LoopWork> value;  ///< null: see reason
    std::string reason;
};
/// Requires: the node is a loop that may run inside (Loop::inside).
[[nodiscard]] LoopWorkResult loop_work(const Program& program, const Graph& graph, const Fusion& fusion);

struct LoopScheduleResult {
    std::optional<LoopSchedule> value;
    std::string reason;
};
[[nodiscard]] LoopScheduleResult schedule_loop(std::shared_ptr<const LoopWork> work, const FieldChoice& choice);

/// Where statement `k` finds what an operand reads of a walked field.
[[nodiscard]] WordOf word_of(const LoopWork& work, std::size_t k, const FieldRead& read, const Program& program);

/// Choices worth pricing, in a fixed order.
[[nodiscard]] std::vector<FieldChoice> loop_choices(const LoopWork& work);

[[nodiscard]] std::string print(const LoopSchedule& schedule, const Program& program, const Graph& graph);

}  // namespace kasc
