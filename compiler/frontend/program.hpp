#pragma once
// The checked program: names resolved, types resolved against the library, functions of the program expanded.
// Requires of every consumer: nothing is checked again after this stage.

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "foundation/id.hpp"
#include "foundation/outcome.hpp"
#include "frontend/expression.hpp"
#include "library/library.hpp"

namespace kasc {

struct Axis {
    std::string name;
    Span span;
    /// Where no input binds the axis: the upper bound of the loop whose variable indexes it (`trace[t = n]`).
    ExpressionRef fallback_extent;
};

struct Parameter {
    std::string name;
    ScalarKind kind = ScalarKind::real;  ///< integer or real
    ExpressionRef fallback;              ///< null: must be given at run time; else uses earlier parameters only
    Span span;
};

/// What a read beyond the grid sees.
///   keep(n): the n outermost layers at this face are never assigned, they keep the previous value of the variable;
///            a read beyond the grid sees the nearest layer.
///   value(v): v.   mirror: the mirror image about the outer face of the edge cell (-1 → 0, -2 → 1: no flux).
///   periodic: the cell at the other end.
enum class BoundaryKind { none, keep, value, mirror, periodic };
/// One face of the grid. A read that crosses faces of several axes sees the value of the first that has one.
struct Face {
    BoundaryKind kind = BoundaryKind::none;
    int layers = 0;       ///< keep
    ExpressionRef value;  ///< value: uniform, real
    Span span;
};
/// Both faces along one axis; periodic is both or none.
struct Faces {
    Face low, high;
    /// The face that a step along the axis can cross.
    [[nodiscard]] const Face& crossed_by(int step) const { return step < 0 ? low : high; }
};

struct StreamShape {
    TypeId type;
};
struct FieldShape {
    std::vector<AxisId> axes;  ///< axes.front() is contiguous in memory; float32
    std::vector<Faces> faces;  ///< one an axis

    /// Some face keeps layers.
    [[nodiscard]] bool keeps_layers() const;
};
struct Variable {
    std::string name;
    Span span;
    std::variant<StreamShape, FieldShape> shape;
};

/// One axis of an access: at the cell's own coordinate plus a constant, or at a uniform absolute position.
struct Offset {
    int cells = 0;
};
struct Absolute {
    ExpressionRef position;
};  ///< uniform, integer
using AxisIndex = std::variant<Offset, Absolute>;

/// A read of a field: one index an axis of the variable, in the variable's order.
struct Operand {
    VariableId variable;
    std::vector<AxisIndex> indices;
    Span span;
};

/// target = callee(arguments), one call of an elementary function on streams.
struct CallStatement {
    Span span;
    VariableId target;
    FunctionId callee;
    std::vector<VariableId> arguments;
};
/// target[indices] = value over the target's axes that are not absolute. Target offsets are 0.
/// An axis of an operand that is not an axis of the target is absolute; missing axes broadcast.
struct FieldStatement {
    Span span;
    VariableId target;
    std::vector<AxisIndex> target_indices;
    std::vector<Operand> operands;  ///< distinct: no two equal operands
    ExpressionRef value;            ///< real
};
struct LoopStatement;
using Statement = std::variant<CallStatement, FieldStatement, std::shared_ptr<const LoopStatement>>;
/// for (variable = from; variable < to; variable++) body
struct LoopStatement {
    Span span;
    LoopId loop;
    ExpressionRef from, to;  ///< uniform, integer
    std::vector<Statement> body;
};

struct Loop {
    std::string name;
    Span span;
};

enum class ProgramKind { stream, field };

struct Program {
    SourceRef source;
    std::string name;  ///< the file's stem as a C identifier: prefix of all that is emitted
    ProgramKind kind = ProgramKind::stream;
    Table<AxisId, Axis> axes;
    Table<ParameterId, Parameter> parameters;
    Table<VariableId, Variable> variables;
    Table<LoopId, Loop> loops;
    std::vector<VariableId> inputs;   ///< in the order of the input statement
    std::vector<VariableId> outputs;  ///< in the order of the return statement
    std::vector<Statement> statements;
};

[[nodiscard]] const FieldShape& field_shape(const Program& program, VariableId variable);

/// "T", "T[-1, 0, 0]", "T[z = pz]": as the language writes it, enough to tell two reads apart.
[[nodiscard]] std::string to_text(const Operand& operand, const Program& program);

/// Source text → checked program. Diagnostics K01xx and K02xx. Ends in a value or an error for any bytes.
[[nodiscard]] Outcome<Program> read_program(const SourceRef& source, const Library& library);

/// The program as text, types and values spelled out (`--emit program`).
[[nodiscard]] std::string print(const Program& program, const Library& library);

}  // namespace kasc
