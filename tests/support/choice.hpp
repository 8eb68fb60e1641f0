#pragma once

#include <stdexcept>
#include <string>

#include "search/choice_text.hpp"

namespace kasc::test {

/// A choice from its text, as a plan has it; what it leaves open is as in a choice of no words.
inline FieldChoice choice(const std::string& text) {
    const auto source = make_source("plan", text);
    const Outcome<ChoiceWish> wish = parse_choice({source, 0, text.size()});
    if (!wish) throw std::runtime_error(render_text(wish.diagnostics));
    return wished(FieldChoice{}, *wish);
}

}  // namespace kasc::test
