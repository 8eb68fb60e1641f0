#include "runtime/processes/shared_library.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "runtime/processes/process.hpp"

namespace kasc::runtime {

namespace {

namespace fs = std::filesystem;

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

std::vector<fs::path> folders_in(const fs::path& folder) {
    std::vector<fs::path> found;
    std::error_code error;
    for (auto at = fs::directory_iterator(folder, error); !error && at != fs::directory_iterator(); at.increment(error))
        found.push_back(at->path());
    std::sort(found.rbegin(), found.rend());  // newer versions have larger names
    return found;
}

/// nvidia/<package>/lib below the site-packages of a Python.
void add_packages(const fs::path& python_libraries, std::vector<fs::path>& folders) {
    for (const fs::path& python : folders_in(python_libraries)) {
        if (!python.filename().string().starts_with("python3")) continue;
        for (const char* site : {"site-packages", "dist-packages"}) {
            for (const fs::path& package : folders_in(python / site / "nvidia")) folders.push_back(package / "lib");
        }
    }
}

std::vector<fs::path> cuda_folders() {
    std::vector<fs::path> folders;
    for (const char* home : {"CUDA_HOME", "CUDA_PATH"}) {
        if (const std::string root = environment(home); !root.empty()) folders.push_back(fs::path(root) / "lib64");
    }
    if (const auto nvcc = find_program("nvcc")) {
        std::error_code error;
        const fs::path real = fs::canonical(*nvcc, error);
        if (!error) folders.push_back(real.parent_path().parent_path() / "lib64");
    }
    folders.emplace_back("/usr/local/cuda/lib64");
    if (const std::string active = environment("VIRTUAL_ENV"); !active.empty())
        add_packages(fs::path(active) / "lib", folders);
    if (const std::string home = environment("HOME"); !home.empty())
        add_packages(fs::path(home) / ".local" / "lib", folders);
    add_packages("/usr/local/lib", folders);
    add_packages("/usr/lib", folders);
    return folders;
}

}  // namespace

void* open_cuda_library(const std::vector<std::string>& names) {
    constexpr int how = RTLD_NOW | RTLD_LOCAL;
    for (const std::string& name : names) {
        if (void* library = dlopen(name.c_str(), how)) return library;
    }
    for (const fs::path& folder : cuda_folders()) {
        for (const std::string& name : names) {
            if (void* library = dlopen((folder / name).c_str(), how)) return library;
        }
    }
    return nullptr;
}

bool find_symbol(void* library, const char* name, void** into) {
    *into = dlsym(library, name);
    return *into != nullptr;
}

}  // namespace kasc::runtime
