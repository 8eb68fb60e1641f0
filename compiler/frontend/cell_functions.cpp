#include <algorithm>
#include <utility>

#include "frontend/cell_value.hpp"
#include "frontend/check_expression.hpp"

// What a name that is called means in the text that is being read, and whether a function's text speaks of cells with a
// shape, so that it must be expanded.

namespace kasc::frontend {

std::optional<std::size_t> CellExpressions::find_function(const std::string& name) const {
    const std::vector<ast::Function>& all = ast_.functions;
    // In the text of the library, the nearest one above, whatever the program calls so.
    if (frame_ && all[frame_->function].of_library) {
        for (std::size_t k = frame_->function; k-- > 0;)
            if (all[k].name.text == name) return k;
    }
    // A type of the program takes the place of a function of the library, as a function of the program does.
    if (fields_.declares_type(name)) return std::nullopt;
    for (std::size_t k = 0; k < all.size(); ++k)
        if (!all[k].hidden && all[k].name.text == name) return k;
    return std::nullopt;
}

const Reduction* CellExpressions::find_reduction(const std::string& name) const {
    const auto text = frame_ ? std::optional(frame_->function) : std::nullopt;
    return called_reduction(ast_, fields_.library(), name, text);
}

std::optional<Intrinsic> CellExpressions::find_intrinsic(const std::string& name) const {
    const auto text = frame_ ? std::optional(frame_->function) : std::nullopt;
    return called_intrinsic(ast_, fields_.library(), name, text);
}

/// `of_shapes`: some argument has a shape.
bool CellExpressions::speaks_of_shapes(std::size_t function, bool of_shapes) {
    const auto [known, added] = speaks_.try_emplace({function, of_shapes}, false);
    if (added) known->second = speaks_of_shapes(*ast_.functions[function].body, function, of_shapes);
    return speaks_.at({function, of_shapes});
}

bool CellExpressions::speaks_of_shapes(const ast::Expression& body, std::size_t function, bool of_shapes) {
    const auto part = [&](const ast::ExpressionRef& e) { return speaks_of_shapes(*e, function, of_shapes); };
    const auto is_field = [&](const std::string& name) {
        const auto& arguments = ast_.functions[function].arguments;
        const bool own =
            std::any_of(arguments.begin(), arguments.end(), [&](const ast::Name& a) { return a.text == name; });
        return !own && (fields_.find(name) != nullptr || fields_.find_parameter(name) != nullptr);
    };
    if (std::holds_alternative<ast::WordUse>(body.node)) return true;
    if (const auto* use = std::get_if<ast::NameUse>(&body.node)) return is_field(use->name);
    if (const auto* access = std::get_if<ast::Access>(&body.node)) {
        return is_field(access->variable.text) || std::any_of(access->indices.begin(), access->indices.end(),
                                                              [&](const ast::Index& i) { return part(i.value); });
    }
    if (const auto* unary = std::get_if<ast::Unary>(&body.node)) return part(unary->operand);
    if (const auto* binary = std::get_if<ast::Binary>(&body.node)) return part(binary->left) || part(binary->right);
    if (const auto* choice = std::get_if<ast::Conditional>(&body.node))
        return part(choice->condition) || part(choice->then) || part(choice->otherwise);
    const auto* call = std::get_if<ast::Call>(&body.node);
    if (!call) return false;
    if (std::any_of(call->arguments.begin(), call->arguments.end(), part)) return true;
    const std::string& name = call->callee.text;
    const Frame here{function, nullptr, nullptr, {}};
    const Frame* frame = std::exchange(frame_, &here);
    const Reduction* reduction = find_reduction(name);
    const auto intrinsic = find_intrinsic(name);
    const auto called = find_function(name);
    frame_ = frame;
    if (reduction) return !reduction->running && of_shapes && call->arguments.size() == 1;
    if (intrinsic || name == axis_sum_name) return false;
    if (called) return *called < function && speaks_of_shapes(*called, of_shapes);
    return fields_.type(name).has_value() || fields_.library().find_function(name).has_value();
}

}  // namespace kasc::frontend
