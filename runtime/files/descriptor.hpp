#pragma once
// An open file or folder that closes itself.

#include <unistd.h>

#include <utility>

namespace kasc::runtime {

class Descriptor {
public:
    Descriptor() = default;
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~Descriptor() { reset(); }

    [[nodiscard]] explicit operator bool() const { return number_ >= 0; }
    [[nodiscard]] int get() const { return number_; }
    [[nodiscard]] int release() { return std::exchange(number_, -1); }
    void reset() {
        if (number_ >= 0) close(std::exchange(number_, -1));
    }

private:
    int number_ = -1;
};

}  // namespace kasc::runtime
