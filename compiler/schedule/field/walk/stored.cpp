// A library's transform calls for each cell as it stores it, and hands over the word that it has made. Which word that
// is, the schedule of the transform says.
#include <algorithm>

#include "graph/field_target.hpp"
#include "schedule/field/walk/walk.hpp"

namespace kasc {

namespace {

constexpr const char* one_cell = "a transform stores one cell at a time";

class Stored : public FieldWalk {
public:
    std::string numbers_fault(const FieldChoice& c, std::size_t) const override {
        if (std::string fault = no_loop_fault(c); !fault.empty()) return fault;
        const bool plain =
            c.vector == 1 && c.rows == 1 && c.borders == Borders::cell && c.neighbours == Neighbours::registers;
        return plain ? "" : one_cell;
    }
    std::string fault(const FieldChoice&, const FieldWork& work, const FusionFaults& faults) const override {
        const auto& calls = work.plan.calls;
        if (std::any_of(calls.begin(), calls.end(), [](const FieldCall& c) { return calls_library(*c.statement); }))
            return "a transform calls no function of the library";
        return work.edges || work.margin > 0 || !faults.at_own_cells ? one_cell : "";
    }
};

}  // namespace

const FieldWalk& stored_walk() {
    static const Stored walk;
    return walk;
}

}  // namespace kasc
