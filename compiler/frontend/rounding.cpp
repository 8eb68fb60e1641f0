#include "frontend/rounding.hpp"

#include <algorithm>

#include "frontend/expression_parts.hpp"

namespace kasc {

namespace {

/// exp, log, pow, sin, erf … of CUDA and of the C library: some units in the last place of float32.
constexpr double intrinsic_accuracy = 1e-6;
/// Transforms of cuFFT and of FFTW add in other orders: about log2 n half units in the last place for n points.
constexpr double transform_accuracy = 1e-6;
/// Errors of an operation grow on their way to a result: by this factor they may.
constexpr double growth = 10;

double accuracy(Intrinsic intrinsic) { return is_correctly_rounded(intrinsic) ? 0 : intrinsic_accuracy; }

/// What the library states of the functions that it calls.
double stated_accuracy(const Expression& e, const Program& program) {
    double worst = 0;
    for_each_part(e, [&](const Expression& part) {
        if (const auto* call = std::get_if<FunctionWord>(&part.node))
            worst = std::max(worst, program.cell_functions[call->function].accuracy);
    });
    return worst;
}

double accuracy(const Expression& e, const Program& program) {
    double worst = stated_accuracy(e, program);
    for_each_part(e, [&](const Expression& part) {
        if (const auto* call = std::get_if<IntrinsicCall>(&part.node))
            worst = std::max(worst, accuracy(call->intrinsic));
    });
    return worst;
}

/// The largest relative error of one operation.
double accuracy(const std::vector<Statement>& statements, const Program& program, const Library& library) {
    double worst = 0;
    for (const Statement& s : statements) {
        if (const auto* field = std::get_if<FieldStatement>(&s)) {
            worst = std::max(worst, accuracy(*field->value, program));
        } else if (const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&s)) {
            worst = std::max(worst, accuracy((*loop)->body, program, library));
        } else if (const auto* call = std::get_if<CallStatement>(&s)) {
            worst = std::max(worst, library.functions[call->callee].accuracy);
        } else {
            worst = std::max(worst, transform_accuracy);
        }
    }
    return worst;
}

/// The largest Accuracy of the functions that are called.
double stated_accuracy(const std::vector<Statement>& statements, const Program& program, const Library& library) {
    double worst = 0;
    for (const Statement& s : statements) {
        if (const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&s))
            worst = std::max(worst, stated_accuracy((*loop)->body, program, library));
        if (const auto* field = std::get_if<FieldStatement>(&s))
            worst = std::max(worst, stated_accuracy(*field->value, program));
        if (const auto* call = std::get_if<CallStatement>(&s))
            worst = std::max(worst, library.functions[call->callee].accuracy);
    }
    return worst;
}

}  // namespace

bool is_correctly_rounded(Intrinsic intrinsic) {
    switch (intrinsic) {
        case Intrinsic::sqrt:
        case Intrinsic::abs:
        case Intrinsic::floor:
        case Intrinsic::ceil:
        case Intrinsic::round:
        case Intrinsic::to_integer:
        case Intrinsic::to_real:
        case Intrinsic::random:
        case Intrinsic::minimum:
        case Intrinsic::maximum:
        case Intrinsic::inverse:
        case Intrinsic::inverse_rest:
            return true;
        default:
            return false;
    }
}

double stated_tolerance(const Program& program, const Library& library) {
    return growth * stated_accuracy(program.statements, program, library);
}

double rounding_tolerance(const Program& program, const Library& library) {
    return growth * accuracy(program.statements, program, library);
}

}  // namespace kasc
