#include "schedule/field/schedule.hpp"

#include "schedule/field/choice_fault.hpp"
#include "schedule/field/prologue.hpp"
#include "schedule/field/rim_rows.hpp"
#include "schedule/field/tiles.hpp"
#include "schedule/field/walk/fold.hpp"
#include "schedule/field/walk/pieces.hpp"

namespace kasc {

FieldScheduler::FieldScheduler(const Program& program, const Graph& graph, const Fusion& fusion)
    : FieldScheduler(program, graph, field_work(program, graph, fusion)) {}

FieldScheduler::FieldScheduler(const Program& program, const Graph& graph, std::shared_ptr<const FieldWork> work)
    : FieldScheduler(program, graph, FieldWorkResult{std::move(work), {}}) {}

FieldScheduler::FieldScheduler(const Program& program, const Graph& graph, FieldWorkResult work)
    : program_(program), graph_(graph), work_(std::move(work.value)), reason_(std::move(work.reason)) {
    if (!work_) return;
    programs_.emplace(program, graph, work_->plan);
    faults_ = std::make_shared<const FusionFaults>(fusion_faults(*work_, program, graph));
}

bool FieldScheduler::has_words_of_cells() const { return faults_->words.empty(); }

std::shared_ptr<const CellProgram> FieldScheduler::path(const CellView& view) const {
    auto& made = paths_[view];
    if (made) return made;
    PathCells cells;
    for (std::size_t k = 0; k < work_->plan.axes.size(); ++k) {
        // Groups that map what lies beyond the first axis stand anywhere along it.
        const bool anywhere = k == 0 && view.rim;
        const Standing inside = work_->edges ? Standing{work_->interior_low[k], work_->interior_high[k]}
                                             : Standing{work_->margin, work_->margin};
        cells.push_back(anywhere ? std::nullopt : std::optional(inside));
    }
    made = std::make_shared<const CellProgram>(programs_->of(view, cells));
    return made;
}

std::shared_ptr<const CellProgram> FieldScheduler::rim(const FieldChoice& choice) const {
    if (row_ends(*work_, choice) == RowEnds::edge_path) return nullptr;
    const auto [at, added] = rims_.try_emplace({choice.walk, choice.neighbours == Neighbours::shared, choice.rows > 1});
    if (added) at->second = rim_rows(*work_, choice, program_, graph_, *programs_);
    return at->second;
}

std::optional<FieldChoice> FieldScheduler::choice_of_fold(bool cpu) const {
    if (const auto pieces = choices_of_pieces(cpu); !pieces.empty()) return pieces.front();
    const std::vector<FieldChoice> all = choices_of_fold(cpu);
    return all.empty() ? std::nullopt : std::optional(all.front());
}

std::vector<FieldChoice> FieldScheduler::choices_of_fold(bool cpu) const {
    const Fold* fold = work_ ? fold_of(*work_) : nullptr;
    if (fold == nullptr) return {};
    std::vector<FieldChoice> all = kasc::choices_of_fold(*fold, cpu);
    if (folds_both_ways(work_->plan)) all.resize(1);
    return all;
}

std::vector<FieldChoice> FieldScheduler::choices_of_pieces(bool cpu) const {
    return work_ && adds_in_pieces(work_->plan) ? kasc::choices_of_pieces(work_->plan, program_, cpu)
                                                : std::vector<FieldChoice>();
}

std::optional<FieldChoice> FieldScheduler::groups_of_fold() const {
    const Fold* fold = work_ ? fold_of(*work_) : nullptr;
    return fold != nullptr ? kasc::groups_of_fold(*fold) : std::nullopt;
}

RowEnds row_ends(const FieldWork& work, const FieldChoice& choice) {
    if (choice.vector == 1) return RowEnds::edge_path;
    const bool maps =
        choice.neighbours != Neighbours::shared && choice.walk != Walk::warp && work.beside <= choice.vector;
    return work.ends != RowEnds::hidden && !maps ? RowEnds::edge_path : work.ends;
}

std::string FieldScheduler::choose(const FieldChoice& choice, FieldSchedule& schedule) const {
    if (!reason_.empty()) return reason_;
    std::string fault = choice_fault(choice, *work_, *faults_, program_, graph_);
    if (!fault.empty()) return fault;
    const FieldWalk& walk = walk_of(*work_, choice.walk);
    const bool group = walk.groups(choice);
    schedule.choice = choice;
    const RowEnds ends = row_ends(*work_, choice);
    schedule.paths.cell = path({Path::interior, 1, false, ends != RowEnds::edge_path});
    schedule.paths.cells =
        path({Path::interior, choice.rows, group, ends != RowEnds::edge_path, false, ends == RowEnds::mapped});
    schedule.paths.rim = rim(choice);
    const bool rows = walk.has_row_path() && work_->edges;
    schedule.paths.beside = rows ? path({Path::row}) : nullptr;
    schedule.paths.ends = rows ? path({Path::ends}) : nullptr;
    const auto [at, added] = walked_.try_emplace(walk.decisive(choice));
    Walked& walked = at->second;
    if (added) walked = walk_with(walk, schedule);
    if (!walked.fault.empty()) return walked.fault;
    schedule.parts = walked.parts;
    schedule.tiles = walked.tiles;
    auto block = walked.blocks.find(choice.chunk);
    if (block == walked.blocks.end()) {
        auto made = block::with_iterations(*walked.blocks.begin()->second, choice.chunk);
        block = walked.blocks.emplace(choice.chunk, std::make_shared<const block::BlockProgram>(std::move(made))).first;
    }
    schedule.block = block->second;
    return add_prologue(schedule, walk);
}

std::string FieldScheduler::add_prologue(FieldSchedule& schedule, const FieldWalk& walk) const {
    if (!joins_parts(*work_)) return {};
    const int threads = walk.threads(schedule.choice);
    if (std::string fault = prologue_fault(threads); !fault.empty()) return fault;
    auto& made = prologues_[threads];
    if (!made) made = std::make_shared<const block::BlockProgram>(prologue_block(*work_, threads, program_, graph_));
    schedule.prologue = made;
    return shared_fault(*schedule.block, walk.most_shared_bytes(), shared_bytes(*made));
}

FieldScheduler::Walked FieldScheduler::walk_with(const FieldWalk& walk, FieldSchedule& schedule) const {
    schedule.tiles.clear();
    schedule.parts = walk.parts(schedule, program_, graph_);
    std::string fault;
    if (schedule.choice.neighbours == Neighbours::shared) fault = place_tiles(schedule, program_, graph_);
    if (!fault.empty()) return {fault, {}, {}, {}};
    const auto block = std::make_shared<const block::BlockProgram>(walk.block(schedule, program_, graph_));
    return {shared_fault(*block, walk.most_shared_bytes()),
            schedule.parts,
            schedule.tiles,
            {{schedule.choice.chunk, block}}};
}

FieldScheduleResult FieldScheduler::with(const FieldChoice& choice) const {
    FieldSchedule schedule = open();
    std::string fault = choose(choice, schedule);
    if (!fault.empty()) return {std::nullopt, fault};
    return {std::move(schedule), {}};
}

FieldScheduleResult schedule_field(const Program& program, const Graph& graph, const Fusion& fusion,
                                   const FieldChoice& choice) {
    return FieldScheduler(program, graph, fusion).with(choice);
}

}  // namespace kasc
