#pragma once
// A fresh folder as working directory while a test runs, so that diagnostics show bare names; and whole-text
// comparison with tests/golden, rewritten where KASC_UPDATE_GOLDEN is set.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace kasc::runtime {

inline std::string read_text(const std::filesystem::path& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

inline void write_text(const std::filesystem::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
}

class ScratchTest : public testing::Test {
protected:
    void SetUp() override {
        std::string name = (std::filesystem::temp_directory_path() / "kasc-test-XXXXXX").string();
        ASSERT_NE(mkdtemp(name.data()), nullptr);
        folder_ = name;
        before_ = std::filesystem::current_path();
        std::filesystem::current_path(folder_);
    }
    void TearDown() override {
        std::filesystem::current_path(before_);
        std::filesystem::remove_all(folder_);
    }
    static std::size_t files_here() {
        return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator("."), {}));
    }

private:
    std::filesystem::path folder_, before_;
};

inline void expect_golden(const std::string& file, const std::string& text) {
    const std::filesystem::path path = std::filesystem::path(KASC_SOURCE_DIR) / "tests/golden" / file;
    if (std::getenv("KASC_UPDATE_GOLDEN") != nullptr) write_text(path, text);
    EXPECT_EQ(text, read_text(path)) << path;
}

}  // namespace kasc::runtime
