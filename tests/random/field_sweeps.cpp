#include "random/field_sweeps.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "random/field_terms.hpp"

namespace kasc::random {

namespace {

bool lies_along(const std::vector<std::string>& axes, const std::string& axis) {
    return std::find(axes.begin(), axes.end(), axis) != axes.end();
}

class Sweep {
public:
    Sweep(Draw& draw, const FieldProgram& program, const std::set<std::string>& valued) : draw_(draw) {
        for (const RandomField& f : program.fields) {
            const bool number = f.cell.is_number() && !is_complex(f.type) && !f.mirrored && valued.contains(f.name);
            if (role_of(f.name) == Role::plain && number && f.name != "src" && f.name != "tab") fields_.push_back(f);
        }
    }

    std::optional<FieldLine> run() {
        std::vector<RandomField> targets;
        for (const RandomField& f : fields_)
            if (!f.axes.empty() && f.kept.empty()) targets.push_back(f);
        if (targets.empty()) return std::nullopt;
        const RandomField first = draw_.of(targets);
        axes_ = first.axes;
        axis_ = draw_.percent(60) ? axes_.front() : draw_.of(axes_);
        back_ = draw_.percent(40);
        first_ = draw_.percent(60) ? 1 : draw_.between(2, 4);
        FieldLine loop{fmt::format("for (s = {}; s < extent({}); s++)", first_, axis_), {}};
        loop.body.push_back({assigned(first), {}});
        const int more = draw_.between(0, 2);
        for (int k = 0; k < more; ++k) {
            std::vector<RandomField> others;
            for (const RandomField& f : fields_)
                if (f.kept.empty() && f.name != first.name && (f.axes == axes_ || f.axes == across()))
                    others.push_back(f);
            if (!others.empty()) loop.body.push_back({assigned(draw_.of(others)), {}});
        }
        return loop;
    }

private:
    Draw& draw_;
    std::vector<RandomField> fields_;
    std::vector<std::string> axes_;  ///< of the first target
    std::string axis_;
    bool back_ = false;
    int first_ = 1;  ///< iteration

    [[nodiscard]] std::vector<std::string> across() const {
        std::vector<std::string> all = axes_;
        std::erase(all, axis_);
        return all;
    }
    /// So many cells behind the iteration's own, where earlier ones were.
    [[nodiscard]] std::string place(int behind) const {
        const std::string own = back_ ? fmt::format("extent({}) - 1 - s", axis_) : "s";
        return behind == 0 ? own : fmt::format("{} {} {}", own, back_ ? "+" : "-", behind);
    }
    int behind() { return draw_.between(1, first_); }
    [[nodiscard]] std::string word(const RandomField& f, int behind) const {
        return lies_along(f.axes, axis_) ? fmt::format("{}[{} = {}]", f.name, axis_, place(behind)) : f.name;
    }

    std::string assigned(const RandomField& target) {
        const bool whole = is_integer(target.type);
        std::vector<std::string> terms;
        if (draw_.percent(75)) terms.push_back(term(target, lies_along(target.axes, axis_) ? behind() : 0));
        if (draw_.percent(30)) terms.push_back(term(target, draw_.percent(50) ? behind() : 0));
        const int others = draw_.between(terms.empty() ? 1 : 0, 2);
        for (int k = 0; k < others; ++k) {
            std::vector<RandomField> seen;
            for (const RandomField& f : fields_) {
                const bool known = std::all_of(f.axes.begin(), f.axes.end(), [&](const std::string& axis) {
                    return axis == axis_ || lies_along(target.axes, axis);
                });
                if (known && (!whole || is_integer(f.type))) seen.push_back(f);
            }
            if (!seen.empty()) terms.push_back(term(draw_.of(seen), draw_.percent(25) ? behind() : 0));
        }
        if (terms.empty() || draw_.percent(20)) terms.emplace_back(whole ? "s" : "0.01*s");
        std::string sum;
        for (const std::string& t : terms) sum += (sum.empty() ? "" : " + ") + t;
        return fmt::format("{} = {};", word(target, 0), whole ? fmt::format("({}) % 97", sum) : sum);
    }
    std::string term(const RandomField& f, int behind) {
        const char* factor = is_integer(f.type) ? draw_.of<const char*>({"", "3*"})
                                                : draw_.of<const char*>({"0.5*", "0.25*", "-0.375*"});
        return factor + word(f, behind);
    }
};

}  // namespace

std::optional<FieldLine> random_sweep(Draw& draw, const FieldProgram& program, const std::set<std::string>& valued) {
    if (program.spectra.drawn) return std::nullopt;
    return Sweep(draw, program, valued).run();
}

}  // namespace kasc::random
