#pragma once
// How planes come from memory, in the iteration before that which needs them: into registers of the thread that has the
// cell, or, where threads have vectors and look at each other's, into rings in shared memory, asynchronously. Vectors
// are few accesses, which do not hide memory's latency: some planes before they are sent for, into L2.

#include "lower/pipeline/fetches.hpp"

namespace kasc::kernel {

class PipelineLoads : public PipelineFetches {
public:
    using PipelineFetches::PipelineFetches;

protected:
    /// Block level: queues move on, and the next planes are asked for, those of registers.
    Body loads();
    /// The word of a plane that is asked for, of the cell at hand.
    Statement load_ahead(const KeptPlanes& kept, const ExprRef& plane, Body& body);

private:
    Body asked_for(Body vectors, Body words);
    Body sent_for();
};

}  // namespace kasc::kernel
