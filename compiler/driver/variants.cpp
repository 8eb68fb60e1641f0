#include "driver/variants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "driver/inner_gain.hpp"
#include "driver/marked_loops.hpp"
#include "driver/offers.hpp"
#include "driver/planned_transforms.hpp"
#include "driver/step_depths.hpp"
#include "driver/table_gain.hpp"
#include "driver/written_plan.hpp"
#include "foundation/pass_times.hpp"
#include "graph/field_target.hpp"
#include "model/parts.hpp"
#include "rewrite/axis_words.hpp"
#include "rewrite/boxes.hpp"
#include "rewrite/gathered_fields.hpp"
#include "rewrite/modes.hpp"
#include "rewrite/number_lists.hpp"
#include "rewrite/order_lists.hpp"
#include "rewrite/remake_behind_folds.hpp"
#include "rewrite/remake_fields.hpp"
#include "rewrite/remake_in_conditions.hpp"
#include "rewrite/rotated_loops.hpp"
#include "rewrite/running_pieces.hpp"
#include "rewrite/several_steps.hpp"
#include "rewrite/steppable.hpp"
#include "rewrite/transform_passes.hpp"
#include "rewrite/whole_colours.hpp"

namespace kasc {

namespace {

constexpr const char* said_by_plan = "the plan says so";
/// The share of the time that is worth a second search.
constexpr double least_gain = 0.01;
/// Compilers make code of many statements in place of one that the model knows less of: sums of 512 waves over a list,
/// predicted 4 % faster so, take 1.35 times as long on two cores of a Xeon.
constexpr double least_gain_of_words = 0.05;
/// The share that instructions in tables are of the time, at least, for a search with tables: most of them wait beside
/// what memory takes.
constexpr double least_share_of_tables = 0.1;
/// Steps that move no more than this many times what L2 holds find some of it there: of grids of 128 cells a side (33
/// MB a step on an H100) two steps in a kernel take up to 1.7 times as long as two kernels, predicted 1.5 times faster.
constexpr double caches_that_stream = 2;

/// No statement has more than one axis.
bool goes_along_one_axis(const Program& program, const Graph& graph) {
    return std::all_of(graph.nodes.begin(), graph.nodes.end(), [&](const Node& node) {
        const auto* update = std::get_if<FieldUpdate>(&node.what);
        return update != nullptr && free_axes(program, update->statement).size() <= 1 &&
               update->statement.listed.empty() && !joins_cells(update->statement);
    });
}

/// The calls that stand together, for each graph that a loop of the plan runs on the host.
std::vector<StepKernels> kernels_of_loops(const PlannedGraph& planned) {
    std::vector<StepKernels> all;
    for (const auto& [node, body] : planned.loops) {
        std::vector<std::vector<NodeId>> kernels;
        for (const Launch& launch : body->launches)
            if (const auto* candidate = std::get_if<std::size_t>(&launch.what))
                kernels.push_back(fusion_of(body->costed->candidates[*candidate].schedule).calls);
        all.push_back(step_kernels(*body->graph, kernels));
        for (StepKernels& inner : kernels_of_loops(*body)) all.push_back(std::move(inner));
    }
    return all;
}

/// The choice between variants of one program, made step by step.
class Choosing : Offers {
public:
    using Offers::Offers;

    Outcome<Compilation> run() {
        if (request_.written_plan) take_what_is_named();
        if (request_.steps.value_or(1) > 1) take_steps(*request_.steps);
        if (request_.written_plan) {
            if (wishes(request_, Walk::loop)) take_inner_loops();
            if (wishes(request_, Walk::fft) && is_left(Rule::passes)) take_passes();
            auto wish = read_plan(c_, request_);  // it names this graph
            if (!wish) return failure<Compilation>(wish.diagnostics);
            options_.wish = std::make_shared<const PlanWish>(std::move(*wish.value));
        }
        Plans plans = plan_as_it_is();
        if (!plans) return failure<Compilation>(plans.diagnostics);
        c_.plans = std::move(*plans.value);
        const bool fuses = options_.strategy != "none" && !options_.wish;
        const bool gpu = c_.device.kind == DeviceKind::gpu;
        if (fuses && may_run_inside()) with_inner_loops();
        if (fuses) with_other_statements();
        if (request_.lists == Lists::cells || (request_.lists == Lists::priced && fuses)) with_lists();
        if (fuses && gpu && is_left(Rule::pieces)) with_pieces();
        if (fuses && gpu && is_left(Rule::passes)) with_passes();
        if (fuses && is_left(Rule::remake)) with_remade_fields();
        if (fuses && is_left(Rule::remake)) with_fields_of_conditions();
        if (fuses && is_left(Rule::remake)) with_fields_behind_folds();
        const bool may_step = !request_.steps && is_left(Rule::steps);
        if (fuses && may_step && gpu) with_steps();
        return success(std::move(c_), plans.diagnostics);
    }

private:
    /// What loops were marked in, once that was taken.
    std::optional<Program> base_of_marked_;

    [[nodiscard]] bool may_run_inside() const { return request_.inner_loops && is_left(Rule::inside); }
    [[nodiscard]] bool is_done(Rule rule) const {
        return std::any_of(c_.rewrites.begin(), c_.rewrites.end(),
                           [&](const RewriteVerdict& v) { return v.rule == rule && v.verdict; });
    }
    [[nodiscard]] bool is_unrolled() const { return is_done(Rule::unroll); }
    /// As the rules have written it, but for its loops, which are not unrolled.
    [[nodiscard]] Program not_unrolled() const {
        std::set<Rule> left_out = request_.no_rewrite;
        left_out.insert(Rule::unroll);
        Program rolled = rewrite(order_lists(c_.program_as_written()).program, left_out).program;
        return is_done(Rule::modes) ? modes_of_loops(rolled).program : rolled;
    }
    /// The program before its loops were unrolled: of it those are marked that a kernel may run.
    [[nodiscard]] Program not_marked() const {
        return is_unrolled() && !is_done(Rule::words) ? not_unrolled() : c_.program;
    }
    [[nodiscard]] InnerLoops marked_loops(const Program& program) const {
        return kasc::marked_loops(program, c_.problem, c_.device.kind);
    }
    /// Before anything is planned.
    void take_inner_loops() {
        if (!may_run_inside()) return;
        InnerLoops inner = marked_loops(not_marked());
        if (!inner.changed && is_left(Rule::words)) {
            // The loop's kernel alone has words of a cell: no call of the plan says so.
            for (const AxisWords& words : {axis_words(c_.program), axis_words_of_loops(c_.program)}) {
                InnerLoops of_words = words.changed ? marked_loops(words.program) : InnerLoops{};
                if (!of_words.changed) continue;
                say(Rule::words, words.verdicts, &AxisVerdict::axes, {true, said_by_plan});
                inner = std::move(of_words);
                break;
            }
        }
        for (InnerVerdict& v : inner.verdicts) c_.rewrites.push_back({Rule::inside, v.loop, std::move(v.verdict)});
        auto graph = build_graph(inner.program);
        if (inner.changed && graph) take({"", std::move(inner.program), std::move(*graph.value), {}, {}, 0});
    }

    /// Loops of which no iteration looks at other cells run within kernels.
    void with_inner_loops() {
        const bool unrolled = is_unrolled();
        Program base = not_marked();
        InnerLoops inner = marked_loops(base);
        Offer offered{false, "left, a hundredth of the time at most would be saved"};
        const PlannedGraph& first = c_.plans.front();
        // The model counts all iterations; what is unrolled computes all, where a thread that runs a loop may leave it.
        const bool ends = std::any_of(inner.program.loops.begin(), inner.program.loops.end(),
                                      [](const kasc::Loop& loop) { return loop.inside && loop.alive; });
        // What is searched twice takes twice as long.
        if (inner.changed &&
            (ends || gain_of_inner_loops(c_, first, inner.program, options_.bounds) > least_gain * first.time_ns))
            offered = offer("loops in cells", std::move(inner.program), ends ? -least_gain : 0);
        say(Rule::inside, inner.verdicts, &InnerVerdict::loop, offered);
        if (!offered.taken) return;
        base_of_marked_ = std::move(base);
        if (unrolled) std::erase_if(c_.rewrites, [](const RewriteVerdict& v) { return v.rule == Rule::unroll; });
    }

    [[nodiscard]] static bool has_call(const Program& program, const Graph& graph, const std::string& name) {
        const std::vector<NamedCall> calls = named_calls(program, graph);
        return std::any_of(calls.begin(), calls.end(), [&](const NamedCall& call) { return call.name == name; });
    }
    /// A written plan is of the program that a rule makes where it names a call that only this one has; where it names
    /// none, of the one that would be planned without it.
    void take_what_is_named() {
        const std::vector<std::string> names = planned_names(request_);
        if (names.empty()) {
            Plans plans = plan_as_it_is();
            if (!plans) return;
            c_.plans = std::move(*plans.value);
            with_other_statements();
            c_.plans.clear();
            return;
        }
        take_named(Rule::words, axis_words, &AxisVerdict::axes, names);
        take_named(Rule::words, axis_words_of_loops, &AxisVerdict::axes, names);
        take_named(Rule::gather, gathered_fields, &GatheredVerdict::statement, names);
        if (is_left(Rule::tables)) take_made(Rule::tables, tables_that_pay(c_).tables, &TableVerdict::part, names);
        if (is_left(Rule::rotate))
            for (const Rotation& rotation : rotations(c_.program))
                if (take_named(rotated(c_.program, rotation), names))
                    c_.rewrites.push_back({Rule::rotate, rotation.begins, Verdict::yes(said_by_plan)});
        take_named(Rule::colours, whole_colours, &ColoursVerdict::statement, names);
        take_named(Rule::boxes, boxes, &BoxVerdict::statement, names);
    }
    template <class Made, class Found>
    void take_named(Rule rule, Made (*make)(const Program&), std::string Found::*what,
                    const std::vector<std::string>& names) {
        if (is_left(rule)) take_made(rule, make(c_.program), what, names);
    }
    template <class Made, class Found>
    void take_made(Rule rule, Made made, std::string Found::*what, const std::vector<std::string>& names) {
        if (made.changed && take_named(std::move(made.program), names))
            say(rule, made.verdicts, what, {true, said_by_plan});
    }
    bool take_named(Program program, const std::vector<std::string>& names) {
        auto graph = build_graph(program);
        const bool is_named = graph && std::any_of(names.begin(), names.end(), [&](const std::string& name) {
                                  return !has_call(c_.program, c_.graph, name) && has_call(program, *graph, name);
                              });
        if (is_named) take({"", std::move(program), std::move(*graph.value), {}, {}, 0});
        return is_named;
    }
    [[nodiscard]] bool is_left(Rule rule) const { return !request_.no_rewrite.contains(rule); }

    /// The same program with other statements, which are planned like any others.
    void with_other_statements() {
        if (is_left(Rule::words)) with_words();
        if (is_left(Rule::gather))
            offer_made(Rule::gather, "fields at positions", gathered_fields(c_.program), &GatheredVerdict::statement,
                       least_gain);
        if (is_left(Rule::tables)) with_tables();
        if (is_left(Rule::rotate)) with_rotations();
        if (is_left(Rule::colours) && c_.device.kind == DeviceKind::gpu)
            offer_made(Rule::colours, "colours as whole fields", whole_colours(c_.program), &ColoursVerdict::statement,
                       least_gain);
        // A CPU goes through rows whole, several cells at a time.
        if (is_left(Rule::boxes) && c_.device.kind == DeviceKind::gpu)
            offer_made(Rule::boxes, "cells of boxes alone", boxes(c_.program), &BoxVerdict::statement, least_gain);
    }

    /// Axes of few cells, such as of populations or components, as words of the cells along the others: many statements
    /// in place of few. A loop that sums along them has no cells to wait for then, and may run within a kernel. Cells
    /// of a loop that runs within one already may become words of fewer, which read what they share once.
    void with_words() {
        const Program base = base_of_marked_ ? *base_of_marked_ : c_.program;
        for (AxisWords (*const make)(const Program&) : {axis_words, axis_words_of_loops}) {
            AxisWords words = make(base);
            InnerLoops inner;
            Offer offered;
            if (words.changed) {
                if (may_run_inside()) inner = marked_loops(words.program);
                Program& made = inner.changed ? inner.program : words.program;
                offered = offer("short axes as words", std::move(made), least_gain_of_words);
            }
            say(Rule::words, words.verdicts, &AxisVerdict::axes, offered);
            if (!offered.taken || !(inner.changed || base_of_marked_)) continue;
            std::erase_if(c_.rewrites, [](const RewriteVerdict& v) { return v.rule == Rule::inside; });
            say(Rule::inside, inner.verdicts, &InnerVerdict::loop, {true, "done, with short axes as words"});
        }
    }

    /// Parts that are the same along some axes, in fields over the others.
    void with_tables() {
        PricedTables priced = tables_that_pay(c_);
        Offer offered{false, "left, it would save a tenth of the time at most"};
        if (priced.tables.changed && priced.saved_ns > least_share_of_tables * c_.plans.front().time_ns)
            offered = offer("parts in tables", std::move(priced.tables.program), least_gain);
        say(Rule::tables, priced.tables.verdicts, &TableVerdict::part, offered);
    }

    /// Sums that steps begin with, at the end of the steps before.
    void with_rotations() {
        for (const Rotation& rotation : rotations(c_.program)) {
            const auto [taken, said] = offer("sums behind steps", rotated(c_.program, rotation), least_gain);
            c_.rewrites.push_back({Rule::rotate, rotation.begins, taken ? Verdict::yes(said) : Verdict::no(said)});
        }
    }
    void with_lists() {
        NumberedLists numbered = number_lists(c_.program);
        std::string chosen;
        if (numbered.changed) {
            std::vector<Variant> variants{as_it_is(), made("lists cell by cell", std::move(numbered.program))};
            const bool wanted = request_.lists == Lists::cells && !variants.back().plans.empty();
            const bool taken = wanted || taken_of(variants) == 1;
            chosen = "; " + verdict_of(variants, 1, taken);
            if (taken) take(std::move(variants.back()));
        }
        for (const ListVerdict& list : numbered.verdicts) {
            c_.list_verdicts.push_back(fmt::format("{}: {}{}", list.statement,
                                                   list.verdict ? "" : "a kernel of its own, ", list.verdict.reason()) +
                                       (list.verdict ? chosen : ""));
        }
    }

    /// What a cache holds from step to step is as fast there; not so lines, which take less than their launches.
    [[nodiscard]] Verdict streams_through_memory() const {
        double bytes = 0;
        bool lines = true;
        for (const auto& [node, body] : c_.plans.front().loops) {
            bytes = std::max(bytes, body->bytes);
            lines = lines && goes_along_one_axis(c_.program, *body->graph);
        }
        if (lines) return Verdict::yes("its steps go along lines");
        const auto held = caches_that_stream * static_cast<double>(c_.device.l2_bytes);
        return bytes > held ? Verdict::yes("it streams through memory")
                            : Verdict::no("what a step moves stays in the device's cache until the next");
    }

    [[nodiscard]] Steppable base_of_steps() const { return steppable(c_.program, request_.lists != Lists::kernels); }
    /// What was said of them before was of one step.
    void say_lists(const std::vector<ListVerdict>& lists) {
        if (!lists.empty()) c_.list_verdicts.clear();
        for (const ListVerdict& list : lists)
            c_.list_verdicts.push_back(fmt::format("{}: {}{}", list.statement,
                                                   list.verdict ? "" : "a kernel of its own, ", list.verdict.reason()) +
                                       (list.verdict ? "; done, for several steps of its loop in a kernel" : ""));
    }

    /// As many steps as the request says, before anything is planned.
    void take_steps(int together) {
        Steppable base = base_of_steps();
        SeveralSteps steps = several_steps(base.program, together);
        for (StepsVerdict& v : steps.verdicts) c_.rewrites.push_back({Rule::steps, v.loop, std::move(v.verdict)});
        if (!steps.changed) return;
        auto graph = build_graph(steps.program);
        if (!graph) return;
        say_lists(base.lists);
        take({"", std::move(steps.program), std::move(*graph.value), {}, {}, 0});
    }

    /// From here on programs differ from this plan's in the steps of their loops alone.
    void steps_like(const PlannedGraph& one) {
        options_.steps = kernels_of_loops(one);
        if (options_.count == 1 && !options_.wish) options_.outside_loops = std::make_shared<const PlannedGraph>(one);
    }
    /// More and more of them, for as long as the model finds that faster.
    void with_steps() {
        const Steppable base = base_of_steps();
        if (const Verdict worth = streams_through_memory(); !worth) {
            for (const StepsVerdict& v : several_steps(base.program, 2).verdicts)
                c_.rewrites.push_back({Rule::steps, v.loop, v.verdict ? worth : v.verdict});
            return;
        }
        std::vector<Variant> variants{as_it_is()};
        if (!base.is_written_anew) {
            steps_like(c_.plans.front());
        } else if (const Variant one = made("one step, cell by cell", base.program); !one.plans.empty()) {
            steps_like(one.plans.front());
        }
        std::vector<StepsVerdict> verdicts;
        std::vector<int> tried{1};
        int not_faster = 0;
        for (const int together : {2, 3, 4, 6, 8, 12}) {
            SeveralSteps steps = several_steps(base.program, together);
            if (verdicts.empty() || steps.changed) verdicts = std::move(steps.verdicts);
            if (!steps.changed) continue;
            variants.push_back(made(fmt::format("{} steps", together), std::move(steps.program)));
            tried.push_back(together);
            const bool best = taken_of(variants) + 1 == variants.size();
            not_faster = best ? 0 : not_faster + 1;
            if (not_faster > 1) break;
        }
        const std::size_t fastest = taken_of(variants), told = std::max<std::size_t>(fastest, 1);
        const Verdict sure = is_sure(variants[fastest], variants.front());
        const std::size_t best = sure ? fastest : 0;
        if (variants.size() > 1) c_.depths = step_depths(variants, tried, best);
        for (StepsVerdict& v : verdicts) {
            if (!v.verdict || variants.size() == 1) {
                c_.rewrites.push_back({Rule::steps, v.loop, std::move(v.verdict)});
                continue;
            }
            const bool taken = best > 0;
            const std::string why =
                fmt::format("{} steps behind each other: {}{}", tried[told], verdict_of(variants, told, taken),
                            fastest > 0 && !sure ? ", " + sure.reason() : "");
            c_.rewrites.push_back({Rule::steps, v.loop, taken ? Verdict::yes(why) : Verdict::no(why)});
        }
        if (best == 0) return;
        say_lists(base.lists);
        take(std::move(variants[best]));
    }

    /// Running sums of few long lines, whose pieces stand side by side.
    void with_pieces() {
        offer_made(Rule::pieces, "running sums in pieces", running_pieces(c_.program, &c_.problem.extents),
                   &PiecesVerdict::statement);
    }

    /// Before anything is planned.
    void take_passes() {
        TransformPasses passes = transform_passes(c_.program);
        for (PassesVerdict& v : passes.verdicts)
            c_.rewrites.push_back({Rule::passes, v.statement, std::move(v.verdict)});
        auto graph = build_graph(passes.program);
        if (passes.changed && graph) take({"", std::move(passes.program), std::move(*graph.value), {}, {}, 0});
    }

    /// Transforms in passes, each of lines, where a plan may be for one length of them.
    void with_passes() {
        const auto& given = c_.problem.given;
        if (std::find(given.begin(), given.end(), true) == given.end()) return;
        TransformPasses passes = transform_passes(c_.program);
        if (!passes.changed) return;
        const Offer offered = offer("transforms in passes", std::move(passes.program));
        say(Rule::passes, passes.verdicts, &PassesVerdict::statement, offered);
    }

    void with_fields_of_conditions() { with_remade("fields remade in conditions", remake_in_conditions(c_.program)); }
    void with_fields_behind_folds() { with_remade("fields remade behind sums", remake_behind_folds(c_.program)); }
    void with_remade(const char* what, RemadeFields remade) {
        const Offer offered = remade.changed ? offer(what, std::move(remade.program)) : Offer{};
        say(Rule::remake, remade.verdicts, &RemadeVerdict::field, offered);
    }

    void with_remade_fields() {
        RemadeFields remade = remake_fields(c_.program);
        std::string said;
        bool taken = false;
        if (remade.changed) {
            std::vector<Variant> variants{as_it_is(), made("fields remade", std::move(remade.program))};
            std::size_t best = taken_of(variants);
            // Where no transform computes anything as it stores, none would with more of it.
            if (some_transform_stores(variants[best].plans.front())) {
                variants.push_back(
                    made("fields remade for transforms", remake_fields(c_.program, MadeFor::transform).program));
                best = taken_of(variants);
            }
            const bool slow = slow_calls_of_lines(variants[best].plans.front()) > slow_calls_of_lines(c_.plans.front());
            taken = best > 0 && !slow;
            said = slow ? "left, kernels that transform lines would make it of roots, quotients or functions, and take "
                          "longer"
                        : verdict_of(variants, std::max<std::size_t>(best, 1), taken);
            if (taken) take(std::move(variants[best]));
        }
        say(Rule::remake, remade.verdicts, &RemadeVerdict::field, {taken, said});
    }
};

}  // namespace

Outcome<Compilation> choose_variant(Compilation rewritten, const CompileRequest& request) {
    return Choosing(std::move(rewritten), request).run();
}

}  // namespace kasc
