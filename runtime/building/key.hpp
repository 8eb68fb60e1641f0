#pragma once
// All that decides the bytes of something that is built, as a digest: two that are built of the same are the same.

#include <string>
#include <string_view>

#include "runtime/files/sha256.hpp"

namespace kasc::runtime {

class BuildKey {
public:
    /// `title` and `target` are for who looks into the cache: "heat3d", "cpu".
    BuildKey(std::string title, std::string target) : title_(std::move(title)), target_(std::move(target)) {}

    /// In an order of the builder's; labels and lengths keep a text apart from the next.
    void add(std::string_view label, std::string_view text);

    [[nodiscard]] const std::string& title() const { return title_; }
    [[nodiscard]] const std::string& target() const { return target_; }
    /// 64 hexadecimal digits, of what was added alone.
    [[nodiscard]] std::string digest() const { return digest_.text(); }

private:
    std::string title_, target_;
    Sha256 digest_;
};

}  // namespace kasc::runtime
