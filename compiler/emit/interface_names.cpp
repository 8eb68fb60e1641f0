#include "emit/interface_names.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/expression_parts.hpp"
#include "kernel/c_spelling.hpp"
#include "kernel/kernel.hpp"
#include "kernel/text.hpp"

namespace kasc::emit {

namespace {

using kernel::ExprRef;

Precision precision_in(const Expression& integer, const InterfaceNames& names) {
    return precision_in_integer(integer, [&](ParameterId id) { return names.parameter_precisions.at(id.index); });
}

/// Expression of the program → expression of the kernel IR, whose printer does the rest. `real`: stands in real
/// arithmetic of the precision, so integers and reals of the other precision convert.
struct Converter {
    const InterfaceNames& names;
    Precision precision;
    bool in_integer;  ///< what is converted is a part of an integer, whose precision is that of all its parts

    [[nodiscard]] ExprRef convert(const Expression& e, bool real) const {
        return std::visit([&](const auto& node) { return visit(node, e, real); }, e.node);
    }

private:
    [[nodiscard]] ExprRef as_real(ExprRef e, bool convert) const {
        return convert ? kernel::convert(kernel::real_type(precision), std::move(e)) : e;
    }

    [[nodiscard]] ExprRef visit(const Literal& l, const Expression&, bool real) const {
        return real ? kernel::real(l.value, precision) : kernel::integer(static_cast<std::int64_t>(l.value));
    }
    [[nodiscard]] ExprRef visit(const ParameterUse& p, const Expression& e, bool real) const {
        const bool other =
            e.kind == ScalarKind::integer || names.parameter_precisions.at(p.parameter.index) != precision;
        return as_real(kernel::name(names.local.parameters.at(p.parameter.index)), real && other);
    }
    [[nodiscard]] ExprRef visit(const LoopIndexUse& l, const Expression&, bool real) const {
        return as_real(kernel::name(names.local.loops.at(l.loop.index)), real);
    }
    [[nodiscard]] ExprRef visit(const ExtentUse& use, const Expression&, bool real) const {
        const ExprRef cells = kernel::name("args." + names.extents.at(use.axis.index));
        return kernel::convert(real ? kernel::real_type(precision) : kernel::Type::i32, cells);
    }
    [[nodiscard]] static ExprRef visit(const CoordinateUse&, const Expression&, bool) {
        return kernel::integer(0);
    }  // not uniform
    [[nodiscard]] static ExprRef visit(const OperandUse&, const Expression&, bool) {
        return kernel::integer(0);
    }  // not uniform
    [[nodiscard]] ExprRef visit(const UnaryOperation& u, const Expression&, bool real) const {
        if (u.op == UnaryOperator::logical_not) return kernel::logical_not(convert(*u.operand, false));
        if (u.op == UnaryOperator::complement) return kernel::complement(convert(*u.operand, false));
        return kernel::negate(convert(*u.operand, real));
    }
    [[nodiscard]] ExprRef visit(const BinaryOperation& b, const Expression& e, bool real) const {
        const bool logical = b.op == BinaryOperator::logical_and || b.op == BinaryOperator::logical_or;
        const bool reals = e.kind == ScalarKind::boolean
                               ? !logical && (b.left->kind == ScalarKind::real || b.right->kind == ScalarKind::real)
                               : real;
        const ExprRef left = convert(*b.left, reals), right = convert(*b.right, reals);
        return reals ? kernel::real_operation(b.op, left, right, precision)
                     : kernel::whole_operation(b.op, left, right);
    }
    [[nodiscard]] ExprRef visit(const Conditional& c, const Expression&, bool real) const {
        return kernel::select(convert(*c.condition, false), convert(*c.then, real), convert(*c.otherwise, real));
    }
    [[nodiscard]] ExprRef visit(const IntrinsicCall& c, const Expression& e, bool) const {
        if (c.intrinsic == Intrinsic::to_real) {
            const Expression& integer = *c.arguments.front();
            const Converter inside{names, in_integer ? precision : precision_in(integer, names), true};
            return as_real(inside.convert(integer, false), true);
        }
        const bool whole = e.kind == ScalarKind::integer && has_integer_form(c.intrinsic);
        std::vector<ExprRef> arguments;
        for (const ExpressionRef& a : c.arguments) arguments.push_back(convert(*a, !whole));
        if (e.kind == ScalarKind::integer) return kernel::whole_call(c.intrinsic, std::move(arguments), precision);
        return kernel::math_call(kernel::c_spelling(c.intrinsic, precision), std::move(arguments));
    }
    [[nodiscard]] static ExprRef visit(const FunctionWord&, const Expression&, bool) {
        return kernel::integer(0);
    }  // not uniform
};

}  // namespace

InterfaceNames interface_names(const Program& program) {
    kernel::Names fresh;
    InterfaceNames names;
    if (program.kind == ProgramKind::stream) names.elements = fresh.fresh("n");
    for (const Axis& axis : program.axes) names.extents.push_back(fresh.fresh("n" + axis.name));
    for (const kasc::Parameter& p : program.parameters) {
        names.parameters.push_back(fresh.fresh(p.name));
        names.parameter_precisions.push_back(p.precision);
    }
    for (const VariableId v : program.inputs) names.inputs.push_back(fresh.fresh(program.variables[v].name));
    for (const VariableId v : program.outputs) {
        const bool is_input = std::find(program.inputs.begin(), program.inputs.end(), v) != program.inputs.end();
        names.outputs.push_back(fresh.fresh(program.variables[v].name + (is_input ? "_out" : "")));
    }
    names.local = kernel::host_names(program);
    for (const Series& s : series_of(program)) {
        const std::string& array = (s.input ? names.inputs : names.outputs).at(s.position);
        names.series.push_back({s, fresh.fresh(array + "_rows"), names.local.scope.fresh(array + "_window")});
    }
    return names;
}

bool has_pieces(const Program& program) {
    return program.kind == ProgramKind::field &&
           std::any_of(program.statements.begin(), program.statements.end(), [](const Statement& s) {
               return std::holds_alternative<std::shared_ptr<const LoopStatement>>(s);
           });
}

std::string words_text(const Program& program, const Library& library, const InterfaceNames& names, VariableId variable,
                       const std::string& prefix) {
    const auto& shape = program.variables[variable].shape;
    if (const auto* stream = std::get_if<StreamShape>(&shape)) {
        const int words = library.types[stream->type].words;
        return words == 1 ? prefix + names.elements : fmt::format("{}{} * {}", prefix, names.elements, words);
    }
    std::string product;
    for (const AxisId axis : std::get<FieldShape>(shape).axes) {
        product += (product.empty() ? "" : " * ") + prefix + names.extents.at(axis.index);
    }
    return product.empty() ? "1" : product;
}

const char* word_text(const Program& program, VariableId variable) {
    const auto* field = std::get_if<FieldShape>(&program.variables[variable].shape);
    return c_name_of(field == nullptr ? CellType::float32 : field->type);
}

const char* type_text(const kasc::Parameter& parameter) {
    if (parameter.kind == ScalarKind::integer) return "int";
    return parameter.precision == Precision::dual ? "double" : "float";
}

kernel::ExprRef host_expression(const Expression& expression, const InterfaceNames& names, Precision precision) {
    if (expression.kind != ScalarKind::real)
        return Converter{names, precision_in(expression, names), true}.convert(expression, false);
    return Converter{names, precision, false}.convert(expression, true);
}

std::string host_text(const Expression& expression, const InterfaceNames& names, Precision precision) {
    kernel::Spelling spelling = kernel::plain_spelling();
    spelling.function = kernel::host_function;
    return kernel::text(host_expression(expression, names, precision), spelling);
}

}  // namespace kasc::emit
