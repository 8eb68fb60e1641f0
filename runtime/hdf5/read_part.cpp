// One dataset, opened, selected, converted, and counted: what is not finite, what its type cannot hold. What needs no
// conversion and is large is read by all cores, straight from where HDF5 says that it lies.

#include "runtime/hdf5/read_part.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "runtime/hdf5/complex_type.hpp"
#include "runtime/hdf5/open.hpp"
#include "runtime/hdf5/read_cells.hpp"
#include "runtime/hdf5/short_type.hpp"
#include "runtime/hdf5/stored_words.hpp"
#include "runtime/hdf5/survey.hpp"

namespace kasc::runtime {

namespace {

/// A file of some kB ends within the survey's 2 s and these 2 s. A larger one gets time for its bytes (deflate with
/// checksums unpacks well above 20 MB of file a second on one core) and for what they may unpack to: deflate packs a
/// field of zeros at most 1032 to 1 (zlib's documentation), about 300 MB/s. What a file merely declares buys no time.
constexpr unsigned base_cpu_seconds = 2;
constexpr std::uint64_t packed_bytes_per_second = 20'000'000;
constexpr std::uint64_t unpacked_bytes_per_second = 200'000'000;
constexpr std::uint64_t best_packing = 2000;

unsigned cpu_seconds(std::uint64_t file_bytes, std::uint64_t unpacked_bytes) {
    const std::uint64_t plausible_bytes = std::min(unpacked_bytes / best_packing, file_bytes) * best_packing;
    return base_cpu_seconds + static_cast<unsigned>(file_bytes / packed_bytes_per_second) +
           static_cast<unsigned>(plausible_bytes / unpacked_bytes_per_second);
}

/// Cells that are read once more as doubles at a time: half a mebibyte.
constexpr std::uint64_t cells_at_once = 65536;

/// HDF5 asks what to do with a value that float32 cannot hold; it becomes an infinity, and is counted.
H5T_conv_ret_t count_overflow(H5T_conv_except_t kind, hid_t source_type, hid_t, void* source, void*, void* count) {
    if (kind != H5T_CONV_EXCEPT_RANGE_HI && kind != H5T_CONV_EXCEPT_RANGE_LOW) return H5T_CONV_UNHANDLED;
    double value = 0;
    // The conversion from the machine's own double reports infinities as out of range too.
    if (H5Tequal(source_type, H5T_NATIVE_DOUBLE) > 0) std::memcpy(&value, source, sizeof value);
    if (std::isfinite(value)) ++*static_cast<std::uint64_t*>(count);
    return H5T_CONV_UNHANDLED;
}

/// Counts values that are no integers: as an integer, such a value has no meaning.
H5T_conv_ret_t count_no_integers(H5T_conv_except_t kind, hid_t, hid_t, void*, void*, void* count) {
    if (kind != H5T_CONV_EXCEPT_PRECISION) ++*static_cast<std::uint64_t*>(count);
    return H5T_CONV_UNHANDLED;
}

hid_t memory_type(WordType type) {
    switch (type) {
        case WordType::float64:
            return H5T_NATIVE_DOUBLE;
        case WordType::int32:
            return H5T_NATIVE_INT32;
        case WordType::int64:
            return H5T_NATIVE_INT64;
        case WordType::uint8:
            return H5T_NATIVE_UINT8;
        case WordType::complex64:
            return complex_type(H5T_NATIVE_FLOAT);
        case WordType::complex128:
            return complex_type(H5T_NATIVE_DOUBLE);
        case WordType::float16:
        case WordType::bfloat16:
            return short_type(type);
        default:
            return H5T_NATIVE_FLOAT;
    }
}

/// Reports the words that are not finite; a complex word counts by either part.
void tell_not_finite(const NotFiniteCount& found, WordType type, ReadReport& report) {
    report.not_finite = found.count;
    report.first_not_finite = found.first / parts_of_cell(type);
    report.state = ReadReport::State::good;
}

/// Finds the first filter of the dataset's chunks that this machine's HDF5 does not have.
bool find_missing_filter(const Hdf5Handle& dataset, std::array<char, 32>& name) {
    const Hdf5Handle creation(H5Dget_create_plist(dataset.get()), H5Pclose);
    const int filters = creation ? H5Pget_nfilters(creation.get()) : 0;
    for (int i = 0; i < filters; ++i) {
        std::size_t no_values = 0;
        unsigned flags = 0;
        const H5Z_filter_t filter = H5Pget_filter2(creation.get(), static_cast<unsigned>(i), &flags, &no_values,
                                                   nullptr, name.size(), name.data(), nullptr);
        if (filter < 0 || H5Zfilter_avail(filter) > 0) continue;
        name.back() = '\0';
        if (name.front() == '\0') fmt::format_to_n(name.data(), name.size() - 1, "{}", filter);
        return true;
    }
    return false;
}

bool same_shape(const Hdf5Handle& dataset, const Shape& shape) {
    const Hdf5Handle space(H5Dget_space(dataset.get()), H5Sclose);
    std::array<hsize_t, H5S_MAX_RANK> dimensions{};
    if (!space || H5Sget_simple_extent_ndims(space.get()) != static_cast<int>(shape.size())) return false;
    H5Sget_simple_extent_dims(space.get(), dimensions.data(), nullptr);
    return std::equal(shape.begin(), shape.end(), dimensions.begin());
}

/// The open file is another than it was, by its size or by when it was written.
bool rewritten(hid_t file, const FileStamp& stamp) {
    void* handle = nullptr;
    struct stat now {};
    return H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) >= 0 && handle != nullptr &&
           fstat(*static_cast<int*>(handle), &now) == 0 && stamp.differs(stamp_of(now));
}

/// The least integer of a type, and the first that is too large.
std::pair<double, double> range_of(WordType type) {
    if (type == WordType::uint8) return {0, 256};
    return type == WordType::int64 ? std::pair(-0x1p63, 0x1p63) : std::pair(-0x1p31, 0x1p31);
}

/// HDF5 counts values that are no integers, and does not say where: they are read once more, in pieces, as doubles.
void find_no_integer(const Hdf5Handle& dataset, const DatasetPart& part, ReadReport& report) {
    const Shape shape = part.whole.empty() ? Shape{1} : part.shape();
    const std::uint64_t first = part.rows == 0 ? 0 : part.first, rows = shape.front();
    const std::uint64_t row_cells = cell_count({shape.begin() + 1, shape.end()}).value_or(0);
    if (row_cells == 0) return;
    const auto [low, end] = range_of(part.type);
    const std::uint64_t rows_at_once = std::max<std::uint64_t>(1, cells_at_once / row_cells);
    std::vector<double> values;
    for (std::uint64_t row = 0; row < rows; row += rows_at_once) {
        DatasetPart piece = part;
        const std::uint64_t piece_rows = std::min(rows_at_once, rows - row);
        if (!part.whole.empty()) piece.first = first + row, piece.rows = piece_rows;
        values.resize(piece_rows * row_cells);
        if (!read_box(dataset, piece.start(), piece.shape(), H5T_NATIVE_DOUBLE, H5P_DEFAULT, values.data())) return;
        const auto found = std::find_if(values.begin(), values.end(), [&](double value) {
            return !(value >= low && value < end && value == std::floor(value));
        });
        if (found == values.end()) continue;
        report.first_no_integer = row * row_cells + static_cast<std::uint64_t>(found - values.begin());
        report.first_no_integer_is = *found;
        return;
    }
}

std::optional<NotFiniteCount> read_array(const Hdf5Handle& dataset, const DatasetPart& part, hid_t transfer,
                                         void* values) {
    const Shape shape = part.shape();
    if (!read_box(dataset, part.start(), shape, memory_type(part.type), transfer, values)) return std::nullopt;
    return count_all_not_finite(part.type, values, cell_count(shape).value_or(0));
}

void read_values(hid_t file, const DatasetPart& part, void* values, ReadReport& report) {
    report.state = ReadReport::State::damaged;
    const Hdf5Handle dataset = open_dataset(file, part.name);
    if (!dataset || stored_elsewhere(dataset)) return;
    if (!same_shape(dataset, part.whole)) {
        report.state = ReadReport::State::reshaped;
        return;
    }
    if (const auto stored = find_stored_words(file, dataset, memory_type(part.type), part)) {
        if (const auto found = read_stored_words(*stored, part, values)) {
            tell_not_finite(*found, part.type, report);
            return;
        }
    }
    const Hdf5Handle transfer(H5Pcreate(H5P_DATASET_XFER), H5Pclose);
    if (is_integer(part.type)) {
        H5Pset_type_conv_cb(transfer.get(), count_no_integers, &report.no_integers);
    } else {
        H5Pset_type_conv_cb(transfer.get(), count_overflow, &report.beyond_float32);
    }
    const auto found = part.arrays() == 1 ? read_array(dataset, part, transfer.get(), values)
                                          : read_cells(dataset, part, memory_type(part.type), transfer.get(),
                                                       PartTarget(part, values));
    if (!found) {
        if (find_missing_filter(dataset, report.filter)) report.state = ReadReport::State::packed;
        return;
    }
    if (report.no_integers > 0) find_no_integer(dataset, part, report);
    tell_not_finite(*found, part.type, report);
}

}  // namespace

void read_part(hid_t file, const FileStamp& stamp, const DatasetPart& part, void* values, ReadReport& report) {
    DatasetPart stored = part;
    // Real and imaginary parts are reals of the file, and lie in memory as they do there.
    if (part.form != ComplexForm::pairs) {
        stored.type = part_type(part.type);
        stored.form = ComplexForm::pairs;
    }
    read_values(file, stored, values, report);
    // Afterwards: what was written until then may be among the values, what is cut from now on is not.
    if (rewritten(file, stamp)) report.state = ReadReport::State::rewritten;
}

ChildLimits reading_limits(std::uint64_t file_bytes, std::uint64_t unpacked_bytes) {
    ChildLimits limits;
    limits.cpu_seconds = cpu_seconds(file_bytes, unpacked_bytes);
    limits.wall_seconds += 10 * limits.cpu_seconds;
    limits.private_bytes += file_bytes + 2 * unpacked_bytes;  // a chunk is held packed and unpacked
    return limits;
}

namespace {

/// The indices of a word, counted as in the whole dataset.
std::string indices_text(const DatasetPart& part, std::uint64_t offset) {
    const Shape position = cell_position(part.shape(), offset), start = part.start();
    std::string text;
    for (std::size_t d = 0; d < position.size(); ++d)
        text += fmt::format("{}{}", text.empty() ? "" : ", ", start[d] + position[d]);
    return text;
}

std::uint64_t words_of(const DatasetPart& part) { return cell_count(part.shape()).value_or(0); }

void warn(const std::string& path, const DatasetPart& part, const ReadReport& report, Diagnostics& diagnostics) {
    const auto say = [&](const char* code, std::string message, const char* help) {
        Diagnostic d;
        d.severity = Severity::warning;
        d.code = code;
        d.message = std::move(message);
        d.span = dataset_place(path, part.name);
        d.help = help;
        diagnostics.push_back(std::move(d));
    };
    const auto first = [&] { return fmt::format("the first at [{}]", indices_text(part, report.first_not_finite)); };
    const std::uint64_t inherent = report.not_finite - std::min(report.not_finite, report.beyond_float32);
    if (report.beyond_float32 > 0) {
        say("K0713",
            fmt::format("{} of {} values of '{}' are beyond {} and become infinite{}", report.beyond_float32,
                        words_of(part), part.name, is_short(part.type) ? name_of(part.type) : "float32",
                        inherent == 0 ? ", " + first() : ""),
            part.type == WordType::float16
                ? "the largest value that half holds is 65504"
                : "the largest value that float holds is 3.4e38; fields of 'double' hold the file's");
    }
    if (inherent > 0) {
        say("K0712",
            fmt::format("{} of {} values of '{}' are not finite{}", inherent, words_of(part), part.name,
                        report.beyond_float32 == 0 ? ", " + first() : ""),
            "what is computed from them is not finite either");
    }
}

Diagnostic no_integers(const std::string& path, const DatasetPart& part, const ReadReport& report) {
    Diagnostic d;
    d.code = "K0717";
    const bool alone = part.whole.empty();
    d.message =
        fmt::format("{} of {} values of '{}' are no {}: {}{}{} is {}", report.no_integers, words_of(part), part.name,
                    part.type == WordType::uint8 ? "whole numbers from 0 to 255"
                                                 : fmt::format("whole numbers of {} bits", 8 * cell_bytes(part.type)),
                    alone ? "it" : "the first, at [", alone ? "" : indices_text(part, report.first_no_integer),
                    alone ? "" : "],", report.first_no_integer_is);
    d.span = dataset_place(path, part.name);
    d.help = "the program declares it as " + std::string(name_of(part.type));
    return d;
}

Diagnostic packed_by_another(const std::string& dataset, const std::string& path, const ReadReport& report) {
    const auto& name = report.filter;
    Diagnostic d;
    d.code = "K0705";
    d.message = fmt::format("dataset '{}' is packed by the filter '{}', which this machine's HDF5 does not have",
                            dataset, std::string(name.begin(), std::find(name.begin(), name.end(), '\0')));
    d.span = dataset_place(path, dataset);
    d.help =
        fmt::format("pack it by gzip, which every HDF5 has: h5repack -f GZIP=4 {} FILE.h5, where the filter is", path);
    return d;
}

std::string reason(std::optional<ChildEnd> end, ReadReport::State state) {
    if (state == ReadReport::State::reshaped) return "its shape changed while it was read";
    if (state == ReadReport::State::rewritten) return "the file was written to or cut short while it was read";
    if (end == ChildEnd::out_of_time) return "reading takes longer than the file's size explains";
    if (end == ChildEnd::killed) return "the reading process was killed, perhaps for lack of memory";
    return "";
}

}  // namespace

Diagnostics findings(const std::string& path, const DatasetPart& part, const ReadReport& report,
                     std::optional<ChildEnd> end) {
    if (report.state == ReadReport::State::packed) return {packed_by_another(part.name, path, report)};
    if (report.state != ReadReport::State::good) return {damaged_file(path, part.name, reason(end, report.state))};
    if (report.no_integers > 0) return {no_integers(path, part, report)};
    Diagnostics found;
    warn(path, part, report, found);
    return found;
}

}  // namespace kasc::runtime
