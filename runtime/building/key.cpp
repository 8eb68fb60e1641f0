#include "runtime/building/key.hpp"

#include <fmt/format.h>

namespace kasc::runtime {

void BuildKey::add(std::string_view label, std::string_view text) {
    digest_.add(fmt::format("{} {}\n", label, text.size()));
    digest_.add(text);
}

}  // namespace kasc::runtime
