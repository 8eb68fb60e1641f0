// Seeded random programs: three to five statements over fields with random axes, boundaries and neighbours, among them
// slices and records. Every run of calls that can be one kernel must equal the reference to the bit.
#include <fmt/ranges.h>

#include <random>

#include "unit/lower/lower_field_check.hpp"

namespace kasc::test {
namespace {

class RandomProgram {
public:
    explicit RandomProgram(unsigned seed) : random_(seed) {}

    std::string text() {
        const std::vector<std::string> shapes{"[x,y]", "[x,y]", "[x,y]", "[x]", "[y]", "[x,y]"};
        const std::vector<std::string> names{"a", "b", "c", "p", "q", "d"};
        std::string declarations = "float ";
        for (std::size_t k = 0; k < names.size(); ++k) {
            declarations += names[k] + shapes[k] + boundary() + ", ";
            axes_[names[k]] = (shapes[k].size() - 1) / 2;
        }
        declarations +=
            "rec[t], line[x,t]; param int n = 1; param int px = 1; param int py = 0; param float f = 0.75; ";
        std::string body;
        const int statements = pick(3, 5);
        std::string assigned = "a";
        for (int k = 0; k < statements; ++k) {
            const std::string target = one({"a", "b", "c", "a", "p", "q", "d"});
            assigned = target;
            body += target + (pick(0, 5) == 0 && axes_[target] == 2 ? "[y = py]" : "") + " = ";
            slice_ = body.ends_with("] = ");
            running_ = target == "p" ? "x" : target == "q" ? "y" : slice_ ? "x" : "xy";
            body += expression() + "; ";
        }
        body += "rec[t = n] = a[x = px, y = py] * f + rec[t = n]; line[t = n] = b[y = py] - p; ";
        return declarations + "input a, b, c, p, q, d, rec, line; " + body + "return a, b, c, p, q, d, rec, line;";
    }

private:
    std::mt19937 random_;
    std::map<std::string, std::size_t> axes_;
    std::string running_;
    bool slice_ = false;

    int pick(int low, int high) { return low + static_cast<int>(random_() % static_cast<unsigned>(high - low + 1)); }
    std::string one(const std::vector<std::string>& all) {
        return all[static_cast<std::size_t>(pick(0, static_cast<int>(all.size()) - 1))];
    }
    std::string boundary() {
        return " " + one({"boundary mirror", "boundary periodic", "boundary value(0.25)", "boundary keep(1)",
                          "boundary keep(2)"});
    }
    std::string read() {
        if (running_ == "x") return one({fmt::format("p[{}]", pick(-2, 2)), "a[y = py]", "b[y = 0]", "p"});
        if (running_ == "y") return one({fmt::format("q[{}]", pick(-2, 2)), "a[x = px]", "q"});
        const std::string field = one({"a", "b", "c", "d", "p", "q"});
        if (axes_[field] == 1) return fmt::format("{}[{}]", field, pick(-1, 1));
        return one({fmt::format("{}[{}, {}]", field, pick(-2, 2), pick(-1, 2)), field});
    }
    std::string expression() {
        std::string text = read();
        const int terms = pick(1, 3);
        for (int k = 0; k < terms; ++k) {
            text += one({" + ", " - "}) + one({"", "f * ", "0.5 * "}) + read();
            if (pick(0, 2) == 0) text += " * " + read();
        }
        return text;
    }
};

TEST(LowerFieldRandom, FusedEqualsUnfusedToTheBit) {
    int fused = 0, vectors = 0;
    const auto apart = static_cast<int>(one_of(2));
    for (int seed = 1; seed <= 15; seed += apart) {
        const std::string text = RandomProgram(static_cast<unsigned>(seed)).text();
        SCOPED_TRACE(fmt::format("seed {}: {}", seed, text));
        const CheckCount count = check_program(text, {{2, 1, 2}, {3, 4, 2}, {8, 7, 2}, {9, 3, 2}});
        fused += count.fused;
        vectors += count.vectors;
        if (HasFailure()) return;
    }
    EXPECT_GT(fused, 30 / apart);
    EXPECT_GT(vectors, 200 / apart);
}

}  // namespace
}  // namespace kasc::test
