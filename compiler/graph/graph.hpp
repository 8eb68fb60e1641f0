#pragma once
// The program as a hierarchy of acyclic graphs: a node is a call or a loop, an edge is a value. Every assignment makes
// a new value, so names that are assigned again need no care after this stage. A loop is one node of the outer graph
// and holds a graph of its own.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "foundation/id.hpp"
#include "foundation/outcome.hpp"
#include "frontend/program.hpp"
#include "patterns/access.hpp"

namespace kasc {

struct Value {
    VariableId variable;
    int version = 0;                 ///< 0: the input or the value that enters the loop body; then by assignment
    std::optional<NodeId> producer;  ///< none: a graph input
    Span span;                       ///< where it is assigned
};

/// An elementary function on streams: reads = arguments in order, one write.
struct StreamCall {
    FunctionId callee;
};

/// A field statement: reads[i] = the value of operand i. Where the target keeps cells of its former value (boundary
/// keep, or an absolute target index), `former` is that value and also stands last in reads.
struct FieldUpdate {
    FieldStatement statement;
    std::vector<Access> accesses;   ///< of each operand
    std::optional<ValueId> former;  ///< none for the first slice assignment of a series: the rest is zero
};

/// One read, one write: what is read may be lost (TransformStatement).
struct Transform {
    TransformStatement statement;
};

struct Graph;
/// A variable that the body assigns and that the next iteration or the code after the loop reads.
struct Carried {
    VariableId variable;
    /// Outer value before the loop; none: assigned in the body before it is read, or a series without a value yet.
    /// Where the loop may run no iteration and the variable is read after it, its outer value counts as read.
    std::optional<ValueId> initial;
    std::optional<ValueId> entering;  ///< body value at the start of an iteration; exists where initial does
    ValueId leaving;                  ///< body value at the end of an iteration
    ValueId result;                   ///< outer value after the loop
};
struct Captured {
    ValueId outer, inner;
};  ///< read in the body, never assigned there
/// reads = initials of carried, then captured outers; writes = results.
struct LoopNode {
    LoopId loop;
    ExpressionRef from, to;
    std::vector<Carried> carried;
    std::vector<Captured> captured;
    std::shared_ptr<const Graph> body;
    std::optional<ValueId> going;  ///< a body's value that enters: an iteration runs where its one word is more than 0
};

/// A value that takes another's place: at the start of a loop, or from one iteration to the next.
struct LoopMove {
    ValueId from, to;
};
/// A loop that a kernel runs, in an expanded graph (expand.hpp).
struct InnerLoop {
    LoopId loop;
    ExpressionRef from, to;
    bool may_skip = true;      ///< it may run no iteration
    std::vector<NodeId> body;  ///< calls and loops, in an order of execution
    std::vector<LoopMove> enter, repeat;
};

struct Node {
    Span span;
    std::vector<ValueId> reads;
    std::vector<ValueId> writes;
    std::variant<StreamCall, FieldUpdate, Transform, LoopNode> what;
};

struct Graph {
    Table<ValueId, Value> values;
    Table<NodeId, Node> nodes;          ///< in source order, which is a topological order
    std::vector<ValueId> inputs;        ///< values that enter: program inputs, or entering and captured of a loop body
    std::vector<ValueId> outputs;       ///< values that must be in memory at the end
    std::map<NodeId, InnerLoop> inner;  ///< of an expanded graph only
};

/// Warns (K0245) of statements whose results are never needed; they are not in the graph. K0208: a variable is read
/// that has no value, which the front end rules out.
/// Requires: the nesting depth of loops is bounded by the front end (stages from here on recurse with it).
[[nodiscard]] Outcome<Graph> build_graph(const Program& program);

/// Nodes that read a value, in order.
[[nodiscard]] std::vector<NodeId> consumers(const Graph& graph, ValueId value);
/// Nodes that must run before a node, sorted: the producers of what it reads and, where it overwrites a value (a slice
/// is assigned in place, a transform may destroy its source), the other readers of that value.
[[nodiscard]] std::vector<NodeId> predecessors(const Graph& graph, NodeId node);
/// Contracting the nodes leaves the graph acyclic: no path leaves the set and comes back. The refusal names the path.
[[nodiscard]] Verdict convex(const Graph& graph, const std::vector<NodeId>& nodes, const Program& program);
/// "v" for the only version of a variable, "v.2" for the third.
[[nodiscard]] std::string value_name(const Graph& graph, const Program& program, ValueId value);
/// "v = scale(v, w)", as written, on one line.
[[nodiscard]] std::string node_text(const Graph& graph, const Program& program, NodeId node);

[[nodiscard]] std::string print(const Graph& graph, const Program& program, const Library& library);
/// Invariants above, checked; the text of the first that fails, or empty.
[[nodiscard]] std::string verify(const Graph& graph);

}  // namespace kasc
