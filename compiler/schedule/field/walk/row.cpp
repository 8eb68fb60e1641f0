// A core computes a tile of a plane, row by row; the order of the cells in it is the lowering's.
#include "schedule/field/walk/walk.hpp"

namespace kasc {

namespace {

class Row : public FieldWalk {
public:
    std::string numbers_fault(const FieldChoice& c, std::size_t) const override {
        if (c.threads_z != 1) return "a tile of rows lies in one plane";
        if (std::string fault = no_loop_fault(c); !fault.empty()) return fault;
        if (c.vector != 1) return "rows are left to the compiler to vectorise";
        if (c.rows != 1 || c.neighbours != Neighbours::registers || c.borders != Borders::cell)
            return "rows have no choice but the size of their tile";
        return {};
    }
    int threads(const FieldChoice&) const override { return 1; }
    bool has_row_path() const override { return true; }
};

}  // namespace

const FieldWalk& row_walk() {
    static const Row walk;
    return walk;
}

}  // namespace kasc
