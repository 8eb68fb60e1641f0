#pragma once
// Expressions of the language → checked trees, with the functions of the program expanded where they are called.

#include <cstddef>
#include <functional>
#include <optional>

#include "frontend/called_reduction.hpp"
#include "frontend/checking.hpp"
#include "frontend/make_expression.hpp"
#include "frontend/operands.hpp"
#include "frontend/trigonometric.hpp"

namespace kasc::frontend {

/// What may stand in an expression besides literals and intrinsics.
struct Allowed {
    Operands* operands = nullptr;  ///< null: no field may be read
    bool loop_variables = true;
    std::size_t parameters = 0;  ///< the first so many
    const char* where = "";      ///< "the value of a parameter": for messages
    bool extents = true;         ///< extent(x) is known
    /// How precise reals are, where no operands say it.
    Precision precision = Precision::single;
    bool reductions = false;   ///< sum(e) …
    bool transforms = true;    ///< fft(e) …, where operands may stand
    bool transformed = false;  ///< it is the argument of a transform
    bool library = true;       ///< functions of the library, where operands may stand
    bool random = true;        ///< random numbers, where operands may stand
    bool folded = false;       ///< it is the argument of a reduction, which runs along what it reads
    std::string instead{};     ///< how what may not stand here is said; empty: nobody knows
    bool long_numbers = true;  ///< integers that 64 bits alone hold, where operands may say that there are so many
};

/// K0222 at literals that a statement of float32 cannot hold, K0260 at functions of the library that one of double
/// calls.
void report_precision(Checking& checking, const Operands& operands);

/// K0222 at numbers that integers of 32 bits do not have, where there are no longer ones.
void report_long_literals(Checking& checking, const Operands& operands);

/// K0222 at a number that is too large or too small for its precision.
Diagnostic& report_number_range(Report& report, Precision precision, const Span& span);

/// axis_sum(a, u, e) adds e over the axes a of the field u: what lets one function serve any number of axes.
inline constexpr const char* axis_sum_name = "axis_sum";
/// fft(e), ifft(e), fft(e, x, y): the discrete Fourier transform over all axes of the statement, or over those named.
inline constexpr const char* fft_name = "fft";
inline constexpr const char* ifft_name = "ifft";
/// The sum alone, without the factor 1/n of ifft.
inline constexpr const char* unscaled_ifft_name = "unscaled_ifft";
[[nodiscard]] inline bool is_fourier(std::string_view name) {
    return name == fft_name || name == ifft_name || name == unscaled_ifft_name;
}
/// Those, and sine and cosine transforms.
[[nodiscard]] inline bool is_transform(std::string_view name) {
    return is_fourier(name) || find_trigonometric(name).has_value();
}
/// axis kx = half(x);
inline constexpr const char* half_name = "half";
/// axis xf = staggered(x); axis xf = staggered(x, same);
inline constexpr const char* staggered_name = "staggered";
inline constexpr const char* same_name = "same";
/// extent(x): the number of cells along an axis, an integer.
inline constexpr const char* extent_name = "extent";

/// What a constant is needed for, in messages.
inline constexpr const char* offset_text = "an offset";

class ExpressionChecker {
public:
    ExpressionChecker(Checking& checking, const Allowed& allowed) : checking_(checking), allowed_(allowed) {}

    /// Each: null, with an error, where it is none.
    [[nodiscard]] ExpressionRef real(const ast::Expression& expression);
    /// A comparison, or && || ! of such.
    [[nodiscard]] ExpressionRef boolean(const ast::Expression& expression);
    /// Checks an expression that may be complex; a real number stays real.
    [[nodiscard]] ExpressionRef complex(const ast::Expression& expression);
    /// Integers, integer parameters, loop variables, extents; with operands also coordinates and integer fields; int(e)
    /// of reals; made by + - * / % & | ^ << >> ~, min, max, abs and ?:.
    [[nodiscard]] ExpressionRef integer(const ast::Expression& expression);
    /// Integers, + - *; the result saturates far beyond every legal one.
    [[nodiscard]] std::optional<long long> constant(const ast::Expression& expression, const char* what);
    /// One index an axis of the variable, in its order; none, with an error.
    [[nodiscard]] std::optional<std::vector<AxisIndex>> positions(VariableId variable,
                                                                  const std::vector<ast::Index>& indices);
    /// The whole statement is `target = transform(…)`: straight into the target. None: it is not, or is at fault.
    [[nodiscard]] std::optional<TransformStatement> whole_transform(const ast::Assignment& assignment,
                                                                    VariableId target);
    /// The whole statement is `target[…] = sum(…)`: straight into the target. None: it is not, or is at fault.
    [[nodiscard]] std::optional<FieldStatement> whole_reduction(const ast::Assignment& assignment, VariableId target,
                                                                const std::vector<AxisIndex>& indices);
    /// The value of a field at these indices; beyond the grid what its boundary says.
    [[nodiscard]] ExpressionRef read(VariableId id, std::vector<AxisIndex> indices, const Span& span);

private:
    /// A call that is being expanded. Its arguments are read in the frame of the caller.
    struct Frame {
        std::size_t function;
        const std::vector<ast::ExpressionRef>& arguments;
        const Frame* caller;
        Span call;
    };
    /// A name that axis_sum gives to one axis after another, in the text of one frame.
    struct BoundAxis {
        std::string name;
        AxisId axis;
        const Frame* frame;
    };
    /// A name in the text of one frame.
    struct Written {
        ast::Name name;
        const Frame* frame;
    };
    /// What a transform goes from and to.
    struct TransformAxes {
        Direction direction = Direction::forward;
        std::vector<AxisId> outer, inner;      ///< of the statement and of the transform's argument
        std::vector<std::size_t> transformed;  ///< positions in both
        bool real_outer = false, real_inner = false;
        ExpressionRef scale;  ///< of ifft: 1 over the number of cells that are transformed; null: none
    };
    enum class Wanted { real, boolean, integer, complex };
    /// What lies beyond a face is being read, in the text of the boundary, for a neighbour.
    struct Beyond {
        const Beyond* around;  ///< in whose text this face is crossed
        VariableId field;
        std::size_t axis;  ///< of the field
        bool high;
        std::vector<AxisIndex> indices;  ///< of the neighbour
        Span read;
    };
    struct ChosenBeyond {
        ExpressionRef where, value;
    };
    class Level;

    [[nodiscard]] ExpressionRef check(Wanted wanted, const ast::Expression& expression);
    [[nodiscard]] ExpressionRef real_node(const ast::Expression& expression);
    [[nodiscard]] ExpressionRef complex_node(const ast::Expression& expression);
    [[nodiscard]] ExpressionRef boolean_node(const ast::Expression& expression);
    [[nodiscard]] ExpressionRef integer_node(const ast::Expression& expression);
    [[nodiscard]] ExpressionRef real_number(const ast::Number& number, const Span& span);
    [[nodiscard]] ExpressionRef integer_number(const ast::Number& number, const Span& span);
    [[nodiscard]] ExpressionRef integer_binary(const ast::Binary& node, const Span& span);
    [[nodiscard]] static bool has_bits(const ast::Expression& expression);
    [[nodiscard]] bool joins_bits(const ast::Binary& node);
    /// '^' among reals, a power by its author's mind: an error, and true. Where its exclusive or stands as a real
    /// number, a warning.
    [[nodiscard]] bool is_power(Wanted wanted, const ast::Expression& expression);
    void look_for_power(const ast::Binary& comparison);
    [[nodiscard]] bool has_real(const ast::Expression& expression) const;
    [[nodiscard]] bool counts_bits(const ast::Expression& count);
    /// There may be numbers that integers of 64 bits alone have.
    [[nodiscard]] bool has_long_numbers() const { return allowed_.operands && allowed_.long_numbers; }
    /// True, with an error: the comparison goes on from another.
    [[nodiscard]] bool is_chained(const ast::Binary& node);
    /// Where the condition is known when the program is compiled: the other branch might as well not be there. Else
    /// null.
    [[nodiscard]] const ast::Expression* only_branch(const ast::Conditional& node) const;
    [[nodiscard]] ExpressionRef conditional(Wanted wanted, const ast::Conditional& node, const Span& span);
    [[nodiscard]] ExpressionRef binary(Wanted of_operands, ScalarKind kind, const ast::Binary& node, const Span& span);
    [[nodiscard]] ExpressionRef name(Wanted wanted, const std::string& name, const Span& span);
    [[nodiscard]] ExpressionRef parameter(Wanted wanted, ParameterId id, const Span& span);
    [[nodiscard]] ExpressionRef loop_variable(LoopId id, const Span& span);
    [[nodiscard]] ExpressionRef field(Wanted wanted, VariableId id, const Span& span);
    [[nodiscard]] ExpressionRef access(Wanted wanted, const ast::Access& node, const Span& span);
    [[nodiscard]] ExpressionRef call(Wanted wanted, const ast::Call& node, const Span& span);
    [[nodiscard]] ExpressionRef intrinsic(Wanted wanted, Intrinsic intrinsic, const ast::Call& node, const Span& span);
    [[nodiscard]] ExpressionRef to_integer(Wanted wanted, const ast::Call& node, const Span& span);
    [[nodiscard]] static ExpressionRef as_wanted(Wanted wanted, ExpressionRef integer);
    [[nodiscard]] static ExpressionRef word_as_wanted(Wanted wanted, ExpressionRef word);
    /// A word of what a function of the library makes.
    [[nodiscard]] ExpressionRef function_word(Wanted wanted, const ast::Call& node, const Span& span);
    [[nodiscard]] ExpressionRef expand(Wanted wanted, std::size_t function, const ast::Call& node, const Span& span);
    /// In the body of a function of the library: the nearest one above it of this name, whatever the program calls so.
    [[nodiscard]] std::optional<std::size_t> library_function(const std::string& name) const;
    /// The axes of a field by its name; none, with an error, where it is none.
    [[nodiscard]] std::optional<std::vector<AxisId>> axes_of(const ast::Name& field);
    [[nodiscard]] ExpressionRef axis_sum(Wanted wanted, const ast::Call& node, const Span& span);
    [[nodiscard]] ExpressionRef transform(Wanted wanted, const ast::Call& node, const Span& span);
    [[nodiscard]] ExpressionRef fourier(Wanted wanted, const ast::Call& node, const Span& span);
    [[nodiscard]] ExpressionRef trigonometric(Wanted wanted, const ast::Call& node, const Span& span);
    /// The argument of the call over these axes, transformed along those at `places`.
    [[nodiscard]] std::optional<VariableId> trigonometric_field(const ast::Call& node, const std::vector<AxisId>& axes,
                                                                const std::vector<std::size_t>& places,
                                                                const Span& span);
    void require_two_cells(AxisId axis, const Span& span);
    /// The transform of the source, or of what the call says: computed by a statement before, or what such a one has
    /// computed already.
    [[nodiscard]] Transformed transformed(const ast::Call& node, const TransformAxes& axes, const Transformed& source,
                                          const Span& span);
    [[nodiscard]] std::optional<Transformed> transformed(const ast::Call& node, const TransformAxes& axes,
                                                         const Span& span);
    /// What stands here is the statement's own text, not that of a function.
    [[nodiscard]] bool own_text() const { return frame_ == nullptr && bound_axes_.empty(); }
    [[nodiscard]] std::optional<TransformAxes> transform_axes(const ast::Call& node, const Span& span);
    [[nodiscard]] std::optional<std::vector<std::size_t>> transformed_axes(const std::vector<AxisId>& outer,
                                                                           const ast::Call& node);
    /// A declared field that is all of the expression, over these axes and of this type.
    [[nodiscard]] std::optional<VariableId> whole_field(const ast::Expression& expression,
                                                        const std::vector<AxisId>& axes, CellType type);
    [[nodiscard]] std::optional<VariableId> whole_source(const ast::Expression& expression, const TransformAxes& axes,
                                                         bool dual);
    [[nodiscard]] std::optional<VariableId> transform_source(const ast::Expression& expression,
                                                             const TransformAxes& axes, bool& scaled);
    /// Axes that lie beside each other in memory are one transform. Others follow each other in passes, the halved axis
    /// first there and last back; all passes but the one that comes back are hoisted.
    [[nodiscard]] TransformStatement last_pass(const TransformAxes& axes, VariableId source, VariableId target,
                                               const Span& span);
    [[nodiscard]] VariableId hidden_field(const std::string& stem, const std::vector<AxisId>& axes, CellType type,
                                          const Span& span);
    [[nodiscard]] const std::string& target_name() const {
        return checking_.program.variables[allowed_.operands->target()].name;
    }
    /// What a reduction folds, or a running sum goes along: its argument, over the axes that this runs along.
    struct Reduced {
        FoldOperator op = FoldOperator::sum;
        std::vector<Operand> operands;
        ExpressionRef value;
        Precision precision = Precision::single;
        bool integers = false;  ///< the result is one, where integers are asked for: else reals, of any cells
        bool is_long = false;   ///< integers are of 64 bits
        std::vector<AxisId> folded, kept;  ///< in the order of memory
        bool folds_first = true;           ///< the first axis in memory is among the folded ones
        bool chained = false;              ///< Fold::chained
        bool pairs = false;                ///< no operand has all axes of the cells, and more than few results are left
        std::vector<AxisId> axes;          ///< all of these, in the order of memory
        std::optional<Running> running{};  ///< nothing is folded: all are kept
    };
    /// Null: the call is none.
    [[nodiscard]] const Reduction* reduction_of(const ast::Call& node) const;
    [[nodiscard]] std::optional<Intrinsic> intrinsic_of(const ast::Call& node) const;
    [[nodiscard]] ExpressionRef reduction(Wanted wanted, const Reduction& called, const ast::Call& node,
                                          const Span& span);
    /// What the call gives of the fold over these axes.
    [[nodiscard]] static ExpressionRef given(Reduction::Gives gives, ExpressionRef fold,
                                             const std::vector<AxisId>& folded, const Span& span);
    [[nodiscard]] std::optional<Reduced> reduced(Wanted wanted, const Reduction& called, const ast::Call& node,
                                                 const Span& span);
    [[nodiscard]] bool may_reduce(const Reduction& called, const ast::Call& node, const Span& span);
    /// The argument over all axes of it; none, with an error, where it has none.
    [[nodiscard]] std::optional<Reduced> cells_of_argument(Wanted wanted, const Reduction& called,
                                                           const ast::Call& node);
    [[nodiscard]] ExpressionRef running(Wanted wanted, const Reduction& called, const ast::Call& node,
                                        const Span& span);
    /// The whole statement is `target[…] = running_sum(…)`.
    [[nodiscard]] std::optional<FieldStatement> whole_running(const ast::Assignment& assignment, VariableId target,
                                                              const std::vector<AxisIndex>& indices,
                                                              const Reduction& called);
    [[nodiscard]] std::optional<Reduced> run_along(Wanted wanted, const Reduction& called, const ast::Call& node,
                                                   const Span& span);
    /// Along which of these axes, and from which end.
    [[nodiscard]] std::optional<Running> running_of(const Reduction& called, const ast::Call& node,
                                                    const std::vector<AxisId>& axes);
    /// "x", "-x", or what a function was called with for one of them; none: it is neither.
    struct DirectedAxis {
        AxisId axis;
        bool backward;
    };
    [[nodiscard]] std::optional<DirectedAxis> directed_axis(const ast::Expression& given);
    /// The field that holds it: the one of an equal call, or a new one.
    [[nodiscard]] VariableId running_field(Reduced made, const ast::Call& node, const Span& span);
    /// The target is this field's cells.
    [[nodiscard]] FieldStatement copied(const ast::Assignment& assignment, VariableId target,
                                        const std::vector<AxisIndex>& indices, VariableId from) const;
    /// For the argument of a reduction or a running sum, whose operands are its own.
    [[nodiscard]] ExpressionChecker within_reduction(const Reduction& called, Operands& operands) const;
    /// What a reduction folds of each cell, of its argument; null: reported.
    [[nodiscard]] ast::ExpressionRef cell_of(const Reduction& called, const ast::Call& node);
    bool axes_are_known(const ast::Call& node);
    [[nodiscard]] std::optional<std::vector<AxisId>> folded_axes(const Reduction& called, const ast::Call& node,
                                                                 const std::vector<AxisId>& axes);
    [[nodiscard]] bool is_left_to_statement(const Reduced& reduced, const ast::Call& node, const Span& span);
    [[nodiscard]] AxisId parts_axis(const Parts& parts, const std::string& stem, const Span& call);
    /// The type of the word that a reduction gives.
    [[nodiscard]] static CellType type_of(const Reduced& reduced);
    /// The field that holds what is reduced: the one that an equal reduction has made, or a new one of this name.
    [[nodiscard]] VariableId reduced_field(Reduced reduced, const std::string& name, const Span& span);
    /// Pairs that are folded along several axes are folded along the last of them first, in chains.
    void fold_pairs_first(Reduced& reduced, const ast::Call& node, const Span& span);
    /// The fold of the argument's parts is hoisted; what folds the parts into `target` comes back.
    [[nodiscard]] FieldStatement fold_into(Reduced reduced, VariableId target, std::vector<AxisIndex> indices,
                                           const std::string& stem, const Span& call, const Span& span);
    [[nodiscard]] ExpressionRef extent(Wanted wanted, const ast::Call& node, const Span& span);
    [[nodiscard]] ExpressionRef coordinate(Wanted wanted, AxisId axis, const Span& span);
    /// True where C would compute it with integers: no real number, real parameter, real field or function of reals.
    [[nodiscard]] bool is_integer_expression(const ast::Expression& expression) const;
    [[nodiscard]] bool is_whole(const ast::Expression& expression) const;
    [[nodiscard]] ExpressionRef complex_function(Wanted wanted, Intrinsic intrinsic, const ast::Call& node,
                                                 const Span& span);
    [[nodiscard]] ExpressionRef random(Wanted wanted, const ast::Call& node, const Span& span);
    [[nodiscard]] bool may_be_complex(const ast::Expression& expression) const;
    [[nodiscard]] bool call_may_be_complex(const ast::Call& call) const;
    [[nodiscard]] bool is_real(const ast::Expression& expression) const;
    [[nodiscard]] bool calls_for_integer(const ast::Call& call) const;
    /// What `ask` says of the body of the function that is called, in its frame, as far as functions are open so far;
    /// false: of none.
    [[nodiscard]] bool of_function(
        const ast::Call& call, const std::function<bool(const ExpressionChecker&, const ast::Expression&)>& ask) const;
    [[nodiscard]] bool makes_integer(const ast::Expression& expression) const;
    [[nodiscard]] bool is_whole_name(const std::string& name) const;
    [[nodiscard]] bool complex_may_stand(Wanted wanted, const Span& span, const std::string& what);

    [[nodiscard]] std::optional<std::vector<AxisIndex>> offsets(VariableId variable,
                                                                const std::vector<ast::Index>& all);
    [[nodiscard]] std::optional<std::vector<AxisIndex>> by_axis(VariableId variable,
                                                                const std::vector<ast::Index>& all);
    [[nodiscard]] std::optional<AxisIndex> index_along(AxisId axis, const ast::Index& index);
    /// What may stand in a position of what stands here.
    [[nodiscard]] Allowed in_position() const {
        Allowed allowed = allowed_;
        allowed.reductions = allowed.folded = allowed.long_numbers = false;
        if (allowed_.reductions) allowed.where = "a position";
        return allowed;
    }
    void report_unknown_function(const ast::Call& node, const Span& span);
    bool is_of_other_arity(const ast::Call& node, Intrinsic intrinsic, const Span& span);
    /// How what other languages say of whole arrays is written here; empty: nothing is known of it.
    [[nodiscard]] std::string help_for_arrays_of(const ast::Call& node) const;
    /// Help for a reduction that has numbers for axes.
    [[nodiscard]] std::string help_for_axes(const Reduction& called, const ast::Call& node) const;
    /// Names of the axes that the statement runs along.
    [[nodiscard]] std::vector<std::string> running_axes() const;
    bool is_along_axis(const ast::Call& node);
    /// Empty: no field has the name.
    [[nodiscard]] std::vector<std::string> declared_axes(const std::string& field) const;
    [[nodiscard]] std::vector<std::string> axis_names(VariableId variable) const;
    /// What a name is in the text of the outermost caller that passed it on; none where that is no name.
    [[nodiscard]] std::optional<Written> written(const ast::Name& name) const;
    [[nodiscard]] const BoundAxis* bound_axis(const Written& place) const;
    /// The index is "z", "z + 1" …, and z is nothing that is known: an axis was meant.
    [[nodiscard]] bool starts_with_unknown(const ast::Index& index) const;
    /// Reports an index that names no axis of the field of this name, which has these axes.
    void report_no_axis(const ast::Name& field, const std::vector<std::string>& axes, const ast::Index& index);
    void report_unnamed_index(const ast::Name& field, const std::vector<std::string>& axes,
                              const std::vector<ast::Index>& all, const ast::Index& index);
    [[nodiscard]] bool may_be_offset(const ast::Expression& expression) const;
    bool report_step(AxisId axis, const ast::Index& index);
    bool report_places(const ast::Name& field, const std::vector<std::string>& axes,
                       const std::vector<ast::Index>& given);
    /// One offset an axis is needed, and another number given.
    void report_offsets(const ast::Name& field, const std::vector<std::string>& axes,
                        const std::vector<ast::Index>& given);
    /// The axis that a name stands for here: bound by axis_sum, an argument, or an axis of the program.
    [[nodiscard]] std::optional<AxisId> axis_named(const std::string& name) const;
    /// The index as "axis", "axis + n" or "axis - n"; none, without an error, where it is none of these.
    [[nodiscard]] std::optional<AxisId> axis_of_offset(const ast::Expression& expression) const;
    /// The declaration of the field `or uniform` that the name stands for here, which is one number; null: of none.
    [[nodiscard]] const ast::Declaration* uniform_field(const ast::Name& name) const;
    /// The name that the index starts with, if that is an axis of the field or another; none: no name of an axis.
    [[nodiscard]] std::optional<Written> offset_axis(const ast::Declaration& field, const ast::Index& index) const;
    [[nodiscard]] ExpressionRef uniform_access(Wanted wanted, const ast::Declaration& field, const ast::Access& node,
                                               const Span& span);
    /// The number of the axis among the field's that the index speaks of; `place`: where there are no names.
    [[nodiscard]] std::optional<std::size_t> uniform_axis(const ast::Declaration& field, const ast::Index& index,
                                                          std::optional<std::size_t> place);
    [[nodiscard]] bool is_uniform_beyond(const ast::Declaration& field, const ast::Name& axis, const ast::Index& index);
    [[nodiscard]] bool is_position(const ast::Expression& expression);
    /// A reduction runs along the axes that such a field has, at positions along some of them.
    void run_along(const ast::Declaration& field, const std::vector<std::size_t>& positioned);
    /// The axes of such a field; none, with an error, where the program has not all of them.
    [[nodiscard]] std::optional<std::vector<AxisId>> uniform_axes(const ast::Declaration& field, const Span& span);
    void report_no_axes(const Variable& variable, const std::vector<ast::Index>& all);
    /// The n of "axis + n"; none, with an error, where it is no constant.
    [[nodiscard]] std::optional<long long> steps_from_axis(const ast::Expression& expression);
    [[nodiscard]] bool is_near(long long cells, const Span& span, const std::string& help);
    [[nodiscard]] bool fits_target(const Operand& operand);
    [[nodiscard]] std::string face_text(const Beyond& beyond) const;
    [[nodiscard]] std::optional<std::size_t> axis_beyond(AxisId axis, const std::string& what, const Span& span);
    [[nodiscard]] std::optional<AxisIndex> index_beyond(const Variable& field, AxisId axis, const Offset& given,
                                                        const Span& span);
    [[nodiscard]] ExpressionRef coordinate_beyond(AxisId axis, const Span& span);
    [[nodiscard]] static ExpressionRef stepped(ExpressionRef position, int cells, const Span& span);
    [[nodiscard]] ExpressionRef is_beyond(AxisId axis, const Offset& offset, bool high, bool beyond, const Span& span);
    [[nodiscard]] ExpressionRef value_beyond(const Beyond& here);
    [[nodiscard]] std::optional<std::vector<ChosenBeyond>> choices_beyond(VariableId id,
                                                                          const std::vector<AxisIndex>& indices,
                                                                          const Span& span);
    void report_loop_variable_beyond(const std::string& name, const Span& span);
    [[nodiscard]] std::string across_help(AxisId axis, const std::string& field) const;
    void report_not_transformed_along(const std::string& name, AxisId axis, const Span& span);
    [[nodiscard]] std::optional<VariableId> accessed_variable(const ast::Access& node);
    [[nodiscard]] std::optional<long long> constant_binary(const ast::Binary& node, const char* what);
    [[nodiscard]] bool require_arguments(const ast::Name& callee, std::size_t expected, std::size_t given,
                                         const Span& declared);
    /// The number of the argument of this name, of the function that is being expanded.
    [[nodiscard]] std::optional<std::size_t> argument_index(const std::string& name) const;
    Diagnostic& error(const char* code, std::string message, const Span& span, std::string label = {});
    /// Notes of the calls that are being expanded, for an error in their text.
    [[nodiscard]] std::vector<Note> expansions() const;
    Diagnostic& report_not_integer(const Span& span, const std::string& what);
    /// T*10 where an integer is needed: what is cut is all of it. True, with an error: some part is real.
    bool report_real_part(const ast::Expression& expression);
    [[nodiscard]] const ast::Expression* real_part(const ast::Expression& expression) const;
    void report_not_condition(const Span& span, const std::string& example = "a");
    void report_not_number(const Span& span);

    Checking& checking_;
    Allowed allowed_;
    const Frame* frame_ = nullptr;
    std::vector<BoundAxis> bound_axes_;
    const Beyond* beyond_ = nullptr;
    std::string indexed_;                              ///< the field whose bracket is read
    const ast::Expression* looked_through_ = nullptr;  ///< no part of it is real (report_real_part)
    std::size_t nodes_ = 0;
    std::size_t depth_ = 0;
    bool exhausted_ = false;
};

}  // namespace kasc::frontend
