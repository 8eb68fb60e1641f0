#include "random/field_conditions.hpp"

#include <fmt/format.h>

#include "random/field_terms.hpp"

namespace kasc::random {

std::string random_condition(Draw& draw, const FieldProgram& program, const std::set<std::string>& valued,
                             const std::vector<std::string>& loops) {
    std::vector<RandomField> plain;
    for (const RandomField& f : program.fields) {
        if (role_of(f.name) == Role::plain && valued.contains(f.name) && !is_complex(f.type) && f.cell.is_number())
            plain.push_back(f);
    }
    if (program.spectra.drawn || plain.empty() || !draw.percent(25)) return "";
    if (loops.size() > 1 && draw.percent(50))
        return fmt::format(
            fmt::runtime(draw.of<std::string>({"{} % 2 == 0", "{} % 2 == 1", "({} + 1) % 3 == 0", "{} % 3 == 1",
                                               "{} % 3 != 0", "{} / 2 % 2 == 1", "{} % 4 < 2", "{} % 5 == 3"})),
            loops.front());
    const RandomField f = draw.of(plain);
    if (f.axes.empty()) return fmt::format("{} > {}", f.name, is_integer(f.type) ? "3" : "0.3");
    return fmt::format("{}({}) {} {}", draw.of<std::string>({"maximum", "minimum"}), f.name,
                       draw.of<std::string>({"<", ">"}), is_integer(f.type) ? "50" : "0.7");
}

std::string loop_head(Draw& draw, const std::string& variable, const std::string& end, const std::string& condition) {
    if (!condition.empty() && draw.percent(40)) return fmt::format("if ({})", condition);
    return fmt::format("for ({0} = 0; {0} < {1}{2}{3}; {0}++)", variable, end, condition.empty() ? "" : " && ",
                       condition);
}

}  // namespace kasc::random
