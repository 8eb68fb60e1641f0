#include "search/plan_wish.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "search/legality.hpp"
#include "search/transform_lines.hpp"

namespace kasc {

namespace {

Diagnostic fault(std::string code, const Span& span, std::string message, std::string label, std::string help) {
    Diagnostic d;
    d.code = std::move(code);
    d.span = span;
    d.message = std::move(message);
    d.label = std::move(label);
    d.help = std::move(help);
    return d;
}

Span trimmed(Span span) {
    const auto blank = [&](std::size_t at) {
        return std::string_view(" \t\n\r").find(span.source->text[at]) != std::string_view::npos;
    };
    while (span.begin < span.end && blank(span.begin)) ++span.begin;
    while (span.begin < span.end && blank(span.end - 1)) --span.end;
    return span;
}

/// Pieces between `separator`s, without the blanks around them.
std::vector<Span> pieces(const Span& span, char separator) {
    std::vector<Span> all;
    for (std::size_t begin = span.begin; begin <= span.end;) {
        const std::size_t found = std::min(span.source->text.find(separator, begin), span.end);
        all.push_back(trimmed({span.source, begin, found}));
        begin = found + 1;
    }
    return all;
}

/// The number in a kernel's name: 3 in "k3".
std::optional<std::size_t> kernel_number(std::string_view name) {
    std::size_t number = 0;
    if (name.size() < 2 || name.front() != 'k') return std::nullopt;
    const auto [end, error] = std::from_chars(name.data() + 1, name.data() + name.size(), number);
    if (error != std::errc() || end != name.data() + name.size()) return std::nullopt;
    return number;
}

void name_calls(const Program& program, const Graph& graph, std::map<std::string, int>& seen,
                std::vector<NamedCall>& all) {
    for (const NodeId id : graph.nodes.ids()) {
        const Node& node = graph.nodes[id];
        const auto* loop = std::get_if<LoopNode>(&node.what);
        const std::string name = loop != nullptr ? "loop." + program.loops[loop->loop].name
                                                 : program.variables[graph.values[node.writes.front()].variable].name;
        const int count = ++seen[name];
        all.push_back({count == 1 ? name : fmt::format("{}.{}", name, count), &graph, id});
        if (loop != nullptr) name_calls(program, *loop->body, seen, all);
    }
}

}  // namespace

Outcome<std::vector<WrittenKernel>> parse_plan(const SourceRef& source) {
    std::vector<WrittenKernel> all;
    for (const Span& part : pieces({source, 0, source->text.size()}, ';')) {
        if (part.begin == part.end) continue;
        WrittenKernel kernel{{}, {}, {}, part};
        Span choice = part;
        const std::size_t colon = source->text.find(':', part.begin);
        if (colon < part.end) {
            choice.begin = colon + 1;
            kernel.calls = pieces({source, part.begin, colon}, '+');
            for (const Span& name : kernel.calls) {
                if (name.begin == name.end)
                    return failure<std::vector<WrittenKernel>>(
                        fault("K0920", part, "a call has no name", "", "write L+T: or k0: before the choice"));
            }
            if (kernel.calls.size() == 1) kernel.number = kernel_number(text_of(kernel.calls.front()));
        }
        auto read = parse_choice(choice);
        if (!read) return failure<std::vector<WrittenKernel>>(read.diagnostics);
        kernel.choice = std::move(*read.value);
        all.push_back(std::move(kernel));
    }
    if (all.empty())
        return failure<std::vector<WrittenKernel>>(fault("K0920", {source, 0, source->text.size()}, "the plan is empty",
                                                         "", "write a choice, as 'column 32x8 vector 4 chunk 16'"));
    return success(std::move(all));
}

std::vector<NamedCall> named_calls(const Program& program, const Graph& graph) {
    std::map<std::string, int> seen;
    std::vector<NamedCall> all;
    name_calls(program, graph, seen, all);
    return all;
}

const std::vector<WishedFusion>& PlanWish::of(const Graph& graph) const {
    static const std::vector<WishedFusion> none;
    const auto found = fusions.find(&graph);
    return found == fusions.end() ? none : found->second;
}

namespace {

class Resolver {
public:
    Resolver(const Program& program, const Graph& graph, const std::vector<PlannedCalls>& planned)
        : planned_(planned), names_(named_calls(program, graph)) {}

    Outcome<PlanWish> run(const std::vector<WrittenKernel>& written) {
        for (const WrittenKernel& kernel : written) {
            if (kernel.calls.empty()) {
                if (wish_.others)
                    said_.push_back(fault("K0921", kernel.span, "two choices for every other kernel", "",
                                          "keep one, or name the kernel's calls"));
                wish_.others = kernel.choice;
                wish_.others_span = kernel.span;
                continue;
            }
            const std::size_t before = said_.size();
            const PlannedCalls calls = calls_of(kernel);
            if (said_.size() == before) add(kernel, calls);
        }
        if (!said_.empty()) return failure<PlanWish>(said_);
        return success(std::move(wish_));
    }

private:
    const std::vector<PlannedCalls>& planned_;
    std::vector<NamedCall> names_;
    std::set<std::pair<const Graph*, NodeId>> taken_;
    PlanWish wish_;
    Diagnostics said_;

    [[nodiscard]] const NamedCall* find(std::string_view name) const {
        const auto found =
            std::find_if(names_.begin(), names_.end(), [&](const NamedCall& n) { return n.name == name; });
        return found == names_.end() ? nullptr : &*found;
    }

    PlannedCalls calls_of(const WrittenKernel& kernel) {
        // A variable may be called k1.
        if (kernel.number && find(text_of(kernel.calls.front())) == nullptr) {
            if (*kernel.number < planned_.size()) return planned_[*kernel.number];
            said_.push_back(fault("K0921", kernel.calls.front(), "the plan has no such kernel",
                                  fmt::format("without this plan there are {}", planned_.size()),
                                  "kernels are counted from k0, as kasc explain prints them"));
            return {};
        }
        PlannedCalls calls;
        for (const Span& span : kernel.calls) {
            const NamedCall* call = find(text_of(span));
            if (call == nullptr) {
                said_.push_back(unknown(span));
            } else if (calls.graph != nullptr && calls.graph != call->graph) {
                said_.push_back(
                    fault("K0921", span, "calls of different loops cannot be one kernel", "of another loop", ""));
            } else {
                calls.graph = call->graph;
                calls.calls.push_back(call->node);
            }
        }
        return calls;
    }

    [[nodiscard]] Diagnostic unknown(const Span& span) const {
        std::vector<std::string> known;
        std::string all;
        for (const NamedCall& n : names_) {
            known.push_back(n.name);
            all += (all.empty() ? "" : ", ") + n.name;
        }
        const std::string name(text_of(span));
        const auto near = nearest_name(name, known);
        return fault("K0921", span, fmt::format("no call of the program is called '{}'", name), "not assigned",
                     near ? fmt::format("did you mean '{}'?", *near) : "its calls are " + all);
    }

    void add(const WrittenKernel& kernel, PlannedCalls calls) {
        std::sort(calls.calls.begin(), calls.calls.end());
        for (const NodeId call : calls.calls) {
            if (taken_.emplace(calls.graph, call).second) continue;
            said_.push_back(
                fault("K0921", kernel.span, "a call stands in the plan twice", "", "a call is in one kernel"));
            return;
        }
        wish_.fusions[calls.graph].push_back({std::move(calls.calls), kernel.choice, kernel.span});
    }
};

}  // namespace

Outcome<PlanWish> resolve_plan(const std::vector<WrittenKernel>& written, const Program& program, const Graph& graph,
                               const std::vector<PlannedCalls>& planned) {
    return Resolver(program, graph, planned).run(written);
}

const WishedFusion* wish_for(const std::vector<WishedFusion>& wishes, std::vector<NodeId> calls) {
    std::sort(calls.begin(), calls.end());
    const auto found =
        std::find_if(wishes.begin(), wishes.end(), [&](const WishedFusion& w) { return w.calls == calls; });
    return found == wishes.end() ? nullptr : &*found;
}

namespace {

/// Why the calls that a plan wants in one kernel are none of the fusions that were searched.
std::string reason_against(const WishedFusion& wished, const Program& program, const Graph& graph,
                           const FusionSpace& space, const SearchBounds& bounds) {
    const std::vector<NodeId>& calls = wished.calls;
    const CallRoles roles = find_call_roles(program, graph);
    for (std::size_t a = 0; a < calls.size(); ++a) {
        for (std::size_t b = a + 1; b < calls.size(); ++b) {
            const Verdict together = may_stand_together(program, graph, roles, calls[a], calls[b], bounds);
            if (!together) return together.reason();
        }
    }
    if (const Verdict path = convex(graph, calls, program); !path) return path.reason();
    if (const Verdict complete = lines_complete(program, graph, roles.lines, calls); !complete)
        return complete.reason();
    if (const Verdict complete = transforms_complete(program, graph, calls); !complete) return complete.reason();
    if (const Verdict bound = within_bound(calls.size(), bounds); !bound) return bound.reason();
    const Verdict work = bounded_recomputation(program, graph, calls);
    if (!work && !(bounds.pipelines && may_be_pipelined(program, graph, calls))) return work.reason();
    if (!space.whole) return "not among the fusions that were searched: " + space.cut;
    return calls.size() == 1 ? "a loop that runs on the host is no kernel" : "no value joins all of these calls";
}

}  // namespace

Diagnostics keep_wished(FusionSpace& space, const std::vector<WishedFusion>& wishes, const Program& program,
                        const Graph& graph, const SearchBounds& bounds) {
    std::set<NodeId> bound;
    for (const WishedFusion& w : wishes) bound.insert(w.calls.begin(), w.calls.end());
    std::set<const WishedFusion*> found;
    Table<FusionId, Fusion> kept;
    for (const Fusion& fusion : space.fusions) {
        const WishedFusion* wish = wish_for(wishes, fusion.calls);
        const bool touches =
            std::any_of(fusion.calls.begin(), fusion.calls.end(), [&](NodeId c) { return bound.contains(c); });
        if (touches && wish == nullptr) continue;
        if (wish != nullptr) found.insert(wish);
        kept.add(fusion);
    }
    Diagnostics said;
    for (const WishedFusion& w : wishes) {
        if (found.contains(&w)) continue;
        said.push_back(fault("K0922", w.span, "these calls cannot be one kernel",
                             reason_against(w, program, graph, space, bounds),
                             "kasc explain lists what may not be fused, and why"));
    }
    space.fusions = std::move(kept);
    return said;
}

}  // namespace kasc
