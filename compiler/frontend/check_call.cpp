#include <fmt/format.h>

#include <algorithm>

#include "frontend/cell_arguments.hpp"
#include "frontend/cell_conditions.hpp"
#include "frontend/cell_shape.hpp"
#include "frontend/check_expression.hpp"
#include "frontend/foreign_functions.hpp"
#include "frontend/foreign_words.hpp"
#include "frontend/operators.hpp"
#include "frontend/token_words.hpp"

// Calls in expressions: intrinsics stay, functions of the program are expanded.

namespace kasc::frontend {

bool ExpressionChecker::require_arguments(const ast::Name& callee, std::size_t expected, std::size_t given,
                                          const Span& declared) {
    if (expected == given) return true;
    Diagnostic& d = error("K0205", fmt::format("'{}' takes {}", callee.text, counted(expected, "argument")),
                          callee.span, fmt::format("{} given", given));
    if (declared.source) d.notes.push_back({declared, "declared here"});
    const bool extreme = given == 1 && (callee.text == "max" || callee.text == "min");
    if (extreme) d.help = fmt::format("that of all cells is '{}imum(a)'", callee.text);
    return false;
}

/// log(T, 2), atan(T, v): functions that take more, or fewer, in other languages.
bool ExpressionChecker::is_of_other_arity(const ast::Call& node, Intrinsic intrinsic, const Span& span) {
    const auto text = [&](std::size_t k) {
        const std::string given = k < node.arguments.size() ? short_text(node.arguments[k]->span) : std::string();
        return given.empty() ? std::string(1, static_cast<char>('a' + k)) : given;
    };
    const std::size_t given = node.arguments.size();
    const bool of_two = given == 2;
    std::string help;
    if (of_two && intrinsic == Intrinsic::atan) help = filled("atan2({a}, {b})", {text(0), text(1)});
    if (given == 1 && intrinsic == Intrinsic::atan2) help = filled("atan({a})", {text(0)});
    if (of_two && intrinsic == Intrinsic::log)
        help = text(1) == "2"    ? filled("log2({a})", {text(0)})
               : text(1) == "10" ? filled("log10({a})", {text(0)})
                                 : filled("log({a})/log({b})", {text(0), text(1)});
    if (of_two && intrinsic == Intrinsic::round)
        help = filled("round({a}*pow(10, {b}))/pow(10, {b})", {text(0), text(1)});
    if (given == 3 && intrinsic == Intrinsic::hypot)
        help = filled("hypot(hypot({a}, {b}), {c})", {text(0), text(1), text(2)});
    if (help.empty()) return false;
    error("K0205", fmt::format("'{}' takes {}", node.callee.text, counted(argument_count(intrinsic), "argument")),
          node.callee.span, fmt::format("{} given", given))
        .help = in_place_of(span, fmt::format("write '{}'", help));
    return true;
}

/// max(T, x) where the statement does not run along x: the largest along it is meant.
bool ExpressionChecker::is_along_axis(const ast::Call& node) {
    const bool extreme = (node.callee.text == "max" || node.callee.text == "min") && node.arguments.size() == 2;
    const auto* use = extreme ? std::get_if<ast::NameUse>(&node.arguments[1]->node) : nullptr;
    if (!use || checking_.names.find(use->name) || !allowed_.operands) return false;
    const auto axis = axis_named(use->name);
    if (!axis || allowed_.operands->target_axis(*axis) == Operands::TargetAxis::running) return false;
    const std::string folded = short_text(node.arguments[0]->span);
    error("K0205", fmt::format("'{}' takes two numbers", node.callee.text), node.callee.span).help =
        fmt::format("that of the cells along '{0}' is '{1}imum({2}, {0})'", use->name, node.callee.text,
                    folded.empty() ? "T" : folded);
    return true;
}

ExpressionRef ExpressionChecker::call(Wanted wanted, const ast::Call& node, const Span& span) {
    if (node.word) return function_word(wanted, node, span);
    if (const auto found = intrinsic_of(node)) return intrinsic(wanted, *found, node, span);
    if (node.callee.text == axis_sum_name) {
        if (wanted == Wanted::real || wanted == Wanted::complex) return axis_sum(wanted, node, span);
        if (wanted == Wanted::integer) {
            report_not_integer(span, "a sum over axes is real");
        } else {
            report_not_condition(span);
        }
        return nullptr;
    }
    if (is_transform(node.callee.text)) return transform(wanted, node, span);
    if (const Reduction* called = reduction_of(node)) return reduction(wanted, *called, node, span);
    if (node.callee.text == extent_name) return extent(wanted, node, span);
    if (const auto above = library_function(node.callee.text)) return expand(wanted, *above, node, span);
    const Symbol* symbol = checking_.names.use(node.callee.text);
    if (const auto* function = symbol ? std::get_if<FunctionIndex>(&symbol->meaning) : nullptr) {
        return expand(wanted, function->index, node, span);
    }
    if (symbol) {
        if (std::holds_alternative<Faulty>(symbol->meaning)) return nullptr;
        Diagnostic& d = error(
            "K0213",
            fmt::format("'{}' is {}, not a function", node.callee.text, describe(symbol->meaning, checking_.program)),
            node.callee.span);
        d.notes.push_back({symbol->span, "declared here"});
        if (std::holds_alternative<VariableId>(symbol->meaning)) {
            std::string place;
            for (const ast::ExpressionRef& argument : node.arguments)
                place += (place.empty() ? "" : ", ") + short_text(argument->span);
            checking_.whole_steps = 0;
            const bool product = node.arguments.size() == 1 && has_real(*node.arguments.front());
            d.help = fmt::format("a {} '{}{}{}{}'",
                                 product ? "product is" : "neighbour is read with brackets:", node.callee.text,
                                 product ? "*(" : "[", place.empty() ? "..." : place, product ? ")" : "]");
        }
        return nullptr;
    }
    report_unknown_function(node, span);
    return nullptr;
}

std::optional<Intrinsic> ExpressionChecker::intrinsic_of(const ast::Call& node) const {
    if (node.intrinsic) return node.intrinsic;
    const auto text = frame_ ? std::optional(frame_->function) : std::nullopt;
    return called_intrinsic(checking_.ast, checking_.library, node.callee.text, text);
}

std::optional<std::size_t> ExpressionChecker::library_function(const std::string& name) const {
    const std::vector<ast::Function>& functions = checking_.ast.functions;
    if (!frame_ || !functions[frame_->function].of_library) return std::nullopt;
    for (std::size_t index = frame_->function; index-- > 0;) {
        if (functions[index].name.text == name) return index;
    }
    return std::nullopt;
}

namespace {

CellFunction cell_function(const Function& function, const Table<TypeId, StreamType>& types) {
    CellFunction made{function.name, {}, {}, function.flops, function.accuracy, function.reference.value()};
    for (const TypeId id : function.arguments) {
        const StreamType& type = types[id];
        made.arguments.push_back({type.shape.empty() ? "" : type.name, type.words});
    }
    const CellShape result = cell_shape(types[function.result]);
    for (std::size_t word = 0; word < result.words(); ++word)
        made.words.push_back(result.is_number() ? "" : word_name(result, word));
    return made;
}

/// The function among those of the program, added once.
CellFunctionId cell_function_of(Program& program, const Library& library, const std::string& name) {
    for (const CellFunctionId id : program.cell_functions.ids())
        if (program.cell_functions[id].name == name) return id;
    return program.cell_functions.add(
        cell_function(library.functions[library.find_function(name).value()], library.types));
}

/// How what code of the library gives reaches those who run the program, and the rest of it: by a field without axes.
std::string by_a_statement(const Checking& checking, const std::string& where, const ast::Call& node,
                           const Span& span) {
    if (where == "the length of an axis") return "let it be a parameter, which the call gives: 'param int n;'";
    const Library& library = checking.library;
    const Function& function = library.functions[library.find_function(node.callee.text).value()];
    const std::string word = cell_function(function, library.types).words[node.word.value()];
    const std::string written = short_text(span);
    const std::string text =
        (written.empty() ? node.callee.text + "(...)" : written) + (word.empty() ? "" : "." + word);
    if (where != "a requirement")
        return fmt::format("a field without axes is read in place of it: 'float a[]; a = {};'", text);
    const bool of_cells = std::any_of(
        node.arguments.begin(), node.arguments.end(),
        [&](const ast::ExpressionRef& argument) { return differs_between_cells(*argument, checking.ast, library); });
    return fmt::format("compute it in a statement, and return it: 'float a[]; a = {};'",
                       of_cells ? fmt::format("minimum({})", text) : text);
}

}  // namespace

ExpressionRef ExpressionChecker::function_word(Wanted wanted, const ast::Call& node, const Span& span) {
    if (wanted == Wanted::integer) {
        report_not_integer(span, fmt::format("'{}' is a function of reals", node.callee.text));
        return nullptr;
    }
    if (wanted == Wanted::boolean) {
        report_not_condition(span);
        return nullptr;
    }
    if (!allowed_.operands || !allowed_.library) {
        Diagnostic& d = error("K0226", fmt::format("{} cannot call '{}'", allowed_.where, node.callee.text), span,
                              "code of the library runs in kernels, this is known before them");
        d.help = allowed_.instead.empty() ? by_a_statement(checking_, allowed_.where, node, span) : allowed_.instead;
        return nullptr;
    }
    allowed_.operands->add(Operands::LibraryCall{node.callee.text, span, expansions()});
    FunctionWord made{cell_function_of(checking_.program, checking_.library, node.callee.text),
                      static_cast<int>(node.word.value()),
                      {},
                      0};
    made.operations = checking_.program.cell_functions[made.function].operations;
    for (const ast::ExpressionRef& argument : node.arguments) {
        made.arguments.push_back(real(*argument));
        if (!made.arguments.back()) return nullptr;
    }
    return make_expression(std::move(made), ScalarKind::real, span);
}

bool ExpressionChecker::complex_may_stand(Wanted wanted, const Span& span, const std::string& what) {
    if (wanted == Wanted::complex) return true;
    error("K0250",
          fmt::format("a complex number stands where {} is needed", wanted == Wanted::integer   ? "an integer"
                                                                    : wanted == Wanted::boolean ? "a condition"
                                                                                                : "a real number"),
          span, what)
        .help = "'real(z)' and 'imag(z)' are its parts";
    return false;
}

ExpressionRef ExpressionChecker::intrinsic(Wanted wanted, Intrinsic intrinsic, const ast::Call& node,
                                           const Span& span) {
    if (wanted == Wanted::boolean) {
        report_not_condition(span);
        return nullptr;
    }
    if (intrinsic == Intrinsic::random) return random(wanted, node, span);
    if (node.arguments.size() == 3 && (intrinsic == Intrinsic::minimum || intrinsic == Intrinsic::maximum)) {
        const auto text = [&](std::size_t k) { return short_text(node.arguments[k]->span); };
        error("K0205", fmt::format("'{}' takes 2 arguments", node.callee.text), node.callee.span, "3 given").help =
            fmt::format("write '{0}({0}({1}, {2}), {3})'", node.callee.text, text(0), text(1), text(2));
        return nullptr;
    }
    if (is_of_other_arity(node, intrinsic, span)) return nullptr;
    if (!require_arguments(node.callee, argument_count(intrinsic), node.arguments.size(), {})) return nullptr;
    if (is_along_axis(node)) return nullptr;
    if (intrinsic == Intrinsic::to_integer) return to_integer(wanted, node, span);
    if (wanted == Wanted::integer && !has_integer_form(intrinsic)) {
        const std::string text = short_text(span);
        report_not_integer(span, fmt::format("'{}' gives reals", node.callee.text)).help =
            fmt::format("'int({})' cuts the fraction off", text.empty() ? node.callee.text + "(...)" : text);
        return nullptr;
    }
    if (has_complex_form(intrinsic) && wanted != Wanted::integer && allowed_.operands) {
        checking_.whole_steps = 0;
        if (intrinsic == Intrinsic::phase || may_be_complex(*node.arguments.front()))
            return complex_function(wanted, intrinsic, node, span);
    }
    const bool whole = wanted == Wanted::integer || intrinsic == Intrinsic::to_real;
    const bool gives = gives_complex(intrinsic), takes = takes_complex(intrinsic);
    if ((gives || takes) && !allowed_.operands) {
        error("K0226", fmt::format("{} cannot use complex numbers", allowed_.where), span);
        return nullptr;
    }
    if (gives && !complex_may_stand(wanted, span, fmt::format("'{}' gives complex numbers", node.callee.text)))
        return nullptr;
    if (intrinsic == Intrinsic::to_real) {
        const ast::Expression& argument = *node.arguments.front();
        if (is_power(Wanted::real, argument)) return nullptr;
        checking_.whole_steps = 0;
        if (real_part(argument) != nullptr) {
            const std::string text = short_text(argument.span);
            error("K0219", fmt::format("'{}' makes a real of an integer", node.callee.text), argument.span,
                  "is real already")
                .help = fmt::format("leave it out{}: what is assigned is rounded to the target's type",
                                    text.empty() ? "" : ", '" + text + "'");
            return nullptr;
        }
    }
    IntrinsicCall call{intrinsic, {}};
    for (const ast::ExpressionRef& argument : node.arguments) {
        call.arguments.push_back(takes ? complex(*argument) : whole ? integer(*argument) : real(*argument));
        if (!call.arguments.back()) return nullptr;
    }
    const ScalarKind kind = gives                       ? ScalarKind::complex
                            : wanted == Wanted::integer ? ScalarKind::integer
                                                        : ScalarKind::real;
    return make_expression(std::move(call), kind, span);
}

/// random(seed, n): of up to four numbers that count; those that are left out are 0.
ExpressionRef ExpressionChecker::random(Wanted wanted, const ast::Call& node, const Span& span) {
    const std::size_t most = argument_count(Intrinsic::random);
    if (node.arguments.size() < 2 || node.arguments.size() > most) {
        error("K0205", fmt::format("'{}' takes 2 to {} arguments", node.callee.text, most), node.callee.span,
              fmt::format("{} given", node.arguments.size()))
            .help = "a seed and what tells the numbers apart, as in 'random(seed, x, y)' or 'random(seed, x, n)'";
        return nullptr;
    }
    if (wanted == Wanted::integer) {
        report_not_integer(span, fmt::format("'{}' gives reals", node.callee.text)).help =
            "'int(6*random(seed, x))' is a whole number from 0 to 5";
        return nullptr;
    }
    if (!allowed_.operands || !allowed_.random) {
        error("K0226", fmt::format("{} cannot use random numbers", allowed_.where), span,
              "they are made in kernels, by each cell")
            .help = "assign them to a field";
        return nullptr;
    }
    IntrinsicCall call{Intrinsic::random, {}};
    for (const ast::ExpressionRef& argument : node.arguments) {
        call.arguments.push_back(integer(*argument));
        if (!call.arguments.back()) return nullptr;
    }
    while (call.arguments.size() < most)
        call.arguments.push_back(make_expression(Literal{0}, ScalarKind::integer, span));
    return make_expression(std::move(call), ScalarKind::real, span);
}

/// An integer among reals is converted.
ExpressionRef ExpressionChecker::as_wanted(Wanted wanted, ExpressionRef integer) {
    if (!integer || wanted == Wanted::integer) return integer;
    const Span span = integer->span;
    return make_expression(IntrinsicCall{Intrinsic::to_real, {std::move(integer)}}, ScalarKind::real, span);
}

/// int(e): of an integer it is that integer.
ExpressionRef ExpressionChecker::to_integer(Wanted wanted, const ast::Call& node, const Span& span) {
    const ast::Expression& argument = *node.arguments.front();
    if (is_integer_expression(argument)) return as_wanted(wanted, integer(argument));
    ExpressionRef value = real(argument);
    if (!value) return nullptr;
    return as_wanted(
        wanted, make_expression(IntrinsicCall{Intrinsic::to_integer, {std::move(value)}}, ScalarKind::integer, span));
}

ExpressionRef ExpressionChecker::extent(Wanted wanted, const ast::Call& node, const Span& span) {
    if (!require_arguments(node.callee, 1, node.arguments.size(), {})) return nullptr;
    const auto* use = std::get_if<ast::NameUse>(&node.arguments[0]->node);
    const auto axis = use ? axis_named(use->name) : std::nullopt;
    if (!axis) {
        const std::vector<std::string> axes = use ? declared_axes(use->name) : std::vector<std::string>();
        error("K0236", "the argument of 'extent' must be an axis", node.arguments[0]->span).help =
            axes.empty() ? "as in 'extent(x)': the number of cells along x" : lengths_here(axes);
        return nullptr;
    }
    if (!allowed_.extents) {
        error("K0226", fmt::format("{} cannot use extents", allowed_.where), span, "they are known later").help =
            "extents may stand in statements, bounds of loops, boundaries and lengths of axes";
        return nullptr;
    }
    if (wanted == Wanted::boolean) {
        report_not_condition(span);
        return nullptr;
    }
    return make_expression(ExtentUse{*axis}, ScalarKind::integer, span);
}

std::optional<std::vector<AxisId>> ExpressionChecker::axes_of(const ast::Name& field) {
    if (const ast::Declaration* uniform = uniform_field(field)) return uniform_axes(*uniform, field.span);
    const auto variable = accessed_variable({field, {}});
    if (!variable || checking_.ast.calls_alone) return std::nullopt;
    return field_shape(checking_.program, *variable).axes;
}

/// axis_sum(a, u, e): e for a = the first axis of the field u, the second …, added in this order.
ExpressionRef ExpressionChecker::axis_sum(Wanted wanted, const ast::Call& node, const Span& span) {
    if (!require_arguments(node.callee, 3, node.arguments.size(), {})) return nullptr;
    const auto* bound = std::get_if<ast::NameUse>(&node.arguments[0]->node);
    if (!bound) {
        error("K0236", "the first argument of 'axis_sum' must be a name", node.arguments[0]->span).help =
            "it stands for one axis after another, as in 'axis_sum(a, T, T[a + 1] - T[a - 1])'";
        return nullptr;
    }
    const auto* field = std::get_if<ast::NameUse>(&node.arguments[1]->node);
    if (!field) {
        error("K0236", "the second argument of 'axis_sum' must be a field", node.arguments[1]->span).help =
            "its axes are those that are summed over";
        return nullptr;
    }
    const auto axes = axes_of({field->name, node.arguments[1]->span});
    if (!axes) return nullptr;
    ExpressionRef sum;
    for (const AxisId axis : *axes) {
        bound_axes_.push_back({bound->name, axis, frame_});
        ExpressionRef term = check(wanted, *node.arguments[2]);
        bound_axes_.pop_back();
        if (!term) return nullptr;
        const bool complex = term->kind == ScalarKind::complex || (sum && sum->kind == ScalarKind::complex);
        sum = sum ? make_expression(BinaryOperation{BinaryOperator::add, sum, std::move(term)},
                                    complex ? ScalarKind::complex : ScalarKind::real, span)
                  : std::move(term);
    }
    return sum;
}

ExpressionRef ExpressionChecker::expand(Wanted wanted, std::size_t index, const ast::Call& node, const Span& span) {
    const ast::Function& function = checking_.ast.functions[index];
    if (frame_ && index >= frame_->function) {
        const bool itself = index == frame_->function;
        Diagnostic& d = error("K0230",
                              itself ? fmt::format("'{}' calls itself", function.name.text)
                                     : fmt::format("'{}' is defined below its use", function.name.text),
                              node.callee.span);
        if (!itself) d.notes.push_back({function.name.span, "defined here"});
        d.help = itself ? "functions are expanded where they are called, and cannot be recursive"
                        : "a function may use the functions above it";
        return nullptr;
    }
    if (!require_arguments(node.callee, function.arguments.size(), node.arguments.size(), function.name.span))
        return nullptr;
    const Frame frame{index, node.arguments, frame_, span};
    frame_ = &frame;
    ExpressionRef value = check(wanted, *function.body);
    frame_ = frame.caller;
    return value;
}

}  // namespace kasc::frontend
