// Example: (64, 512, 512) floats in chunks (1, 512, 512), shuffled and deflated: 64 pieces, which HDF5 lists with their
// places. Rows 3 to 5 of it need pieces 3, 4 and 5.

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <limits>

#include "runtime/hdf5/stored_words.hpp"

namespace kasc::runtime {

namespace {

/// Below, threads gain nothing.
constexpr std::uint64_t least_bytes = std::uint64_t{1} << 20U;
/// To find the n-th chunk, HDF5 1.10 walks past all before it, 30 ns each: as long as reading it takes, for pieces of
/// this size and so many of them.
constexpr std::uint64_t least_chunk_bytes = 16384;
constexpr std::uint64_t most_chunks = 4096;
/// Each thread holds a chunk packed and unpacked; of larger ones there are too few for many threads.
constexpr std::uint64_t most_packed_chunk_bytes = std::uint64_t{1} << 26U;

/// Up to where HDF5 would read: of the file, what there is and what it says that it has.
std::uint64_t readable_bytes(hid_t file, int descriptor, std::uint64_t user_block) {
    struct stat info {};
    haddr_t end = 0;
    if (fstat(descriptor, &info) != 0 || H5Fget_eoa(file, &end) < 0 || end == HADDR_UNDEF) return 0;
    return std::min(static_cast<std::uint64_t>(info.st_size), end + user_block);
}

bool lies_within(const StoredPiece& piece, std::uint64_t bytes) {
    return piece.place <= bytes && piece.bytes <= bytes - piece.place;
}

bool find_contiguous(const Hdf5Handle& dataset, const DatasetPart& part, StoredWords& stored) {
    const haddr_t place = H5Dget_offset(dataset.get());
    const auto whole = cell_count(part.whole), wanted = cell_count(part.shape());
    if (place == HADDR_UNDEF || !whole || !wanted || H5Dget_storage_size(dataset.get()) < *whole * stored.word_bytes)
        return false;
    const std::uint64_t row_bytes = part.rows > 0 ? *wanted / part.rows * stored.word_bytes : 0;
    StoredPiece& piece = stored.pieces.emplace_back();
    piece = {place + part.first * row_bytes, *wanted * stored.word_bytes, Shape(part.whole.size(), 0)};
    if (part.rows > 0) piece.first.at(0) = part.first;
    stored.piece_shape = part.shape();
    return place <= std::numeric_limits<std::int64_t>::max();
}

/// Finds the filters that are undone here, in the order in which they were applied; false where another was.
bool find_filters(const Hdf5Handle& creation, StoredWords& stored) {
    const int filters = H5Pget_nfilters(creation.get());
    for (int i = 0; i < filters; ++i) {
        std::size_t no_values = 0;
        unsigned flags = 0;
        const H5Z_filter_t filter =
            H5Pget_filter2(creation.get(), static_cast<unsigned>(i), &flags, &no_values, nullptr, 0, nullptr, nullptr);
        if (filter == H5Z_FILTER_SHUFFLE && !stored.shuffled && !stored.deflated) {
            stored.shuffled = true;
        } else if (filter == H5Z_FILTER_DEFLATE && !stored.deflated) {
            stored.deflated = true;
        } else {
            return false;
        }
    }
    return filters >= 0;
}

/// HDF5's list of chunks, against what it must be: each chunk of the grid once, at its place in the grid.
bool find_chunks(const Hdf5Handle& dataset, const DatasetPart& part, StoredWords& stored) {
    const Shape& chunk = stored.piece_shape;
    Shape grid;
    for (std::size_t d = 0; d < chunk.size(); ++d) {
        if (chunk[d] == 0) return false;
        grid.push_back((part.whole[d] + chunk[d] - 1) / chunk[d]);
    }
    const auto chunks = cell_count(grid), words = cell_count(chunk);
    hsize_t listed = 0;
    const Hdf5Handle space(H5Dget_space(dataset.get()), H5Sclose);
    if (!chunks || !words || *chunks > most_chunks || *words * stored.word_bytes < least_chunk_bytes ||
        ((stored.deflated || stored.shuffled) && *words * stored.word_bytes > most_packed_chunk_bytes) || !space ||
        H5Dget_num_chunks(dataset.get(), space.get(), &listed) < 0 || listed != *chunks)
        return false;
    std::vector<bool> seen(*chunks, false);
    for (hsize_t i = 0; i < listed; ++i) {
        StoredPiece piece;
        std::vector<hsize_t> first(chunk.size());
        unsigned left_out = 0;
        haddr_t place = 0;
        hsize_t bytes = 0;
        if (H5Dget_chunk_info(dataset.get(), space.get(), i, first.data(), &left_out, &place, &bytes) < 0 ||
            left_out != 0 || place == HADDR_UNDEF)
            return false;
        std::uint64_t number = 0;
        for (std::size_t d = 0; d < chunk.size(); ++d) {
            if (first[d] % chunk[d] != 0 || first[d] >= part.whole[d]) return false;
            number = number * grid[d] + first[d] / chunk[d];
        }
        if (seen[number]) return false;
        seen[number] = true;
        const bool packed = stored.deflated;
        if (bytes == 0 ||
            (packed ? bytes > std::numeric_limits<std::uint32_t>::max() : bytes != *words * stored.word_bytes))
            return false;
        if (part.rows > 0 && (first[0] >= part.first + part.rows || first[0] + chunk[0] <= part.first)) continue;
        stored.pieces.push_back({place, bytes, Shape(first.begin(), first.end())});
    }
    return true;
}

bool find_chunked(const Hdf5Handle& dataset, const Hdf5Handle& creation, const DatasetPart& part, StoredWords& stored) {
    unsigned options = 0;  // chunks at the edge may be stored without filters
    if (H5Pget_chunk_opts(creation.get(), &options) < 0 || options != 0) return false;
    std::array<hsize_t, H5S_MAX_RANK> chunk{};
    const int rank = H5Pget_chunk(creation.get(), static_cast<int>(chunk.size()), chunk.data());
    if (rank < 1 || static_cast<std::size_t>(rank) != part.whole.size()) return false;
    stored.piece_shape.assign(chunk.begin(), chunk.begin() + rank);
    return find_filters(creation, stored) && find_chunks(dataset, part, stored);
}

}  // namespace

std::optional<StoredWords> find_stored_words(hid_t file, const Hdf5Handle& dataset, hid_t memory_type,
                                             const DatasetPart& part) {
    StoredWords stored;
    stored.word_bytes = word_bytes(part.type);
    if (part.word || cell_count(part.shape()).value_or(0) < least_bytes / stored.word_bytes) return std::nullopt;
    const Hdf5Handle type(H5Dget_type(dataset.get()), H5Tclose);
    const Hdf5Handle creation(H5Dget_create_plist(dataset.get()), H5Pclose);
    void* descriptor = nullptr;
    if (!type || !creation || H5Tequal(type.get(), memory_type) <= 0 ||
        H5Fget_vfd_handle(file, H5P_DEFAULT, &descriptor) < 0 || descriptor == nullptr)
        return std::nullopt;
    stored.descriptor = *static_cast<const int*>(descriptor);
    hsize_t user_block = 0;
    const Hdf5Handle file_creation(H5Fget_create_plist(file), H5Pclose);
    if (!file_creation || H5Pget_userblock(file_creation.get(), &user_block) < 0) return std::nullopt;
    // Places of chunks count from the file's begin or from the user block's end, by version of HDF5: without one.
    const H5D_layout_t layout = H5Pget_layout(creation.get());
    const bool found = layout == H5D_CONTIGUOUS                   ? find_contiguous(dataset, part, stored)
                       : layout == H5D_CHUNKED && user_block == 0 ? find_chunked(dataset, creation, part, stored)
                                                                  : false;
    const std::uint64_t bytes = readable_bytes(file, stored.descriptor, user_block);
    if (!found || !std::all_of(stored.pieces.begin(), stored.pieces.end(),
                               [&](const StoredPiece& piece) { return lies_within(piece, bytes); }))
        return std::nullopt;
    return stored;
}

}  // namespace kasc::runtime
