#pragma once
// How planes come from memory, in the iteration before that which needs them: into registers of the thread that has the
// cell, or, where threads have vectors and look at each other's, into rings in shared memory, asynchronously. Vectors
// are few accesses, which do not hide memory's latency: some planes before they are sent for, into L2.

#include <functional>

#include "lower/pipeline/rows.hpp"

namespace kasc::kernel {

class PipelineLoads : public PipelineRows {
public:
    using PipelineRows::PipelineRows;

protected:
    /// Block level: queues move on, and the next planes are asked for, those of registers.
    Body loads();
    /// Thread level: the planes of one of the first iterations are fetched into rings, and those of the iteration that
    /// is so far ahead; none: empty.
    Body fetched_first(int iteration);
    Body fetched_next();
    /// The word of a plane that is asked for, of the cell at hand.
    Statement load_ahead(const KeptPlanes& kept, const ExprRef& plane, Body& body);

private:
    ExprRef next(const KeptPlanes& kept) { return add(plane_, integer(schedule_.choice.ahead - kept.extent.lag)); }
    Body asked_for(Body vectors, Body words);
    Body fetched_words(const ExprRef& plane, const std::function<ExprRef(int copies)>& slot_of_ring);
    Body sent_for();
};

}  // namespace kasc::kernel
