// Threads are counted through the rows of a plane, one cell each, so that rows of any length leave none of them idle.
#include "schedule/field/walk/walk.hpp"

namespace kasc {

namespace {

class Flat : public FieldWalk {
public:
    std::string numbers_fault(const FieldChoice& c, std::size_t axes) const override {
        if (std::string fault = no_loop_fault(c); !fault.empty()) return fault;
        if (axes < 2 || axes > 3) return "threads are counted through the rows of planes: two or three axes";
        if (c.threads_y != 1 || c.threads_z != 1) return "threads that are counted through rows are one row of threads";
        if (c.vector != 1 || c.rows != 1) return "threads that are counted through rows compute one cell";
        if (c.neighbours != Neighbours::registers) return "cells of a piece of rows have no tile to share";
        if (c.borders == Borders::uniform) return "a piece of rows is never in the interior";
        return {};
    }

    BlockCells cells(const FieldSchedule& schedule) const override {
        BlockCells cells = FieldWalk::cells(schedule);
        cells.counted = 2;
        return cells;
    }
};

}  // namespace

const FieldWalk& flat_walk() {
    static const Flat walk;
    return walk;
}

}  // namespace kasc
