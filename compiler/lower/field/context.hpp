#pragma once
// What all paths of one field kernel share: names, parameters in the order of their first use, strides and the values
// that are the same for all cells.

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "kernel/host_names.hpp"
#include "kernel/kernel.hpp"
#include "schedule/field/chain.hpp"
#include "schedule/field/plan.hpp"
#include "schedule/field/schedule.hpp"

namespace kasc::kernel {

struct Rider;

class FieldContext {
public:
    FieldContext(const FieldSchedule& schedule, const Program& program, const Graph& graph,
                 const std::map<ValueId, ValueId>& overwritten = {});
    /// For a rider in the kernel of `carrier`, or a call of its prologue, whose arrays are called as there: goes on
    /// with its names and parameters. Both must outlive it.
    FieldContext(const FieldContext& carrier, const Rider& rider);
    /// For the next part of one kernel: goes on with all that the former part has named, declared and asked for.
    FieldContext(FieldContext&& former, const FieldSchedule& next);

    const FieldSchedule& schedule;
    const FieldPlan& plan;  ///< of the schedule
    const Program& program;
    const Graph& graph;

    [[nodiscard]] std::size_t rank() const { return plan.axes.size(); }
    [[nodiscard]] VariableId variable(ValueId value) const { return graph.values[value].variable; }
    [[nodiscard]] const FieldShape& shape(ValueId value) const { return field_shape(program, variable(value)); }

    /// The kernel's own names. `once` gives the same name for the same key, a fresh one near `wish` for a new key.
    std::string once(const std::string& key, const std::string& wish);
    std::string fresh(const std::string& wish) { return names_.fresh(wish); }
    /// Coordinate of the cell along an axis of the kernel: "x".
    std::string coordinate(std::size_t axis);
    /// A value in a register: "T_0", "T_xm1", "flux_zp1".
    std::string register_name(ValueId value, const std::string& key, const std::string& suffix);

    ExprRef extent(AxisId axis);
    /// The kernel serves these lengths alone: they are numbers of its text.
    void serve_lengths(std::map<AxisId, int> lengths) { lengths_ = std::move(lengths); }
    ExprRef extent(std::size_t axis) { return extent(plan.axes[axis]); }
    [[nodiscard]] CellType cell_type(ValueId value) const { return shape(value).type; }
    /// A word of the value's array.
    [[nodiscard]] ExprRef zero(ValueId value) const;
    /// What a face with a value shows of a field of this type, as a word of its array.
    [[nodiscard]] ExprRef beyond(const Face& face, CellType type);
    /// A uniform expression as a parameter that the host computes (numbers stay numbers).
    ExprRef scalar(const ExpressionRef& expression, Precision precision = Precision::single);
    /// ExpressionSources::long_integers of a statement.
    [[nodiscard]] std::function<Precision(ParameterId)> long_integers(const FieldStatement& statement) const;
    /// How many cells the rider has in this launch.
    ExprRef rider_cells();
    /// The axis of the kernel that is this axis of the program.
    [[nodiscard]] std::size_t kernel_axis(AxisId axis) const;
    /// The array of a value; of one that the kernel overwrites with a later version, the array of that.
    std::string array_in(ValueId value);
    std::string array_out(ValueId of);
    /// What the kernel's parameter of a value's array is called by (ArrayIn, ArrayOut).
    [[nodiscard]] ValueId value_of_array(ValueId value) const;
    /// The array of a value of the launch that no value of this graph stands for.
    std::string array_out_of(ValueId value, VariableId variable);

    /// (i2 * n1 + i1) * n0 + i0 in 64 bits, of a field with these coordinates, one an axis of the variable.
    ExprRef index(ValueId value, const std::vector<ExprRef>& coordinates);
    /// Words from one cell to the next along axis k of the value's variable.
    ExprRef stride(ValueId value, std::size_t k);
    /// Rows of these values are a multiple of so many cells apart.
    void pad_rows(std::set<ValueId> values, int multiple) { padded_ = std::move(values), row_multiple_ = multiple; }
    /// A key, equal for fields that share an index: the same axes, moving or standing alike.
    std::string layout(ValueId value, const std::vector<FieldIndex>& indices);
    [[nodiscard]] bool is_cell_layout(ValueId value, const std::vector<FieldIndex>& indices) const;
    /// Where in its field a word lies that is the same for all cells: a number, where the text says positions and
    /// lengths.
    [[nodiscard]] std::optional<std::int64_t> place_of_word(const FieldRead& read);
    /// All cells read the same words of fields, at such places, and these are many: weights of a filter, of a layer.
    [[nodiscard]] bool reads_many_words();

    /// Where the kernel has the cell's word of a value that it does not compute cell by cell, in place of memory.
    void hold(ValueId value, ExprRef word) { held_[value] = std::move(word); }
    void let_go(ValueId value) { held_.erase(value); }
    /// The kernel runs this loop of the program: what moves with it is computed at the start of each iteration.
    /// `arrays`: by value, the one whose array it lies in; `stored`: those that the kernel stores into.
    void run_loop(LoopId loop, std::map<ValueId, ValueId> arrays, std::set<ValueId> stored);
    /// What is the same for all cells may be another word in each iteration: none of it is read before the loop.
    [[nodiscard]] bool runs_loop() const { return loop_.has_value(); }
    /// The loop's variable, an i32.
    [[nodiscard]] const std::string& loop_variable() const { return host_names_.loops.at(loop_->index); }
    /// A uniform expression in the iteration of this number, where it stands.
    ExprRef in_iteration(const ExpressionRef& expression, const ExprRef& iteration,
                         Precision precision = Precision::single);
    [[nodiscard]] const Body& iteration_preamble() const { return iteration_preamble_; }
    /// What the names of a value's array and registers begin with.
    [[nodiscard]] const std::map<ValueId, std::string>& value_names() const { return value_names_; }
    /// Names for values beyond those of the schedule.
    void name_also(std::vector<ValueId> values);

    /// Something is known of a read along an axis of the kernel.
    using Knows = std::function<bool(const FieldRead& read, std::size_t axis)>;
    /// The same by place, of this part of the kernel.
    struct Served {
        /// What has the word of a read; null: memory has.
        std::function<ExprRef(const FieldRead& read, const CellPlace& at)> word;
        /// Where a call assigns its target; null: everywhere.
        std::function<ExprRef(const FieldCall& call)> assigned{};
        /// What has the word of a read at positions that cells compute.
        std::function<ExprRef(const FieldRead& read)> gathered{};
        /// The word of a read along an axis of the kernel is what it sees, also where it crosses a face with a value;
        /// with an odd mirror.
        Knows knows_values{}, knows_signs{};
        /// What has the word that an entry at these coordinates of the target adds to, in place of memory.
        std::function<ExprRef(const FieldCall& call, const std::vector<ExprRef>& coordinates)> added_to{};
        /// The same of a word that is the thread's own, any of them where the entry is left out (`where` does not
        /// hold).
        std::function<ExprRef(const FieldCall& call, const std::vector<ExprRef>& coordinates, const ExprRef& where)>
            own_word{};
        /// What has the word of a read on the grid, whose coordinates are asked for by axis of the field; null: memory.
        std::function<ExprRef(const FieldRead& read, const std::function<ExprRef(std::size_t k)>& coordinate)> placed{};
        /// What takes the word that a call stores at each cell; null: memory.
        std::function<ExprRef(const FieldCall& call)> stored{};
    };
    void serve(Served served) { served_ = std::move(served); }
    [[nodiscard]] const Served& served() const { return served_; }
    [[nodiscard]] ExprRef held(ValueId value) const;

    /// Declares once at the start of the kernel.
    ExprRef preamble_let(Type type, const std::string& key, const std::string& wish, const ExprRef& value);

    /// The name of a function of the library, which the kernel calls from here on.
    std::string function(CellFunctionId id);
    [[nodiscard]] const std::vector<FunctionVariant>& functions() const { return functions_; }

    [[nodiscard]] std::vector<Parameter> parameters() const;
    [[nodiscard]] const Body& preamble() const { return preamble_; }

private:
    std::map<ValueId, ValueId> overwritten_;  ///< by the former version
    std::map<ValueId, ValueId> arrays_of_;  ///< of a rider or a loop: what its values' arrays are called in the launch
    std::optional<LoopId> former_;          ///< of a rider that computes what the former iteration has left
    HostNames host_names_;
    Names names_;
    std::map<std::string, std::string> given_;
    std::map<ValueId, std::string> value_names_;
    std::vector<Parameter> arrays_, extents_, scalars_;
    std::vector<FunctionVariant> functions_;
    Body preamble_, iteration_preamble_;
    std::optional<LoopId> loop_;  ///< that the kernel runs
    std::set<ValueId> stored_;    ///< into the arrays of which
    std::set<ValueId> padded_;
    int row_multiple_ = 1;
    std::map<AxisId, int> lengths_;
    std::optional<bool> many_words_;  ///< found when first asked for
    /// Words from one cell to the next along the second axis.
    ExprRef row(ValueId value);
    struct OfIteration {
        ExpressionRef expression;
        Type type;
        std::string name;
    };
    std::vector<OfIteration> of_iteration_;
    std::set<std::string> preamble_keys_;
    int constants_ = 0;
    std::map<ValueId, ExprRef> held_;
    Served served_;

    void take_overwritten(const std::map<ValueId, ValueId>& overwritten);
    [[nodiscard]] ValueId array_of(ValueId value) const;
    [[nodiscard]] std::string array_key(ValueId value) const;
    void name_values();
    ExprRef scalar_of_iteration(const ExpressionRef& expression, Precision precision);
    std::string scalar_name(const ExpressionRef& expression, Precision precision, bool former);
    std::string array(ValueId value, std::variant<ArrayIn, ArrayOut> source, const std::string& key);
};

}  // namespace kasc::kernel
