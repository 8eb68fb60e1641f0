#pragma once
// What the checks of one program share while they run. It lives inside check() and is never seen outside of this stage.

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "frontend/ast.hpp"
#include "frontend/flow.hpp"
#include "frontend/names.hpp"
#include "frontend/program.hpp"
#include "frontend/report.hpp"

namespace kasc::frontend {

/// Bounds on what the expansion of functions may make of a program, in nodes of expressions. 3D stencils of high order
/// have some hundred; the sum keeps memory below 100 MB.
inline constexpr std::size_t most_nodes_of_statement = 20'000;
inline constexpr std::size_t most_nodes_of_program = 400'000;
/// Along one axis. The widest published stencils reach 8 to 16 cells.
inline constexpr int farthest_neighbour = 64;

inline constexpr std::size_t most_arguments = 32;

/// The reads of a field at neighbours, to say which boundary it lacks.
struct NeighbourReads {
    Span first;
    int farthest = 0;
    std::vector<bool> axes;  ///< which axes of the field are read along
};

/// A field that holds a transform, or what is transformed; scaled: with the factor of ifft.
struct Transformed {
    VariableId field;
    bool scaled = false;
};

/// A field, the number of an axis, its high face.
using FaceOfField = std::tuple<VariableId, std::size_t, bool>;

/// axis xf = staggered(x);
struct Staggered {
    AxisId cells;
    bool longer = true;  ///< there is a face behind the last cell
};

struct Checking {
    const Ast& ast;
    const Library& library;
    Program program;
    Report report;
    Names names;
    Flow flow;
    std::map<VariableId, NeighbourReads> neighbours;
    std::map<std::string, AxisId> axes;
    std::vector<ExpressionRef> loop_ends;  ///< by LoopId
    std::size_t nodes = 0;                 ///< of all expressions so far
    std::vector<Statement> hoisted;  ///< transforms and folds within the statement that is checked: they run before it
    /// Within that statement's own text: what was transformed, by the call and the axes of what it stands in. An
    /// argument that a function repeats is one call, but may stand in the statement and in another transform, whose
    /// axes differ.
    std::map<std::pair<const ast::Call*, std::vector<AxisId>>, Transformed> transformed;
    std::map<std::string, VariableId> reduced;  ///< within that statement: what was folded, by what it says
    std::set<std::string> undeclared{};         ///< names of which that was said
    Span statement{};                           ///< that statement, in the text of the program
    bool deciding = false;                      ///< it is a condition of a loop or a branch
    std::set<std::string> undecided{};          ///< counts whose condition is at fault
    std::size_t whole_steps = 0;                ///< of one question whether an expression is an integer
    /// Faces of which statements choose what lies beyond, since it differs from cell to cell or from iteration to
    /// iteration; they keep 0 layers.
    std::map<FaceOfField, const ast::Face*> chosen_faces{};
    /// By the axis of the faces between the cells of another.
    std::map<AxisId, Staggered> staggered{};
    /// Axes that have a length and no field, until an expression names them: a reduction may run along one.
    std::map<AxisId, ast::Name> unnamed_axes{};
    /// Computed once, before the program's first statement: what transforms multiply with, by what it is.
    std::vector<Statement> first{};
    std::map<std::string, VariableId> tables{};

    /// The axis half a step from this one; none: it has no such.
    [[nodiscard]] std::optional<AxisId> partner(AxisId axis) const;
    /// How many cells beyond a face a read at an offset may lie.
    [[nodiscard]] int cells_beyond(AxisId axis, const Offset& offset, bool high) const;
};

/// What lies beyond a face differs from cell to cell, or from iteration to iteration.
[[nodiscard]] bool varies(const Checking& checking, const ast::Expression& beyond);
/// Some loop of the program has this variable.
[[nodiscard]] bool is_loop_variable(const Ast& ast, const std::string& name);

/// Declares everything, in the order of the text.
void check_declarations(Checking& checking);
/// Values of parameters and boundaries: may use functions, hence after the declarations.
void check_parameters(Checking& checking);
void check_axis_lengths(Checking& checking);
/// After the statements: lengths of axes that nothing has.
void check_unnamed_axes(Checking& checking);
void check_boundaries(Checking& checking);
void check_inputs(Checking& checking);
/// After the inputs: they are all that has values there.
void check_requirements(Checking& checking);
void check_statements(Checking& checking);
[[nodiscard]] std::optional<Statement> check_stream_assignment(Checking& checking, const ast::Assignment& assignment);
[[nodiscard]] std::optional<Statement> check_field_assignment(Checking& checking, const ast::Assignment& assignment);
void check_outputs(Checking& checking);
/// After all statements: boundaries that are missing, axes that nothing gives an extent.
/// `sizes`: what the caller says of axes, of which nothing else need then say how long they are.
void check_fields(Checking& checking, const ProgramSettings& sizes);
/// Warnings for parameters, functions and variables without use.
void check_unused(Checking& checking);

/// The variable that `name` stands for; none, with an error that says what is there instead.
[[nodiscard]] std::optional<VariableId> resolve_variable(Checking& checking, const ast::Name& name);
/// Reports a name that is never declared.
void report_unknown_name(Checking& checking, const std::string& name, const Span& span);

}  // namespace kasc::frontend
