// Functions of the library for cells have the bits of those for streams of the same name: each is called in a program
// over streams and in one over fields, on one file.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <regex>
#include <set>

#include "library/library.hpp"
#include "runtime/hdf5/file.hpp"
#include "runtime/hdf5/read_datasets.hpp"
#include "support/of_the_day.hpp"
#include "support/shell.hpp"
#include "support/temporary.hpp"

namespace kasc {
namespace {

namespace fs = std::filesystem;
using Values = std::vector<float>;

constexpr std::uint64_t elements = 1024;

/// Names of the functions that cells.kas declares.
std::set<std::string> names_of_cells() {
    const std::string text = test::read_file(fs::path(KASC_SOURCE_DIR) / "elementlib/field/cells.kas");
    const std::regex declaration("function ([A-Za-z_0-9]+)\\(");
    std::set<std::string> names;
    for (std::sregex_iterator at(text.begin(), text.end(), declaration), end; at != end; ++at) names.insert((*at)[1]);
    return names;
}

/// Both programs call `r_k = f(scalar_0, scalar_1);` for every `apart`-th function.
struct Programs {
    std::string streams, fields;
    std::map<std::string, runtime::Shape> inputs, outputs;  ///< by name
    std::map<std::string, std::string> calls;               ///< by output

    Programs(const Library& library, std::size_t apart) {
        const std::set<std::string> of_cells = names_of_cells();
        std::string statements, results, given;
        std::size_t number = 0;
        for (const Function& function : library.functions) {
            if (!of_cells.contains(function.name) || number++ % apart != 0) continue;
            std::string arguments;
            std::map<std::uint32_t, int> so_far;
            for (const TypeId type : function.arguments) {
                const std::string name = fmt::format("{}_{}", library.types[type].name, so_far[type.index]++);
                if (inputs.emplace(name, shape_of(library, type)).second) declare(library, type, name);
                arguments += (arguments.empty() ? "" : ", ") + name;
            }
            const std::string result = "r_" + function.name;
            outputs.emplace(result, shape_of(library, function.result));
            calls.emplace(result, fmt::format("{}({})", function.name, arguments));
            declare(library, function.result, result);
            statements += fmt::format("{} = {}({});\n", result, function.name, arguments);
            results += (results.empty() ? "" : ", ") + result;
        }
        for (const auto& [name, shape] : inputs) given += (given.empty() ? "" : ", ") + name;
        const std::string rest = fmt::format("input {};\n{}return {};\n", given, statements, results);
        streams += rest;
        fields += rest;
    }

private:
    static runtime::Shape shape_of(const Library& library, TypeId type) {
        runtime::Shape shape{elements};
        for (const int extent : library.types[type].shape) shape.push_back(static_cast<std::uint64_t>(extent));
        return shape;
    }
    void declare(const Library& library, TypeId type, const std::string& name) {
        streams += fmt::format("{} {};\n", library.types[type].name, name);
        fields += fmt::format("{} {}[i];\n", library.types[type].name, name);
    }
};

/// Numbers of both signs, and in the first elements all that numbers can be besides.
Values noise(std::size_t words, std::size_t an_element, unsigned random) {
    constexpr float infinite = std::numeric_limits<float>::infinity(), none = std::numeric_limits<float>::quiet_NaN();
    constexpr std::array special{0.0F, -0.0F, 1.0F, -1.0F, infinite, -infinite, none, 1e-42F, 3e38F, 1e-30F};
    Values values(words);
    for (std::size_t i = 0; i < words; ++i) {
        random = random * 1664525U + 1013904223U;
        values[i] = static_cast<float>(random >> 8U) / 4194304.0F - 2;
        if (i < 100 * an_element && random >> 28U < 5) values[i] = special[(random >> 8U) % special.size()];
    }
    return values;
}

bool same_word(float a, float b) {
    return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b) || (std::isnan(a) && std::isnan(b));
}

TEST(CellsLibrary, HasTheBitsOfTheLibraryOfStreams) {
    const auto library = read_library({fs::path(KASC_SOURCE_DIR) / "elementlib"});
    ASSERT_TRUE(library);
    const std::size_t apart = test::one_of(3);
    const Programs programs(*library, apart);
    EXPECT_GE(programs.calls.size(), 120U / apart);
    const test::Temporary here;
    const auto file = [&](const std::string& name) { return (here.path() / name).string(); };
    test::write_file(file("streams.kas"), programs.streams);
    test::write_file(file("fields.kas"), programs.fields);
    std::vector<Values> kept;
    std::vector<runtime::ArrayView> arrays;
    kept.reserve(programs.inputs.size());
    for (const auto& [name, shape] : programs.inputs) {
        std::size_t an_element = 1;
        for (std::size_t k = 1; k < shape.size(); ++k) an_element *= shape[k];
        kept.push_back(noise(elements * an_element, an_element, static_cast<unsigned>(kept.size() + 1)));
        arrays.push_back({name, shape, kept.back()});
    }
    ASSERT_TRUE(runtime::write_hdf5(file("in.h5"), arrays, {}).empty());
    std::map<std::string, std::vector<Values>> found;
    for (const std::string kind : {"streams", "fields"}) {
        // The words of a matrix in one kernel are less for g++ to compile, which takes a fifth of the time without -O3;
        // larger ones take the search longer than that.
        const auto run = test::shell(
            fmt::format("cd {} && KASC_BUILD_MORE=-O0 " KASC_COMMAND
                        " run {}.kas --target cpu --in in.h5 --out {}.h5 --allow not-finite --max-fusion {} 2>&1",
                        here.path().string(), kind, kind, kind == "streams" ? 1 : 9));
        ASSERT_EQ(run.status, 0) << run.output;
        std::vector<runtime::DatasetPart> parts;
        for (const auto& [name, shape] : programs.outputs) parts.push_back({name, shape});
        const std::string path = file(kind + ".h5");
        const auto read = runtime::read_datasets(path, runtime::FileStamp{fs::file_size(path)}, parts);
        ASSERT_TRUE(read) << render_text(read.diagnostics);
        for (const auto& array : read->arrays) {
            const auto words = array.values.floats();
            found[kind].emplace_back(words.begin(), words.end());
        }
    }
    for (std::size_t k = 0; const auto& [result, call] : programs.calls) {
        const Values &streams = found["streams"][k], &fields = found["fields"][k];
        ASSERT_EQ(streams.size(), fields.size());
        std::size_t others = 0, first = 0;
        for (std::size_t i = streams.size(); i-- > 0;) {
            if (same_word(streams[i], fields[i])) continue;
            ++others;
            first = i;
        }
        EXPECT_EQ(others, 0U) << call << ": word " << first << " is " << streams[first] << " of streams, "
                              << fields[first] << " of cells";
        ++k;
    }
}

}  // namespace
}  // namespace kasc
