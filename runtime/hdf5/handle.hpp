#pragma once
// An HDF5 identifier that closes itself. The library's own error printing is switched off by whoever calls it first
// (silence_hdf5): what went wrong is said by our diagnostics.

#include <hdf5.h>

#include <utility>

namespace kasc::runtime {

class Hdf5Handle {
public:
    using Close = herr_t (*)(hid_t);

    Hdf5Handle(hid_t id, Close closer) : id_(id), close_(closer) {}
    Hdf5Handle(Hdf5Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
    Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
        std::swap(id_, other.id_);
        std::swap(close_, other.close_);
        return *this;
    }
    ~Hdf5Handle() { static_cast<void>(close()); }

    [[nodiscard]] explicit operator bool() const { return id_ >= 0; }
    [[nodiscard]] hid_t get() const { return id_; }
    /// False where closing failed: buffered data did not reach the file.
    [[nodiscard]] bool close() {
        const hid_t id = std::exchange(id_, -1);
        return id < 0 || close_(id) >= 0;
    }

private:
    hid_t id_;
    Close close_;
};

inline void silence_hdf5() { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }

}  // namespace kasc::runtime
