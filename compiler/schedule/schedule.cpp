#include "schedule/schedule.hpp"

namespace kasc {

const Fusion& fusion_of(const KernelSchedule& schedule) {
    return std::visit([](const auto& s) -> const Fusion& { return s.fusion; }, schedule);
}

}  // namespace kasc
