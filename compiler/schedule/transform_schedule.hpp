#pragma once
// A transform is a call of the device's library (cuFFT, FFTW): there is nothing to schedule but the call.

#include "search/choice.hpp"
#include "search/fusion_space.hpp"

namespace kasc {

struct TransformSchedule {
    Fusion fusion;  ///< of one call
    TransformChoice choice;
};

}  // namespace kasc
