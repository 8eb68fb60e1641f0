// Blocks with whole lines go through their cells several times: their schedule is of its own (schedule/line). Here
// stands why a kernel that goes through its cells once is none of them.
#include "schedule/field/walk/walk.hpp"

namespace kasc {

namespace {

class Line : public FieldWalk {
public:
    std::string numbers_fault(const FieldChoice&, std::size_t) const override {
        return "only a kernel that completes sums over lines has blocks of whole lines";
    }
};

}  // namespace

const FieldWalk& line_walk() {
    static const Line walk;
    return walk;
}

}  // namespace kasc
