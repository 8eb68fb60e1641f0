#include "random/field_levels.hpp"

#include <fmt/format.h>

#include <vector>

#include "random/field_terms.hpp"

namespace kasc::random {

std::optional<TimeLevels> time_levels(const FieldProgram& program, const std::set<std::string>& valued) {
    std::vector<RandomField> plain;
    for (const RandomField& f : program.fields) {
        const bool whole = role_of(f.name) == Role::plain && !f.is_series() && f.name != "tab";
        if (whole && valued.contains(f.name) && !is_complex(f.type) && !f.mirrored) plain.push_back(f);
    }
    for (const RandomField& former : plain) {
        for (const RandomField& own : plain) {
            if (former.name == own.name || former.axes != own.axes || former.type != own.type) continue;
            if (former.cell != own.cell) continue;
            for (const RandomField& seen : plain) {
                if (seen.name == former.name || seen.name == own.name || seen.axes != own.axes) continue;
                const char* text = is_integer(seen.type)     ? "({} + 3) % 97"
                                   : is_integer(former.type) ? "0.01 * {}"
                                                             : "0.5 * {} - 0.25";
                if (is_integer(seen.type) && !is_integer(former.type)) continue;
                if (!former.cell.is_number() && seen.cell != former.cell) continue;
                return TimeLevels{seen, former, own, fmt::format(fmt::runtime(text), named(former.name, former.cell))};
            }
        }
    }
    return std::nullopt;
}

}  // namespace kasc::random
