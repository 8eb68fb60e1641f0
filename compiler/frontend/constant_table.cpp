#include "frontend/constant_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "foundation/cell_type.hpp"
#include "frontend/ast_parts.hpp"
#include "frontend/constant.hpp"

namespace kasc::frontend {

using grammar::KascParser;

namespace {

/// A table is one statement: so large it stays well within most_nodes_of_statement.
constexpr std::size_t most_table_entries = 2048;

std::string entries_text(std::size_t count) { return fmt::format("{} {}", count, count == 1 ? "entry" : "entries"); }

class Table {
public:
    Table(const ast::Declaration& declaration, ExpressionBuilder& expressions, Building& building)
        : declaration_(declaration), expressions_(expressions), building_(building) {}

    void add(KascParser::TableContext* context) {
        const std::size_t errors = building_.report.errors();
        lengths_.resize(declaration_.axes.size());
        if (lengths_.empty()) {
            report(
                expressions_.span(context), fmt::format("'{}' has no axes", declaration_.name.text),
                fmt::format("one number is a parameter, 'param float {} = 1;', or assigned", declaration_.name.text));
            return;
        }
        ast::ExpressionRef value = rows(context, lengths_.size() - 1);
        if (building_.report.errors() > errors) return;
        for (std::size_t k = 0; k < lengths_.size(); ++k) give_length(declaration_.axes[k], *lengths_[k]);
        ast::Assignment item;
        item.target = declaration_.name;
        item.span = {declaration_.name.span.source, declaration_.name.span.begin, expressions_.span(context).end};
        item.value = std::move(value);
        building_.tables.push_back({std::move(item), std::move(entries_), declaration_.axes});
    }

private:
    const ast::Declaration& declaration_;
    ExpressionBuilder& expressions_;
    Building& building_;
    std::vector<std::optional<std::size_t>> lengths_;  ///< by axis
    std::vector<ast::ExpressionRef> entries_;

    void report(const Span& span, const std::string& what, const std::string& help) {
        building_.report.error("K0122", what, span).help = help;
    }

    /// What the entries along this axis and those before it are.
    ast::ExpressionRef rows(KascParser::TableContext* context, std::size_t axis) {
        const std::vector<KascParser::TableEntryContext*> entries = context->tableEntry();
        const std::string& name = declaration_.axes[axis].text;
        if (lengths_[axis] && *lengths_[axis] != entries.size()) {
            report(expressions_.span(context),
                   fmt::format("a row has {}, and those before it {}", entries_text(entries.size()), *lengths_[axis]),
                   fmt::format("each has one for each cell along '{}'", name));
            return nullptr;
        }
        lengths_[axis] = entries.size();
        std::vector<ast::ExpressionRef> values;
        for (KascParser::TableEntryContext* entry : entries) {
            const bool row = entry->table() != nullptr;
            if (row != (axis > 0)) {
                report(expressions_.span(entry),
                       row ? fmt::format("'{}' has no axis for these braces", declaration_.name.text)
                           : fmt::format("a row along '{}' stands here", declaration_.axes[axis - 1].text),
                       row && axis == 0 && !find_cell_type(declaration_.type.text)
                           ? fmt::format("a cell is made by its type: '{}(…)'", declaration_.type.text)
                           : "of 'float m[x, y]', each '{…}' within the table is a row along x, for y = 0, 1, …");
                return nullptr;
            }
            values.push_back(row ? rows(entry->table(), axis - 1) : expressions_.expression(entry->expression()));
            if (!values.back()) return nullptr;
            if (row) continue;
            entries_.push_back(values.back());
            if (entries_.size() <= most_table_entries) continue;
            report(expressions_.span(entry), fmt::format("a table has at most {} entries", most_table_entries),
                   "make it an input");
            return nullptr;
        }
        return chosen(values, 0, values.size(), axis);
    }

    /// By halves, so that a long table is no deep expression.
    ast::ExpressionRef chosen(const std::vector<ast::ExpressionRef>& values, std::size_t begin, std::size_t end,
                              std::size_t axis) {
        if (end - begin == 1) return values[begin];
        const std::size_t half = begin + (end - begin) / 2;
        const Span& span = values[half]->span;
        const ast::ExpressionRef low =
            made(ast::Binary{BinaryOperator::less, made(ast::NameUse{declaration_.axes[axis].text}, span),
                             made(ast::Number{std::to_string(half)}, span), span},
                 span);
        return made(ast::Conditional{low, chosen(values, begin, half, axis), chosen(values, half, end, axis)}, span);
    }

    void give_length(const ast::Name& axis, std::size_t length) {
        std::vector<ast::AxisLength>& all = building_.ast.axis_lengths;
        const auto given =
            std::find_if(all.begin(), all.end(), [&](const ast::AxisLength& a) { return a.axis.text == axis.text; });
        if (given == all.end()) {
            all.push_back({axis, made(ast::Number{std::to_string(length)}, axis.span)});
            return;
        }
        const auto value = given->length ? constant_of(*given->length, [](const std::string&) { return std::nullopt; })
                                         : std::optional<Constant>();
        if (value && value->value == static_cast<double>(length)) return;
        Diagnostic& d = building_.report.error(
            "K0122", fmt::format("'{}' has {} along '{}'", declaration_.name.text, entries_text(length), axis.text),
            declaration_.name.span);
        d.notes.push_back(
            {given->axis.span, value ? fmt::format("the axis has {} cells by what stands here", value->value)
                                     : "its length is declared here"});
        d.help = "a table says how long its axes are: those of one axis are as long as each other";
    }
};

/// The first name in it that is no number's; none: there is none.
std::optional<ast::Name> name_of_field(const Ast& ast, const ast::Expression& e) {
    const auto is_number = [&](const std::string& name) {
        const auto has = [&](const auto& all) {
            return std::any_of(all.begin(), all.end(), [&](const auto& item) { return item.name.text == name; });
        };
        return has(ast.parameters) || has(ast.options);
    };
    if (const auto* access = std::get_if<ast::Access>(&e.node)) return access->variable;
    if (const auto* word = std::get_if<ast::WordUse>(&e.node)) return word->word;
    if (const auto* use = std::get_if<ast::NameUse>(&e.node))
        return is_number(use->name) ? std::nullopt : std::optional(ast::Name{use->name, e.span});
    std::optional<ast::Name> found;
    for_each_operand(e, [&](const ast::ExpressionRef& part) {
        if (!found) found = name_of_field(ast, *part);
    });
    return found;
}

}  // namespace

void check_tables(const Building& building) {
    const Ast& ast = building.ast;
    for (const ConstantTable& table : building.tables) {
        const ast::Name& name = table.statement.target;
        const auto input = std::find_if(ast.inputs.begin(), ast.inputs.end(),
                                        [&](const ast::Name& other) { return other.text == name.text; });
        if (input != ast.inputs.end())
            building.report
                .error("K0122", fmt::format("'{}' is a table of constants, and an input", name.text), input->span)
                .notes.push_back({name.span, "its values are given here"});
        for (const ast::ExpressionRef& entry : table.entries) {
            const auto field = name_of_field(ast, *entry);
            if (!field) continue;
            building.report.error("K0122", fmt::format("'{}' is no constant", field->text), field->span).help =
                "a table holds numbers, options, parameters and what is computed of them";
            break;
        }
        for (const ast::Name& axis : table.axes) {
            const auto has = [&](const auto& all) {
                return std::any_of(all.begin(), all.end(), [&](const auto& i) { return i.name.text == axis.text; });
            };
            if (!has(ast.declarations) && !has(ast.parameters) && !has(ast.options)) continue;
            building.report
                .error("K0122", fmt::format("the axis '{}' of a table has the name of something else", axis.text),
                       axis.span)
                .help = "give one of them another name";
        }
    }
}

void add_table(const ast::Declaration& declaration, KascParser::TableContext* context, ExpressionBuilder& expressions,
               Building& building) {
    Table(declaration, expressions, building).add(context);
}

}  // namespace kasc::frontend
