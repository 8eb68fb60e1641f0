// Kernels whose blocks work on more than cells of their own: transforms, whole lines, tiles of results, loops.
#include <fmt/format.h>

#include "model/parts.hpp"
#include "search/legality.hpp"
#include "search/transform_lines.hpp"
#include "select/costing_take.hpp"

namespace kasc {

Verdict Costing::stored_by_library(const Fusion& fusion) const {
    const auto is_transform = [&](NodeId call) { return std::holds_alternative<Transform>(graph_.nodes[call].what); };
    const NodeId transform = *std::find_if(fusion.calls.begin(), fusion.calls.end(), is_transform);
    for (const NodeId call : fusion.calls) {
        if (call == transform) continue;
        if (Verdict stored = computed_as_stored(program_, graph_, transform, call); !stored) return stored;
    }
    return Verdict::yes("the library's transform computes the calls behind it as it stores");
}

void Costing::cost_transform(FusionId id, const Fusion& fusion) {
    const ChoiceWish* wish = wish_of(fusion);
    if (wish != nullptr && fusion.calls.size() > 1 && !wish->storing) {
        reason_ = "the plan has kernels for the calls behind the transform";
        return;
    }
    if (wish != nullptr && wish->of_fields()) {
        reason_ = "the library transforms: its kernels have no such choice";
        return;
    }
    if (const Verdict stores = stored_by_library(fusion); !stores) {
        reason_ = stores.reason();
        return;
    }
    heeds_ = wish != nullptr && wish->storing && fusion.calls.size() > 1;
    TransformScheduleResult result = schedule_transform(program_, graph_, fusion);
    bool first = true;
    take(id, std::move(result.value), result.reason, first);
}

void Costing::cost_loop(FusionId id, const Fusion& fusion) {
    const bool cpu = device_.kind == DeviceKind::cpu;
    const ChoiceWish* wish = wish_of(fusion);
    const bool wished_so = wish != nullptr && wish->walk == Walk::loop;
    if (wish != nullptr && !wished_so) {
        reason_ = "the plan has kernels for the statements of the loop";
        return;
    }
    heeds_ = wished_so;
    const LoopWorkResult work = loop_work(program_, graph_, fusion);
    reason_ = work.reason;
    if (!work.value) return;
    if (const Verdict lines = goes_along_lines(*work.value); cpu && !lines) {
        reason_ = lines.reason();
        return;
    }
    const model::LineLengths lines = model::line_lengths(work.value->line_axes(), program_, problem_);
    reason_ = lines.reason;
    if (!lines.value) return;
    std::vector<FieldChoice> choices = loop_choices(*work.value, cpu, *lines.value);
    if (wished_so) choices = wished_of(choices, *wish);
    LoopPredictor predictor(*work.value, program_, device_, problem_);
    bool first = true;
    for (const FieldChoice& choice : choices) {
        LoopScheduleResult made = schedule_loop(work.value, choice, program_, *lines.value);
        take(id, std::move(made.value), made.reason, first, [&](const LoopSchedule& s) { return predictor.of(s); });
    }
}

std::vector<FieldChoice> Costing::of_walk(std::vector<FieldChoice> choices, const Fusion& fusion, Walk walk,
                                          const char* others) {
    const ChoiceWish* wish = wish_of(fusion);
    if (wish == nullptr) return choices;
    heeds_ = wish->of_fields() && wished(choices.front(), *wish).walk == walk;
    if (heeds_) return {wished(choices.front(), *wish)};
    if (!wish->of_fields() && !wish->of_streams() && !wish->storing) return choices;
    reason_ = others;
    return {};
}

void Costing::cost_product(FusionId id, const Fusion& fusion) {
    const ProductWorkResult work = product_work(program_, graph_, fusion);
    reason_ = work.reason;
    if (!work.value) return;
    const std::vector<FieldChoice> choices = of_walk(
        product_choices(*work.value), fusion, Walk::product,
        "these calls fold pairs: their blocks have tiles of results, as in 'product 16x16 vector 8 rows 8 chunk 16'");
    bool first = true;
    for (const FieldChoice& choice : choices) {
        ProductScheduleResult made = schedule_product(work.value, choice, program_, graph_);
        take(id, std::move(made.value), made.reason, first);
    }
}

void Costing::cost_scan(FusionId id, const Fusion& fusion) {
    const ScanWorkResult work = scan_work(program_, graph_, fusion);
    reason_ = work.reason;
    if (!work.value) return;
    const std::vector<FieldChoice> choices =
        of_walk(scan_choices(*work.value, device_.kind == DeviceKind::cpu), fusion, Walk::scan,
                "this call sums up along lines: its blocks have lines, as in 'scan 256x1'");
    bool first = true;
    for (const FieldChoice& choice : choices) {
        ScanScheduleResult made = schedule_scan(work.value, choice, program_);
        take(id, std::move(made.value), made.reason, first);
    }
}

void Costing::cost_fft(FusionId id, const Fusion& fusion) {
    const std::string before = fusion.calls.size() == 1 ? reason_ : "";
    const FftWorkResult work = fft_work(program_, graph_, fusion);
    reason_ = work.reason;
    if (!work.value) return;
    const AxisId along = work.value->lines.along;
    if (!problem_.is_given(along)) {
        reason_ = fmt::format("lines are transformed by kernels for one length, and that of {} is not given (--set)",
                              program_.axes[along].name);
        return;
    }
    const long long cells = model::extent_of(problem_, along);
    const bool heeded = heeds_;
    const std::vector<FieldChoice> choices =
        of_walk(fft_choices(*work.value, cells), fusion, Walk::fft,
                "these calls stand around transforms of lines: their blocks have whole lines, as in 'fft 16x64'");
    heeds_ = heeds_ || heeded;
    bool first = true;
    for (const FieldChoice& choice : choices) {
        FftScheduleResult made = schedule_fft(work.value, choice, cells, program_, graph_, shapes_);
        take(id, std::move(made.value), made.reason, first);
    }
}

void Costing::cost_lines(FusionId id, const Fusion& fusion) {
    const LineWorkResult work = line_work(program_, graph_, fusion);
    reason_ = work.reason;
    if (!work.value) return;
    std::optional<long long> cells;
    const std::vector<AxisId> along = work.value->line_axes();
    if (std::all_of(along.begin(), along.end(), [&](AxisId axis) { return problem_.is_given(axis); }))
        cells = model::cells_of_line(*work.value, problem_);
    const std::vector<FieldChoice> choices =
        of_walk(line_choices(*work.value), fusion, Walk::line,
                "these calls complete sums over lines: their blocks have whole lines, as in 'line 32x8x1 chunk 16'");
    bool first = true;
    const long long length = model::cells_of_line(*work.value, problem_);
    long long held = 0;  // cells of a line, by the threads of choices that hold too few
    for (const FieldChoice& choice : choices) {
        LineScheduleResult made = schedule_lines(work.value, choice, cells, program_, graph_);
        // Where threads cannot hold the lines at hand, another choice is the kernel that would run.
        const auto most = made.value ? made.value->most_cells() : std::nullopt;
        if (most && length > *most && choices.size() > 1) {
            held = std::max(held, *most);
            continue;
        }
        take(id, std::move(made.value), made.reason, first);
    }
    if (first && held > 0)
        reason_ = fmt::format("the threads of a block hold lines of {} cells at most, these have {}", held, length);
}

}  // namespace kasc
