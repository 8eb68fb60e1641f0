#pragma once
// What a check finds wrong, each once and no more than is asked for: a text that nobody is shown is not made. A missing
// barrier is found once for every word that it orders.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace kasc::kernel {

class Findings {
public:
    explicit Findings(std::size_t most) : most_(most) {}

    /// Whoever looks on finds nothing that is told.
    [[nodiscard]] bool are_enough() const { return texts_.size() >= most_; }
    /// `text()` is made where it is wanted.
    template <class Text>
    void add(const Text& text) {
        if (are_enough()) return;
        std::string made = text();
        if (std::find(texts_.begin(), texts_.end(), made) == texts_.end()) texts_.push_back(std::move(made));
    }
    [[nodiscard]] const std::vector<std::string>& texts() const { return texts_; }

private:
    std::size_t most_;
    std::vector<std::string> texts_;
};

}  // namespace kasc::kernel
