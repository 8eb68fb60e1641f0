#pragma once
// Runs an implementation of the element library on the CPU as a block of the GPU would: all threads load, all threads
// compute, all threads save. The library's files are compiled as C++ with APLS, APIN0, … and the block dimensions as
// variables, which stand here.

#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "patterns/pattern.hpp"

namespace kasc::emulation {

/// What the constants of the device code stand for while a part runs.
struct Addresses {
    int transfer = 0, output = 0;
    std::vector<int> inputs{0, 0, 0};
    BlockShape block{1, 1, 1};
};
inline Addresses& addresses() {
    static Addresses now;
    return now;
}

/// A part with its parameters told apart: arrays in order, then coordinates in order.
using PartCode = std::function<void(const std::vector<float*>&, const std::vector<int>&)>;

template <class Parameter>
Parameter next_argument(const std::vector<float*>& arrays, std::size_t& array, const std::vector<int>& coordinates,
                        std::size_t& coordinate) {
    if constexpr (std::is_pointer_v<Parameter>) {
        return arrays.at(array++);
    } else {
        return coordinates.at(coordinate++);
    }
}

template <class... Parameters>
PartCode part(void (*code)(Parameters...)) {
    return [code](const std::vector<float*>& arrays, const std::vector<int>& coordinates) {
        std::size_t array = 0, coordinate = 0;
        // Braces evaluate from left to right.
        std::tuple<Parameters...> all{next_argument<Parameters>(arrays, array, coordinates, coordinate)...};
        std::apply(code, all);
    };
}

struct ImplementationCode {
    std::string name;
    std::vector<PartCode> loads;
    PartCode save, compute, reference;
};

/// The coordinates of linear thread t of block `bx`, in the order that the function takes them.
inline std::vector<int> coordinates(const DeviceFunction& function, const BlockShape& block, int t, int bx) {
    const std::array<int, 6> all{t % block[0], t / block[0] % block[1], t / (block[0] * block[1]), bx, 0, 0};
    std::vector<int> taken;
    for (const Coordinate c : function.coordinates) taken.push_back(all[static_cast<std::size_t>(c)]);
    return taken;
}

using Words = std::vector<float>;

/// Words that no code has written: a NaN with a payload that no computation makes.
inline Words unwritten(std::size_t words) {
    const std::uint32_t bits = 0x7FC0BEEF;
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return Words(words, value);
}

inline bool same_bits(const Words& a, const Words& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

/// One block after the other. Tiles lie in shared memory.
class Emulator {
public:
    Emulator(const Library& library, const Implementation& implementation, const EnumeratedImplementation& enumerated,
             const ImplementationCode& code)
        : library_(library), implementation_(implementation), enumerated_(enumerated), code_(code) {
        addresses().block = enumerated.block;
    }

    /// Tile of argument k after its load; `global` holds all blocks.
    Words load(std::size_t k, Words& global, int bx) const {
        Words tile = unwritten(tile_words(implementation_.loads[k].type));
        each_thread([&](int t) {
            addresses().transfer = start(enumerated_.loads[k], t);
            code_.loads[k]({global.data(), tile.data()}, at(implementation_.loads[k].function, t, bx));
        });
        return tile;
    }

    Words compute_shared(std::vector<Words>& tiles) const {
        Words result = unwritten(tile_words(implementation_.save.type));
        each_thread([&](int t) {
            std::vector<float*> arrays;
            for (std::size_t k = 0; k < tiles.size(); ++k) {
                addresses().inputs[k] = start(enumerated_.inputs[k], t);
                arrays.push_back(tiles[k].data());
            }
            addresses().output = start(enumerated_.output, t);
            arrays.push_back(result.data());
            code_.compute(arrays, at(implementation_.compute, t, 0));
        });
        return result;
    }

    /// As compute_shared with every value in registers, which hold the words that the patterns declare and no other.
    Words compute_registers(const std::vector<Words>& tiles) const {
        Words result = unwritten(tile_words(implementation_.save.type));
        addresses().inputs = {0, 0, 0};
        addresses().output = 0;
        each_thread([&](int t) {
            std::vector<Words> registers;
            for (std::size_t k = 0; k < tiles.size(); ++k) {
                const AddressSet& set = enumerated_.inputs[k];
                registers.push_back(unwritten(static_cast<std::size_t>(set.span_words())));
                for (const int o : set.offsets) registers[k][index(o)] = tiles[k][index(start(set, t) + o)];
            }
            registers.push_back(unwritten(static_cast<std::size_t>(enumerated_.output.span_words())));
            std::vector<float*> arrays;
            for (Words& words : registers) arrays.push_back(words.data());
            code_.compute(arrays, at(implementation_.compute, t, 0));
            for (const int o : enumerated_.output.offsets) {
                result[index(start(enumerated_.output, t) + o)] = registers.back()[index(o)];
            }
        });
        return result;
    }

    void save(Words& tile, Words& global, int bx) const {
        each_thread([&](int t) {
            addresses().transfer = start(enumerated_.save, t);
            code_.save({tile.data(), global.data()}, at(implementation_.save.function, t, bx));
        });
    }

    [[nodiscard]] std::size_t tile_words(TypeId type) const {
        return static_cast<std::size_t>(library_.types[type].words * enumerated_.elements);
    }

private:
    static std::size_t index(int i) { return static_cast<std::size_t>(i); }
    static int start(const AddressSet& set, int t) { return set.start[index(t)]; }
    [[nodiscard]] std::vector<int> at(const DeviceFunction& function, int t, int bx) const {
        return coordinates(function, enumerated_.block, t, bx);
    }
    /// Backwards: no thread may rely on one before it.
    template <class Action>
    void each_thread(const Action& action) const {
        for (int t = thread_count(enumerated_.block); t-- > 0;) action(t);
    }

    const Library& library_;
    const Implementation& implementation_;
    const EnumeratedImplementation& enumerated_;
    const ImplementationCode& code_;
};

}  // namespace kasc::emulation
