// Backwards first, to know what is needed where (demand.cpp); then forwards, an operation after its operands:
//
//   T = T + dt * (T[-1] - T)        0 input T(0)    1 state T(0) ← 0     2 input T(-1)   3 state T(-1) ← 2
//                                   4 uniform dt    5 = 3 - 1            6 = 4 * 5       7 = 1 + 6   leaving T: 7
//
// What stands before the loop is part of the list, so that a coefficient field which is computed once is known too. A
// read of an input at positions that the cell computes, beta[m = tissue], has an operation for each position.

#include "stability/tape.hpp"

#include <algorithm>

#include "frontend/expression_parts.hpp"
#include "stability/demand.hpp"

namespace kasc::stability {

namespace {

// A step of a solver has some hundred operations.
constexpr std::size_t most_operations = 100'000;

class TapeMaker {
public:
    TapeMaker(const Program& program, const Graph& graph, const LoopPath& path, const Uniforms& uniforms)
        : program_(program), loop_(*path.back()), uniforms_(uniforms) {
        levels_.push_back({&graph, nullptr, place_of(graph, path.front()->loop), {}, {}, {}});
        for (std::size_t k = 0; k < path.size(); ++k) {
            const Graph& body = *path[k]->body;
            const NodeId end = k + 1 < path.size() ? place_of(body, path[k + 1]->loop)
                                                   : NodeId{static_cast<std::uint32_t>(body.nodes.size())};
            levels_.push_back({&body, path[k], end, {}, {}, {}});
        }
    }

    std::optional<Tape> run() {
        find_fields();
        if (tape_.fields.empty() || !find_demand()) return std::nullopt;
        find_inputs();
        emit_inputs();
        for (std::size_t k = 0; k < levels_.size(); ++k) {
            if (k > 0) enter(levels_[k - 1], levels_[k], k + 1 == levels_.size());
            emit_nodes(levels_[k]);
        }
        Level& body = levels_.back();
        for (std::size_t i = 0; i < tape_.fields.size(); ++i) {
            tape_.fields[i].leaving = slot_of(body.slots, leaving_[i], centre(tape_.fields[i].variable));
        }
        if (tape_.operations.size() >= most_operations) return std::nullopt;
        return std::move(tape_);
    }

private:
    using Slots = std::map<ValueId, std::map<Position, Slot>>;
    /// A graph as far as the loop that stands in it, or all of it.
    struct Level {
        const Graph* graph;
        const LoopNode* loop;  ///< whose body it is; null: of the program
        NodeId end;
        Demand demand;
        Slots slots;
        std::map<ValueId, std::size_t> inputs;  ///< values that are inputs of the program
    };
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

    [[nodiscard]] static NodeId place_of(const Graph& graph, LoopId wanted) {
        for (const NodeId id : graph.nodes.ids()) {
            const auto* loop = std::get_if<LoopNode>(&graph.nodes[id].what);
            if (loop && loop->loop == wanted) return id;
        }
        return NodeId{0};
    }

    [[nodiscard]] Position centre(VariableId variable) const {
        Position position(program_.axes.size(), Coordinate{0, true});
        for (const AxisId axis : field_shape(program_, variable).axes) position[axis.index].fixed = false;
        return position;
    }

    bool find_demand() {
        for (std::size_t i = 0; i < tape_.fields.size(); ++i) {
            levels_.back().demand[leaving_[i]].insert(centre(tape_.fields[i].variable));
        }
        for (std::size_t k = levels_.size(); k-- > 0;) {
            Level& level = levels_[k];
            if (!add_needed(program_, *level.graph, level.end, uniforms_, level.demand)) return false;
            if (!level.loop) continue;
            Demand& outer = levels_[k - 1].demand;
            for (const Carried& carried : level.loop->carried) {
                if (carried.entering) outer[*carried.initial].merge(std::set(level.demand[*carried.entering]));
            }
            for (const Captured& captured : level.loop->captured) {
                outer[captured.outer].merge(std::set(level.demand[captured.inner]));
            }
        }
        return true;
    }

    /// An input is the same array wherever it is captured.
    void find_inputs() {
        const Graph& graph = *levels_.front().graph;
        for (std::size_t i = 0; i < graph.inputs.size(); ++i) levels_.front().inputs[graph.inputs[i]] = i;
        for (std::size_t k = 1; k < levels_.size(); ++k) {
            for (const Captured& captured : levels_[k].loop->captured) {
                const auto input = levels_[k - 1].inputs.find(captured.outer);
                if (input != levels_[k - 1].inputs.end()) levels_[k].inputs[captured.inner] = input->second;
            }
        }
    }

    void emit_inputs() {
        Level& outer = levels_.front();
        for (std::size_t i = 0; i < outer.graph->inputs.size(); ++i) {
            const ValueId input = outer.graph->inputs[i];
            for (const Position& at : outer.demand[input]) outer.slots[input][at] = push(InputRead{i, at});
        }
    }

    /// From what stands before a loop into its body. Only the innermost loop's fields are a state.
    void enter(Level& outer, Level& body, bool innermost) {
        for (const Captured& captured : body.loop->captured) {
            for (const Position& at : body.demand[captured.inner]) {
                body.slots[captured.inner][at] = slot_of(outer.slots, captured.outer, at);
            }
        }
        for (const Carried& carried : body.loop->carried) {
            if (!carried.entering) continue;
            for (const Position& at : body.demand[*carried.entering]) {
                const Slot initial = slot_of(outer.slots, *carried.initial, at);
                body.slots[*carried.entering][at] = innermost ? state(*carried.entering, at, initial) : initial;
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

    void emit_nodes(Level& level) {
        for (std::uint32_t i = 0; i < level.end.index && tape_.operations.size() < most_operations; ++i) {
            const Node& node = level.graph->nodes[NodeId{i}];
            const auto* update = std::get_if<FieldUpdate>(&node.what);
            if (!update) continue;
            const auto needed = level.demand.find(node.writes.at(0));
            if (needed == level.demand.end()) continue;
            for (const Position& at : needed->second)
                level.slots[needed->first][at] = computed(node, *update, at, level);
        }
    }

    Slot computed(const Node& node, const FieldUpdate& update, const Position& at, Level& level) {
        if (passes_former(update)) return update.former ? slot_of(level.slots, *update.former, at) : push(Unknown{});
        if (joins_cells(update.statement)) return push(Unknown{});
        operands_.clear();
        at_ = &at;
        for (std::size_t k = 0; k < update.statement.operands.size(); ++k) {
            const Operand& operand = update.statement.operands[k];
            if (is_gathered(operand)) {
                const auto input = level.inputs.find(node.reads.at(k));
                operands_.push_back(input == level.inputs.end() ? push(Unknown{}) : gathered(operand, input->second));
                continue;
            }
            const Position read = read_position(program_, operand, at, uniforms_);
            operands_.push_back(slot_of(level.slots, node.reads.at(k), read));
        }
        return make(*update.statement.value).slot;
    }

    Slot gathered(const Operand& operand, std::size_t input) {
        GatheredRead read{input, {}};
        const std::vector<AxisId>& axes = field_shape(program_, operand.variable).axes;
        for (std::size_t k = 0; k < axes.size(); ++k) {
            if (const auto* position = std::get_if<Computed>(&operand.indices[k])) {
                read.at.emplace_back(make(*position->position).slot);
            } else {
                read.at.emplace_back(read_coordinate(operand.indices[k], at_->at(axes[k].index), uniforms_));
            }
        }
        return push(std::move(read));
    }

    /// Where a value lies; one that no field statement before computes is unknown.
    Slot slot_of(Slots& slots, ValueId value, const Position& at) {
        const auto [place, added] = slots[value].try_emplace(at, 0);
        if (added) place->second = push(Unknown{});
        return place->second;
    }

    Made make(const Expression& expression) {
        const std::size_t before = tape_.operations.size();
        const Made made = std::visit([&](const auto& node) { return make_node(node); }, expression.node);
        if (before >= most_operations) return made;
        if (!made.uniform) {
            auto* binary = std::get_if<Binary>(&tape_.operations[made.slot].what);
            if (binary && made.slot >= before) binary->whole = expression.kind == ScalarKind::integer;
            return made;
        }
        tape_.operations.resize(before);  // its leaves: one takes their place
        return {push(Uniform{&expression}), true};
    }

    Made make_node(const Literal&) { return {0, true}; }
    Made make_node(const ParameterUse&) { return {0, true}; }
    Made make_node(const LoopIndexUse&) { return {0, true}; }
    Made make_node(const CoordinateUse& use) {
        return {push(CoordinateRead{use.axis, at_->at(use.axis.index)}), false};
    }
    Made make_node(const ExtentUse&) { return {0, true}; }
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
        if (takes_turns(*node.condition) && (of_state(then) || of_state(otherwise))) return {push(Unknown{}), false};
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

    /// The condition means other cells from iteration to iteration, as in sweeps by colours: no iteration is as the
    /// first.
    static bool takes_turns(const Expression& condition) {
        return any_part(condition, [](const Expression& e) { return std::holds_alternative<CoordinateUse>(e.node); }) &&
               any_part(condition, [](const Expression& e) { return std::holds_alternative<LoopIndexUse>(e.node); });
    }

    /// What the library's code makes of the state is not known.
    Made make_node(const FunctionWord&) { return {push(Unknown{}), false}; }

    [[nodiscard]] bool of_state(const Made& made) const { return tape_.operations[made.slot].of_state; }

    /// Beyond the bound nothing is added: the list is given up, but what is being made ends in order.
    Slot push(decltype(Operation::what) what, bool depends = false) {
        if (tape_.operations.size() < most_operations) tape_.operations.push_back({std::move(what), depends});
        return static_cast<Slot>(tape_.operations.size() - 1);
    }

    const Program& program_;
    const LoopNode& loop_;
    const Uniforms& uniforms_;
    Tape tape_;
    std::vector<Level> levels_;     // the program, the bodies of the loops around, the loop's own
    std::vector<ValueId> leaving_;  // by field
    std::vector<Slot> operands_;    // of the statement that is being made,
    const Position* at_ = nullptr;  // at this position
};

}  // namespace

std::optional<Tape> make_tape(const Program& program, const Graph& graph, const LoopPath& path,
                              const Uniforms& uniforms) {
    return TapeMaker(program, graph, path, uniforms).run();
}

}  // namespace kasc::stability
