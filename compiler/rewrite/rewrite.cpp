#include "rewrite/rewrite.hpp"

#include <algorithm>
#include <array>

#include "graph/liveness.hpp"
#include "rewrite/rules.hpp"
#include "rewrite/statements.hpp"

namespace kasc {

namespace {

struct NamedRule {
    Rule rule;
    const char* name;
    void (*apply)(Rewriting&);  ///< null: not by rewrite()
};
/// Uniform factors first, since the others ask for them. Inverse transforms before sums: what they leave may be one.
constexpr std::array<NamedRule, 18> all_rules{{{Rule::uniform, "uniform", rewriting::uniform_fields},
                                               {Rule::equal, "equal", rewriting::equal_values},
                                               {Rule::inverse, "inverse", rewriting::inverse_transforms},
                                               {Rule::linear, "linear", rewriting::linear_transforms},
                                               {Rule::unroll, "unroll", rewriting::unroll_loops},
                                               {Rule::copies, "copies", nullptr},
                                               {Rule::words, "words", nullptr},
                                               {Rule::pieces, "pieces", nullptr},
                                               {Rule::gather, "gather", nullptr},
                                               {Rule::tables, "tables", nullptr},
                                               {Rule::rotate, "rotate", nullptr},
                                               {Rule::colours, "colours", nullptr},
                                               {Rule::boxes, "boxes", nullptr},
                                               {Rule::passes, "passes", nullptr},
                                               {Rule::remake, "remake", nullptr},
                                               {Rule::inside, "inside", nullptr},
                                               {Rule::steps, "steps", nullptr},
                                               {Rule::modes, "modes", nullptr}}};

/// What nothing needs any more must not keep other rules from what it reads.
void remove_unneeded(Program& program) {
    const Liveness live = find_liveness(program);
    const std::function<rewriting::Statements(const rewriting::Statements&)> needed =
        [&](const rewriting::Statements& list) {
            rewriting::Statements kept;
            for (const Statement& statement : list) {
                if (!live.needed.contains(&statement)) continue;
                kept.push_back(statement);
                if (auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&kept.back())) {
                    LoopStatement made = **loop;
                    made.body = needed((*loop)->body);
                    *loop = std::make_shared<const LoopStatement>(std::move(made));
                }
            }
            return kept;
        };
    program.statements = needed(program.statements);
}

}  // namespace

const char* name_of(Rule rule) {
    return std::find_if(all_rules.begin(), all_rules.end(), [&](const NamedRule& r) { return r.rule == rule; })->name;
}

std::vector<std::string> rule_names() {
    std::vector<std::string> names;
    for (const NamedRule& r : all_rules) names.emplace_back(r.name);
    return names;
}

std::vector<std::string> asked_rule_names() { return {name_of(Rule::modes)}; }

std::optional<Rule> find_rule(std::string_view name) {
    for (const NamedRule& r : all_rules) {
        if (name == r.name) return r.rule;
    }
    return std::nullopt;
}

std::set<Rule> rules_of(const std::vector<std::string>& names) {
    std::set<Rule> rules;
    for (const NamedRule& r : all_rules) {
        const bool named = std::any_of(names.begin(), names.end(),
                                       [&](const std::string& name) { return name == r.name || name == "all"; });
        if (named) rules.insert(r.rule);
    }
    return rules;
}

namespace {

std::string listed(const std::set<Rule>& rules, const char* word) {
    std::string text;
    for (const Rule rule : rules) text += (text.empty() ? word : ", ") + std::string(name_of(rule));
    return text;
}

}  // namespace

std::string left_out_text(const std::set<Rule>& rules) { return listed(rules, "without "); }

std::string asked_text(const std::set<Rule>& rules) { return listed(rules, "with "); }

Rewriting rewrite(const Program& program, const std::set<Rule>& left_out) {
    Rewriting r{program, {}, false, false};
    if (has_streams(program)) return r;
    for (const NamedRule& rule : all_rules) {
        if (rule.apply == nullptr || left_out.contains(rule.rule)) continue;
        rule.apply(r);
        if (r.changed) remove_unneeded(r.program);
    }
    return r;
}

double rounding_tolerance(const Rewriting& rewriting) {
    // A transform of n points differs from another order of its sums by about log2 n half units in the last place,
    // 15 for 512³; errors of a step grow on their way to a result, by 10 as for functions of the mathematics library
    // (frontend/rounding). Single precision has 24 bits; where only some of a program is single, it all counts as such.
    constexpr double single_tolerance = 1e-5, dual_tolerance = 1e-13;
    if (!rewriting.rounds) return 0;
    bool single = false;
    rewriting::each_statement(rewriting.program.statements, [&](const Statement& statement) {
        if (const auto* field = std::get_if<FieldStatement>(&statement))
            single = single || field->precision == Precision::single;
    });
    return single ? single_tolerance : dual_tolerance;
}

}  // namespace kasc
