#include "driver/output_folder.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>

namespace kasc {

namespace fs = std::filesystem;

namespace {

Diagnostic unwritable(const fs::path& path, const std::string& why) {
    Diagnostic d;
    d.code = "K0720";
    d.message = fmt::format("cannot write '{}': {}", path.string(), why);
    d.span.source = make_source(path.string());
    d.help = "choose another folder";
    return d;
}

bool write_file(const fs::path& path, const std::string& text) {
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    std::ofstream out(path, std::ios::binary);
    out << text;
    out.close();
    return !error && static_cast<bool>(out);
}

}  // namespace

Diagnostics write_folder(const fs::path& folder, const std::vector<emit::EmittedFile>& files) {
    std::error_code error;
    const fs::path target = fs::absolute(folder, error).lexically_normal();
    const fs::path clean = target.has_filename() ? target : target.parent_path();
    if (fs::exists(clean, error) && !fs::is_directory(clean, error)) return {unwritable(folder, "it is no folder")};
    fs::create_directories(clean.parent_path(), error);
    if (error) return {unwritable(folder, error.message())};
    const fs::path fresh = clean.parent_path() / fmt::format(".{}.kasc-{}", clean.filename().string(), ::getpid());

    Diagnostics faults;
    for (const emit::EmittedFile& file : files) {
        if (!write_file(fresh / file.name, file.text)) {
            faults.push_back(unwritable(folder, "the disk is full or the folder is read-only"));
            break;
        }
    }
    if (faults.empty() && !fs::exists(clean, error)) {
        fs::rename(fresh, clean, error);
        if (error) faults.push_back(unwritable(folder, error.message()));
    } else if (faults.empty()) {
        for (const emit::EmittedFile& file : files) {
            fs::create_directories((clean / file.name).parent_path(), error);
            fs::rename(fresh / file.name, clean / file.name, error);
            if (error) {
                faults.push_back(unwritable(clean / file.name, error.message()));
                break;
            }
        }
    }
    fs::remove_all(fresh, error);
    return faults;
}

}  // namespace kasc
