// A block computes the cells at which its threads stand, and is done.
#include "schedule/field/walk/walk.hpp"

namespace kasc {

namespace {

class Grid : public FieldWalk {
public:
    std::string numbers_fault(const FieldChoice& choice, std::size_t) const override {
        if (std::string fault = no_loop_fault(choice); !fault.empty()) return fault;
        return choice.neighbours == Neighbours::cache ? "a grid reads each neighbour once: into registers" : "";
    }

    FieldChoice decisive(const FieldChoice& choice) const override {
        return choice.neighbours == Neighbours::shared ? FieldWalk::decisive(choice) : FieldChoice{};
    }

    /// With neighbours shared: the block fills its tiles, then the cells look into them.
    block::BlockProgram block(const FieldSchedule& schedule, const Program& program,
                              const Graph& graph) const override {
        block::BlockProgram made;
        block::Step fill = fill_step(), cells = cells_step();
        add_tiles(made, fill, cells, 1, schedule, program, graph);
        if (!schedule.tiles.empty()) made.steps.push_back(std::move(fill));
        made.steps.push_back(std::move(cells));
        return with_barriers(std::move(made));
    }
};

}  // namespace

const FieldWalk& grid_walk() {
    static const Grid walk;
    return walk;
}

}  // namespace kasc
