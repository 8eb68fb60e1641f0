#include "runtime/hdf5/look_into.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <new>

#include "runtime/hdf5/open.hpp"
#include "runtime/processes/child.hpp"

namespace kasc::runtime {

namespace {

constexpr unsigned look_cpu_seconds = 2;

enum class FileState : std::uint64_t { unknown, not_hdf5, damaged, open };

Diagnostic file_fault(const std::string& path, std::string code, std::string message, std::string help) {
    Diagnostic d;
    d.span = {make_source(path), 0, 0};
    d.code = std::move(code);
    d.message = std::move(message);
    d.help = std::move(help);
    return d;
}

std::optional<Diagnostic> fault_before_opening(const std::string& path, const Purpose& purpose, struct stat& info) {
    const auto cannot = [&](const std::string& why) {
        Diagnostic d = file_fault(path, "K0701", fmt::format("cannot open '{}': {}", path, why), "");
        if (*purpose.flag == '\0') {
            d.help = purpose.of_file;
        } else {
            d.flag_helps = {{{purpose.flag}, purpose.of_file}};
        }
        return d;
    };
    if (path.empty()) {
        Diagnostic d = file_fault(path, "K0701", "no input file is named", "");
        d.flag_helps = {{{"--in"}, "pass {} FILE.h5, an HDF5 file that holds the program's inputs as datasets"}};
        d.span = {};
        return d;
    }
    if (path.find('\0') != std::string::npos) return cannot("the name holds a zero byte");
    if (stat(path.c_str(), &info) != 0) return cannot(std::strerror(errno));
    if (S_ISDIR(info.st_mode)) return cannot("it is a folder");
    if (!S_ISREG(info.st_mode)) return cannot("it is no regular file");
    if (access(path.c_str(), R_OK) != 0) return cannot(std::strerror(errno));
    return std::nullopt;
}

/// In the child: what goes wrong is a state of the file.
FileState open_and_look(const std::string& path, std::byte* memory,
                        const std::function<void(hid_t file, std::byte* memory)>& look) {
    silence_hdf5();
    if (H5Fis_hdf5(path.c_str()) <= 0) return FileState::not_hdf5;
    const Hdf5Handle file = open_file(path);
    if (!file) return FileState::damaged;
    look(file.get(), memory);
    return FileState::open;
}

}  // namespace

Span dataset_place(const std::string& path, const std::string& dataset) {
    return {make_source(fmt::format("{}:/{}", path, dataset)), 0, 0};
}

Diagnostic damaged_file(const std::string& path, const std::string& dataset, const std::string& why) {
    Diagnostic d = file_fault(
        path, "K0703",
        dataset.empty() ? fmt::format("'{}' is a damaged HDF5 file", path)
                        : fmt::format("dataset '{}' of '{}' is damaged", dataset, path),
        "it may be cut short, or still be open in the program that writes it; h5dump shows what can be read");
    if (!why.empty()) d.notes.push_back({{}, why});
    if (!dataset.empty()) d.span = dataset_place(path, dataset);
    return d;
}

Outcome<Looked> look_into(const std::string& path, const Purpose& purpose, std::size_t bytes,
                          const std::function<void(hid_t file, std::byte* memory)>& look) {
    struct stat info {};
    if (auto fault = fault_before_opening(path, purpose, info)) return failure<Looked>(std::move(*fault));
    auto memory = SharedMemory::allocate(bytes);
    const auto state_memory = SharedMemory::allocate(sizeof(FileState));
    if (!memory || !state_memory)
        return failure<Looked>(file_fault(path, "K0711", "no memory to look into the input file", ""));
    auto* state = new (state_memory->data()) FileState{};

    ChildLimits limits;
    limits.cpu_seconds = look_cpu_seconds;
    const ChildEnd end = run_in_child(limits, [&] {
        *state = open_and_look(path, memory->data(), look);
        return true;
    });
    if (end == ChildEnd::no_child)
        return failure<Looked>(file_fault(path, "K0711", "no process to read the input file", ""));
    if (end == ChildEnd::out_of_time)
        return failure<Looked>(damaged_file(path, "", "the HDF5 library does not come to an end with it"));
    if (*state == FileState::not_hdf5) {
        return failure<Looked>(
            file_fault(path, "K0702", fmt::format("'{}' is not an HDF5 file", path), purpose.of_format));
    }
    if (end != ChildEnd::finished || *state != FileState::open) return failure<Looked>(damaged_file(path, "", ""));
    return success(Looked{std::move(*memory), stamp_of(info)});
}

}  // namespace kasc::runtime
