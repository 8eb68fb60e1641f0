#include "frontend/position_axes.hpp"

#include <algorithm>
#include <utility>

#include "frontend/ast_parts.hpp"
#include "frontend/check_expression.hpp"

namespace kasc::frontend {

namespace {

bool has(const std::vector<ast::Name>& all, const std::string& name) {
    return std::any_of(all.begin(), all.end(), [&](const ast::Name& one) { return one.text == name; });
}

std::vector<ast::Name> without_positions(std::vector<ast::Name> axes, const std::vector<ast::Index>& indices) {
    std::erase_if(axes, [&](const ast::Name& axis) {
        return std::any_of(indices.begin(), indices.end(),
                           [&](const ast::Index& index) { return index.axis && index.axis->text == axis.text; });
    });
    return axes;
}

class PositionAxes {
public:
    PositionAxes(const Ast& ast, const std::vector<std::string>& loops,
                 const std::function<const std::vector<ast::Name>*(const std::string&)>& axes_of,
                 std::vector<ast::Name> found)
        : ast_(ast), axes_of_(axes_of), bound_(loops), found_(std::move(found)) {}

    void find_in(const ast::Expression& e) {
        if (const auto* use = std::get_if<ast::NameUse>(&e.node)) return find_name(use->name, e.span);
        if (const auto* access = std::get_if<ast::Access>(&e.node)) {
            if (const auto* axes = axes_of_(access->variable.text)) add(without_positions(*axes, access->indices));
            for (const ast::Index& index : access->indices)
                if (index.axis) find_in(*index.value);
            return;
        }
        const auto* call = std::get_if<ast::Call>(&e.node);
        if (call && call->callee.text == extent_name) return;
        for_each_operand(e, [&](const ast::ExpressionRef& operand) { find_in(*operand); });
        if (call) find_in_function(call->callee.text);
    }
    [[nodiscard]] std::vector<ast::Name> take() { return std::move(found_); }

private:
    const Ast& ast_;
    const std::function<const std::vector<ast::Name>*(const std::string&)>& axes_of_;
    std::vector<std::string> bound_;  ///< names of numbers: variables of loops, arguments of functions
    std::vector<ast::Name> found_;

    void add(const std::vector<ast::Name>& axes) {
        for (const ast::Name& axis : axes)
            if (!has(found_, axis.text)) found_.push_back(axis);
    }

    /// Where a name may be an axis, too, it is what the program declares.
    void find_name(const std::string& name, const Span& span) {
        const auto is_name = [&](const auto& item) { return item.name.text == name; };
        if (std::find(bound_.begin(), bound_.end(), name) != bound_.end()) return;
        if (std::any_of(ast_.parameters.begin(), ast_.parameters.end(), is_name)) return;
        if (std::any_of(ast_.options.begin(), ast_.options.end(), is_name)) return;
        if (const auto* axes = axes_of_(name)) return add(*axes);
        const bool axis = std::any_of(ast_.declarations.begin(), ast_.declarations.end(),
                                      [&](const ast::Declaration& d) { return has(d.axes, name); });
        if (axis) add({{name, span}});
    }

    void find_in_function(const std::string& name) {
        // Functions use those above them only.
        if (std::find(calls_.begin(), calls_.end(), name) != calls_.end()) return;
        for (const ast::Function& function : ast_.functions) {
            if (function.hidden || function.name.text != name) continue;
            const std::size_t before = bound_.size();
            for (const ast::Name& argument : function.arguments) bound_.push_back(argument.text);
            calls_.push_back(name);
            find_in(*function.body);
            calls_.pop_back();
            bound_.resize(before);
        }
    }
    std::vector<std::string> calls_;  ///< that are being read
};

}  // namespace

std::vector<ast::Name> axes_run_along(const Ast& ast, const std::vector<ast::Name>& target,
                                      const std::vector<ast::Index>& positions, const std::vector<std::string>& loops,
                                      const std::function<const std::vector<ast::Name>*(const std::string&)>& axes_of) {
    PositionAxes axes(ast, loops, axes_of, without_positions(target, positions));
    for (const ast::Index& index : positions) axes.find_in(*index.value);
    return axes.take();
}

}  // namespace kasc::frontend
