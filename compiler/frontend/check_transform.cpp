#include <fmt/format.h>

#include <algorithm>

#include "frontend/check_expression.hpp"

// A transform in an expression is a statement of its own, on fields that the program does not name:
//
//     u = u - c * ifft(k * fft(p))      u_fft = fft(p)
//                                       u_spectrum = scale * (k * u_fft)
//                                       u_ifft = unscaled_ifft(u_spectrum)
//                                       u = u - c * u_ifft
//
// The argument of a transform runs along the axes of the statement around it, but for the first that is transformed:
// ifft in a statement along x sees kx, where the program declares `axis kx = half(x);`, and fft along kx sees x.

namespace kasc::frontend {

namespace {

CellType number_type(bool real, bool dual) {
    if (real) return dual ? CellType::float64 : CellType::float32;
    return dual ? CellType::complex128 : CellType::complex64;
}

/// Positions in ascending order, cut where one does not follow the one before.
std::vector<std::vector<std::size_t>> adjacent_runs(const std::vector<std::size_t>& positions) {
    std::vector<std::vector<std::size_t>> runs;
    for (const std::size_t p : positions) {
        if (runs.empty() || runs.back().back() + 1 != p) runs.emplace_back();
        runs.back().push_back(p);
    }
    return runs;
}

}  // namespace

std::optional<std::vector<std::size_t>> ExpressionChecker::transformed_axes(const std::vector<AxisId>& outer,
                                                                            const ast::Call& node) {
    std::vector<std::size_t> places;
    for (std::size_t i = 1; i < node.arguments.size(); ++i) {
        const ast::Expression& given = *node.arguments[i];
        const auto* use = std::get_if<ast::NameUse>(&given.node);
        const auto axis = use ? axis_named(use->name) : std::nullopt;
        if (!axis) {
            error("K0252", fmt::format("the further arguments of '{}' are axes", node.callee.text), given.span).help =
                fmt::format("as in '{}(p, x, y)'; without any, all axes are transformed", node.callee.text);
            return std::nullopt;
        }
        // Either name of a halved axis will do.
        const auto meant = std::find_if(outer.begin(), outer.end(), [&](AxisId a) {
            const auto& half_of = checking_.program.axes[a].half_of;
            return a == *axis || half_of == axis || checking_.program.axes[*axis].half_of == a;
        });
        if (meant == outer.end()) {
            error("K0252", fmt::format("the statement does not run along '{}'", checking_.program.axes[*axis].name),
                  given.span)
                .help = "a transform is along axes of the target";
            return std::nullopt;
        }
        places.push_back(static_cast<std::size_t>(meant - outer.begin()));
    }
    if (node.arguments.size() == 1) {
        for (std::size_t k = 0; k < outer.size(); ++k) places.push_back(k);
    }
    if (places.empty()) {
        error("K0252", fmt::format("'{}' has no axis to transform", node.callee.text), node.callee.span).help =
            "it stands where all cells of a field are assigned, and their axes are transformed";
        return std::nullopt;
    }
    std::sort(places.begin(), places.end());
    if (std::adjacent_find(places.begin(), places.end()) == places.end()) return places;
    error("K0252", "an axis is transformed twice", node.callee.span).help =
        fmt::format("each axis stands once, as in '{}(p, x, y)'", node.callee.text);
    return std::nullopt;
}

std::optional<ExpressionChecker::TransformAxes> ExpressionChecker::transform_axes(const ast::Call& node,
                                                                                  const Span& span) {
    TransformAxes axes;
    axes.direction = node.callee.text == fft_name ? Direction::forward : Direction::backward;
    axes.outer = allowed_.operands->running();
    auto places = transformed_axes(axes.outer, node);
    if (!places) return std::nullopt;
    axes.transformed = std::move(*places);
    axes.inner = axes.outer;
    const Table<AxisId, Axis>& all = checking_.program.axes;
    AxisId& first = axes.inner[axes.transformed.front()];
    if (axes.direction == Direction::forward) {
        for (const std::size_t k : axes.transformed) {
            if (!all[axes.outer[k]].half_of || k == axes.transformed.front()) continue;
            error("K0252",
                  fmt::format("'{}' is half a spectrum, but not the first axis that is transformed",
                              all[axes.outer[k]].name),
                  span)
                .help = "the transform of a real field is halved along the first of its axes";
            return std::nullopt;
        }
        axes.real_inner = all[first].half_of.has_value();
        if (axes.real_inner) first = *all[first].half_of;
    } else {
        for (const AxisId half : all.ids()) {
            if (all[half].half_of != first || all[half].own) continue;
            axes.real_outer = true;
            first = half;
            break;
        }
        ExpressionRef cells;
        for (const std::size_t k : axes.transformed) {
            ExpressionRef cells_along = make_expression(ExtentUse{axes.outer[k]}, ScalarKind::integer, span);
            cells = cells ? make_expression(BinaryOperation{BinaryOperator::multiply, cells, cells_along},
                                            ScalarKind::real, span)
                          : cells_along;
        }
        if (node.callee.text == ifft_name) {
            const ExpressionRef one = make_expression(Literal{1}, ScalarKind::real, span);
            axes.scale = make_expression(BinaryOperation{BinaryOperator::divide, one, cells}, ScalarKind::real, span);
        }
    }
    return axes;
}

VariableId ExpressionChecker::hidden_field(const std::string& stem, const std::vector<AxisId>& axes, CellType type,
                                           const Span& span) {
    std::string name = stem;
    const auto taken = [&] {
        return checking_.names.find(name) ||
               std::any_of(checking_.program.variables.begin(), checking_.program.variables.end(),
                           [&](const Variable& v) { return v.name == name; });
    };
    for (int number = 2; taken(); ++number) name = fmt::format("{}_{}", stem, number);
    const VariableId id =
        checking_.program.variables.add({name, span, FieldShape{axes, std::vector<Faces>(axes.size()), type}});
    checking_.flow.hidden(id);
    return id;
}

std::optional<VariableId> ExpressionChecker::whole_field(const ast::Expression& expression,
                                                         const std::vector<AxisId>& axes, CellType type) {
    const auto* use = std::get_if<ast::NameUse>(&expression.node);
    const auto place = use ? written({use->name, expression.span}) : std::nullopt;
    if (!place || bound_axis(*place)) return std::nullopt;
    const Symbol* symbol = checking_.names.find(place->name.text);
    const auto* id = symbol ? std::get_if<VariableId>(&symbol->meaning) : nullptr;
    if (!id) return std::nullopt;
    const FieldShape& shape = field_shape(checking_.program, *id);
    if (shape.axes != axes || shape.type != type) return std::nullopt;
    static_cast<void>(checking_.names.use(place->name.text));
    checking_.flow.read(checking_.program.variables[*id], *id, expression.span, checking_.report);
    return *id;
}

/// A declared field that is all of the expression; `dual`: of double alone.
std::optional<VariableId> ExpressionChecker::whole_source(const ast::Expression& expression, const TransformAxes& axes,
                                                          bool dual) {
    const auto whole = whole_field(expression, axes.inner, number_type(axes.real_inner, true));
    return whole || dual ? whole : whole_field(expression, axes.inner, number_type(axes.real_inner, false));
}

/// The field that is transformed: a declared one as it stands, or a hidden one that holds the argument. It is of double
/// where the statement's target is, or a field that the argument reads: what a transform loses no rounding brings back.
std::optional<VariableId> ExpressionChecker::transform_source(const ast::Expression& expression,
                                                              const TransformAxes& axes, bool& scaled) {
    const bool dual = is_dual(field_shape(checking_.program, allowed_.operands->target()).type);
    if (const auto whole = whole_source(expression, axes, dual)) return whole;
    const VariableId source = hidden_field(target_name() + (axes.real_inner ? "_field" : "_spectrum"), axes.inner,
                                           number_type(axes.real_inner, dual), expression.span);
    const std::vector<AxisIndex> here(axes.inner.size(), Offset{0});
    Operands operands(checking_.program, source);
    operands.close(here);
    ExpressionChecker inside = *this;
    inside.allowed_.operands = &operands;
    inside.allowed_.transformed = true;
    ExpressionRef value = axes.real_inner ? inside.real(expression) : inside.complex(expression);
    nodes_ = inside.nodes_;
    exhausted_ = inside.exhausted_;
    if (!value) return std::nullopt;
    const Precision precision = operands.precision();
    report_precision(checking_, operands);
    std::get<FieldShape>(checking_.program.variables[source].shape).type =
        number_type(axes.real_inner, precision == Precision::dual);
    if (axes.scale) {
        value = make_expression(BinaryOperation{BinaryOperator::multiply, axes.scale, value}, value->kind, value->span);
        scaled = true;
    }
    checking_.hoisted.push_back(
        FieldStatement{expression.span, source, here, operands.take(), value, precision, {}, nullptr});
    return source;
}

TransformStatement ExpressionChecker::last_pass(const TransformAxes& axes, VariableId source, VariableId target,
                                                const Span& span) {
    const bool forward = axes.direction == Direction::forward;
    auto passes = adjacent_runs(axes.transformed);
    if (!forward) std::reverse(passes.begin(), passes.end());
    for (auto pass = passes.begin(); pass + 1 != passes.end(); ++pass) {
        const CellType type = number_type(false, is_dual(field_shape(checking_.program, source).type));
        const VariableId between =
            hidden_field(target_name() + (forward ? "_fft" : "_ifft"), forward ? axes.outer : axes.inner, type, span);
        checking_.hoisted.push_back(TransformStatement{span, between, source, axes.direction, std::move(*pass)});
        source = between;
    }
    return {span, target, source, axes.direction, std::move(passes.back())};
}

ExpressionRef ExpressionChecker::transform(Wanted wanted, const ast::Call& node, const Span& span) {
    const std::string& name = node.callee.text;
    const bool whole = allowed_.operands && allowed_.operands->has_target() && allowed_.transforms;
    if (!whole || !allowed_.operands->listed().empty()) {
        error("K0226", fmt::format("{} cannot use '{}'", whole ? "an assignment to a list" : allowed_.where, name),
              span)
            .help = "assign the transform to a field first";
        return nullptr;
    }
    if (node.arguments.empty()) {
        error("K0205", fmt::format("'{}' takes an argument, and the axes that it transforms", name), node.callee.span);
        return nullptr;
    }
    return is_fourier(name) ? fourier(wanted, node, span) : trigonometric(wanted, node, span);
}

ExpressionRef ExpressionChecker::fourier(Wanted wanted, const ast::Call& node, const Span& span) {
    const std::string& name = node.callee.text;
    const auto axes = transform_axes(node, span);
    if (!axes) return nullptr;
    if (!axes->real_outer && !complex_may_stand(wanted, span, fmt::format("'{}' gives complex numbers here", name)))
        return nullptr;
    if (wanted == Wanted::integer) {
        report_not_integer(span, fmt::format("'{}' gives reals", name));
        return nullptr;
    }
    if (wanted == Wanted::boolean) {
        report_not_condition(span);
        return nullptr;
    }
    const auto made = transformed(node, *axes, span);
    if (!made) return nullptr;
    // Axes at which the target stands are not the hidden field's: its own are all running.
    const std::size_t operand =
        allowed_.operands->add({made->field, std::vector<AxisIndex>(axes->outer.size(), Offset{0}), span});
    const ScalarKind kind = axes->real_outer ? ScalarKind::real : ScalarKind::complex;
    ExpressionRef value = make_expression(OperandUse{operand}, kind, span);
    if (axes->scale && !made->scaled)
        value = make_expression(BinaryOperation{BinaryOperator::multiply, axes->scale, value}, kind, span);
    return value;
}

std::optional<Transformed> ExpressionChecker::transformed(const ast::Call& node, const TransformAxes& axes,
                                                          const Span& span) {
    if (const auto known = checking_.transformed.find({&node, axes.outer});
        own_text() && known != checking_.transformed.end())
        return known->second;
    bool scaled = false;
    const auto source = transform_source(*node.arguments[0], axes, scaled);
    if (!source) return std::nullopt;
    return transformed(node, axes, {*source, scaled}, span);
}

Transformed ExpressionChecker::transformed(const ast::Call& node, const TransformAxes& axes, const Transformed& source,
                                           const Span& span) {
    const bool dual = is_dual(field_shape(checking_.program, source.field).type);
    const VariableId target = hidden_field(target_name() + (axes.direction == Direction::forward ? "_fft" : "_ifft"),
                                           axes.outer, number_type(axes.real_outer, dual), span);
    checking_.hoisted.push_back(last_pass(axes, source.field, target, span));
    const Transformed made{target, source.scaled};
    if (own_text()) checking_.transformed[{&node, axes.outer}] = made;
    return made;
}

std::optional<TransformStatement> ExpressionChecker::whole_transform(const ast::Assignment& assignment,
                                                                     VariableId target) {
    const auto* node = std::get_if<ast::Call>(&assignment.value->node);
    if (!node || !is_fourier(node->callee.text) || node->arguments.empty()) return std::nullopt;
    if (!assignment.indices.empty() || assignment.adds || assignment.colours) return std::nullopt;
    const FieldShape shape = field_shape(checking_.program, target);
    if (shape.keeps_layers() || is_integer(shape.type) || is_short(shape.type)) return std::nullopt;
    const auto axes = transform_axes(*node, assignment.value->span);
    if (!axes || axes->real_outer == is_complex(shape.type)) return std::nullopt;
    // A field that is transformed as it stands keeps its scale: the target is then computed from the transform.
    const bool dual = is_dual(shape.type);
    if (axes->scale && whole_source(*node->arguments[0], *axes, dual)) return std::nullopt;
    bool scaled = false;
    const auto source = transform_source(*node->arguments[0], *axes, scaled);
    if (!source || *source == target) return std::nullopt;
    if (is_dual(field_shape(checking_.program, *source).type) != dual) {
        // What is transformed in double is rounded by the statement that takes it from here.
        static_cast<void>(transformed(*node, *axes, {*source, scaled}, assignment.value->span));
        return std::nullopt;
    }
    return last_pass(*axes, *source, target, assignment.span);
}

}  // namespace kasc::frontend
