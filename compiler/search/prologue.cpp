#include "search/prologue.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/reduction.hpp"
#include "graph/field_target.hpp"

namespace kasc {

namespace {

const FieldUpdate* as_field_update(const Graph& graph, NodeId node) {
    return std::get_if<FieldUpdate>(&graph.nodes[node].what);
}

/// Words that a thread holds as memory does.
bool is_plain_number(CellType type) {
    return type == CellType::float32 || type == CellType::float64 || type == CellType::int32;
}

/// One block has all that is folded, the parts of a sum over everything, and makes one word of it.
bool joins_all(const Program& program, const FieldStatement& s) {
    const Fold& fold = *s.fold;
    if (free_axes(program, s) != fold.axes || !is_plain_number(field_shape(program, s.target).type)) return false;
    if (updates_some_cells(s)) return false;
    if (fold.parts || fold.pieces || fold.chained || fold.axes.size() != 1 || fold.lanes != whole_lanes) return false;
    // What is folded are the parts as they lie in memory.
    const bool of_parts = program.axes[fold.axes.front()].parts.has_value() && s.operands.size() == 1;
    return of_parts && std::holds_alternative<OperandUse>(s.value->node) &&
           is_plain_number(field_shape(program, s.operands.front().variable).type);
}

/// Its word is no entry of a recording, which only a kernel stores that makes nothing else of it.
bool is_join(const Program& program, const FieldUpdate& update) {
    return joins_all(program, update.statement) && field_shape(program, update.statement.target).axes.empty() &&
           !update.former;
}

/// Numbers of conditions are integers, which every kernel of their loop looks at first: a kernel of one thread stores
/// them (plan/run_ahead). So no integer is a number of a prologue.
bool is_number(const Program& program, const Graph& graph, const PrologueRoles& before, NodeId node) {
    const FieldStatement& s = as_field_update(graph, node)->statement;
    const CellType type = field_shape(program, s.target).type;
    const bool real = type == CellType::float32 || type == CellType::float64;
    if (!real || !free_axes(program, s).empty() || updates_some_cells(s) || s.adding || s.running) return false;
    const bool of_words = std::all_of(s.operands.begin(), s.operands.end(), [&](const Operand& operand) {
        return field_shape(program, operand.variable).axes.empty();
    });
    const auto& reads = graph.nodes[node].reads;
    return of_words && std::any_of(reads.begin(), reads.end(), [&](ValueId read) {
               const auto producer = graph.values[read].producer;
               return producer && before[producer->index].has_value();
           });
}

bool reads_result_of(const Graph& graph, NodeId reader, NodeId producer) {
    const auto& read = graph.nodes[reader].reads;
    return std::any_of(read.begin(), read.end(), [&](ValueId v) { return graph.values[v].producer == producer; });
}

/// A kernel that computes cell by cell, or folds them by the walk of folds, may have the call behind a prologue.
bool follows_prologues(const Program& program, const Graph& graph, const LineCalls& lines, NodeId node) {
    const FieldUpdate* update = as_field_update(graph, node);
    if (update == nullptr) return false;
    const FieldStatement& s = update->statement;
    if (free_axes(program, s).empty() || updates_some_cells(s) || s.adding || s.running || (s.fold && s.fold->pieces))
        return false;
    const auto& line = lines[node.index];
    return !line || (line->role == LineRole::part && !line->chained);
}

}  // namespace

PrologueRoles find_prologue_roles(const Program& program, const Graph& graph) {
    PrologueRoles roles(graph.nodes.size());
    for (const NodeId node : graph.nodes.ids()) {
        const FieldUpdate* update = as_field_update(graph, node);
        if (update == nullptr) continue;
        if (update->statement.fold) {
            if (is_join(program, *update)) roles[node.index] = PrologueRole::join;
        } else if (is_number(program, graph, roles, node)) {
            roles[node.index] = PrologueRole::number;
        }
    }
    return roles;
}

CallRoles find_call_roles(const Program& program, const Graph& graph) {
    return {find_line_calls(program, graph), find_prologue_roles(program, graph), find_condition_calls(program, graph)};
}

std::optional<Verdict> share_prologue(const Program& program, const Graph& graph, const CallRoles& roles, NodeId first,
                                      NodeId second) {
    const auto one = roles.prologues[first.index], two = roles.prologues[second.index];
    if (!one && !two) return std::nullopt;
    const auto name = [&](NodeId node) { return value_name(graph, program, graph.nodes[node].writes.front()); };
    if (one && two) {
        if (one == PrologueRole::number && two == PrologueRole::number) return std::nullopt;
        const bool folded_alike = one == two && as_field_update(graph, first)->statement.fold->axes ==
                                                    as_field_update(graph, second)->statement.fold->axes;
        if (folded_alike) return std::nullopt;
        return Verdict::yes(
            fmt::format("{} and {} are words that each block has before its cells", name(first), name(second)));
    }
    const NodeId word = one ? first : second, cells = one ? second : first;
    if (!follows_prologues(program, graph, roles.lines, cells)) return std::nullopt;
    if (!one && reads_result_of(graph, second, first)) return std::nullopt;
    if (one && reads_result_of(graph, second, first) && assigns_slice(as_field_update(graph, first)->statement))
        return std::nullopt;
    return Verdict::yes((one ? one : two) == PrologueRole::join
                            ? fmt::format("each block folds the parts of {} before its cells", name(word))
                            : fmt::format("each block computes {} before its cells", name(word)));
}

PrologueSplit split_prologue(const Graph& graph, const PrologueRoles& roles, const std::vector<NodeId>& calls) {
    PrologueSplit split;
    bool joins = false, folds = false;
    for (const NodeId call : calls) {
        const auto role = roles[call.index];
        joins = joins || role == PrologueRole::join;
        const FieldUpdate* update = as_field_update(graph, call);
        folds = folds || (!role && update != nullptr && update->statement.fold);
        (role ? split.prologue : split.others).push_back(call);
    }
    // Sums of the same parts, and numbers alone, are cells of a kernel like any other; so is a number beside cells that
    // nobody folds.
    if (split.others.empty() || !(joins || folds)) return {{}, calls};
    return split;
}

Verdict prologue_complete(const Program& program, const Graph& graph, const PrologueRoles& roles,
                          const std::vector<NodeId>& calls) {
    const auto is_a_join = [&](NodeId n) { return roles[n.index] == PrologueRole::join; };
    const PrologueSplit split = split_prologue(graph, roles, calls);
    for (const NodeId n : split.prologue) {
        // Only one is stored, over what memory has of the others.
        const auto former = as_field_update(graph, n)->former;
        const auto producer = former ? graph.values[*former].producer : std::nullopt;
        if (producer && std::find(calls.begin(), calls.end(), *producer) != calls.end())
            return Verdict::no(fmt::format("{} is a slice of what the kernel has made",
                                           value_name(graph, program, graph.nodes[n].writes.front())));
    }
    if (std::none_of(calls.begin(), calls.end(), is_a_join)) return Verdict::yes("no parts are joined");
    if (split.prologue.empty()) {
        const auto axes = [&](NodeId n) { return free_axes(program, as_field_update(graph, n)->statement); };
        const bool alike = std::all_of(calls.begin(), calls.end(),
                                       [&](NodeId n) { return is_a_join(n) && axes(n) == axes(calls.front()); });
        return alike ? Verdict::yes("one block joins all parts")
                     : Verdict::no("no call of the kernel has cells for a prologue to come before");
    }
    for (const NodeId n : split.prologue) {
        const bool read =
            std::any_of(calls.begin(), calls.end(), [&](NodeId c) { return reads_result_of(graph, c, n); });
        if (is_a_join(n) && !read)
            return Verdict::no(fmt::format("no call of the kernel reads {}",
                                           value_name(graph, program, graph.nodes[n].writes.front())));
    }
    return Verdict::yes("its blocks have the words of their prologue");
}

Verdict completes_parts(const Program& program, const Graph& graph, const PrologueRoles& roles,
                        const std::vector<NodeId>& calls) {
    const auto completes = [&](NodeId call) {
        const FieldUpdate* update = as_field_update(graph, call);
        return roles[call.index] ||
               (update != nullptr && update->statement.fold && joins_all(program, update->statement));
    };
    for (const NodeId call : calls)
        if (!completes(call))
            return Verdict::no(fmt::format("{} is no join of the parts of a sum over everything, nor a number of such",
                                           value_name(graph, program, graph.nodes[call].writes.front())));
    return Verdict::yes("the last block that makes parts may go on with it");
}

}  // namespace kasc
