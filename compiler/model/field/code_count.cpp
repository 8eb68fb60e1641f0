// Each part of an expression gets a number by what it is and by the numbers of its parts; parts that are equal get the
// same, and what has a number already is no further code. a / b with a weight in both:
//
//   a = exp(-d * d) * u[1]    d: 0   d * d: 1   -: 2   exp: 3   u[1]: 4   *: 5
//   b = exp(-d * d)           d: 0   d * d: 1   -: 2   exp: 3
#include "model/field/code_count.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "foundation/part_key.hpp"
#include "frontend/expression_parts.hpp"

namespace kasc::model {

namespace {

class CodeCount {
public:
    CodeCount(const FieldWork& work, StatementCosts& costs) : work_(work), costs_(costs) {}

    double run() {
        for (const Evaluation& evaluation : work_.evaluations) {
            const auto call = std::find_if(work_.plan.calls.begin(), work_.plan.calls.end(),
                                           [&](const FieldCall& c) { return c.node == evaluation.call; });
            here_.clear();
            for (const CodePart& part : costs_.code_of(*call->statement))
                here_.push_back(number(part, *call, evaluation.offset));
        }
        return instructions_;
    }

private:
    /// What a part is, so that no two kinds have a key in common.
    enum Kind : std::uint64_t { operation, leaf, operand, uniform, made_word };

    const FieldWork& work_;
    StatementCosts& costs_;
    std::unordered_map<PartKey, std::uint64_t, PartKeyHash> numbers_;
    std::vector<std::uint64_t> here_;  ///< numbers of the evaluation's parts so far
    double instructions_ = 0;

    std::uint64_t named(PartKey key, double instructions) {
        const auto [at, added] = numbers_.try_emplace(std::move(key), numbers_.size());
        if (added) instructions_ += instructions;
        return at->second;
    }

    std::uint64_t number(const CodePart& part, const FieldCall& call, const std::vector<int>& offset) {
        const Expression& e = *part.part;
        switch (part.kind) {
            case CodePart::Kind::uniform:
                return named({uniform, uniform_number(e)}, 0);
            case CodePart::Kind::word:
                return word(call.reads[std::get<OperandUse>(e.node).operand], part, offset);
            case CodePart::Kind::coordinate:
                return named(coordinate(std::get<CoordinateUse>(e.node), offset), 0);
            case CodePart::Kind::operation:
                break;
        }
        PartKey key{operation, e.node.index(), which(e)};
        for (const std::uint32_t own : part.operands) key.push_back(here_[own]);
        const std::uint64_t made = named(std::move(key), part.instructions);
        // One call makes all words.
        const auto* call_word = std::get_if<FunctionWord>(&e.node);
        return call_word == nullptr ? made : named({made_word, made, static_cast<std::uint64_t>(call_word->word)}, 0);
    }

    [[nodiscard]] static std::uint64_t which(const Expression& e) {
        if (const auto* unary = std::get_if<UnaryOperation>(&e.node)) return static_cast<std::uint64_t>(unary->op);
        if (const auto* binary = std::get_if<BinaryOperation>(&e.node)) return static_cast<std::uint64_t>(binary->op);
        if (const auto* call = std::get_if<IntrinsicCall>(&e.node)) return static_cast<std::uint64_t>(call->intrinsic);
        if (const auto* word = std::get_if<FunctionWord>(&e.node)) return word->function.index;
        return 0;
    }

    /// A value that the host computes: constants and parameters by what they are, what is made of them likewise.
    std::uint64_t uniform_number(const Expression& e) {
        PartKey key{leaf, e.node.index(), which(e)};
        if (const auto* literal = std::get_if<Literal>(&e.node))
            key.push_back(std::bit_cast<std::uint64_t>(literal->value));
        if (const auto* use = std::get_if<ParameterUse>(&e.node)) key.push_back(use->parameter.index);
        if (const auto* use = std::get_if<LoopIndexUse>(&e.node)) key.push_back(use->loop.index);
        if (const auto* use = std::get_if<ExtentUse>(&e.node)) key.push_back(use->axis.index);
        for_each_operand_part(e, [&](const Expression& part) { key.push_back(uniform_number(part)); });
        return named(std::move(key), 0);
    }

    [[nodiscard]] PartKey coordinate(const CoordinateUse& use, const std::vector<int>& offset) const {
        const auto axis = std::find(work_.plan.axes.begin(), work_.plan.axes.end(), use.axis);
        const auto k = static_cast<std::size_t>(axis - work_.plan.axes.begin());
        return {leaf, of_coordinate, use.axis.index, step(k < offset.size() ? offset[k] : 0)};
    }
    /// Wherever it lies: a word of memory, or what a call of the kernel computes there.
    std::uint64_t word(const FieldRead& read, const CodePart& part, const std::vector<int>& offset) {
        PartKey key{operand, read.value.index};
        auto position = part.operands.begin();
        for (const FieldIndex& index : read.indices) {
            key.push_back(index.index());
            if (const auto* moving = std::get_if<Moving>(&index)) {
                key.push_back(step(moving->step + offset[moving->axis]));
            } else if (const auto* at = std::get_if<Absolute>(&index)) {
                key.push_back(uniform_number(*at->position));
            } else {
                key.push_back(here_[*position++]);
            }
        }
        return named(std::move(key), 0);
    }
    [[nodiscard]] static std::uint64_t step(int cells) {
        return static_cast<std::uint64_t>(static_cast<std::int64_t>(cells));
    }
    static constexpr std::uint64_t of_coordinate = ~std::uint64_t{0};
};

}  // namespace

double code_count(const FieldWork& work, StatementCosts& costs) { return CodeCount(work, costs).run(); }

}  // namespace kasc::model
