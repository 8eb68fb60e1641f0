#include "frontend/lists.hpp"

#include <fmt/format.h>

#include "frontend/ast_expression.hpp"
#include "frontend/known.hpp"

namespace kasc::frontend {

using grammar::KascParser;

std::vector<ast::Name> entries_of(KascParser::EntriesContext* context, const SourceRef& source, Building& building) {
    ExpressionBuilder expressions(source, building);
    std::vector<ast::Name> entries;
    for (KascParser::EntryContext* entry : context->entry()) {
        if (entry->expression()) {
            const ast::ExpressionRef condition = expressions.expression(entry->expression());
            const auto holds =
                condition ? known(building, *condition, "the condition of an entry") : std::optional<Constant>();
            if (!holds || holds->value == 0) continue;
        }
        if (entry->name()) {
            entries.push_back(expressions.name(entry->name()));
        } else {
            auto* number = entry->INTEGER() != nullptr ? entry->INTEGER() : entry->REAL();
            const Span span = expressions.span(number->getSymbol());
            entries.push_back({(entry->sign != nullptr ? "-" : "") + std::string(text_of(span)), span});
        }
    }
    return entries;
}

std::vector<Row> rows_of(KascParser::ForEachContext* context, const SourceRef& source, Building& building) {
    ExpressionBuilder expressions(source, building);
    std::vector<Row> rows;
    bool first = true;
    for (KascParser::BindingContext* binding : context->binding()) {
        const ast::Name variable = expressions.name(binding->name(0));
        std::vector<ast::Name> entries;
        if (binding->entries()) {
            entries = entries_of(binding->entries(), source, building);
        } else {
            const ast::Name of = expressions.name(binding->of);
            const auto list = building.lists.find(of.text);
            if (list == building.lists.end()) {
                std::vector<std::string> names;
                for (const auto& known : building.lists) names.push_back(known.first);
                Diagnostic& d = building.report.error("K0204", fmt::format("'{}' is no list", of.text), of.span);
                d.help = did_you_mean(of.text, names);
                if (d.help.empty()) d.help = fmt::format("declare it above: 'list {} = (x, y);'", of.text);
                return {};
            }
            entries = list->second;
        }
        if (first) rows.resize(entries.size());
        if (rows.size() != entries.size()) {
            building.report
                .error("K0121",
                       fmt::format("the list of '{}' has {} entries, and the one before it {}", variable.text,
                                   entries.size(), rows.size()),
                       expressions.span(binding))
                .help = "lists beside each other go together entry by entry";
            return {};
        }
        for (std::size_t k = 0; k < entries.size(); ++k) {
            // x - a is x - (-1): what stands is one number.
            const bool negative = entries[k].text.front() == '-';
            rows[k].replacements[variable.text] = {Replacement::Kind::entry,
                                                   negative ? "(" + entries[k].text + ")" : entries[k].text};
            rows[k].why += fmt::format("{}'{}' is '{}'", first ? "where " : " and ", text_of(as_given(variable.span)),
                                       entries[k].text);
            if (first) rows[k].by = binding->entries() ? entries[k].span : expressions.span(binding);
        }
        first = false;
    }
    return rows;
}

Span inside(KascParser::BlockContext* context, const SourceRef& source) {
    return {source, context->getStart()->getStopIndex() + 1, context->getStop()->getStartIndex()};
}

}  // namespace kasc::frontend
