// Blocks with whole lines go through their cells several times, blocks with stages at several planes, threads that run
// a loop at one cell many times: their schedules are of their own (schedule/line, schedule/pipeline, schedule/loop).
// Here stands why a kernel that goes through its cells once is none of them.
#include "schedule/field/walk/walk.hpp"

namespace kasc {

namespace {

class Line : public FieldWalk {
public:
    std::string numbers_fault(const FieldChoice&, std::size_t) const override {
        return "only a kernel that completes sums over lines has blocks of whole lines";
    }
};

class Pipeline : public FieldWalk {
public:
    std::string numbers_fault(const FieldChoice&, std::size_t) const override {
        return "a pipeline is scheduled stage by stage";
    }
};

class LoopOfCell : public FieldWalk {
public:
    std::string numbers_fault(const FieldChoice&, std::size_t) const override {
        return "only a kernel that runs a loop of the program walks through its iterations";
    }
};

}  // namespace

const FieldWalk& line_walk() {
    static const Line walk;
    return walk;
}

const FieldWalk& pipeline_walk() {
    static const Pipeline walk;
    return walk;
}

const FieldWalk& loop_walk() {
    static const LoopOfCell walk;
    return walk;
}

}  // namespace kasc
