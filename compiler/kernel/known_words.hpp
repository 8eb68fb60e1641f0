#pragma once
// Words of private arrays that each thread which comes to a statement has written, or was found not to have written,
// before: what it does to them tells nothing more.

#include <set>
#include <string>
#include <utility>

#include "kernel/kernel.hpp"

namespace kasc::kernel {

class KnownWords {
public:
    [[nodiscard]] bool holds(const std::string& array, long long first, int words) const {
        for (long long at = first; at < first + words; ++at)
            if (!words_.contains({array, at})) return false;
        return true;
    }
    void add(const std::string& array, long long first, int words) {
        for (long long at = first; at < first + words; ++at) words_.emplace(array, at);
    }
    /// Other threads may have given it words, or none.
    void forget(const std::string& array) {
        std::erase_if(words_, [&](const auto& word) { return word.first == array; });
    }
    /// All arrays that exchanges in these statements of block level give words.
    void forget_given(const Body& body) {
        for (const Statement& s : body) {
            if (const auto* exchange = std::get_if<Exchange>(&s.node)) forget(exchange->into);
            if (const auto* loop = std::get_if<For>(&s.node)) forget_given(loop->body);
            if (const auto* either = std::get_if<If>(&s.node)) {
                forget_given(either->then);
                forget_given(either->otherwise);
            }
        }
    }

private:
    std::set<std::pair<std::string, long long>> words_;
};

}  // namespace kasc::kernel
