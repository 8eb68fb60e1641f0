#include "unit/frontend/field_library.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "unit/frontend/test_library.hpp"

namespace kasc::test {

namespace fs = std::filesystem;

Library field_library() {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(fs::path(KASC_SOURCE_DIR) / "elementlib/field")) {
        if (entry.path().extension() == ".kas") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    Library library = test_library();
    for (const fs::path& file : files) {
        std::ostringstream text;
        text << std::ifstream(file, std::ios::binary).rdbuf();
        library.field_functions.push_back({make_source(file.filename().string(), text.str())});
    }
    Function eigenvalues;
    eigenvalues.name = "eigsym33";
    eigenvalues.arguments = {*library.find_type("matrix3x3")};
    eigenvalues.result = *library.find_type("vector3");
    eigenvalues.reference = Reference{"inline void cpu_eigsym33(const float *m, float *r) {}", {}};
    library.functions.add(std::move(eigenvalues));
    return library;
}

}  // namespace kasc::test
