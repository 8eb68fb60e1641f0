#include "runtime/outputs.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <new>

#include "runtime/hdf5_file.hpp"
#include "runtime/replacement_file.hpp"

namespace kasc::runtime {

namespace {

namespace fs = std::filesystem;

Diagnostic fault(const char* code, std::string message, std::string help = "") {
    Diagnostic d;
    d.code = code;
    d.message = std::move(message);
    d.help = std::move(help);
    return d;
}

/// Bytes of all arrays; none where they overflow.
std::optional<std::uint64_t> total_bytes(const std::vector<Shape>& shapes) {
    std::uint64_t bytes = 0;
    for (const Shape& shape : shapes) {
        const auto cells = cell_count(shape);
        if (!cells || __builtin_add_overflow(bytes, *cells * sizeof(float), &bytes)) return std::nullopt;
    }
    return bytes;
}

Diagnostics check_place(const OutputRequest& request) {
    std::error_code error;
    if (!request.input_path.empty() && fs::equivalent(request.path, request.input_path, error) && !error) {
        return {fault("K0720", fmt::format("cannot write '{}': it is the input file", request.path),
                      "give --out another name")};
    }
    return check_writable(request.path);
}

Diagnostics check_room(const OutputRequest& request, const ProgramInterface& program,
                       const std::vector<Shape>& shapes) {
    const auto bytes = total_bytes(shapes);
    if (!bytes || *bytes > physical_memory_bytes()) {
        std::string text;
        for (std::size_t i = 0; i < shapes.size(); ++i) {
            text += fmt::format("{}{} {}", i == 0 ? "" : ", ", program.outputs[i].name, to_text(shapes[i]));
        }
        return {fault("K0722",
                      fmt::format("the outputs do not fit the machine's memory of {}: {}",
                                  bytes_text(physical_memory_bytes()), text),
                      "run it for fewer cells or elements")};
    }
    std::error_code error;
    const fs::path folder = fs::path(request.path).parent_path();
    const fs::space_info space = fs::space(folder.empty() ? fs::path(".") : folder, error);
    if (!error && space.available < *bytes) {
        return {fault("K0722",
                      fmt::format("the outputs need {}, the disk of '{}' has {} left", bytes_text(*bytes), request.path,
                                  bytes_text(space.available)),
                      "make room there, or give --out another place")};
    }
    return {};
}

}  // namespace

std::vector<float*> Outputs::pointers() {
    std::vector<float*> all;
    for (auto& values : values_) all.push_back(values.data());
    return all;
}

std::vector<ArrayView> Outputs::arrays() const {
    std::vector<ArrayView> all;
    for (std::size_t i = 0; i < names_.size(); ++i) all.push_back({names_[i], shapes_[i], values_[i]});
    return all;
}

Diagnostics Outputs::write() const {
    return write_hdf5(request_.path, arrays(), {{"created_by", "kasc " + request_.version}, {"program", program_}});
}

Outcome<Outputs> create_outputs(const OutputRequest& request, const ProgramInterface& program,
                                const std::vector<long long>& extents) {
    Outputs outputs;
    outputs.request_ = request;
    outputs.program_ = program.name;
    for (const ArrayInterface& output : program.outputs) {
        outputs.names_.push_back(output.name);
        outputs.shapes_.push_back(expected_shape(program, output, extents));
    }
    if (Diagnostics bad = check_place(request); !bad.empty()) return failure<Outputs>(std::move(bad));
    if (Diagnostics bad = check_room(request, program, outputs.shapes_); !bad.empty())
        return failure<Outputs>(std::move(bad));
    try {
        for (const Shape& shape : outputs.shapes_) outputs.values_.emplace_back(*cell_count(shape));
    } catch (const std::bad_alloc&) {
        return failure<Outputs>(fault("K0722", "there is no memory for the outputs"));
    }
    return success(std::move(outputs));
}

}  // namespace kasc::runtime
