// The parts of one implementation, found by their names wherever they stand in the file:
//
//     block svmul3_1          grid, block, BATCH, INPATTERN i, OUTPATTERN
//     block svmul3_1_load_k   type, coordinates, LSPATTERN     function d_svmul3_1_load_k(global, shared, coordinates)
//     block svmul3_1_save     type, coordinates, LSPATTERN     function d_svmul3_1_save(shared, global, coordinates)
//                                                              function d_svmul3_1_compute(inputs, output, coordinates)

#include <fmt/format.h>

#include <algorithm>

#include "library/definitions.hpp"
#include "library/parameters.hpp"

namespace kasc::library {

namespace {

constexpr int most_loads = 16;
constexpr int most_threads = 1024;     // of a block, on every device so far
constexpr int most_grid = 0x7FFFFFFF;  // blocks along x
constexpr int most_batch = 1 << 20;

const MetadataBlock* require_block(const std::string& name, const Span& at, const FileView& file, Faults& faults) {
    const MetadataBlock* block = file.block(name);
    if (!block) {
        faults.add("K0311", at, fmt::format("no metadata block describes '{}'", name), "",
                   fmt::format("add a block '/*# {} metadata'", name));
    }
    return block;
}

const CodeFunction* require_function(const std::string& name, const Span& at, const FileView& file, Faults& faults) {
    const CodeFunction* function = file.function(name);
    if (function && function->kind == CodeFunctionKind::device) return function;
    faults.add(
        "K0311", function ? function->name_span : at,
        function ? fmt::format("'{}' is no __device__ function", name) : fmt::format("there is no function '{}'", name),
        "", fmt::format("write '__device__ inline void {}(…) {{ … }}'", name));
    return nullptr;
}

struct ReadTransfer {
    Transfer transfer;
    TypeUse use;
};

/// A load or the save; `global` is the place of the global array among its parameters.
std::optional<ReadTransfer> read_transfer(const std::string& name, const Span& at, std::size_t global,
                                          const FileView& file, Faults& faults) {
    const MetadataBlock* block = require_block(name, at, file, faults);
    const CodeFunction* function = require_function("d_" + name, block ? block->name_span : at, file, faults);
    if (!block) return std::nullopt;
    const Keys keys(*block, {"Data type", "Data location", "Other parameters", "LSPATTERN"}, faults);
    const Entry* type = keys.require("Data type", "Data type = vector3");
    const Entry* location = keys.require("Data location", "Data location = shared");
    const Entry* others = keys.require("Other parameters", "Other parameters = tx, ty, bx");
    const Entry* pattern =
        keys.require("LSPATTERN", "LSPATTERN = start \"tx\", block \"1\", stride \"1\", count 1, noreg 0");
    if (location && location->value != "shared") {
        faults.add("K0308", location->value_span, "the only data location is 'shared'", "",
                   "write 'Data location = shared'");
    }
    ReadTransfer read;
    if (const auto parsed = pattern ? read_pattern(*pattern, faults) : std::nullopt) read.transfer.pattern = *parsed;
    if (type) read.use.type = {type->value, type->value_span};
    if (!function) return read;
    read.transfer.function = device_function(*function);
    check_parameters(*function, 2, faults);
    if (others) check_coordinates(*function, *others, faults);
    if (global < function->parameters.size()) read.use.parameter = function->parameters[global];
    return read;
}

std::array<Extent, 3> read_extents(const Keys& keys, const char* const (&names)[3], int most, const char* what,
                                   Faults& faults) {
    std::array<Extent, 3> extents;
    const Entry* free = nullptr;
    for (std::size_t i = 0; i < 3; ++i) {
        const Entry* entry = keys.require(names[i], fmt::format("{} = 1", names[i]));
        const auto extent = entry ? read_extent(*entry, most, faults) : std::nullopt;
        extents[i] = extent.value_or(Extent{1, std::nullopt});
        if (extents[i].fixed) continue;
        if (free) {
            faults.add("K0313", entry->value_span, fmt::format("two {} dimensions are free", what), "the second",
                       "give one of the two as an integer", Note{free->value_span, "the first is here"});
        }
        free = entry;
    }
    return extents;
}

void check_thread_count(const std::array<Extent, 3>& block, const MetadataBlock& metadata, Faults& faults) {
    int threads = 1;  // at most 1024³
    for (const Extent& extent : block) threads *= extent.fixed.value_or(1);
    if (threads > most_threads) {
        faults.add("K0314", metadata.name_span, fmt::format("the fixed block dimensions make {} threads", threads), "",
                   fmt::format("a block has at most {} threads: BX · BY · BZ", most_threads));
    }
}

/// "INPATTERN 2" → 2; a number with a leading zero or of many digits is too large for any function.
std::optional<std::size_t> input_number(std::string_view key) {
    constexpr std::string_view prefix = "INPATTERN ";
    if (!key.starts_with(prefix)) return std::nullopt;
    const std::string_view digits = key.substr(prefix.size());
    if (digits.empty() || !std::all_of(digits.begin(), digits.end(), is_digit)) return std::nullopt;
    if (digits.size() > 2 || (digits.size() == 2 && digits.front() == '0')) return most_loads;
    return std::stoul(std::string(digits));
}

void read_patterns(const MetadataBlock& block, const Keys& keys, std::size_t arguments, Implementation& implementation,
                   Faults& faults) {
    const std::string form = " = start \"tx\", block \"1\", stride \"1\", count 1, noreg 0";
    for (std::size_t i = 0; i < arguments; ++i) {
        const std::string key = fmt::format("INPATTERN {}", i);
        const Entry* entry = keys.find(key);
        if (!entry) {
            faults.add("K0312", block.name_span,
                       fmt::format("'{}' has {} but no '{}'", block.name, counted(arguments, "load"), key), "",
                       fmt::format("add a line such as '{}{}'", key, form));
        }
        implementation.inputs.push_back((entry ? read_pattern(*entry, faults) : std::nullopt).value_or(Pattern{}));
    }
    for (const Entry& entry : block.entries) {
        const auto number = input_number(entry.key);
        if (!number || *number < arguments) continue;
        faults.add("K0312", entry.key_span, fmt::format("'{}' has {}", block.name, counted(arguments, "load")),
                   "no such input", "inputs are numbered from 0, one a load");
    }
    const Entry* output = keys.require("OUTPATTERN", "OUTPATTERN" + form);
    implementation.output = (output ? read_pattern(*output, faults) : std::nullopt).value_or(Pattern{});
}

void read_kernel(const MetadataBlock& block, ImplementationDefinition& definition, Faults& faults) {
    const Keys keys(block, {"GX", "GY", "GZ", "BX", "BY", "BZ", "BATCH", "INPATTERN #", "OUTPATTERN"}, faults);
    Implementation& implementation = definition.implementation;
    implementation.grid = read_extents(keys, {"GX", "GY", "GZ"}, most_grid, "grid", faults);
    implementation.block = read_extents(keys, {"BX", "BY", "BZ"}, most_threads, "block", faults);
    check_thread_count(implementation.block, block, faults);
    const Entry* batch = keys.require("BATCH", "BATCH = size");
    implementation.batch =
        (batch ? read_extent(*batch, most_batch, faults) : std::nullopt).value_or(Extent{1, std::nullopt});
    read_patterns(block, keys, implementation.loads.size(), implementation, faults);
}

/// Without an argument, compute has its result alone.
bool takes_no_argument(const ImplementationSketch& sketch, const FileView& file) {
    const CodeFunction* compute = file.function(fmt::format("d_{}_compute", sketch.name()));
    return compute && compute->parameters.size() == coordinates_of(*compute).size() + 1;
}

/// Loads are numbered 1, 2, … without a gap. False: the implementation cannot be read on.
bool check_load_numbers(const ImplementationSketch& sketch, const FileView& file, Faults& faults) {
    if (sketch.loads.empty() && takes_no_argument(sketch, file)) return true;
    if (sketch.loads.empty()) {
        faults.add("K0311", sketch.first, fmt::format("'{}' has no loads", sketch.name()), "",
                   fmt::format("add '__device__ inline void d_{}_load_1(…)' and its metadata", sketch.name()));
        return false;
    }
    int next = 1;
    for (const auto& [number, at] : sketch.loads) {
        if (number != next || number > most_loads) {
            faults.add("K0311", at, fmt::format("'{}' has no load {}", sketch.name(), std::min(next, most_loads)), "",
                       fmt::format("loads are numbered from 1 to at most {}, one an argument", most_loads));
            return false;
        }
        ++next;
    }
    return true;
}

}  // namespace

std::optional<ImplementationDefinition> read_implementation(const ImplementationSketch& sketch, const FileView& file,
                                                            Faults& faults) {
    const std::string name = sketch.name();
    ImplementationDefinition definition;
    definition.function = sketch.function;
    definition.number = sketch.number;
    definition.span = sketch.first;
    Implementation& implementation = definition.implementation;
    implementation.name = name;
    implementation.source = faults.source();

    const MetadataBlock* kernel = require_block(name, sketch.first, file, faults);
    if (kernel) definition.span = kernel->name_span;
    if (!check_load_numbers(sketch, file, faults)) return std::nullopt;
    for (const auto& [number, at] : sketch.loads) {
        auto load = read_transfer(fmt::format("{}_load_{}", name, number), at, 0, file, faults);
        if (!load) load.emplace();
        implementation.loads.push_back(std::move(load->transfer));
        definition.load_types.push_back(std::move(load->use));
    }
    auto save = read_transfer(name + "_save", definition.span, 1, file, faults);
    const CodeFunction* compute = require_function(fmt::format("d_{}_compute", name), definition.span, file, faults);
    if (kernel) read_kernel(*kernel, definition, faults);
    if (!kernel || !save || !compute) return std::nullopt;

    implementation.save = std::move(save->transfer);
    definition.save_type = std::move(save->use);
    implementation.compute = device_function(*compute);
    check_parameters(*compute, implementation.loads.size() + 1, faults);
    return definition;
}

}  // namespace kasc::library
