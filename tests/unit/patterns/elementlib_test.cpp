// The element library against itself: every implementation, emulated on the CPU, gives the bits of the reference, with
// its values in shared memory and in registers; its tiles have the layout of global memory.

#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <random>

#include "pattern_elementlib_code.hpp"

namespace kasc {
namespace {

using emulation::Emulator;
using emulation::ImplementationCode;
using emulation::part;
using emulation::same_bits;
using emulation::Words;

/// const float * parameters as the emulator passes them.
emulation::PartCode reference(void (*code)(float*)) {
    return [code](const auto& a, const auto&) { code(a[0]); };
}
emulation::PartCode reference(void (*code)(const float*, float*)) {
    return [code](const auto& a, const auto&) { code(a[0], a[1]); };
}
emulation::PartCode reference(void (*code)(const float*, const float*, float*)) {
    return [code](const auto& a, const auto&) { code(a[0], a[1], a[2]); };
}
emulation::PartCode reference(void (*code)(const float*, const float*, const float*, float*)) {
    return [code](const auto& a, const auto&) { code(a[0], a[1], a[2], a[3]); };
}

const std::vector<ImplementationCode>& all_code() {
    static const std::vector<ImplementationCode> all{
#include "elementlib_table.hpp"
    };
    return all;
}

const Library& library() {
    static const Outcome<Library> read = read_library({KASC_SOURCE_DIR "/elementlib"});
    return *read;
}

Words random_words(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> any(-2.0F, 2.0F);
    Words words(count);
    for (float& word : words) word = any(random);
    return words;
}

const Implementation* find(const std::string& name, const Function** of) {
    for (const Function& function : library().functions) {
        for (const Implementation& implementation : function.implementations) {
            if (implementation.name == name) return *of = &function, &implementation;
        }
    }
    return nullptr;
}

class ElementLibrary : public testing::TestWithParam<ImplementationCode> {
protected:
    static constexpr int blocks = 3;

    void check(int elements) {
        const Function* function = nullptr;
        const Implementation* implementation = find(GetParam().name, &function);
        ASSERT_NE(implementation, nullptr);
        const auto enumerated = enumerate_implementation(library(), *implementation, elements);
        ASSERT_TRUE(enumerated.value) << enumerated.reason << render_text(enumerated.diagnostics);
        const Emulator emulator(library(), *implementation, *enumerated.value, GetParam());

        std::vector<Words> arguments;
        for (const TypeId type : function->arguments) {
            arguments.push_back(
                random_words(emulator.tile_words(type) * blocks, static_cast<unsigned>(arguments.size() + 1)));
        }
        const Words expected = reference_result(*function, arguments, elements * blocks);
        Words saved = emulation::unwritten(expected.size());
        for (int bx = 0; bx < blocks; ++bx) {
            std::vector<Words> tiles;
            for (std::size_t k = 0; k < arguments.size(); ++k) {
                tiles.push_back(emulator.load(k, arguments[k], bx));
                EXPECT_TRUE(same_bits(tiles[k], tile_of(arguments[k], tiles[k].size(), bx))) << "layout of tile " << k;
            }
            const std::vector<Words> before = tiles;
            Words result = emulator.compute_shared(tiles);
            EXPECT_EQ(tiles.size(), before.size());
            for (std::size_t k = 0; k < tiles.size(); ++k)
                EXPECT_TRUE(same_bits(tiles[k], before[k])) << "input changed";
            EXPECT_TRUE(same_bits(result, emulator.compute_registers(tiles))) << "registers differ from shared memory";
            emulator.save(result, saved, bx);
        }
        EXPECT_TRUE(same_bits(saved, expected)) << "differs from the reference";
    }

    [[nodiscard]] static bool takes_tensors() {
        const Function* function = nullptr;
        if (find(GetParam().name, &function) == nullptr) return false;
        return std::any_of(function->arguments.begin(), function->arguments.end(),
                           [](TypeId type) { return library().types[type].shape.size() > 2; });
    }

private:
    static Words tile_of(const Words& global, std::size_t words, int bx) {
        const auto begin = global.begin() + static_cast<std::ptrdiff_t>(words) * bx;
        return {begin, begin + static_cast<std::ptrdiff_t>(words)};
    }

    static Words reference_result(const Function& function, std::vector<Words>& arguments, int elements) {
        const auto words = static_cast<std::size_t>(library().types[function.result].words);
        Words expected(words * static_cast<std::size_t>(elements));
        for (std::size_t e = 0; e < static_cast<std::size_t>(elements); ++e) {
            std::vector<float*> arrays;
            for (std::size_t k = 0; k < arguments.size(); ++k) {
                arrays.push_back(
                    &arguments[k][e * static_cast<std::size_t>(library().types[function.arguments[k]].words)]);
            }
            arrays.push_back(&expected[e * words]);
            GetParam().reference(arrays, {});
        }
        return expected;
    }
};

TEST_P(ElementLibrary, GivesTheBitsOfItsReference) {
    check(32);
    check(20);
    check(takes_tensors() ? 36 : 100);  // up to 27 threads an element, a block has 1024
}

INSTANTIATE_TEST_SUITE_P(All, ElementLibrary, testing::ValuesIn(all_code()),
                         [](const testing::TestParamInfo<ImplementationCode>& code) { return code.param.name; });

TEST(ElementLibraryFiles, AreAllEmulatedHere) {
    const Outcome<Library> read = read_library({KASC_SOURCE_DIR "/elementlib"});
    ASSERT_TRUE(read) << render_text(read.diagnostics);
    EXPECT_TRUE(read.diagnostics.empty());
    std::vector<std::string> names, here;
    for (const Function& function : read->functions) {
        EXPECT_TRUE(function.reference.has_value()) << function.name;
        EXPECT_FALSE(function.implementations.empty()) << function.name;
        for (const Implementation& implementation : function.implementations) names.push_back(implementation.name);
    }
    for (const ImplementationCode& code : all_code()) here.push_back(code.name);
    std::sort(names.begin(), names.end());
    std::sort(here.begin(), here.end());
    EXPECT_EQ(names, here);
}

TEST(ElementLibraryFiles, KeepChainsOfOneThreadCallsInRegisters) {
    const auto enumerated = [](const std::string& name) {
        const Function* function = nullptr;
        return *enumerate_implementation(library(), *find(name, &function), 64).value;
    };
    EXPECT_TRUE(compatible(enumerated("mmul33_2").output, enumerated("mvmul33_2").inputs[0]));
    EXPECT_TRUE(compatible(enumerated("mvmul33_2").output, enumerated("venorm3_1").inputs[0]));
    EXPECT_TRUE(compatible(enumerated("mmul55_2").output, enumerated("smmul55_2").inputs[0]));
    EXPECT_TRUE(compatible(enumerated("mmul55_1").output, enumerated("smmul55_1").inputs[0]));
    EXPECT_TRUE(compatible(enumerated("madd33_3").output, enumerated("madd33_3").inputs[1]));
    EXPECT_TRUE(compatible(enumerated("madd33_3").loads[0], enumerated("madd33_3").inputs[0])) << "no shared memory";
    EXPECT_FALSE(compatible(enumerated("mmul33_1").output, enumerated("mvmul33_1").inputs[0]));
}

TEST(ElementLibraryFiles, EnumerateInNoTime) {
    const std::clock_t begin = std::clock();
    for (const Function& function : library().functions) {
        for (const Implementation& implementation : function.implementations) {
            for (const int elements : {32, 64, 128, 256}) {
                const auto result = enumerate_implementation(library(), implementation, elements);
                EXPECT_TRUE(result.value || !result.reason.empty());
            }
        }
    }
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    EXPECT_LT(seconds, 0.5) << "about 20 ms in an optimised build on an idle machine";
}

}  // namespace
}  // namespace kasc
