#include "command/temporary_folder.hpp"

#include <cstdlib>
#include <string>

namespace kasc::command {

TemporaryFolder::TemporaryFolder() {
    std::error_code error;
    std::string name = (std::filesystem::temp_directory_path(error) / "kasc-XXXXXX").string();
    if (!error && mkdtemp(name.data()) != nullptr) path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code error;
    if (!path_.empty()) std::filesystem::remove_all(path_, error);
}

}  // namespace kasc::command
