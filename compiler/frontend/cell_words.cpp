// A statement about cells is one a word. Where a word's reads another word of the target, all of them are computed
// before any is assigned: into fields of their own, which fuse with what reads them.

#include "frontend/cell_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "frontend/ast_parts.hpp"
#include "frontend/cell_value.hpp"
#include "frontend/number_value.hpp"
#include "frontend/operators.hpp"
#include "frontend/position_axes.hpp"

namespace kasc::frontend {

namespace {

/// Calls `visit` with each name that the expression reads as a field may be.
template <class Visit>
void for_each_name(const ast::Expression& e, const Visit& visit) {
    if (const auto* use = std::get_if<ast::NameUse>(&e.node)) visit(use->name);
    if (const auto* access = std::get_if<ast::Access>(&e.node)) {
        visit(access->variable.text);
        for (const ast::Index& index : access->indices) for_each_name(*index.value, visit);
    }
    for_each_operand(e, [&](const ast::ExpressionRef& operand) { for_each_name(*operand, visit); });
}

/// "F.xy" of F[0, 1], as others write it; none: it is no such word.
std::string word_in_brackets(const CellShape& shape, const ast::Expression& e) {
    const auto* access = std::get_if<ast::Access>(&e.node);
    if (!access || access->indices.size() != shape.extents.size()) return {};
    std::size_t word = 0;
    for (std::size_t k = 0; k < shape.extents.size(); ++k) {
        const auto extent = static_cast<std::size_t>(shape.extents[k]);
        const auto* number = std::get_if<ast::Number>(&access->indices[k].value->node);
        const auto at = number ? integer_value(number->text) : std::nullopt;
        if (access->indices[k].axis || !at || static_cast<std::size_t>(*at) >= extent) return {};
        word = word * extent + static_cast<std::size_t>(*at);
    }
    return access->variable.text + "." + word_name(shape, word);
}

/// What makes one number of such a cell.
std::string number_of(const CellShape& shape, const ast::Expression& e) {
    const auto* both = std::get_if<ast::Binary>(&e.node);
    if (both && (is_comparison(both->op) || is_logical(both->op)))
        return "'any(...)' or 'all(...)' makes one condition of those of its words";
    const std::string word = word_in_brackets(shape, e);
    if (!word.empty()) return fmt::format("in brackets stand neighbours; the word is '{}'", word);
    return fmt::format("a word of it is '.{}'; 'sum(...)' and 'norm(...)' fold them", word_name(shape, 0));
}

class CellWords {
public:
    CellWords(const Ast& ast, const Library& library, Report& report)
        : ast_(ast), report_(report), fields_(ast, library, report), expressions_(ast, fields_, report) {}

    Ast run() {
        Ast made = ast_;
        made.types.clear();
        made.declarations = declarations();
        made.inputs = names(ast_.inputs);
        made.requirements = requirements();
        made.statements = statements(ast_.statements);
        made.outputs = names(ast_.outputs);
        made.declarations.insert(made.declarations.end(), next_.begin(), next_.end());
        for (const std::string& name : fields_.order()) {
            const CellField& field = *fields_.find(name);
            made.shaped.push_back({name, field.shape.extents, field.words, {}, field.shape.word_names, field.layout});
            for (const auto& [key, words] : next_names_) {
                for (std::size_t word = 0; key.first == name && word < words.size(); ++word)
                    made.shaped.back().next.emplace_back(words[word], word);
            }
        }
        for (ast::AxisLength& axis : made.axis_lengths) axis.length = number(axis.length);
        made.parameters = parameters(made.shaped_parameters);
        for (const std::size_t function : expressions_.expanded()) made.functions[function].expanded = true;
        return made;
    }

private:
    const Ast& ast_;
    Report& report_;
    const CellFields fields_;
    CellExpressions expressions_;
    std::vector<ast::Declaration> next_;
    /// By the field and the axes that a statement runs along.
    std::map<std::pair<std::string, std::vector<std::string>>, std::vector<std::string>> next_names_;
    std::vector<std::string> loops_;  ///< variables of the loops around

    /// What is at fault stays as it was: nobody reads on.
    ast::ExpressionRef number(const ast::ExpressionRef& expression) {
        expressions_.forget();
        ast::ExpressionRef made = expressions_.number(expression);
        return made ? made : expression;
    }

    std::vector<ast::Declaration> declarations() {
        std::vector<ast::Declaration> all;
        for (const ast::Declaration& declaration : ast_.declarations) {
            const CellField* field = declaration.is_field ? fields_.find(declaration.name.text) : nullptr;
            // A second field of this name is at fault.
            if (field && field->declaration != &declaration) field = nullptr;
            std::vector<ast::Declaration> words;
            for (std::size_t k = 0; field && k < field->words.size(); ++k)
                words.push_back(of_words(*field, field->words[k]));
            if (!field) words.push_back(declaration);
            for (std::size_t k = 0; declaration.boundary && k < declaration.boundary->faces.size(); ++k) {
                for (ast::Face ast::Faces::*side : {&ast::Faces::low, &ast::Faces::high}) {
                    const auto values = beyond(declaration.boundary->faces[k].*side, declaration.name,
                                               field ? field->shape : CellShape{});
                    for (std::size_t word = 0; word < words.size() && !values.empty(); ++word)
                        (words[word].boundary->faces[k].*side).argument = values[values.size() > 1 ? word : 0];
                }
            }
            all.insert(all.end(), words.begin(), words.end());
        }
        return all;
    }
    /// What a face has beyond it: a number for each word of a cell, or one for all; none where it has no value.
    std::vector<ast::ExpressionRef> beyond(const ast::Face& face, const ast::Name& field, const CellShape& shape) {
        if (face.kind != BoundaryKind::value) return {};
        return cell_of(face.argument, shape, "lies beyond", field);
    }
    /// A number for each word of a cell of that shape, or one for all; none where the text gives none, or is at fault.
    std::vector<ast::ExpressionRef> cell_of(const ast::ExpressionRef& text, const CellShape& shape,
                                            const std::string& where, const ast::Name& declared) {
        if (!text) return {};
        expressions_.forget();
        CellValue value = expressions_.value(text);
        if (value.is_faulty()) return {};
        if (value.shape.is_number() || value.shape == shape) return std::move(value.words);
        report_
            .error("K0256",
                   fmt::format("a cell of {} {} {}", text_of(value.shape), where,
                               shape.is_number() ? "numbers" : "cells of " + text_of(shape)),
                   text->span)
            .notes.push_back({declared.span, "declared here"});
        return {};
    }
    static ast::Declaration of_words(const CellField& field, const std::string& name) {
        ast::Declaration word = *field.declaration;
        word.type.text = field.of;
        word.name.text = name;
        return word;
    }

    std::vector<ast::Parameter> parameters(std::vector<Ast::Shaped>& shaped) {
        std::vector<ast::Parameter> all;
        for (ast::Parameter parameter : ast_.parameters) {
            const CellParameter* cell = fields_.find_parameter(parameter.name.text);
            if (!cell) {
                if (parameter.fallback) parameter.fallback = number(parameter.fallback);
                all.push_back(std::move(parameter));
                continue;
            }
            const std::vector<ast::ExpressionRef> values =
                cell_of(parameter.fallback, cell->shape, "is given to", parameter.name);
            shaped.push_back({parameter.name.text, cell->shape.extents, cell->words, {}, cell->shape.word_names});
            parameter.type.text = cell->of;
            for (std::size_t word = 0; word < cell->words.size(); ++word) {
                parameter.name.text = cell->words[word];
                parameter.fallback = values.empty() ? nullptr : values[values.size() > 1 ? word : 0];
                all.push_back(parameter);
            }
        }
        return all;
    }

    std::vector<ast::Name> names(const std::vector<ast::Name>& all) {
        std::vector<ast::Name> made;
        for (const ast::Name& name : all) {
            if (expressions_.is_hidden(name.text, name.span)) continue;
            const CellField* field = fields_.find(name.text);
            if (!field) made.push_back(name);
            for (std::size_t word = 0; field && word < field->words.size(); ++word)
                made.push_back({field->words[word], name.span});
        }
        return made;
    }

    /// A condition on cells holds for each word.
    std::vector<ast::ExpressionRef> requirements() {
        std::vector<ast::ExpressionRef> all;
        for (const ast::ExpressionRef& requirement : ast_.requirements) {
            expressions_.forget();
            CellValue value = expressions_.value(requirement);
            all.insert(all.end(), value.words.begin(), value.words.end());
        }
        return all;
    }

    void refuse_cell_named(const ast::Name& variable) {
        const CellField* field = fields_.find(variable.text);
        const CellParameter* parameter = fields_.find_parameter(variable.text);
        if (!parameter && (!field || field->shape.is_number())) return;
        Diagnostic& d = report_.error("K0214", fmt::format("the loop variable '{}' is already declared", variable.text),
                                      variable.span);
        d.notes.push_back({(parameter ? parameter->parameter->name : field->declaration->name).span, "declared here"});
        d.help = "a loop declares its variable itself: choose another name";
    }

    std::vector<ast::Statement> statements(const std::vector<ast::Statement>& all) {
        std::vector<ast::Statement> made;
        for (const ast::Statement& statement : all) {
            if (const auto* assignment = std::get_if<ast::Assignment>(&statement)) {
                expressions_.forget();
                assign(*assignment, made);
                continue;
            }
            auto loop = std::make_shared<ast::Loop>(*std::get<std::shared_ptr<const ast::Loop>>(statement));
            refuse_cell_named(loop->variable);
            loop->from = number(loop->from);
            loop->to = number(loop->to);
            loops_.push_back(loop->variable.text);
            loop->body = statements(loop->body);
            loops_.pop_back();
            made.emplace_back(std::move(loop));
        }
        return made;
    }

    /// The words that the statement assigns; none, with an error, where the target has no such word.
    std::vector<std::string> targets(const ast::Assignment& assignment) {
        const ast::Name& target = assignment.target;
        if (expressions_.is_hidden(target.text, target.span) || expressions_.is_parameter(target)) return {};
        const CellField* field = fields_.find(assignment.target.text);
        if (!assignment.word) return field ? field->words : std::vector<std::string>{assignment.target.text};
        const auto word =
            expressions_.word(field ? field->shape : CellShape{}, *assignment.word, assignment.target.text);
        return word ? std::vector<std::string>{field->words[*word]} : std::vector<std::string>{};
    }

    /// A call of streams stays what it is, unless a type that nobody knows is at fault.
    void keep_call(const ast::Assignment& assignment, std::vector<ast::Statement>& made) {
        bool hidden = expressions_.is_hidden(assignment.target.text, assignment.target.span);
        for (const ast::ExpressionRef& argument : std::get<ast::Call>(assignment.value->node).arguments)
            hidden = expressions_.value(argument).is_faulty() || hidden;
        if (!hidden) made.emplace_back(assignment);
    }

    void assign(const ast::Assignment& assignment, std::vector<ast::Statement>& made) {
        if (ast_.calls_alone) return keep_call(assignment, made);
        const std::vector<std::string> words = targets(assignment);
        const CellValue value = expressions_.value(assignment.value);
        if (words.empty() || value.is_faulty()) return;
        const CellField* field = assignment.word ? nullptr : fields_.find(assignment.target.text);
        const CellShape shape = field ? field->shape : CellShape{};
        if (!value.shape.is_number() && !(value.shape == shape)) {
            Diagnostic& d = report_.error(
                "K0256",
                fmt::format("a cell of {} is assigned to {}{}", text_of(value.shape),
                            shape.is_number() ? "a number" : "one of ", shape.is_number() ? "" : text_of(shape)),
                assignment.value->span);
            if (const CellField* of = fields_.find(assignment.target.text))
                d.notes.push_back({of->declaration->name.span, "the target is declared here"});
            if (shape.is_number()) d.help = number_of(value.shape, *assignment.value);
            return;
        }
        std::vector<ast::Assignment> each;
        ast::Assignment one = assignment;
        one.word.reset();
        if (!assignment.indices.empty()) {
            one.indices = expressions_.indices(assignment.indices);
            if (one.indices.empty()) return;
        }
        if (assignment.colours) one.colours = number(assignment.colours);
        for (std::size_t word = 0; word < words.size(); ++word) {
            one.target.text = words[word];
            one.value = value.words[value.shape.is_number() ? 0 : word];
            each.push_back(one);
        }
        if (assignment.colours && assignment.indices.empty() && read_each_other(each))
            return made.push_back(in_turns(*field, std::move(each)));
        if (reads_assigned(each)) each = after_all(*field, std::move(each));
        for (ast::Assignment& assigned : each) made.emplace_back(std::move(assigned));
    }

    static bool read_each_other(const std::vector<ast::Assignment>& each) {
        std::set<std::string> words;
        for (const ast::Assignment& assignment : each) words.insert(assignment.target.text);
        bool others = false;
        for (const ast::Assignment& assignment : each) {
            for_each_name(*assignment.value, [&](const std::string& name) {
                others = others || (words.contains(name) && name != assignment.target.text);
            });
        }
        return others;
    }

    /// A loop over colours: all words of a cell are updated at its colour's turn.
    ast::Statement in_turns(const CellField& field, std::vector<ast::Assignment> each) {
        std::string name = "colour";
        while (is_taken(name)) name += "_";
        const Span span = each.front().colours->span;
        const auto made = [&](auto node) {
            return std::make_shared<const ast::Expression>(ast::Expression{std::move(node), span});
        };
        auto loop = std::make_shared<ast::Loop>();
        loop->variable = {name, span};
        loop->from = made(ast::Number{"0"});
        loop->to = each.front().colours;
        loop->span = each.front().span;
        for (ast::Assignment& word : each) word.colours = nullptr;
        each = after_all(field, std::move(each));
        for (std::size_t word = 0; word < field.words.size(); ++word)
            each[word].turn =
                std::make_shared<const ast::Turn>(ast::Turn{loop->to, loop->variable, field.words[word], field.words});
        loop->body.assign(each.begin(), each.end());
        return loop;
    }

    /// Some word reads one that is assigned before it.
    static bool reads_assigned(const std::vector<ast::Assignment>& each) {
        std::set<std::string> before;
        bool reads = false;
        for (const ast::Assignment& assignment : each) {
            const auto read = [&](const std::string& name) { reads = reads || before.contains(name); };
            for_each_name(*assignment.value, read);
            for (const ast::Index& index : assignment.indices) for_each_name(*index.value, read);
            before.insert(assignment.target.text);
        }
        return reads;
    }

    std::vector<ast::Assignment> after_all(const CellField& field, std::vector<ast::Assignment> each) {
        const std::vector<ast::Index> indices = each.front().indices;
        const bool by_offset =
            std::any_of(indices.begin(), indices.end(), [](const ast::Index& index) { return !index.axis; });
        if (by_offset) return each;  // no target has any: that is said where it is checked
        const std::vector<ast::Name> run_along = axes_run_along(ast_, field.declaration->axes, indices, loops_,
                                                                [&](const std::string& name) { return axes_of(name); });
        const std::vector<std::string>& next = next_words(field, run_along);
        // Entries of a list may name a cell more than once: what each adds is computed before.
        const auto& own = field.declaration->axes;
        const bool listed = std::any_of(run_along.begin(), run_along.end(), [&](const ast::Name& axis) {
            const auto has = [&](const auto& names, const auto& name) {
                return std::any_of(names.begin(), names.end(), [&](const auto& n) { return name(n) == axis.text; });
            };
            const bool positioned = has(indices, [](const ast::Index& i) { return i.axis ? i.axis->text : ""; });
            return positioned || !has(own, [](const ast::Name& n) { return n.text; });
        });
        std::vector<ast::Assignment> all = each;
        for (std::size_t word = 0; word < each.size(); ++word) {
            const Span& span = each[word].value->span;
            const auto made = [&](auto node) {
                return std::make_shared<const ast::Expression>(ast::Expression{std::move(node), span});
            };
            if (each[word].adds && !listed) {
                const ast::Name& target = each[word].target;
                const auto former =
                    indices.empty() ? made(ast::NameUse{target.text}) : made(ast::Access{target, indices});
                all[word].value = made(ast::Binary{BinaryOperator::add, former, each[word].value, target.span});
                each[word].adds = false;
            }
            all[word].adds = false;
            all[word].target.text = next[word];
            all[word].indices.clear();
            each[word].value = made(ast::NameUse{next[word]});
        }
        all.insert(all.end(), each.begin(), each.end());
        return all;
    }

    /// The axes of a field, or of the field whose word the name is; null: it is the name of neither.
    [[nodiscard]] const std::vector<ast::Name>* axes_of(const std::string& name) const {
        for (const ast::Declaration& declaration : ast_.declarations) {
            const CellField* field = declaration.is_field ? fields_.find(declaration.name.text) : nullptr;
            const bool of_word =
                field && std::find(field->words.begin(), field->words.end(), name) != field->words.end();
            if (declaration.name.text == name || of_word) return &declaration.axes;
        }
        return nullptr;
    }

    [[nodiscard]] bool is_taken(const std::string& name) const {
        const auto has = [&](const auto& all) {
            return std::any_of(all.begin(), all.end(), [&](const auto& item) { return item.name.text == name; });
        };
        return has(ast_.declarations) || has(next_) || has(ast_.parameters) || has(ast_.functions) ||
               has(ast_.options) || std::find(loops_.begin(), loops_.end(), name) != loops_.end();
    }

    /// Fields for what the words are next; the text cannot name them.
    const std::vector<std::string>& next_words(const CellField& field, const std::vector<ast::Name>& axes) {
        std::vector<std::string> along;
        for (const ast::Name& axis : axes) along.push_back(axis.text);
        std::vector<std::string>& names = next_names_[{field.declaration->name.text, along}];
        if (!names.empty()) return names;
        for (const std::string& word : field.words) {
            std::string name = word + "_next";
            while (is_taken(name)) name += "_";
            next_.push_back(of_words(field, name));
            next_.back().axes = axes;
            next_.back().boundary.reset();
            names.push_back(std::move(name));
        }
        return names;
    }
};

}  // namespace

Outcome<Ast> with_cell_words(Ast ast, const Library& library) {
    Report report;
    Ast made = CellWords(ast, library, report).run();
    if (report.has_errors()) return failure<Ast>(report.take());
    return success(std::move(made), report.take());
}

}  // namespace kasc::frontend
