// First the kernels are looked at: an array is cut where a kernel that may be shared works on it, and nothing that runs
// on rank 0 alone does. Then the launches: one is shared where most of the bytes that it works on are in cut arrays.
//
//   T, T_2      512 MB   step_k0 works on them, 4096 blocks           cut: 128 MB a rank
//   T_max       4 bytes  step_k2 works on it, 1 block                 on rank 0
//   step_k0     on T, T_2, T_max                                      shared: along z, 16 blocks each
#include "execute/division.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "execute/launch_values.hpp"
#include "execute/listed_planes.hpp"
#include "execute/touches.hpp"
#include "execute/transform_passes.hpp"

namespace kasc::execute {

namespace {

/// Whether a transform is in the way of arrays that are cut.
Verdict shared_lines(const TransformStatement& s, const Program& program, const Numbers& numbers,
                     const DividedAmong& among) {
    const char* by = among.memory == ranks::Memory::own ? "by each" : "by one device";
    if (orders(s.direction)) return Verdict::no(fmt::format("a list is ordered there, {}", by));
    if (among.memory == ranks::Memory::one || among.processor == ranks::Processor::gpu)
        return Verdict::no(fmt::format("a transform is computed there, {}", by));
    const Verdict lines = ranks::can_share(axes_of(s, program, numbers));
    return lines ? Verdict::yes(fmt::format("{} works on it", text_of(s, program)))
                 : Verdict::no(fmt::format("a transform is computed there, {}: {}", by, lines.reason()));
}

/// What a rank's part of a launch takes the host, with its events, in us (H200, 580 driver, two ranks): what lies
/// inside and two rims, 2.5 each; the same with copies, of a step of heat that the host does nothing else beside.
constexpr double us_of_rims = 7.5, us_of_copies = 23;

bool grid_moves(const kernel::Kernel& kernel) {
    return std::any_of(kernel.parameters.begin(), kernel.parameters.end(), moves);
}

}  // namespace

Division::Division(const Program& program, const Library& library, const HostPlan& plan, const Numbers& numbers,
                   const DividedAmong& among, const ListedPlanes* lists)
    : program_(program), library_(library), plan_(plan), among_(among), lists_(lists) {
    if (among.ranks == 1) return;
    for (const kernel::Lowered& lowered : plan.kernels) {
        const kernel::Kernel& kernel = chosen(lowered, numbers);
        if (among.memory != ranks::Memory::own) continue;
        if (auto own = followed_lists(program, kernel); !own.empty()) followed_[&kernel] = std::move(own);
    }
    find_arrays(plan.steps, numbers);
    for (auto& [variable, array] : arrays_) {
        if (array.cut)
            array.cut = ranks::worth_cutting(array.bytes, among.ranks, among.sharing, among.memory, among.processor);
    }
    if (among.memory == ranks::Memory::one) find_reads(numbers);
    say_launches(plan.steps, numbers);
}

/// The launch of a step. What a transform computes as it stores is none, on devices that know such transforms.
const LaunchStep* Division::launched(const HostStep& step) const {
    return among_.launches_stored() ? launch_in(step) : std::get_if<LaunchStep>(&step.what);
}

/// No from any step that is in the way; else yes from one that is not.
void Division::touch(SlotId slot, const Verdict& verdict) {
    Array& array = arrays_.at(plan_.slots[slot].variable);
    const bool untouched = array.cut.reason() == Array{}.cut.reason();
    if (untouched || (array.cut && !verdict)) array.cut = verdict;
}

void Division::find_arrays(const std::vector<HostStep>& steps, const Numbers& numbers) {
    if (arrays_.empty()) {
        for (const Slot& slot : plan_.slots) {
            Array& array = arrays_[slot.variable];
            array.bytes = numbers.words(library_, slot.variable) * cell_bytes(cell_type_of(program_, slot.variable));
            array.plane = static_cast<std::uint64_t>(
                bytes_of_plane(program_, numbers, slot.variable, static_cast<std::int64_t>(array.bytes)));
        }
    }
    for (const HostStep& s : steps) {
        if (const auto* loop = std::get_if<LoopStep>(&s.what)) {
            find_arrays(loop->body, numbers);
            find_arrays(loop->after, numbers);
        }
        if (const auto* transform = std::get_if<TransformStep>(&s.what)) {
            const Verdict lines = shared_lines(transform->statement, program_, numbers, among_);
            for (const SlotId slot : {transform->from, transform->to}) touch(slot, lines);
            if (transform->stores && among_.memory == ranks::Memory::own && !among_.launches_stored()) {
                for (const auto& [value, slot] : transform->stores->arrays) touch(slot, lines);
            }
        }
        const LaunchStep* const launch = launched(s);
        if (launch == nullptr) continue;
        const kernel::Kernel& kernel = chosen(plan_.kernels.at(launch->kernel), numbers);
        const Verdict verdict =
            ranks::worth_sharing(kernel, grid_of(kernel, numbers), among_.ranks, among_.sharing, among_.memory);
        // Few blocks are no reason to have large arrays on one rank: another launch may have more.
        const bool own = among_.memory == ranks::Memory::own;
        if (!verdict && (own || (!grid_moves(kernel) && among_.sharing == ranks::Sharing::priced))) continue;
        for (const auto& [value, slot] : launch->arrays) {
            if (!own || kernel.span->is_near(value) || kernel.span->is_around(value))
                touch(slot, Verdict::yes(fmt::format("{} works on it", kernel.name)));
        }
    }
}

std::vector<std::uint64_t> Division::ends(VariableId variable) const {
    const auto array = arrays_.find(variable);
    if (array == arrays_.end() || !array->second.cut) return {};
    const Array& of = array->second;
    if (among_.memory == ranks::Memory::one) return ranks::cut_pages(of.bytes, among_.ranks, among_.page);
    std::vector<std::uint64_t> ends;
    for (const long long end : ranks::cut_cells(static_cast<long long>(of.bytes / of.plane), among_.ranks))
        ends.push_back(static_cast<std::uint64_t>(end) * of.plane);
    return ends;
}

runtime::ArrayParts Division::lies(VariableId variable) const {
    runtime::ArrayParts parts{ends(variable)};
    if (!has_copy(variable)) return parts;
    const Array& array = arrays_.at(variable);
    ranks::Nearby nearby = reads_.at(variable).nearby;
    if (!array.cut) {
        // All of it lies on the first, and is near all others.
        parts.ends.assign(static_cast<std::size_t>(among_.ranks), ranks::cut_pages(array.bytes, 1, among_.page).back());
        nearby = {array.bytes, false};
    }
    parts.copies = ranks::pages_near(parts.ends, nearby, among_.page);
    return parts;
}

void Division::find_reads(const Numbers& numbers) {
    if (among_.sharing == ranks::Sharing::priced) {
        const auto bytes = [&](VariableId variable) { return arrays_.at(variable).bytes; };
        for (const VariableId variable : parts_of_sums(plan_, numbers, bytes)) {
            Array& array = arrays_.at(variable);
            if (array.cut) array.cut = Verdict::no("parts of what is cut, which are put together there");
        }
    }
    const auto renews = [&](const LaunchStep& step, const kernel::Kernel& kernel) {
        return shares(step, kernel, grid_of(kernel, numbers)) && outlasts_host(step, us_of_copies);
    };
    const auto plane = [&](VariableId variable) {
        const Array& array = arrays_.at(variable);
        return array.cut ? array.plane : 0;
    };
    reads_ = shared_reads(plan_, numbers, {renews, plane});
}

bool Division::has_copy(VariableId variable) const {
    // What is smaller is read from the first rank in the time of a copy. What is larger may be read anywhere, once.
    constexpr std::uint64_t least_renewed = std::uint64_t{16} << 10U;
    const auto reads = reads_.find(variable);
    if (reads == reads_.end()) return false;
    const Array& array = arrays_.at(variable);
    if (array.cut) return reads->second.nearby.bytes > 0;
    const bool small = !ranks::worth_cutting(array.bytes, among_.ranks, ranks::Sharing::priced, among_.memory);
    return reads->second.by_all && small && (!reads->second.stored_again || array.bytes >= least_renewed);
}

Verdict Division::shares(const LaunchStep& step, const kernel::Kernel& kernel, const ranks::Grid& grid) const {
    Verdict verdict = ranks::worth_sharing(kernel, grid, among_.ranks, among_.sharing, among_.memory);
    if (!verdict || among_.sharing == ranks::Sharing::always) return verdict;
    if (!mostly_cut(arrays_of(step)))
        return Verdict::no(among_.memory == ranks::Memory::own ? "most of what it works on is whole on each"
                                                               : "most of what it works on lies on the first device");
    return verdict;
}

Verdict Division::shares(const TransformStep& step, const Numbers& numbers) const {
    if (orders(step.statement.direction)) return Verdict::no("it orders a list");
    if (among_.ranks == 1 || among_.memory == ranks::Memory::one || among_.processor == ranks::Processor::gpu)
        return Verdict::no("cuFFT is of one device");
    Verdict lines = ranks::can_share(axes_of(step.statement, program_, numbers));
    if (lines && !mostly_cut(arrays_of(step))) return Verdict::no("most of what it works on is whole on each");
    return lines;
}

bool Division::on_first(const TransformStep& step) const {
    return among_.ranks > 1 && among_.memory == ranks::Memory::own && any_cut(arrays_of(step));
}

ranks::LaunchShares Division::divided(const LaunchStep& step, const kernel::Kernel& kernel, const ranks::Grid& grid,
                                      const Numbers& numbers) const {
    if (by_lists(step, kernel)) return divided_by_lists(step, kernel, grid, numbers);
    const bool shared = bool(shares(step, kernel, grid));
    if (among_.memory == ranks::Memory::one)
        return shared ? ranks::share_blocks(grid, among_.ranks,
                                            kernel.span ? std::optional(kernel.span->along) : std::nullopt)
                      : ranks::on_first(grid, among_.ranks);
    if (shared) return ranks::share_cells(grid, *span_numbers(kernel, numbers), among_.ranks);
    // Arrays that are cut are brought together on one process, not on each.
    return any_cut(arrays_of(step)) ? ranks::on_first(grid, among_.ranks) : ranks::on_each(grid, among_.ranks);
}

bool Division::is_cut(const LaunchStep& step, ValueId value) const {
    return bool(arrays_.at(plan_.slots[step.arrays.at(value)].variable).cut);
}

/// Some array that is cut is touched where lists say, and none that is cut, or stored, anywhere.
bool Division::by_lists(const LaunchStep& step, const kernel::Kernel& kernel) const {
    const auto followed = followed_.find(&kernel);
    if (followed == followed_.end()) return false;
    const std::vector<const kernel::ListedArray*>& lists = followed->second;
    const auto listed = [&](ValueId value) {
        return std::any_of(lists.begin(), lists.end(), [&](const auto* array) {
            return array->value == value && (lists_ == nullptr || lists_->of(kernel, value) != nullptr);
        });
    };
    bool any = false;
    for (const kernel::Parameter& p : kernel.parameters) {
        const auto* in = std::get_if<kernel::ArrayIn>(&p.source);
        const auto* out = std::get_if<kernel::ArrayOut>(&p.source);
        if (in == nullptr && out == nullptr) continue;
        const ValueId value = in != nullptr ? in->value : out->value;
        const kernel::BlockSpan& span = *kernel.span;
        if (span.is_near(value) || span.is_around(value) || span.is_by_block(value) || span.is_at_first(value))
            continue;
        if (!listed(value) && (out != nullptr || is_cut(step, value))) return false;
        any = any || (listed(value) && is_cut(step, value));
    }
    return any;
}

/// Blocks go to those that have what is stored, of what is only read to those that have that.
ranks::LaunchShares Division::divided_by_lists(const LaunchStep& step, const kernel::Kernel& kernel,
                                               const ranks::Grid& grid, const Numbers& numbers) const {
    if (lists_ == nullptr) return ranks::on_first(grid, among_.ranks);
    std::vector<ranks::ListedBlocks> arrays;
    std::vector<std::pair<bool, bool>> ranked;  // cut, stored
    for (const kernel::ListedArray* array : followed_.at(&kernel)) {
        const auto* planes = lists_->of(kernel, array->value);
        if (planes == nullptr) continue;
        const bool stored = std::any_of(kernel.parameters.begin(), kernel.parameters.end(), [&](const auto& p) {
            const auto* out = std::get_if<kernel::ArrayOut>(&p.source);
            return out != nullptr && out->value == array->value;
        });
        arrays.push_back({*planes, ranks::cut_cells(numbers.extent(array->axis), among_.ranks), stored});
        ranked.emplace_back(is_cut(step, array->value), stored);
    }
    const auto first = std::max_element(ranked.begin(), ranked.end()) - ranked.begin();
    std::swap(arrays.front(), arrays[static_cast<std::size_t>(first)]);
    return ranks::share_listed(grid, kernel.span->along, arrays);
}

std::vector<const Division::Array*> Division::arrays_of(const LaunchStep& step) const {
    std::vector<const Array*> arrays;
    for (const auto& [value, slot] : step.arrays) arrays.push_back(&arrays_.at(plan_.slots[slot].variable));
    return arrays;
}

std::vector<const Division::Array*> Division::arrays_of(const TransformStep& step) const {
    return {&arrays_.at(plan_.slots[step.from].variable), &arrays_.at(plan_.slots[step.to].variable)};
}

bool Division::mostly_cut(const std::vector<const Array*>& arrays) {
    double cut = 0, whole = 0;
    for (const Array* array : arrays) (array->cut ? cut : whole) += static_cast<double>(array->bytes);
    return cut >= whole;
}

bool Division::any_cut(const std::vector<const Array*>& arrays) {
    return std::any_of(arrays.begin(), arrays.end(), [](const Array* array) { return bool(array->cut); });
}

std::vector<ranks::Touch> Division::parts_of(const SlotBytes& of, VariableId variable, bool writes) const {
    const ranks::Touch whole = of.whole(writes);
    const std::vector<std::uint64_t> ends = this->ends(variable);
    std::vector<ranks::Touch> parts(static_cast<std::size_t>(among_.ranks), whole);
    if (among_.memory == ranks::Memory::one || ends.empty()) return parts;
    std::int64_t low = whole.low;
    for (std::size_t r = 0; r < parts.size(); ++r) {
        parts[r].low = low;
        parts[r].high = r + 1 == parts.size() ? whole.high : std::min(whole.high, static_cast<std::int64_t>(ends[r]));
        low = parts[r].high;
    }
    return parts;
}

std::vector<ranks::LanePart> Division::in_lanes(const LaunchStep& step, const kernel::Kernel& kernel,
                                                const ranks::LaunchShares& shares, const Numbers& numbers) const {
    const std::optional<ranks::SpanNumbers> span = span_numbers(kernel, numbers);
    const bool has_rims =
        span && span->along == shares.along && !by_lists(step, kernel) && outlasts_host(step, us_of_rims);
    if (!has_rims) return ranks::parts_of(shares, 0);
    const ranks::Ends ends = kernel.span->around.empty() ? ranks::Ends::apart : ranks::Ends::joined;
    return ranks::parts_of(shares, ranks::rim_of(*span), ends);
}

bool Division::outlasts_host(const LaunchStep& step, double us_of_rank) const {
    constexpr double bytes_a_us = 2.5e6;
    const bool own = among_.memory == ranks::Memory::own;
    // A CPU computes at once what it is asked for.
    if (own && among_.processor == ranks::Processor::cpu) return false;
    if (among_.sharing == ranks::Sharing::always) return true;
    double cut = 0;
    for (const auto& [value, slot] : step.arrays) {
        const Array& array = arrays_.at(plan_.slots[slot].variable);
        if (array.cut) cut += static_cast<double>(array.bytes) / among_.ranks;
    }
    // The host of a process asks for its own parts alone, and these read no memory of others.
    return cut / bytes_a_us >= us_of_rank * (own ? 1 : among_.ranks);
}

void Division::say_launches(const std::vector<HostStep>& steps, const Numbers& numbers) {
    for (const HostStep& s : steps) {
        if (const auto* loop = std::get_if<LoopStep>(&s.what)) {
            say_launches(loop->body, numbers);
            say_launches(loop->after, numbers);
        }
        if (const auto* transform = std::get_if<TransformStep>(&s.what)) {
            const TransformStatement& statement = transform->statement;
            if (among_.memory == ranks::Memory::one || orders(statement.direction)) continue;
            const Verdict verdict = shares(*transform, numbers);
            const std::string how = verdict                ? "shared: " + verdict.reason()
                                    : on_first(*transform) ? "on the first process: " + verdict.reason()
                                                           : on_one(verdict);
            say(text_of(statement, program_), how);
        }
        const LaunchStep* const launch = launched(s);
        if (launch == nullptr) continue;
        const kernel::Kernel& kernel = chosen(plan_.kernels.at(launch->kernel), numbers);
        const ranks::Grid grid = grid_of(kernel, numbers);
        if (by_lists(*launch, kernel)) {
            say(kernel.name, "shared as its lists say, each block with who has the planes that they name");
            continue;
        }
        const Verdict verdict = shares(*launch, kernel, grid);
        const bool own = among_.memory == ranks::Memory::own;
        const ranks::LaunchShares shared = divided(*launch, kernel, grid, numbers);
        const auto parts = in_lanes(*launch, kernel, shared, numbers);
        const bool rims = parts.size() > static_cast<std::size_t>(among_.ranks);
        const std::string how =
            verdict
                ? fmt::format("shared along {}, of which it has {} of its {} blocks{}", "xyz"[shared.along],
                              grid[shared.along], grid[0] * grid[1] * grid[2], rims ? ", those at the cuts first" : "")
            : own && any_cut(arrays_of(*launch)) ? "on the first process: " + verdict.reason()
                                                 : on_one(verdict);
        say(kernel.name, how);
    }
}

void Division::say(const std::string& name, const std::string& how) {
    const std::string line = fmt::format("  {:24} {}\n", name, how);
    if (launches_text_.find(line) == std::string::npos) launches_text_ += line;
}

/// Where what is not divided is.
std::string Division::on_one(const Verdict& verdict) const {
    const bool own = among_.memory == ranks::Memory::own;
    return fmt::format("{}: {}", own ? "whole on each" : "on the first device", verdict.reason());
}

std::string Division::text() const {
    if (among_.ranks == 1) return "";
    const bool own = among_.memory == ranks::Memory::own;
    std::string text = fmt::format("divided among {} {}:\n", among_.ranks, own ? "processes" : "devices");
    for (const auto& [variable, array] : arrays_) {
        text += fmt::format("  {:24} {}", program_.variables[variable].name,
                            array.cut ? "cut: " + array.cut.reason() : on_one(array.cut));
        if (has_copy(variable))
            text += array.cut ? fmt::format(", and copies of what lies beside it as far as {} kB",
                                            (reads_.at(variable).nearby.bytes + 1023) / 1024)
                              : ", and copies of it on the others";
        text += "\n";
    }
    return text + launches_text_;
}

}  // namespace kasc::execute
