#include "patterns/operators.hpp"

#include <cstdint>
#include <cstdlib>
#include <limits>

namespace kasc::patterns {

namespace {

enum class Operation {
    add,
    subtract,
    multiply,
    divide,
    modulo,
    less,
    less_equal,
    greater,
    greater_equal,
    equal,
    unequal
};

mup::int_type checked(std::int64_t value) {
    if (value > std::numeric_limits<std::int32_t>::max() || value < std::numeric_limits<std::int32_t>::min()) {
        throw ArithmeticFault("a result does not fit an int");
    }
    return value;
}

class IntegerOperator : public mup::IOprtBin {
public:
    IntegerOperator(const char* symbol, int precedence, Operation operation)
        : IOprtBin(symbol, precedence, mup::oaLEFT), operation_(operation) {}

    void Eval(mup::ptr_val_type& result, const mup::ptr_val_type* operands, int) override {
        const std::int64_t a = operands[0]->GetInteger(), b = operands[1]->GetInteger();
        if (b == 0 && (operation_ == Operation::divide || operation_ == Operation::modulo)) {
            throw ArithmeticFault("division by zero");
        }
        switch (operation_) {
            case Operation::add:
                *result = checked(a + b);
                break;
            case Operation::subtract:
                *result = checked(a - b);
                break;
            case Operation::multiply:
                *result = checked(a * b);
                break;
            case Operation::divide:
                *result = checked(a / b);
                break;
            case Operation::modulo:
                *result = checked(a % b);
                break;
            case Operation::less:
                *result = mup::bool_type(a < b);
                break;
            case Operation::less_equal:
                *result = mup::bool_type(a <= b);
                break;
            case Operation::greater:
                *result = mup::bool_type(a > b);
                break;
            case Operation::greater_equal:
                *result = mup::bool_type(a >= b);
                break;
            case Operation::equal:
                *result = mup::bool_type(a == b);
                break;
            case Operation::unequal:
                *result = mup::bool_type(a != b);
                break;
        }
    }
    const mup::char_type* GetDesc() const override { return "C's integer operator"; }
    mup::IToken* Clone() const override { return new IntegerOperator(*this); }

private:
    Operation operation_;
};

class IntegerMinus : public mup::IOprtInfix {
public:
    IntegerMinus() : IOprtInfix("-", mup::prINFIX) {}
    void Eval(mup::ptr_val_type& result, const mup::ptr_val_type* operands, int) override {
        *result = checked(-operands[0]->GetInteger());
    }
    const mup::char_type* GetDesc() const override { return "C's unary minus"; }
    mup::IToken* Clone() const override { return new IntegerMinus(*this); }
};

class IntegerReader : public mup::IValueReader {
public:
    bool IsValue(const mup::char_type* expression, int& position, mup::Value& value) override {
        const char* begin = expression + position;
        if (*begin < '0' || *begin > '9') return false;
        char* end = nullptr;
        value = mup::int_type(std::strtoll(begin, &end, 10));
        position += static_cast<int>(end - begin);
        return true;
    }
    mup::IValueReader* Clone(mup::TokenReader* parent) const override {
        auto* clone = new IntegerReader(*this);
        clone->SetParent(parent);
        return clone;
    }
};

}  // namespace

void define_integer_arithmetic(mup::ParserX& parser) {
    parser.AddValueReader(new IntegerReader);  // the parser owns what it is given
    const auto define = [&](const char* symbol, int precedence, Operation operation) {
        parser.DefineOprt(new IntegerOperator(symbol, precedence, operation));
    };
    define("+", mup::prADD_SUB, Operation::add);
    define("-", mup::prADD_SUB, Operation::subtract);
    define("*", mup::prMUL_DIV, Operation::multiply);
    define("/", mup::prMUL_DIV, Operation::divide);
    define("%", mup::prMUL_DIV, Operation::modulo);
    define("<", mup::prRELATIONAL2, Operation::less);
    define("<=", mup::prRELATIONAL2, Operation::less_equal);
    define(">", mup::prRELATIONAL2, Operation::greater);
    define(">=", mup::prRELATIONAL2, Operation::greater_equal);
    define("==", mup::prRELATIONAL1, Operation::equal);
    define("!=", mup::prRELATIONAL1, Operation::unequal);
    parser.DefineInfixOprt(new IntegerMinus);
}

}  // namespace kasc::patterns
