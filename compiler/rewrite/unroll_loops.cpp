// Iterations of a loop that stays at its cell, one behind the other in one list of statements, so that one kernel has
// many of them and what they hand on stays in registers:
//
//     for (n = 0; n < 100; n++) {              for (n_25 = 0; n_25 < 4; n_25++) {
//         z = z*z + c;                             z = z*z + c;
//         k = abs(z) < 2 ? n : k;       ->         k = abs(z) < 2 ? 25*n_25 : k;
//     }                                            z = z*z + c;
//                                                  k = abs(z) < 2 ? 25*n_25 + 1 : k;
//                                                  …
//
// What is left where their number is not known, or no multiple, is a loop of single iterations behind it, or a list.
// The same operations on the same numbers: no word of a result differs.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "frontend/expression_parts.hpp"
#include "rewrite/repeated_body.hpp"
#include "rewrite/rules.hpp"
#include "rewrite/statements.hpp"
#include "rewrite/whole_numbers.hpp"

namespace kasc::rewriting {

namespace {

/// What one list has at most: statements, as many calls as a kernel may have (--max-fusion); operations, which are
/// instructions that a multiprocessor keeps at hand.
constexpr long long most_together_statements = 128, most_together_operations = 1500;

/// Each statement assigns whole fields over the same cells, and reads what the loop assigns at its own cell.
bool stays_at_its_cell(const Program& program, const LoopStatement& loop) {
    std::set<VariableId> assigned;
    std::optional<std::vector<AxisId>> axes;
    for (const Statement& statement : loop.body) {
        const auto* field = std::get_if<FieldStatement>(&statement);
        if (field == nullptr || !is_whole(program, *field)) return false;
        if (axes && *axes != free_axes(program, *field)) return false;
        axes = free_axes(program, *field);
        assigned.insert(field->target);
    }
    return std::all_of(loop.body.begin(), loop.body.end(), [&](const Statement& statement) {
        const auto& field = std::get<FieldStatement>(statement);
        return std::all_of(field.operands.begin(), field.operands.end(), [&](const Operand& operand) {
            return !assigned.contains(operand.variable) || is_own_cell(program, field, operand);
        });
    });
}

long long operations_of(const Statements& body) {
    long long operations = 0;
    for (const Statement& statement : body)
        operations += 1 + operation_count(*std::get<FieldStatement>(statement).value);
    return operations;
}

/// Statements, and uses of the index: of each iteration they are numbers that a kernel gets and has in registers.
long long statements_of(const LoopStatement& loop) {
    auto count = static_cast<long long>(loop.body.size());
    for (const Statement& statement : loop.body) {
        for_each_part(*std::get<FieldStatement>(statement).value, [&](const Expression& part) {
            const auto* index = std::get_if<LoopIndexUse>(&part.node);
            count += index != nullptr && index->loop == loop.loop ? 1 : 0;
        });
    }
    return count;
}

/// At most so many, that all lists are whole: of a hundred iterations 20 rather than 24. Where that would be half of
/// them or less, lists of about one length.
long long without_rest(long long count, long long together) {
    if (count == 0 || together == 0) return together;
    if (count <= together) return count;
    for (long long whole = together; 2 * whole > together; --whole)
        if (count % whole == 0) return whole;
    const long long lists = (count + together - 1) / together;
    return (count + lists - 1) / lists;
}

class Unrolling {
public:
    explicit Unrolling(Rewriting& r) : r_(r) {}

    Statements run(const Statements& list) {
        Statements made;
        for (const Statement& statement : list) {
            const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&statement);
            if (loop == nullptr || !may_be_unrolled(**loop)) {
                made.push_back(statement);
                continue;
            }
            if (const auto series = read_at_index(**loop)) {
                say(**loop,
                    Verdict::no(fmt::format("each iteration reads its own part of {}, which may pass through memory",
                                            r_.program.variables[*series].name)));
                made.push_back(statement);
                continue;
            }
            const Iterations of = iterations_of(**loop);
            if (of.together < 2 && of.count != 1) {
                say(**loop, Verdict::no("an iteration computes too much to stand in one kernel with another"));
                made.push_back(statement);
                continue;
            }
            say(**loop, Verdict::yes(fmt::format("{} iterations at a time: each cell has its own", of.together)));
            repeat_body(r_.program, **loop, of, made);
        }
        return made;
    }

private:
    Rewriting& r_;

    /// What is left of an unrolled loop begins at no number: it stays.
    [[nodiscard]] bool may_be_unrolled(const LoopStatement& loop) const {
        return !loop.going && !uses_loop(*loop.to) && !loop.body.empty() && whole_number_of(loop.from) &&
               !is_branch(loop) && stays_at_its_cell(r_.program, loop);
    }
    /// At most one iteration, by a condition that the host knows.
    [[nodiscard]] static bool is_branch(const LoopStatement& loop) {
        const auto* choice = std::get_if<Conditional>(&loop.to->node);
        if (choice == nullptr) return false;
        const auto then = whole_number_of(choice->then), otherwise = whole_number_of(choice->otherwise);
        return then && otherwise && std::max(*then, *otherwise) <= *whole_number_of(loop.from) + 1;
    }
    [[nodiscard]] Iterations iterations_of(const LoopStatement& loop) const {
        const long long from = *whole_number_of(loop.from);
        Iterations of;
        of.together = std::min(most_together_statements / statements_of(loop),
                               most_together_operations / operations_of(loop.body));
        if (const auto to = whole_number_of(loop.to)) of.count = std::max(0LL, *to - from);
        if (const auto likely = whole_number_of(with_fallback(loop.to)))
            of.together = without_rest(std::max(0LL, *likely - from), of.together);
        return of;
    }
    /// A parameter's fallback in its place.
    [[nodiscard]] ExpressionRef with_fallback(const ExpressionRef& e) const {
        const auto* use = std::get_if<ParameterUse>(&e->node);
        const ExpressionRef fallback = use == nullptr ? nullptr : r_.program.parameters[use->parameter].fallback;
        return fallback ? fallback : e;
    }
    void say(const LoopStatement& loop, Verdict verdict) {
        r_.changed = r_.changed || verdict;
        r_.verdicts.push_back({Rule::unroll, to_text(loop, r_.program), std::move(verdict)});
    }
};

}  // namespace

void unroll_loops(Rewriting& r) {
    Unrolling unrolling(r);
    r.program.statements =
        with_lists(r.program.statements, [&](const Statements& list) { return unrolling.run(list); });
}

}  // namespace kasc::rewriting
