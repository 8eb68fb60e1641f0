#pragma once
// What statements that fold the words of a cell, or add them up, are made of: hidden fields over the cells that are
// left.

#include <string>
#include <utility>
#include <vector>

#include "rewrite/word_fields.hpp"

namespace kasc::rewriting {

class WordsOfStatement {
protected:
    WordsOfStatement(Program& program, const WordFields& fields, const FieldStatement& from,
                     std::vector<Statement>& made, std::string& fault)
        : program_(program), fields_(fields), from_(from), made_(made), fault_(fault) {}

    Program& program_;
    const WordFields& fields_;
    const FieldStatement& from_;
    std::vector<Statement>& made_;
    std::string& fault_;
    FieldStatement result_;  ///< what the statement becomes
    CellType type_ = CellType::float32;

    void refuse(std::string why) {
        if (fault_.empty()) fault_ = std::move(why);
    }
    void finish(FieldStatement statement);
    [[nodiscard]] bool is_real() const { return !is_integer(type_); }
    [[nodiscard]] ScalarKind kind() const { return scalar_kind(type_); }
    [[nodiscard]] Precision precision() const { return is_dual(type_) ? Precision::dual : Precision::single; }

    [[nodiscard]] static bool is_word(const FieldStatement& value) {
        return std::holds_alternative<OperandUse>(value.value->node);
    }
    /// A word of the statement's type, or a number.
    [[nodiscard]] bool is_taken_as_it_is(const FieldStatement& value) const;
    /// The value, whose operands come behind these.
    [[nodiscard]] static ExpressionRef behind_others(const FieldStatement& value, std::vector<Operand>& operands);
    /// A hidden field over the cells of the result, which the statement assigns.
    VariableId add_field(FieldStatement statement, CellType type);
    [[nodiscard]] ExpressionRef read(VariableId field, std::vector<Operand>& operands) const;
    /// What reads the field at the cell itself.
    [[nodiscard]] FieldStatement word_of(VariableId field) const;
    [[nodiscard]] ExpressionRef joined(BinaryOperator op, const ExpressionRef& left, const ExpressionRef& right,
                                       ScalarKind kind) const;
    /// The second where it is beyond the first, or the first is none: as minima and maxima take one after the other.
    [[nodiscard]] FieldStatement chosen(FoldOperator op, const FieldStatement& first, const FieldStatement& second);
};

}  // namespace kasc::rewriting
