// HDF5 1.10's own conversion makes half of what it should of numbers below the smallest normal one. So it is told of
// another: any real becomes a double, by HDF5, and that a number of 16 bits; and the other way.

#include "runtime/hdf5/short_type.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <vector>

namespace kasc::runtime {

namespace {

constexpr std::size_t short_bytes = 2;

/// A sign, so many bits of the exponent, the others of the fraction.
hid_t make(std::size_t exponent_bits) {
    constexpr std::size_t sign_at = 15;
    const std::size_t digits = sign_at - exponent_bits;
    const hid_t type = H5Tcopy(H5T_IEEE_F32LE);
    // In this order: at no time do the parts reach beyond what the number has.
    H5Tset_fields(type, sign_at, digits, exponent_bits, 0, digits);
    H5Tset_size(type, short_bytes);
    H5Tset_ebias(type, (std::size_t{1} << (exponent_bits - 1)) - 1);
    return type;
}

hid_t made(WordType type) {
    static const hid_t half = make(5), bfloat16 = make(8);
    return type == WordType::float16 ? half : bfloat16;
}

/// The short type of ours that a type of a file or of memory is; float32: none of them.
WordType short_of(hid_t type) {
    if (H5Tget_class(type) != H5T_FLOAT || H5Tget_size(type) != short_bytes) return WordType::float32;
    for (const WordType ours : {WordType::float16, WordType::bfloat16})
        if (H5Tequal(type, made(ours)) > 0) return ours;
    return WordType::float32;
}

/// Numbers of a type as they lie in a buffer, so many bytes apart.
struct Numbers {
    hid_t type;
    WordType ours;
    std::byte* first;
    std::size_t apart;
};

bool take(const Numbers& from, std::vector<double>& values) {
    if (is_short(from.ours)) {
        for (std::size_t i = 0; i < values.size(); ++i) {
            unsigned short bits = 0;
            std::memcpy(&bits, from.first + i * from.apart, sizeof bits);
            values[i] = cell_value(from.ours, &bits, 0);
        }
        return true;
    }
    const std::size_t bytes = H5Tget_size(from.type);
    std::vector<std::byte> words(values.size() * std::max(bytes, sizeof(double)));
    for (std::size_t i = 0; i < values.size(); ++i)
        std::memcpy(words.data() + i * bytes, from.first + i * from.apart, bytes);
    const bool good = H5Tconvert(from.type, H5T_NATIVE_DOUBLE, values.size(), words.data(), nullptr, H5P_DEFAULT) >= 0;
    std::memcpy(values.data(), words.data(), values.size() * sizeof(double));
    return good;
}

/// Whoever reads counts what becomes infinite.
void tell_overflow(hid_t transfer, hid_t to, double value) {
    H5T_conv_except_func_t told = nullptr;
    void* user = nullptr;
    if (H5Pget_type_conv_cb(transfer, &told, &user) < 0 || told == nullptr) return;
    const auto kind = value > 0 ? H5T_CONV_EXCEPT_RANGE_HI : H5T_CONV_EXCEPT_RANGE_LOW;
    told(kind, H5T_NATIVE_DOUBLE, to, &value, nullptr, user);
}

bool give(const std::vector<double>& values, const Numbers& to, hid_t transfer) {
    if (is_short(to.ours)) {
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double value = values[i];
            const unsigned short bits =
                to.ours == WordType::float16 ? kasc_half(value).bits : kasc_bfloat16(value).bits;
            std::memcpy(to.first + i * to.apart, &bits, sizeof bits);
            if (std::isfinite(value) && !std::isfinite(cell_value(to.ours, &bits, 0)))
                tell_overflow(transfer, to.type, value);
        }
        return true;
    }
    const std::size_t bytes = H5Tget_size(to.type);
    std::vector<std::byte> words(values.size() * std::max(bytes, sizeof(double)));
    std::memcpy(words.data(), values.data(), values.size() * sizeof(double));
    if (H5Tconvert(H5T_NATIVE_DOUBLE, to.type, values.size(), words.data(), nullptr, H5P_DEFAULT) < 0) return false;
    for (std::size_t i = 0; i < values.size(); ++i)
        std::memcpy(to.first + i * to.apart, words.data() + i * bytes, bytes);
    return true;
}

/// HDF5's own way to ask for a conversion: `count` numbers in one buffer, before and after, packed where stride is 0.
herr_t convert(hid_t from, hid_t to, H5T_cdata_t* state, std::size_t count, std::size_t stride, std::size_t,
               void* buffer, void*, hid_t transfer) {
    if (state->command == H5T_CONV_FREE) return 0;
    const WordType source = short_of(from), target = short_of(to);
    if (state->command == H5T_CONV_INIT) {
        const bool reals = H5Tget_class(from) == H5T_FLOAT && H5Tget_class(to) == H5T_FLOAT;
        state->need_bkg = H5T_BKG_NO;
        return reals && source != target ? 0 : -1;
    }
    auto* const bytes = static_cast<std::byte*>(buffer);
    std::vector<double> values(count);
    const bool taken = take({from, source, bytes, stride != 0 ? stride : H5Tget_size(from)}, values);
    return taken && give(values, {to, target, bytes, stride != 0 ? stride : H5Tget_size(to)}, transfer) ? 0 : -1;
}

}  // namespace

hid_t short_type(WordType type) {
    static const herr_t registered =
        H5Tregister(H5T_PERS_SOFT, "reals of 16 bits", H5T_IEEE_F32LE, made(WordType::float16), convert);
    static_cast<void>(registered);
    return made(type);
}

}  // namespace kasc::runtime
