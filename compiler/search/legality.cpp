// One kernel computes cell by cell; what a call may read of another call of its kernel is what its own thread knows.
//
//   producer           consumer                          verdict
//   T[x,y] = …         u[x,y]     = f(T)                 yes: registers
//   T[x,y] = …         u[x,y]     = T[-1,0] + T[1,0]     yes: T recomputed at 2 offsets, where that is cheap
//   T[x,y] = …         r[y,t = n] = T[x = px]            yes: stored by the thread at x = px
//   T[x,y] = …         T[x = 0]   = b[y]                 yes: one store, b at x = 0 and T elsewhere
//   T[x = 0] = …       T[x = 3]   = b[y]                 yes: each cell is stored into the one array
//   T[x,y] = …         u[y,x]     = T[x = px] + T        no: at px and at the cell
//   k[x,y] = …         n[b = k]  += 1, of integers       yes: the thread that makes k adds
//   f[x = p] += …, of reals, g[x = p] += …               yes: a thread goes through its cell's entries once
//   p[x = s] = …       u[x]       = f(p)                 no: elsewhere p is the former value
//   T[x,y] = …         e          = sum(T*T)             yes: cells are computed in the order in which they are folded
//   q      = sum(T, x) s[x]       = sum(T, y)            yes: rows and columns of a tile, T read once
//   parts  = sum(T)    e          = sum(parts)           no: the parts are complete when their kernel ends
//   e      = sum(parts) u[x,y]    = T/e                  yes: each block folds the parts (prologue.hpp)
//   q      = sum(T, x) u[x,y]     = T/q                  yes: a block has whole rows (lines.hpp)
//   h = f(x)           for … { h = g(h) }                yes: a thread has its cell's word of h (loop_cells.hpp)
//   P = fft(p)         Q          = f(P)                 yes: by the transform, as it stores P
//   P = fft(p)         Q[x,y]     = P[-1,0]              no: it stores one cell at a time
//   P = fft(p, y)      Q          = ifft(K*P, y)         yes: a block has whole lines along y (transform_lines.hpp)

#include "search/legality.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

#include "graph/expand.hpp"
#include "graph/field_target.hpp"
#include "search/additions.hpp"
#include "search/fusion_space.hpp"
#include "search/loop_cells.hpp"
#include "search/own_cells.hpp"
#include "search/prologue.hpp"
#include "search/transform_lines.hpp"

namespace kasc {

namespace {

const FieldUpdate* update_at(const Graph& graph, NodeId node) {
    return std::get_if<FieldUpdate>(&graph.nodes[node].what);
}

const std::vector<AxisId>& axes_of_target(const Program& program, const FieldUpdate& update) {
    return field_shape(program, update.statement.target).axes;
}

bool is_transform(const Graph& graph, NodeId node) { return std::holds_alternative<Transform>(graph.nodes[node].what); }

std::vector<AxisId> sorted_cell_axes(const Program& program, const FieldUpdate& update) {
    std::vector<AxisId> axes = cell_axes(program, update.statement);
    std::sort(axes.begin(), axes.end());
    return axes;
}

std::string axis_names(const Program& program, const std::vector<AxisId>& axes) {
    std::vector<std::string> names;
    for (AxisId axis : axes) names.push_back(program.axes[axis].name);
    return fmt::format("[{}]", fmt::join(names, ","));
}

/// No where one of the calls needs a kernel of its own: it stores into an array that its other threads read.
Verdict no_update_apart(const Graph& graph, std::initializer_list<NodeId> calls, const Program& program) {
    for (const NodeId node : calls) {
        const FieldStatement& statement = update_at(graph, node)->statement;
        if (calls.size() > 1 && adds_entries(program, statement)) continue;  // no_addition_apart
        const std::string& name = program.variables[statement.target].name;
        if (is_listed(statement)) return Verdict::no(fmt::format("{} is assigned at the cells of a list", name));
        if (statement.where) return Verdict::no(fmt::format("{} is updated in place, colour by colour", name));
        if (statement.adding) return Verdict::no(fmt::format("{} is summed up by entries of a list", name));
        if (statement.running || (statement.fold && statement.fold->pieces))
            return Verdict::no(fmt::format("{} is summed up along lines", name));
    }
    return Verdict::yes("each cell is assigned by its own thread");
}

/// One folds rows, along the first axis in memory, and the other across them: along one axis the columns of a tile,
/// along several what a block that has whole lines may do.
bool folds_both_ways(const Fold& one, const Fold& other) {
    const Fold &rows = one.side_by_side ? other : one, &across = one.side_by_side ? one : other;
    return rows.parts && across.parts && !rows.side_by_side && across.side_by_side && rows.axes.size() == 1 &&
           std::find(across.axes.begin(), across.axes.end(), rows.axes.front()) == across.axes.end();
}

/// Where one of the calls folds its cells: no where the other does not go through the same cells, each once, or folds
/// them in another order.
Verdict no_fold_apart(const Program& program, const FieldUpdate& a, const FieldUpdate& b) {
    const FieldStatement &first = a.statement, &second = b.statement;
    if (!first.fold && !second.fold) return Verdict::yes("no call folds its cells");
    if (assigns_slice(first) || assigns_slice(second))
        return Verdict::no("what is assigned at a position is not folded beside other cells");
    if (sorted_cell_axes(program, a) != sorted_cell_axes(program, b))
        return Verdict::no(fmt::format("mixed iteration axes: cells of {} are folded, of {} computed",
                                       axis_names(program, sorted_cell_axes(program, first.fold ? a : b)),
                                       axis_names(program, sorted_cell_axes(program, first.fold ? b : a))));
    if (first.fold && second.fold) {
        const Fold &one = *first.fold, &other = *second.fold;
        const bool alike = one.axes == other.axes && one.lanes == other.lanes && one.parts == other.parts &&
                           free_axes(program, first) == free_axes(program, second);
        if (!alike && folds_both_ways(one, other)) return Verdict::yes("rows and columns of the same cells are folded");
        if (!alike) return Verdict::no("the two fold their cells in different orders");
    }
    return Verdict::yes("cells are computed in the order in which they are folded");
}

/// One of the calls runs along lines: what its kernel has of a cell is its sum and what is computed of that. None: no
/// call does.
std::optional<Verdict> share_running(const Program& program, const Graph& graph, NodeId first, NodeId second) {
    const FieldUpdate *a = update_at(graph, first), *b = update_at(graph, second);
    if (a == nullptr || b == nullptr) return std::nullopt;
    const auto runs = [](const FieldUpdate& u) {
        return u.statement.running || (u.statement.fold && u.statement.fold->pieces);
    };
    if (!runs(*a) && !runs(*b)) return std::nullopt;
    const FieldUpdate &along = runs(*a) ? *a : *b, &point = runs(*a) ? *b : *a;
    const std::string& name = program.variables[along.statement.target].name;
    if (runs(*a) && runs(*b)) return Verdict::no("each kernel sums up along lines once");
    if (!along.statement.running || along.statement.running->of_pieces)
        return Verdict::no(fmt::format("{} are sums of pieces of lines", name));
    const Node& node = graph.nodes[runs(*a) ? second : first];
    const ValueId sums = graph.nodes[runs(*a) ? first : second].writes.front();
    const auto& summed = graph.nodes[runs(*a) ? first : second].reads;
    if (std::find(summed.begin(), summed.end(), node.writes.front()) != summed.end())
        return Verdict::no(fmt::format("what {} sums up is read from memory", name));
    if (!is_whole(program, point.statement) || point.former)
        return Verdict::no(fmt::format("{} is summed up along lines, beside whole fields alone", name));
    if (axes_of_target(program, along) != axes_of_target(program, point))
        return Verdict::no(fmt::format("{} has other cells", name));
    for (std::size_t k = 0; k < point.accesses.size(); ++k)
        if (node.reads[k] == sums && !std::holds_alternative<PointAccess>(point.accesses[k]))
            return Verdict::no(
                fmt::format("{} is summed up along lines: of other cells it is there when its kernel ends", name));
    return Verdict::yes(fmt::format("a thread has its cells of {}", name));
}

bool same_position(const Program& program, const ExpressionRef& a, const ExpressionRef& b) {
    return a == b || (a && b && to_text(*a, program, {}) == to_text(*b, program, {}));
}

const std::vector<AxisId>& axes_of(const Program& program, VariableId variable) {
    return std::get<FieldShape>(program.variables[variable].shape).axes;
}

/// How the operands of a call read one value.
struct Reads {
    std::vector<const SliceAccess*> slices;
    std::vector<std::vector<int>> offsets;
    bool point = false, whole = false;
};

Reads reads_of(const Graph& graph, NodeId node, ValueId value) {
    Reads reads;
    const FieldUpdate& update = *update_at(graph, node);
    for (std::size_t i = 0; i < update.accesses.size(); ++i) {
        if (graph.nodes[node].reads[i] != value) continue;
        const Access& access = update.accesses[i];
        if (const auto* slice = std::get_if<SliceAccess>(&access)) reads.slices.push_back(slice);
        if (const auto* near = std::get_if<NearAccess>(&access)) {
            reads.offsets.insert(reads.offsets.end(), near->offsets.begin(), near->offsets.end());
        }
        reads.point = reads.point || std::holds_alternative<PointAccess>(access);
        reads.whole =
            reads.whole || std::holds_alternative<WholeAccess>(access) || std::holds_alternative<ElementAccess>(access);
    }
    std::sort(reads.offsets.begin(), reads.offsets.end());
    reads.offsets.erase(std::unique(reads.offsets.begin(), reads.offsets.end()), reads.offsets.end());
    return reads;
}

class PairRules {
public:
    PairRules(const Program& program, const Graph& graph, NodeId producer, NodeId consumer, ValueId value)
        : program_(program),
          graph_(graph),
          producer_(producer),
          consumer_(consumer),
          value_(value),
          producer_update_(*update_at(graph, producer)),
          consumer_update_(*update_at(graph, consumer)),
          producer_axes_(sorted_cell_axes(program, producer_update_)),
          consumer_axes_(sorted_cell_axes(program, consumer_update_)) {}

    [[nodiscard]] Verdict run() const {
        const bool overwritten = consumer_update_.former == value_ && updates_in_place(consumer_update_.statement);
        if (producer_update_.statement.fold)
            return Verdict::no(fmt::format("{} is folded: it is complete when its kernel ends", name()));
        if (Verdict apart = no_update_apart(graph_, {producer_, consumer_}, program_); !apart) return apart;
        if (Verdict added = no_addition_apart(program_, graph_, producer_, consumer_); !added) return added;
        if (Verdict folds = no_fold_apart(program_, producer_update_, consumer_update_); !folds) return folds;
        const Reads reads = reads_of(graph_, consumer_, value_);
        if (assigns_slice(producer_update_.statement)) {
            const bool read = reads.whole || reads.point || !reads.slices.empty() || !reads.offsets.empty();
            if (overwritten && !read && producer_axes_ == consumer_axes_ &&
                are_slices_apart(producer_update_.statement, consumer_update_.statement))
                return Verdict::yes(fmt::format("slices of {} at other places", name()));
            return Verdict::no(
                fmt::format("{} is assigned at one position only, elsewhere it is its former value", name()));
        }
        if (reads.whole)
            return Verdict::no(fmt::format(
                "{} is read at neighbours within a slice, or at positions that each cell computes", name()));
        if (!reads.slices.empty() && consumer_update_.statement.fold)
            return Verdict::no(fmt::format("{} is folded at one position", name()));
        if (!reads.slices.empty()) return slice(reads);
        const bool read_at_cells = reads.point || !reads.offsets.empty();
        if (overwritten && !read_at_cells) return overwrite();
        if (producer_axes_ != consumer_axes_) {
            return Verdict::no(fmt::format("mixed iteration axes: {} is computed over {}, its reader over {}", name(),
                                           axis_names(program_, producer_axes_), axis_names(program_, consumer_axes_)));
        }
        return reads.offsets.empty() ? Verdict::yes(fmt::format("{} is read at the cell itself: registers", name()))
                                     : near(reads);
    }

private:
    [[nodiscard]] std::string name() const { return value_name(graph_, program_, value_); }

    [[nodiscard]] Verdict overwrite() const {
        for (AxisId axis : consumer_axes_) {
            if (!std::binary_search(producer_axes_.begin(), producer_axes_.end(), axis)) {
                return Verdict::no(fmt::format("mixed iteration axes: {} is computed over {}, the slice over {}",
                                               name(), axis_names(program_, producer_axes_),
                                               axis_names(program_, consumer_axes_)));
            }
        }
        return Verdict::yes(fmt::format("the slice is stored in place of {} by the same thread", name()));
    }

    [[nodiscard]] Verdict near(const Reads& reads) const {
        const long long operations = std::max(1, operation_count(*producer_update_.statement.value));
        const auto offsets = static_cast<long long>(reads.offsets.size()) + (reads.point ? 1 : 0);
        const std::string cost =
            fmt::format("{} is read at {} offsets, {} operations each", name(), offsets, operations);
        if (operations * offsets > most_recomputed_operations) {
            return Verdict::no(fmt::format("recomputation: {}, more than {} a cell", cost, most_recomputed_operations));
        }
        return Verdict::yes(fmt::format("recomputed in the kernel: {}", cost));
    }

    [[nodiscard]] Verdict slice(const Reads& reads) const {
        const SliceAccess& first = *reads.slices.front();
        const bool cells = reads.point || !reads.offsets.empty();
        for (const SliceAccess* other : reads.slices) {
            if (cells || !same(first, *other))
                return Verdict::no(fmt::format("{} is read at more than one position", name()));
        }
        std::vector<AxisId> all = consumer_axes_;
        for (const auto& [axis, position] : first.fixed) {
            all.push_back(axis);
            const auto& axes = axes_of(program_, consumer_update_.statement.target);
            const ExpressionRef target = position_along(axes, consumer_update_.statement.target_indices, axis);
            if (target && !same_position(program_, target, position)) {
                return Verdict::no(fmt::format("{} is read at one position along {} and used at another", name(),
                                               program_.axes[axis].name));
            }
        }
        std::sort(all.begin(), all.end());
        if (all != producer_axes_) {
            return Verdict::no(fmt::format("mixed iteration axes: {} is computed over {}, its slice is read over {}",
                                           name(), axis_names(program_, producer_axes_),
                                           axis_names(program_, consumer_axes_)));
        }
        return Verdict::yes(fmt::format("the thread at {} stores it", print(first, program_).substr(6)));
    }

    [[nodiscard]] bool same(const SliceAccess& a, const SliceAccess& b) const {
        return std::equal(a.fixed.begin(), a.fixed.end(), b.fixed.begin(), b.fixed.end(),
                          [&](const auto& p, const auto& q) {
                              return p.first == q.first && same_position(program_, p.second, q.second);
                          });
    }

    const Program& program_;
    const Graph& graph_;
    NodeId producer_, consumer_;
    ValueId value_;
    const FieldUpdate& producer_update_;
    const FieldUpdate& consumer_update_;
    std::vector<AxisId> producer_axes_, consumer_axes_;
};

/// Every axis that the call lacks is one along which it stands at a position.
bool stands_in(const Program& program, const FieldUpdate& update, const std::vector<AxisId>& free,
               const std::vector<AxisId>& kernel_axes) {
    if (!std::includes(kernel_axes.begin(), kernel_axes.end(), free.begin(), free.end())) return false;
    return std::all_of(kernel_axes.begin(), kernel_axes.end(), [&](AxisId axis) {
        if (std::binary_search(free.begin(), free.end(), axis)) return true;
        const FieldStatement& s = update.statement;
        if (position_along(axes_of(program, s.target), s.target_indices, axis)) return true;
        return std::any_of(s.operands.begin(), s.operands.end(), [&](const Operand& operand) {
            return position_along(axes_of(program, operand.variable), operand.indices, axis) != nullptr;
        });
    });
}

/// A slice is assigned in place: nobody may read the former value in the same kernel.
bool overwrites_what_is_read(const Graph& graph, NodeId writer, NodeId reader) {
    const FieldUpdate* update = update_at(graph, writer);
    if (update == nullptr || !update->former || !updates_in_place(update->statement)) return false;
    const auto& reads = graph.nodes[reader].reads;
    return std::find(reads.begin(), reads.end(), *update->former) != reads.end();
}

Verdict keeps_what_is_read(const Graph& graph, NodeId first, NodeId second) {
    if (overwrites_what_is_read(graph, first, second) || overwrites_what_is_read(graph, second, first))
        return Verdict::no("one call assigns a slice in place of what the other reads");
    return Verdict::yes("neither call assigns in place of what the other reads");
}

}  // namespace

Verdict computed_as_stored(const Program& program, const Graph& graph, NodeId transform, NodeId call) {
    const FieldUpdate* update = update_at(graph, call);
    if (update == nullptr) return Verdict::no("a transform computes calls on fields alone as it stores");
    const FieldStatement& statement = update->statement;
    const TransformStatement& transformed = std::get<Transform>(graph.nodes[transform].what).statement;
    const std::string& name = program.variables[statement.target].name;
    const std::vector<AxisId>& axes = axes_of(program, transformed.target);
    const auto& reads = graph.nodes[call].reads;
    if (transformed.direction == Direction::renew)
        return Verdict::no("what other processes send comes between two kernels");
    if (graph.nodes[call].writes.front() == graph.nodes[transform].reads.front())
        return Verdict::no("a library's transform needs all cells of what it transforms");
    if (statement.fold) return Verdict::no(fmt::format("{} is folded: it is complete when its kernel ends", name));
    if (Verdict apart = no_update_apart(graph, {call}, program); !apart) return apart;
    if (std::find(reads.begin(), reads.end(), graph.nodes[transform].reads.front()) != reads.end())
        return Verdict::no("a transform may destroy what it reads");
    if (transformed.axes.size() != axes.size())
        return Verdict::no("a transform along some axes alone is several calls, which count their cells anew");
    if (axes_of(program, statement.target) != axes)
        return Verdict::no(fmt::format("mixed iteration axes: the transform stores cells of {}, {} is computed over {}",
                                       axis_names(program, axes), name,
                                       axis_names(program, axes_of(program, statement.target))));
    if (assigns_slice(statement) || update->former)
        return Verdict::no(fmt::format("{} is assigned at some cells alone", name));
    for (const Access& access : update->accesses) {
        const bool point = std::holds_alternative<PointAccess>(access) || std::holds_alternative<SliceAccess>(access);
        if (!point) return Verdict::no(fmt::format("{} reads other cells, a transform stores them one by one", name));
    }
    return Verdict::yes(fmt::format("{} is computed as the transform stores", name));
}

Verdict within_bound(std::size_t calls, const SearchBounds& bounds) {
    const auto most = static_cast<std::size_t>(bounds.max_calls);
    return calls > most
               ? Verdict::no(fmt::format("more calls than a kernel may have (--max-fusion): with all that lies between "
                                         "them {}, more than {}",
                                         calls, bounds.max_calls))
               : Verdict::yes(fmt::format("{} calls, at most {}", calls, bounds.max_calls));
}

Verdict may_be_pipelined(const Program& program, const Graph& graph, const std::vector<NodeId>& calls) {
    std::optional<std::vector<AxisId>> axes;
    for (const NodeId call : calls) {
        const FieldUpdate* update = update_at(graph, call);
        if (update == nullptr || joins_cells(update->statement) || updates_in_place(update->statement))
            return Verdict::no("a pipeline's stages assign whole fields");
        const std::vector<AxisId> own = axes_of(program, update->statement.target);
        if (axes && own != *axes) return Verdict::no("a pipeline's stages run over the same axes");
        axes = own;
    }
    const bool planes = axes && (axes->size() == 2 || axes->size() == 3);
    return planes ? Verdict::yes("each value is made once, plane by plane")
                  : Verdict::no("a pipeline goes through planes of two or three axes");
}

std::vector<ValueId> values_read(const Graph& graph, NodeId node) {
    std::vector<ValueId> values = graph.nodes[node].reads;
    const FieldUpdate* update = update_at(graph, node);
    if (update != nullptr && update->former && updates_in_place(update->statement)) values.pop_back();
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
}

Verdict may_fuse(const Program& program, const Graph& graph, NodeId producer, NodeId consumer, ValueId value) {
    if (auto lines = share_transform_lines(program, graph, producer, consumer)) return *std::move(lines);
    if (is_transform(graph, consumer)) return Verdict::no("a transform needs all cells of what it transforms");
    if (is_transform(graph, producer)) {
        Verdict verdict = computed_as_stored(program, graph, producer, consumer);
        if (verdict && !reads_of(graph, consumer, value).slices.empty())
            return Verdict::no(
                fmt::format("{} is read at one position by all cells", value_name(graph, program, value)));
        return verdict;
    }
    if (auto running = share_running(program, graph, producer, consumer)) return *std::move(running);
    if (Verdict loops = may_run_inside(graph, producer, consumer); !loops) return loops;
    const bool producer_field = update_at(graph, producer) != nullptr;
    const bool consumer_field = update_at(graph, consumer) != nullptr;
    if (!producer_field && !consumer_field)
        return Verdict::yes("streams: where the value lies is the schedule's choice");
    if (producer_field != consumer_field) return Verdict::no("a stream and a field do not share a kernel");
    return PairRules(program, graph, producer, consumer, value).run();
}

Verdict may_share(const Program& program, const Graph& graph, NodeId first, NodeId second) {
    if (auto lines = share_transform_lines(program, graph, first, second)) return *std::move(lines);
    if (is_transform(graph, first) && is_transform(graph, second))
        return Verdict::no("two transforms are two calls of a library");
    if (is_transform(graph, first)) return computed_as_stored(program, graph, first, second);
    if (is_transform(graph, second)) return computed_as_stored(program, graph, second, first);
    if (auto running = share_running(program, graph, first, second)) return *std::move(running);
    if (Verdict loops = may_run_inside(graph, first, second); !loops) return loops;
    if (auto list = share_ordered_list(program, graph, first, second)) return *std::move(list);
    const FieldUpdate *a = update_at(graph, first), *b = update_at(graph, second);
    if (a == nullptr && b == nullptr) return Verdict::yes("streams of the same elements");
    if (a == nullptr || b == nullptr) return Verdict::no("a stream and a field do not share a kernel");
    if (Verdict apart = no_update_apart(graph, {first, second}, program); !apart) return apart;
    if (Verdict added = no_addition_apart(program, graph, first, second); !added) return added;
    if (Verdict folds = no_fold_apart(program, *a, *b); !folds) return folds;
    if (assigns_slice(a->statement) && assigns_slice(b->statement) && a->statement.target == b->statement.target &&
        !are_slices_apart(a->statement, b->statement)) {
        return Verdict::no(
            fmt::format("two versions of the series '{}' in one kernel", program.variables[a->statement.target].name));
    }
    const std::vector<AxisId> axes_a = sorted_cell_axes(program, *a), axes_b = sorted_cell_axes(program, *b);
    if (axes_a == axes_b) return Verdict::yes(fmt::format("both run over {}", axis_names(program, axes_a)));
    if (stands_in(program, *a, axes_a, axes_b) || stands_in(program, *b, axes_b, axes_a)) {
        return Verdict::yes("one runs over a slice of the other's cells");
    }
    return Verdict::no(
        fmt::format("mixed iteration axes: {} and {}", axis_names(program, axes_a), axis_names(program, axes_b)));
}

Verdict may_stand_together(const Program& program, const Graph& graph, const CallRoles& roles, NodeId first,
                           NodeId second, const SearchBounds& bounds) {
    if (bounds.own_cells)
        if (Verdict own = have_own_cells(program, graph, roles.prologues, first, second); !own) return own;
    if (Verdict places = keeps_what_is_read(graph, first, second); !places) return places;
    if (Verdict asked = asked_alike(roles.conditions, first, second); !asked) return asked;
    if (auto verdict = share_loop(program, graph, first, second)) return *std::move(verdict);
    if (auto verdict = share_lines(program, graph, roles.lines, first, second)) return *std::move(verdict);
    if (auto verdict = share_prologue(program, graph, roles, first, second)) return *std::move(verdict);
    std::string reason;
    for (ValueId value : graph.nodes[second].reads) {
        if (graph.values[value].producer != first) continue;
        Verdict verdict = may_fuse(program, graph, first, second, value);
        if (!verdict) return verdict;
        reason = verdict.reason();
    }
    return reason.empty() ? may_share(program, graph, first, second) : Verdict::yes(std::move(reason));
}

}  // namespace kasc
