#pragma once
// Where a compilation's time goes, pass by pass: a stage names itself while it runs, and who wants to know watches.
// What nobody watches costs a look at a pointer. No result depends on it.

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kasc {

/// A pass, or one within another: `depth` 0 is outermost. In the order in which they began.
struct PassTime {
    std::string name;
    int depth = 0;
    double seconds = 0;  ///< on the clock, of all its runs, what is within it included
    int runs = 0;
};

/// While it lives, passes of this thread are noted; work of other threads counts for the pass that waits for them. One
/// at a time in a thread.
class PassWatch {
public:
    PassWatch();
    ~PassWatch();
    PassWatch(const PassWatch&) = delete;
    PassWatch& operator=(const PassWatch&) = delete;

    [[nodiscard]] std::vector<PassTime> times() const;

private:
    friend class Pass;
    struct Noted {
        std::string name;
        std::optional<std::size_t> outer{};  ///< its place
        double seconds = 0;
        int runs = 0;
    };
    std::vector<Noted> passes_;
    std::vector<std::size_t> under_way_;  ///< places, outermost first

    void enter(std::string_view name);
    void leave(double seconds);
};

/// A pass is under way from here until its end.
class Pass {
public:
    explicit Pass(std::string_view name);
    ~Pass();
    Pass(const Pass&) = delete;
    Pass& operator=(const Pass&) = delete;

private:
    PassWatch* watch_;  ///< null: nobody watches
    std::chrono::steady_clock::time_point began_;
};

/// A line a pass, those within others indented behind theirs.
[[nodiscard]] std::string pass_text(const std::vector<PassTime>& passes);

}  // namespace kasc
