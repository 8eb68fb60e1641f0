// Backwards first, to know what is needed where (demand.cpp); then forwards, an operation after its operands:
//
//   T = T + dt * (T[-1] - T)        0 input T(0)    1 state T(0) ← 0     2 input T(-1)   3 state T(-1) ← 2
//                                   4 uniform dt    5 = 3 - 1            6 = 4 * 5       7 = 1 + 6   leaving T: 7
//
// What stands before the loop is part of the list, so that a coefficient field which is computed once is known too.

#include "stability/tape.hpp"

#include <algorithm>

#include "stability/demand.hpp"

namespace kasc::stability {

namespace {

// A step of a solver has some hundred operations.
constexpr std::size_t most_operations = 100'000;

class TapeMaker {
public:
    TapeMaker(const Program& program, const Graph& outer, const LoopNode& loop, const Uniforms& uniforms)
        : program_(program), outer_(outer), loop_(loop), body_(*loop.body), uniforms_(uniforms) {}

    std::optional<Tape> run() {
        find_fields();
        const NodeId end = loop_place();
        if (tape_.fields.empty() || !find_demand(end)) return std::nullopt;
        emit_inputs();
        emit_nodes(outer_, end, outer_demand_, outer_slots_);
        enter_body();
        emit_nodes(body_, NodeId{static_cast<std::uint32_t>(body_.nodes.size())}, body_demand_, body_slots_);
        for (std::size_t i = 0; i < tape_.fields.size(); ++i) {
            tape_.fields[i].leaving = slot_of(body_slots_, leaving_[i], centre(tape_.fields[i].variable));
        }
        if (tape_.operations.size() >= most_operations) return std::nullopt;
        return std::move(tape_);
    }

private:
    using Slots = std::map<ValueId, std::map<Position, Slot>>;
    /// An expression's slot, and whether the host could compute it: then it is one leaf.
    struct Made {
        Slot slot;
        bool uniform;
    };

    void find_fields() {
        for (const Carried& carried : loop_.carried) {
            if (!carried.entering || !std::holds_alternative<FieldShape>(program_.variables[carried.variable].shape)) {
                continue;
            }
            tape_.fields.push_back({carried.variable, *carried.entering, 0});
            leaving_.push_back(carried.leaving);
        }
    }

    [[nodiscard]] NodeId loop_place() const {
        for (const NodeId id : outer_.nodes.ids()) {
            const auto* loop = std::get_if<LoopNode>(&outer_.nodes[id].what);
            if (loop && loop->loop == loop_.loop) return id;
        }
        return NodeId{0};
    }

    [[nodiscard]] Position centre(VariableId variable) const {
        Position position(program_.axes.size(), Coordinate{0, true});
        for (const AxisId axis : field_shape(program_, variable).axes) position[axis.index].fixed = false;
        return position;
    }

    bool find_demand(NodeId end) {
        for (std::size_t i = 0; i < tape_.fields.size(); ++i) {
            body_demand_[leaving_[i]].insert(centre(tape_.fields[i].variable));
        }
        const NodeId body_end{static_cast<std::uint32_t>(body_.nodes.size())};
        if (!add_needed(program_, body_, body_end, uniforms_, body_demand_)) return false;
        for (const Carried& carried : loop_.carried) {
            if (carried.entering) outer_demand_[*carried.initial].merge(std::set(body_demand_[*carried.entering]));
        }
        for (const Captured& captured : loop_.captured) {
            outer_demand_[captured.outer].merge(std::set(body_demand_[captured.inner]));
        }
        return add_needed(program_, outer_, end, uniforms_, outer_demand_);
    }

    void emit_inputs() {
        for (std::size_t i = 0; i < outer_.inputs.size(); ++i) {
            for (const Position& at : outer_demand_[outer_.inputs[i]]) {
                outer_slots_[outer_.inputs[i]][at] = push(InputRead{i, at});
            }
        }
    }

    void enter_body() {
        for (const Captured& captured : loop_.captured) {
            for (const Position& at : body_demand_[captured.inner]) {
                body_slots_[captured.inner][at] = slot_of(outer_slots_, captured.outer, at);
            }
        }
        for (const Carried& carried : loop_.carried) {
            if (!carried.entering) continue;
            for (const Position& at : body_demand_[*carried.entering]) {
                const Slot initial = slot_of(outer_slots_, *carried.initial, at);
                body_slots_[*carried.entering][at] = state(*carried.entering, at, initial);
            }
        }
    }

    /// A read at a fixed position is the same for all cells, no neighbour: it has the value without the derivative.
    Slot state(ValueId entering, const Position& at, Slot initial) {
        const auto field = std::find_if(tape_.fields.begin(), tape_.fields.end(),
                                        [&](const CarriedField& f) { return f.entering == entering; });
        if (field == tape_.fields.end()) return initial;
        for (const AxisId axis : field_shape(program_, field->variable).axes) {
            if (at[axis.index].fixed) return initial;
        }
        return push(StateRead{static_cast<std::size_t>(field - tape_.fields.begin()), at, initial}, true);
    }

    void emit_nodes(const Graph& graph, NodeId end, const Demand& demand, Slots& slots) {
        for (std::uint32_t i = 0; i < end.index && tape_.operations.size() < most_operations; ++i) {
            const Node& node = graph.nodes[NodeId{i}];
            const auto* update = std::get_if<FieldUpdate>(&node.what);
            if (!update) continue;
            const auto needed = demand.find(node.writes.at(0));
            if (needed == demand.end()) continue;
            for (const Position& at : needed->second) slots[needed->first][at] = computed(node, *update, at, slots);
        }
    }

    Slot computed(const Node& node, const FieldUpdate& update, const Position& at, Slots& slots) {
        if (passes_former(update)) return update.former ? slot_of(slots, *update.former, at) : push(Unknown{});
        operands_.clear();
        for (std::size_t k = 0; k < update.statement.operands.size(); ++k) {
            const Operand& operand = update.statement.operands[k];
            if (is_gathered(operand)) {
                operands_.push_back(push(Unknown{}));
                continue;
            }
            const Position read = read_position(program_, operand, at, uniforms_);
            operands_.push_back(slot_of(slots, node.reads.at(k), read));
        }
        return make(*update.statement.value).slot;
    }

    /// Of a value that no field statement before the loop computes: unknown.
    Slot slot_of(Slots& slots, ValueId value, const Position& at) {
        const auto [place, added] = slots[value].try_emplace(at, 0);
        if (added) place->second = push(Unknown{});
        return place->second;
    }

    Made make(const Expression& expression) {
        const std::size_t before = tape_.operations.size();
        const Made made = std::visit([&](const auto& node) { return make_node(node); }, expression.node);
        if (!made.uniform || before >= most_operations) return made;
        tape_.operations.resize(before);  // its leaves: one takes their place
        return {push(Uniform{&expression}), true};
    }

    Made make_node(const Literal&) { return {0, true}; }
    Made make_node(const ParameterUse&) { return {0, true}; }
    Made make_node(const LoopIndexUse&) { return {0, true}; }
    Made make_node(const CoordinateUse&) { return {push(Unknown{}), false}; }
    Made make_node(const ExtentUse&) { return {push(Unknown{}), false}; }
    Made make_node(const OperandUse& use) { return {operands_.at(use.operand), false}; }
    Made make_node(const UnaryOperation& node) {
        const Made operand = make(*node.operand);
        return {push(Unary{node.op, operand.slot}, of_state(operand)), operand.uniform};
    }
    Made make_node(const BinaryOperation& node) {
        const Made left = make(*node.left), right = make(*node.right);
        return {push(Binary{node.op, left.slot, right.slot}, of_state(left) || of_state(right)),
                left.uniform && right.uniform};
    }
    Made make_node(const Conditional& node) {
        const Made condition = make(*node.condition), then = make(*node.then), otherwise = make(*node.otherwise);
        return {push(Select{condition.slot, then.slot, otherwise.slot},
                     of_state(condition) || of_state(then) || of_state(otherwise)),
                condition.uniform && then.uniform && otherwise.uniform};
    }
    Made make_node(const IntrinsicCall& node) {
        const Made first = make(*node.arguments.at(0));
        const Made second = node.arguments.size() > 1 ? make(*node.arguments[1]) : first;
        return {push(Call{node.intrinsic, first.slot, second.slot}, of_state(first) || of_state(second)),
                first.uniform && second.uniform};
    }

    [[nodiscard]] bool of_state(const Made& made) const { return tape_.operations[made.slot].of_state; }

    /// Beyond the bound nothing is added: the list is given up, but what is being made ends in order.
    Slot push(decltype(Operation::what) what, bool depends = false) {
        if (tape_.operations.size() < most_operations) tape_.operations.push_back({std::move(what), depends});
        return static_cast<Slot>(tape_.operations.size() - 1);
    }

    const Program& program_;
    const Graph& outer_;
    const LoopNode& loop_;
    const Graph& body_;
    const Uniforms& uniforms_;
    Tape tape_;
    std::vector<ValueId> leaving_;  // by field
    Demand outer_demand_, body_demand_;
    Slots outer_slots_, body_slots_;
    std::vector<Slot> operands_;  // of the statement that is being made
};

}  // namespace

std::optional<Tape> make_tape(const Program& program, const Graph& outer, const LoopNode& loop,
                              const std::vector<double>& parameters, const std::map<LoopId, double>& loop_indices) {
    const Uniforms uniforms{parameters, loop_indices};
    return TapeMaker(program, outer, loop, uniforms).run();
}

}  // namespace kasc::stability
