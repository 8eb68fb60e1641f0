// Example: p of 2 rows of 5 words in the datasets p/1 (2, 3) and p/2 (2, 2): bytes 8 to 28 of p are the last word of
// the first row of p/1, the first row of p/2, and the first two words of the second row of p/1.

#include "runtime/hdf5/array_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace kasc::runtime {

namespace {

std::uint64_t bytes_of(const ArraySpec& array) { return cell_count(array.shape).value_or(0) * word_bytes(array.type); }

}  // namespace

Outcome<ArrayFile> ArrayFile::create(const std::string& path, const FileLayout& layout) {
    auto places = lay_out(path, layout);
    if (!places) return failure<ArrayFile>(std::move(places.diagnostics));
    return reopen(path, layout.arrays, *std::move(places.value));
}

Outcome<ArrayFile> ArrayFile::reopen(const std::string& path, const std::vector<ArraySpec>& arrays,
                                     std::vector<std::uint64_t> places) {
    std::size_t datasets = 0;
    for (const ArraySpec& array : arrays) datasets += std::max<std::size_t>(array.parts.size(), 1);
    const int descriptor = places.size() == datasets ? open(path.c_str(), O_RDWR | O_CLOEXEC) : -1;
    if (descriptor < 0) {
        Diagnostic d;
        d.code = "K0701";
        d.message = fmt::format("cannot open '{}': {}", path,
                                places.size() == datasets ? std::strerror(errno) : "it holds other arrays");
        return failure<ArrayFile>(std::move(d));
    }
    ArrayFile file(path, descriptor, arrays, std::move(places));
    if (file.bytes() >= file.end()) return success(std::move(file));
    Diagnostic d;
    d.code = "K0843";
    d.message = fmt::format("'{}' is shorter than it was at the checkpoint", path);
    d.help = "bring back the file that the checkpoint was written with, or start anew";
    return failure<ArrayFile>(std::move(d));
}

ArrayFile::ArrayFile(std::string path, int descriptor, const std::vector<ArraySpec>& arrays,
                     std::vector<std::uint64_t> places)
    : path_(std::move(path)), descriptor_(descriptor), places_(std::move(places)) {
    std::size_t dataset = 0;
    for (const ArraySpec& array : arrays) {
        Placed& placed = arrays_.emplace_back();
        const auto add = [&](std::uint64_t bytes) {
            placed.pieces.push_back({places_.at(dataset++), placed.row_bytes, bytes});
            placed.row_bytes += bytes;
        };
        placed.rows = array.parts.empty() ? 1 : std::max<std::uint64_t>(array.rows, 1);
        for (const ArraySpec& part : array.parts) add(bytes_of(part) / placed.rows);
        if (array.parts.empty()) add(bytes_of(array));
    }
}

ArrayFile::ArrayFile(ArrayFile&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      places_(std::move(other.places_)),
      arrays_(std::move(other.arrays_)) {}

ArrayFile::~ArrayFile() {
    if (descriptor_ >= 0) close(descriptor_);
}

std::uint64_t ArrayFile::bytes() const {
    struct stat info {};
    return fstat(descriptor_, &info) == 0 ? static_cast<std::uint64_t>(info.st_size) : 0;
}

std::uint64_t ArrayFile::end() const {
    std::uint64_t end = 0;
    for (const Placed& array : arrays_) {
        for (const Piece& piece : array.pieces) end = std::max(end, piece.place + array.rows * piece.bytes);
    }
    return end;
}

void ArrayFile::visit_pieces(std::size_t array, std::uint64_t offset, std::uint64_t bytes,
                             const std::function<bool(std::uint64_t, std::uint64_t, std::uint64_t)>& visit) const {
    const Placed& placed = arrays_.at(array);
    if (placed.row_bytes == 0) return;
    std::uint64_t done = 0;
    for (std::uint64_t row = offset / placed.row_bytes; done < bytes; ++row) {
        for (const Piece& piece : placed.pieces) {
            const std::uint64_t within = offset + done - row * placed.row_bytes;
            if (done == bytes || within < piece.first || within >= piece.first + piece.bytes) continue;
            const std::uint64_t skipped = within - piece.first, length = std::min(piece.bytes - skipped, bytes - done);
            if (!visit(piece.place + row * piece.bytes + skipped, done, length)) return;
            done += length;
        }
    }
}

Diagnostics ArrayFile::write(std::size_t array, std::uint64_t offset, const void* data, std::uint64_t bytes) {
    int fault = -1;
    visit_pieces(array, offset, bytes, [&](std::uint64_t at, std::uint64_t from, std::uint64_t left) {
        const auto* source = static_cast<const char*>(data) + from;
        while (left > 0) {
            const ssize_t stored = pwrite(descriptor_, source, left, static_cast<off_t>(at));
            if (stored < 0 && errno == EINTR) continue;
            if (stored <= 0) {
                fault = stored < 0 ? errno : ENOSPC;
                return false;
            }
            source += stored;
            at += static_cast<std::uint64_t>(stored);
            left -= static_cast<std::uint64_t>(stored);
        }
        return true;
    });
    return fault < 0 ? Diagnostics{} : Diagnostics{not_stored(path_, fault)};
}

bool ArrayFile::read(std::size_t array, std::uint64_t offset, void* data, std::uint64_t bytes) const {
    const Placed& placed = arrays_.at(array);
    bool good = offset + bytes <= placed.rows * placed.row_bytes;
    if (!good) return false;
    visit_pieces(array, offset, bytes, [&](std::uint64_t at, std::uint64_t from, std::uint64_t left) {
        auto* to = static_cast<char*>(data) + from;
        while (good && left > 0) {
            const ssize_t found = pread(descriptor_, to, left, static_cast<off_t>(at));
            if (found < 0 && errno == EINTR) continue;
            good = found > 0;
            if (!good) break;
            to += found;
            at += static_cast<std::uint64_t>(found);
            left -= static_cast<std::uint64_t>(found);
        }
        return good;
    });
    return good;
}

Diagnostics ArrayFile::sync() {
    if (fsync(descriptor_) != 0) return {not_stored(path_, errno)};
    return {};
}

}  // namespace kasc::runtime
