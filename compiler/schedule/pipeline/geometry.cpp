// Which cells threads have, what of a plane lies in shared memory and where. Three steps of a stencil of two cells, of
// own cells 64 × 32, by threads of vectors of four and two rows:
//
//   own        64 × 32    stored by stage 2       threads   0 … 255       first frame
//   stage 1    72 × 36    in whole vectors        threads 256 … 323       around it
//   stage 0    72 × 40                            threads 324 … 359
//   fetched    80 × 44    T, for stage 0          880 vectors, in turns of all threads
#include <algorithm>
#include <numeric>
#include <utility>

#include "schedule/pipeline/schedule.hpp"
#include "schedule/registers.hpp"

namespace kasc {

namespace {

/// Iterations after which all rings begin anew, times the values that are kept: barriers are decided by what is touched
/// in all of them.
constexpr int most_turns = 96;

/// What a thread needs besides its planes where it reads rows from rings: of 13 points and three steps, with 120
/// registers of planes and 168 in all, 28 were spilled.
constexpr int registers_of_rows = 80;

/// Words of 32 bits in the longest access.
constexpr int longest_access = 4;

int rounded_up(int number, int to) { return (number + to - 1) / to * to; }

/// Copies that a ring needs: of the planes that are read, and of those that come meanwhile.
int copies_needed(const PipelineSchedule& schedule, const KeptPlanes& kept) {
    const int oldest = schedule.oldest_turn(kept);
    if (schedule.is_fetched(kept)) return oldest + 1 + schedule.choice.ahead;
    return oldest == 0 ? 0 : oldest + 1;
}

bool is_by_shuffles(const PipelineWork& work, const FieldChoice& choice) {
    const int threads = choice.threads_x * choice.threads_y;
    const bool in_warp = choice.threads_x <= warp_threads && warp_threads % choice.threads_x == 0;
    return choice.vector > 1 && in_warp && threads % warp_threads == 0 && (work.tiled() > 1 || choice.rows == 1);
}

/// Planes of a thread and what else it needs are more than it has registers.
bool are_too_many_planes(const PipelineSchedule& schedule) {
    int words = 0, longest = 1;
    for (const KeptPlanes& kept : schedule.work->kept) {
        longest = std::max(longest, kept.word_registers);
        if (!(kept.at_cells && schedule.is_fetched(kept))) words += kept.queue * kept.word_registers;
    }
    return words * schedule.cells_of_thread() + longest * registers_of_rows > schedule.most_registers();
}

int cells_fetched_together(const PipelineSchedule& schedule) {
    const int vector = schedule.choice.vector;
    if (vector == longest_access || schedule.own(0) % longest_access != 0) return vector;
    const auto& kept = schedule.work->kept;
    const bool words = std::all_of(kept.begin(), kept.end(), [&](const KeptPlanes& each) {
        return !schedule.is_fetched(each) || each.word_registers == 1;
    });
    return words ? longest_access : vector;
}

}  // namespace

PipelineSchedule::PipelineSchedule(std::shared_ptr<const PipelineWork> of, const FieldChoice& chosen)
    : work(std::move(of)), choice(chosen) {
    // Each of these is found by those before it.
    shape_.by_shuffles = is_by_shuffles(*work, choice);
    // What is loaded stands first.
    shape_.fetches = !work->kept.empty() && is_fetched(work->kept.front());
    // What is fetched may have cells that no stage makes anything at.
    const bool beyond = work->tiled() == 2 && work->halo != work->computed && shape_.fetches;
    for (std::size_t axis = 0; axis < std::min<std::size_t>(work->tiled(), 2); ++axis) {
        const int together = axis == 0 ? choice.vector : 1;
        const int of_all = rounded_up(work->halo[axis], together);
        shape_.halo[axis] = beyond ? rounded_up(work->computed[axis], together) : of_all;
        shape_.beyond[axis] = std::max(0, of_all - shape_.halo[axis]);
    }
    shape_.fetched_together = cells_fetched_together(*this);
    shape_.has_few_registers = are_too_many_planes(*this);
    shape_.copies = find_copies();
}

void PipelineSchedule::fetch_ahead(int planes) {
    choice.ahead = planes;
    shape_.copies = find_copies();
}

int PipelineSchedule::cells(std::size_t axis) const {
    if (work->tiled() == 1) return choice.threads_x * choice.vector * choice.rows;
    return axis == 0 ? choice.threads_x * choice.vector : choice.threads_y * choice.rows;
}

bool PipelineSchedule::is_fetched(const KeptPlanes& kept) const {
    return kept.loaded && choice.vector > 1 && !(by_shuffles() && work->tiled() == 1);
}

bool PipelineSchedule::has_images(const KeptPlanes& kept) const {
    return work->tiled() == 2 && choice.vector > 1 && kept.rows_beyond.any() && copies(kept) > 0;
}

int PipelineSchedule::oldest_turn(const KeptPlanes& kept) const {
    const bool beside = kept.copies > 0 && !(by_shuffles(kept) && kept.in_rows);
    const int of_others = beside ? kept.delay + kept.copies - 1 : 0;
    if (!is_fetched(kept)) return beside ? kept.copies - 1 : 0;
    return kept.at_cells ? kept.oldest : of_others;
}

std::vector<int> PipelineSchedule::find_copies() const {
    // Turns of all rings begin anew together (block::with_barriers), after few iterations.
    const int most = most_turns / std::max(1, static_cast<int>(work->kept.size()));
    int longest = 0, turns = 1;
    std::vector<int> all;
    for (const KeptPlanes& kept : work->kept) {
        all.push_back(copies_needed(*this, kept));
        longest = std::max(longest, all.back());
        if (all.back() > 0 && turns <= most) turns = std::lcm(turns, all.back());
    }
    for (int& copies : all)
        while (turns > most && copies > 0 && longest % copies != 0) ++copies;
    return all;
}

int PipelineSchedule::copies(const KeptPlanes& kept) const {
    return shape_.copies[static_cast<std::size_t>(&kept - work->kept.data())];
}

int PipelineSchedule::most_registers() const {
    const int given = rounded_up(threads(), warps_given_together * warp_threads);
    return std::min(most_registers_of_thread,
                    registers_of_multiprocessor / given / registers_given_together * registers_given_together);
}

QueuedPlanes PipelineSchedule::queue(const KeptPlanes& kept) const {
    if (is_fetched(kept) && kept.at_cells) return {};
    QueuedPlanes queue{0, kept.queue};
    // The thread's own words of a row that others are given, too, are at hand.
    if (by_shuffles(kept) && kept.copies > 0) queue.end = std::max(kept.queue, kept.delay + kept.copies);
    const int in_ring = is_fetched(kept) ? std::min(oldest_turn(kept), queue.end - 1) : 0;
    if (in_ring > 0 && has_few_registers()) queue.first = in_ring;
    return queue;
}

bool PipelineSchedule::is_wider(const KeptPlanes& kept) const {
    for (std::size_t axis = 0; axis < work->tiled(); ++axis)
        if (kept.extent.halo[axis] > halo(axis)) return true;
    return false;
}

PlaneLayout PipelineSchedule::layout(const KeptPlanes& kept) const {
    PlaneLayout made;
    const bool wider = is_wider(kept), lies_over_rows = work->tiled() > 1;
    // Rows begin where vectors of the grid do.
    if (is_fetched(kept)) made.left = rounded_up(halo(0) + (wider ? beyond(0) : 0), fetched_together()) - halo(0);
    if (wider && lies_over_rows) made.above = beyond(1);
    made.columns = cells(0) + 2 * made.left;
    made.rows = lies_over_rows ? cells(1) + 2 * made.above : 1;
    if (kept.at_cells) return made;
    const int rows_beside = lies_over_rows ? std::max(0, work->beside[1] - made.above) : 0;
    made.margin = rounded_up(rows_beside * made.columns + std::max(0, work->beside[0] - made.left),
                             std::max(choice.vector, is_fetched(kept) ? fetched_together() : 1));
    return made;
}

PlaneRectangle PipelineSchedule::threads_with(const PipelineExtent& extent) const {
    PlaneRectangle with{0, 0, choice.threads_x, choice.threads_y};
    if (work->tiled() == 1) return with;
    const int columns = std::max(0, halo(0) - extent.halo[0]), rows = std::max(0, halo(1) - extent.halo[1]);
    with.left = columns / choice.vector, with.right = choice.threads_x - columns / choice.vector;
    with.top = rows / choice.rows, with.bottom = choice.threads_y - rows / choice.rows;
    return with;
}

std::vector<PlaneRectangle> PipelineSchedule::frames() const {
    if (work->tiled() == 1 || choice.vector == 1 || by_shuffles()) return {};
    std::vector<PlaneRectangle> all{{0, 0, choice.threads_x, choice.threads_y}};
    for (const PipelineStage& stage : work->stages) all.push_back(threads_with(stage.extent));
    std::sort(all.begin(), all.end(), [](const PlaneRectangle& a, const PlaneRectangle& b) {
        return std::pair(a.count(), a.width()) < std::pair(b.count(), b.width());
    });
    all.erase(std::unique(all.begin(), all.end()), all.end());
    // Stages of two chains may each be wider along another axis: what lies in all that follow is numbered first.
    for (std::size_t k = all.size(); k-- > 1;) {
        PlaneRectangle &inner = all[k - 1], &outer = all[k];
        inner = {std::max(inner.left, outer.left), std::max(inner.top, outer.top), std::min(inner.right, outer.right),
                 std::min(inner.bottom, outer.bottom)};
    }
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all.size() > 1 ? all : std::vector<PlaneRectangle>{};
}

int PipelineSchedule::threads_of(const PipelineExtent& extent) const {
    const PlaneRectangle with = threads_with(extent);
    for (const PlaneRectangle& frame : frames())
        if (frame.left <= with.left && frame.right >= with.right && frame.top <= with.top &&
            frame.bottom >= with.bottom)
            return std::min(threads(), rounded_up(frame.count(), warp_threads));
    return (choice.threads_y - 2 * idle_rows(extent)) * choice.threads_x;
}

int PipelineSchedule::idle_rows(const PipelineExtent& extent) const {
    int idle = threads_with(extent).top;
    while (idle * choice.threads_x % warp_threads != 0) --idle;
    return idle;
}

}  // namespace kasc
