#pragma once
// Progress of a long run on standard error: on a terminal a bar that is drawn in place, else a line every tenth
// and every few minutes, and nothing for runs below two seconds.

#include <functional>
#include <string>
#include <string_view>

namespace kasc::runtime {

/// A total of that many steps or more is that of a loop that ends by what it computes: nobody knows how many there are.
inline constexpr long long no_bound = 2147483647;

struct ProgressState {
    std::string title;
    long long done = 0;
    long long total = 0;
    double seconds = 0;    ///< since the start
    long long begun = 0;   ///< what was done at the start
    std::string beside{};  ///< more to say of where it stands: "rr 3.2e-05 > 1e-06"
    std::string_view unit = "steps";
};

/// "heat [########........]  50% 500/1000 steps, 250 steps/s, 0:02 to go", at most `columns` wide.
[[nodiscard]] std::string progress_line(const ProgressState& state, int columns);
/// "0:07", "12:05", "3:20:00".
[[nodiscard]] std::string duration_text(double seconds);

class ProgressDisplay {
public:
    enum class Style { bar, lines };
    struct Medium {
        Style style = Style::lines;
        int columns = 80;
        std::function<void(const std::string&)> write;
        std::function<double()> clock;  ///< seconds, from any origin
    };
    /// Standard error as it is, with a steady clock.
    [[nodiscard]] static Medium standard_error();
    /// Lines, whatever it is.
    [[nodiscard]] static Medium standard_output();

    /// `begun`: what an earlier run has done already; the rate is of this one. `unit`: what is counted, a literal.
    ProgressDisplay(std::string title, Medium medium, long long begun = 0, std::string_view unit = "steps");
    /// Draws only when there is something new to see; cheap enough to be called after each step. `beside`: asked where
    /// it draws; may be empty.
    void update(long long done, long long total, const std::function<std::string()>& beside = {});
    /// Ends a bar's line; nothing if none was drawn.
    void finish();

private:
    std::string title_;
    Medium medium_;
    double start_;
    double last_drawn_ = 0;
    long long begun_ = 0;
    std::string_view unit_;
    long long last_tenth_ = 0;
    bool drawn_ = false;
};

}  // namespace kasc::runtime
