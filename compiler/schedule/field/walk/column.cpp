// A thread stands at a cell of the first axes and walks `chunk` planes of the last. What it reads of the planes around
// the one it is in stays in queues of registers, which move on at the end of each; tiles in shared memory hold one
// plane and are filled while slower warps read the one before:
//
//   region  T_queue  4 words a thread          region  u_tile  36 × 12 words, 2 copies, shared
//   copy     T_queue: planes z - 2 … z + 1
//   loop
//     copy     u_tile, copy z % 2
//     compute  loads plane z + 2
//     move     T_queue
//   end
#include <algorithm>

#include "schedule/field/walk/walk.hpp"

namespace kasc {

namespace {

constexpr int planes_of_tile = 2;

/// Reads at the thread's own cells that differ along the walk alone share a queue.
std::vector<ColumnQueue> column_queues(const CellProgram& program) {
    std::vector<ColumnQueue> queues;
    for (const CellValue& v : program.values) {
        if (v.read == nullptr || !v.whole || is_computed(v.read->indices)) continue;
        const CellPlace& place = program.at(v);
        const std::size_t walk = place.size() - 1;
        if (!moves_along(v.read->indices, walk) || (program.view.group && !moves_along(v.read->indices, 0))) continue;
        const int row = walk > 1 ? sum(place[1]) : 0, at = sum(place.back());
        if (!place.front().empty() || row < 0 || row >= program.view.rows) continue;
        const auto same = std::find_if(queues.begin(), queues.end(), [&](const ColumnQueue& q) {
            return q.row == row && reads_alike(*q.read, *v.read);
        });
        if (same == queues.end()) {
            queues.push_back({v.read, row, at, at});
        } else {
            same->low = std::min(same->low, at);
            same->high = std::max(same->high, at);
        }
    }
    std::erase_if(queues, [](const ColumnQueue& q) { return q.low == q.high; });
    return queues;
}

class Column : public FieldWalk {
public:
    std::string numbers_fault(const FieldChoice& c, std::size_t axes) const override {
        if (axes < 2 || axes > 3) return "a column walk needs two or three axes";
        if (axes == 2 && c.threads_y != 1) return "a column over two axes is one row of threads";
        if (axes == 2 && c.rows != 1) return "a column over two axes walks along the rows";
        if (c.threads_z != 1) return "a column walks along the third axis";
        return unroll_fault(c);
    }

    bool groups(const FieldChoice& choice) const override {
        return choice.vector > 1 || choice.neighbours == Neighbours::shared;
    }

    WalkParts parts(const FieldSchedule& schedule, const Program&, const Graph&) const override {
        if (schedule.choice.neighbours == Neighbours::cache) return ColumnParts{};
        return ColumnParts{column_queues(*schedule.paths.cells)};
    }

    FieldChoice decisive(const FieldChoice& choice) const override {
        if (choice.neighbours == Neighbours::shared) return FieldWalk::decisive(choice);
        FieldChoice made;
        made.walk = choice.walk, made.vector = choice.vector, made.rows = choice.rows;
        made.neighbours = choice.neighbours;
        return made;
    }

    BlockCells cells(const FieldSchedule& schedule) const override {
        BlockCells cells = FieldWalk::cells(schedule);
        cells.along.back() = schedule.choice.chunk;
        cells.tiled = schedule.axes().size() - 1;
        return cells;
    }

    block::BlockProgram block(const FieldSchedule& schedule, const Program& program,
                              const Graph& graph) const override {
        using block::StepKind;
        block::BlockProgram made;
        block::Step fill = fill_step(), cells = cells_step();
        add_tiles(made, fill, cells, planes_of_tile, schedule, program, graph);
        const std::vector<ColumnQueue>& queues = schedule.kept<ColumnParts>()->queues;
        for (const ColumnQueue& queue : queues) made.regions.push_back(region_of(queue, schedule, program, graph));
        if (!queues.empty()) made.steps.push_back({StepKind::copy, "queues", "the queues", "filled"});
        made.steps.push_back({StepKind::loop_begin, "", "", "", {}, true, schedule.choice.chunk});
        if (!schedule.tiles.empty()) made.steps.push_back(std::move(fill));
        made.steps.push_back(std::move(cells));
        if (!queues.empty()) made.steps.push_back({StepKind::move, "queues", "the queues", "moved"});
        made.steps.push_back({StepKind::loop_end});
        return with_barriers(std::move(made));
    }

private:
    /// Words that are there when a thread comes to a plane.
    static block::Region region_of(const ColumnQueue& queue, const FieldSchedule& schedule, const Program& program,
                                   const Graph& graph) {
        const Variable& variable = program.variables[graph.values[queue.read->value].variable];
        const auto bytes = static_cast<int>(cell_bytes(std::get<FieldShape>(variable.shape).type));
        return {variable.name + "_queue", block::Residence::registers,
                (queue.high - queue.low) * schedule.choice.vector, 1, bytes};
    }
};

}  // namespace

const FieldWalk& column_walk() {
    static const Column walk;
    return walk;
}

}  // namespace kasc
