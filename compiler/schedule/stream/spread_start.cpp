#include "schedule/stream/spread_start.hpp"

#include <fmt/format.h>

namespace kasc {

std::string spread_start(const std::string& start, const TilePitch& pitch) {
    if (pitch.padding == 0) return start;
    return fmt::format("({0}) + ({0}) / {1} * {2}", start, pitch.element_words, pitch.padding);
}

}  // namespace kasc
