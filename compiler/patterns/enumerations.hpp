#pragma once
// Enumerations of a library's implementations, each made once: a search asks for the same few thousands of times.

#include <map>
#include <string>
#include <utility>

#include "patterns/pattern.hpp"

namespace kasc {

/// Lasts as long as one search; the library must outlive it. What it answers depends on the library alone.
class Enumerations {
public:
    explicit Enumerations(const Library& library) : library_(library) {}
    [[nodiscard]] const Library& library() const { return library_; }

    /// enumerate_implementation, remembered by the implementation's name and the elements.
    [[nodiscard]] const EnumerationResult& of(const Implementation& implementation, int elements) {
        const auto key = std::make_pair(implementation.name, elements);
        const auto found = made_.find(key);
        if (found != made_.end()) return found->second;
        return made_.emplace(key, enumerate_implementation(library_, implementation, elements)).first->second;
    }

private:
    const Library& library_;
    std::map<std::pair<std::string, int>, EnumerationResult> made_;
};

}  // namespace kasc
