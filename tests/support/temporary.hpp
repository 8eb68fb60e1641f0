#pragma once
// A folder of a test's own, gone at its end.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace kasc::test {

class Temporary {
public:
    Temporary() {
        std::string name = (std::filesystem::temp_directory_path() / "kasc-test-XXXXXX").string();
        path_ = mkdtemp(name.data());
    }
    ~Temporary() {
        std::error_code error;
        std::filesystem::remove_all(path_, error);
    }
    Temporary(const Temporary&) = delete;
    Temporary& operator=(const Temporary&) = delete;
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

inline std::string read_file(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
}

inline void write_file(const std::filesystem::path& path, const std::string& text) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
}

}  // namespace kasc::test
