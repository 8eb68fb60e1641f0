#pragma once
// Legality and profitability are decided once, as a value with its reason: what the search asks is what `kasc explain`
// prints and what tests check.

#include <string>
#include <utility>

namespace kasc {

class [[nodiscard]] Verdict {
public:
    static Verdict yes(std::string reason) { return {true, std::move(reason)}; }
    static Verdict no(std::string reason) { return {false, std::move(reason)}; }

    [[nodiscard]] explicit operator bool() const { return allowed_; }
    [[nodiscard]] const std::string& reason() const { return reason_; }

private:
    Verdict(bool allowed, std::string reason) : allowed_(allowed), reason_(std::move(reason)) {}
    bool allowed_;
    std::string reason_;
};

}  // namespace kasc
