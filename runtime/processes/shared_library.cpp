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

/// nvidia/<package>/lib.
void add_packages(const fs::path& site, std::vector<fs::path>& folders) {
    for (const fs::path& package : folders_in(site / "nvidia")) folders.push_back(package / "lib");
}

/// Adds the packages in each Python's site-packages.
void add_pythons(const fs::path& libraries, std::vector<fs::path>& folders) {
    for (const fs::path& python : folders_in(libraries)) {
        if (!python.filename().string().starts_with("python3")) continue;
        for (const char* site : {"site-packages", "dist-packages"}) add_packages(python / site, folders);
    }
}

/// Where this code lies; of the package for Python that is kasc/lib or kasc/bin among the other packages.
fs::path own_folder() {
    Dl_info info{};
    std::error_code error;
    if (dladdr(reinterpret_cast<const void*>(&open_cuda_library), &info) == 0) return {};
    return fs::canonical(info.dli_fname, error).parent_path();
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
    if (const fs::path own = own_folder(); !own.empty()) add_packages(own / ".." / "..", folders);
    if (const std::string active = environment("VIRTUAL_ENV"); !active.empty())
        add_pythons(fs::path(active) / "lib", folders);
    if (const std::string home = environment("HOME"); !home.empty())
        add_pythons(fs::path(home) / ".local" / "lib", folders);
    add_pythons("/usr/local/lib", folders);
    add_pythons("/usr/lib", folders);
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
