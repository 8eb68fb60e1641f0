#include "frontend/expansion.hpp"

#include <fmt/format.h>

#include "frontend/parse.hpp"

namespace kasc::frontend {

Expansion::Expansion(Building& building, const Span& of, const Replacements& replacements, const Span& by,
                     std::string why)
    : building_(building) {
    ++building_.depth;
    if (building_.exhausted) return;
    std::string what;
    if (building_.depth > most_expansions_within_each_other) {
        what = fmt::format("procedures and lists stand more than {} deep in each other",
                           most_expansions_within_each_other);
    } else if (building_.expanded_bytes > program_limits.bytes) {
        what = fmt::format("with its procedures and lists expanded, the program is longer than {} bytes",
                           program_limits.bytes);
    }
    if (what.empty()) {
        source_ = with_replaced_names(of, replacements, by, std::move(why));
        building_.expanded_bytes += source_->text.size() + 1;
        return;
    }
    building_.exhausted = true;
    building_.report.error("K0120", what, by).help =
        "call fewer procedures: a loop of the run repeats without more text";
}

Expansion::~Expansion() { --building_.depth; }

Nested::Nested(Building& building, const Span& span)
    : building_(building), fits_(building.nesting < program_limits.nesting) {
    ++building_.nesting;
    if (fits_ || building_.exhausted) return;
    building_.exhausted = true;
    building_.report
        .error("K0105", fmt::format("nested more than {} levels deep", program_limits.nesting), span,
               "with all that it stands in")
        .help = "let loops and branches stand one behind the other";
}

void report_open_parts(const ast::Name& name, Report& report) {
    const std::size_t open = name.text.find('{');
    const std::string part = name.text.substr(open + 1, name.text.find('}') - open - 1);
    report.error("K0118", fmt::format("nothing stands for '{}' in '{}'", part, name.text), name.span).help =
        fmt::format("names have such parts within 'for {} in (x, y) {{ ... }}', 'axis_sum' over a list and procedures",
                    part);
}

}  // namespace kasc::frontend
