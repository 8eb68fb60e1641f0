// Every fault that a library file can have, as a file: tests/golden/diagnostics/library/<name>.cu is what an author
// wrote, <name>.txt what kasc says. KASC_UPDATE_GOLDEN=1 rewrites the latter.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "library/library.hpp"

namespace kasc {
namespace {

namespace fs = std::filesystem;

const fs::path folder = fs::path(KASC_SOURCE_DIR) / "tests/golden/diagnostics/library";

std::string read_text(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> case_names() {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() == ".cu") names.push_back(entry.path().stem().string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

class LibraryDiagnostics : public testing::TestWithParam<std::string> {};

TEST_P(LibraryDiagnostics, AreThoseOfTheGoldenFile) {
    const SourceRef source = make_source(GetParam() + ".cu", read_text(folder / (GetParam() + ".cu")));
    const Outcome<Library> library = read_library_sources({source});
    EXPECT_FALSE(library) << "the file should be at fault";
    const std::string text = render_text(tidy(library.diagnostics));
    const fs::path golden = folder / (GetParam() + ".txt");
    if (std::getenv("KASC_UPDATE_GOLDEN") != nullptr) std::ofstream(golden, std::ios::binary) << text;
    EXPECT_EQ(text, read_text(golden));
}

TEST_P(LibraryDiagnostics, HaveAPlaceAndAMend) {
    const SourceRef source = make_source(GetParam() + ".cu", read_text(folder / (GetParam() + ".cu")));
    for (const Diagnostic& d : read_library_sources({source}).diagnostics) {
        EXPECT_EQ(d.code.substr(0, 3), "K03");
        EXPECT_TRUE(d.span.source != nullptr) << d.message;
        EXPECT_FALSE(d.help.empty()) << d.message;
    }
}

INSTANTIATE_TEST_SUITE_P(Files, LibraryDiagnostics, testing::ValuesIn(case_names()),
                         [](const testing::TestParamInfo<std::string>& file) { return file.param; });

}  // namespace
}  // namespace kasc
