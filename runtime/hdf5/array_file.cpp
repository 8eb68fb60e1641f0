// Example: p of 2 rows of 5 words in the datasets p/1 (2, 3) and p/2 (2, 2): bytes 8 to 28 of p are the last word of
// the first row of p/1, the first row of p/2, and the first two words of the second row of p/1.
//
// Bytes 4 to 12 of u_y, word 1 of the cells (x, y, z) of a dataset u, are its words in cells 1 and 2: these two cells
// are read, 24 bytes, and stored with other words at bytes 4 and 16.

#include "runtime/hdf5/array_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "runtime/hdf5/cell_words.hpp"

namespace kasc::runtime {

namespace {

constexpr std::uint64_t block_bytes = std::uint64_t{1} << 20U;  // of cells that are changed in one of their words

/// An error number, 0 for none.
int store(int descriptor, std::uint64_t at, const void* data, std::uint64_t bytes) {
    const auto* source = static_cast<const char*>(data);
    while (bytes > 0) {
        const ssize_t stored = pwrite(descriptor, source, bytes, static_cast<off_t>(at));
        if (stored < 0 && errno == EINTR) continue;
        if (stored <= 0) return stored < 0 ? errno : ENOSPC;
        source += stored;
        at += static_cast<std::uint64_t>(stored);
        bytes -= static_cast<std::uint64_t>(stored);
    }
    return 0;
}

/// False: the file has not so much.
bool fetch(int descriptor, std::uint64_t at, void* data, std::uint64_t bytes) {
    auto* to = static_cast<char*>(data);
    while (bytes > 0) {
        const ssize_t found = pread(descriptor, to, bytes, static_cast<off_t>(at));
        if (found < 0 && errno == EINTR) continue;
        if (found <= 0) return false;
        to += found;
        at += static_cast<std::uint64_t>(found);
        bytes -= static_cast<std::uint64_t>(found);
    }
    return true;
}

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
        placed.cell_words = array.cell_words;
        placed.word = array.word;
        placed.word_bytes = word_bytes(array.type);
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

int ArrayFile::visit_cells(
    std::size_t array, std::uint64_t offset, std::uint64_t bytes,
    const std::function<bool(std::byte* cells, std::uint64_t from, std::uint64_t count)>& visit) const {
    const Placed& placed = arrays_.at(array);
    const std::uint64_t cell_bytes = placed.cell_bytes(), most = std::max<std::uint64_t>(1, block_bytes / cell_bytes);
    const std::uint64_t first = offset / placed.word_bytes, cells = bytes / placed.word_bytes;
    std::vector<std::byte> block(std::min(most, cells) * cell_bytes);
    for (std::uint64_t done = 0; done < cells; done += most) {
        const std::uint64_t count = std::min(most, cells - done);
        const std::uint64_t at = placed.pieces.front().place + (first + done) * cell_bytes;
        if (!fetch(descriptor_, at, block.data(), count * cell_bytes)) return EIO;
        if (!visit(block.data(), done * placed.word_bytes, count)) continue;
        if (const int fault = store(descriptor_, at, block.data(), count * cell_bytes); fault != 0) return fault;
    }
    return 0;
}

Diagnostics ArrayFile::write(std::size_t array, std::uint64_t offset, const void* data, std::uint64_t bytes) {
    const Placed& placed = arrays_.at(array);
    const auto* source = static_cast<const std::byte*>(data);
    int fault = 0;
    if (placed.cell_words > 1) {
        fault = visit_cells(array, offset, bytes, [&](std::byte* cells, std::uint64_t from, std::uint64_t count) {
            copy_words(placed.word_bytes, source + from, 1, cells + placed.word * placed.word_bytes, placed.cell_words,
                       count);
            return true;
        });
    } else {
        visit_pieces(array, offset, bytes, [&](std::uint64_t at, std::uint64_t from, std::uint64_t length) {
            fault = store(descriptor_, at, source + from, length);
            return fault == 0;
        });
    }
    return fault == 0 ? Diagnostics{} : Diagnostics{not_stored(path_, fault)};
}

Diagnostics ArrayFile::write_cells(std::size_t array, std::uint64_t first, const void* cells, std::uint64_t count) {
    const Placed& placed = arrays_.at(array);
    const std::uint64_t cell_bytes = placed.cell_bytes();
    const int fault = store(descriptor_, placed.pieces.front().place + first * cell_bytes, cells, count * cell_bytes);
    return fault == 0 ? Diagnostics{} : Diagnostics{not_stored(path_, fault)};
}

bool ArrayFile::read(std::size_t array, std::uint64_t offset, void* data, std::uint64_t bytes) const {
    const Placed& placed = arrays_.at(array);
    if (offset + bytes > placed.bytes()) return false;
    auto* to = static_cast<std::byte*>(data);
    if (placed.cell_words > 1) {
        return visit_cells(array, offset, bytes, [&](std::byte* cells, std::uint64_t from, std::uint64_t count) {
                   copy_words(placed.word_bytes, cells + placed.word * placed.word_bytes, placed.cell_words, to + from,
                              1, count);
                   return false;
               }) == 0;
    }
    bool good = true;
    visit_pieces(array, offset, bytes, [&](std::uint64_t at, std::uint64_t from, std::uint64_t length) {
        good = fetch(descriptor_, at, to + from, length);
        return good;
    });
    return good;
}

Diagnostics ArrayFile::sync() {
    if (fsync(descriptor_) != 0) return {not_stored(path_, errno)};
    return {};
}

}  // namespace kasc::runtime
