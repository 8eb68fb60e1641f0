// Example: cells of 3 words, (64, 512, 512, 3) floats. Not chunked: boxes (1, 170, 512, 3), words that lie together. In
// chunks (16, 64, 64, 3): boxes (16, 64, 64, 3), a run of 64 cells for each of 16 x 64 rows.

#include "runtime/hdf5/read_cells.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace kasc::runtime {

namespace {

constexpr std::uint64_t box_bytes = std::uint64_t{1} << 20U;  // stays in a core's cache

/// Selects a box of the dataset; false: it is not to be had.
bool select(const Hdf5Handle& space, const Shape& from, const Shape& box) {
    if (box.empty()) return true;
    const std::vector<hsize_t> start(from.begin(), from.end()), count(box.begin(), box.end());
    return H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr) >= 0;
}

Hdf5Handle memory_of(const Shape& shape) {
    const std::vector<hsize_t> dimensions(shape.begin(), shape.end());
    return {dimensions.empty() ? H5Screate(H5S_SCALAR)
                               : H5Screate_simple(static_cast<int>(dimensions.size()), dimensions.data(), nullptr),
            H5Sclose};
}

/// Whole cells in whole chunks, so that each chunk is unpacked once, and as many of them as lie together in about
/// `box_bytes`.
Shape box_of_cells(const Hdf5Handle& dataset, const DatasetPart& part) {
    const Shape shape = part.shape();
    std::array<hsize_t, H5S_MAX_RANK> chunk{};
    chunk.fill(1);
    const Hdf5Handle creation(H5Dget_create_plist(dataset.get()), H5Pclose);
    if (creation && H5Pget_layout(creation.get()) == H5D_CHUNKED)
        H5Pget_chunk(creation.get(), static_cast<int>(chunk.size()), chunk.data());
    Shape box(shape.size());
    std::uint64_t bytes = word_bytes(part.type);
    for (std::size_t d = 0; d < shape.size(); ++d) {
        const bool of_cell = d + part.cell_dimensions >= shape.size();
        box[d] = of_cell ? shape[d] : std::min<std::uint64_t>(chunk[d], shape[d]);
        bytes *= box[d];
    }
    for (std::size_t d = shape.size() - part.cell_dimensions; d-- > 0 && bytes < box_bytes;) {
        const std::uint64_t chunks = std::max<std::uint64_t>(1, box_bytes / bytes), before = box[d];
        box[d] = std::min(shape[d], before * chunks);
        bytes = bytes / before * box[d];
    }
    return box;
}

/// Goes to the next box of a grid of them; false: that was the last.
bool next_box(Shape& at, const Shape& box, const Shape& shape) {
    for (std::size_t d = shape.size(); d-- > 0; at[d] = 0) {
        if ((at[d] += box[d]) < shape[d]) return true;
    }
    return false;
}

/// The words of a box, run by run of those that lie together in the part too.
NotFiniteCount put_box(const PartTarget& target, const Shape& shape, const Shape& from, const Shape& box,
                       const std::byte* words, std::size_t word_bytes) {
    std::size_t inner = box.size();  // of these dimensions the box has all
    std::uint64_t run_words = 1;
    while (inner > 0 && box[inner - 1] == shape[inner - 1]) run_words *= box[--inner];
    if (inner > 0) run_words *= box[--inner];
    const Shape outer(box.begin(), box.begin() + static_cast<std::ptrdiff_t>(inner)), ones(inner, 1);
    NotFiniteCount found;
    Shape run(inner, 0);
    do {
        std::uint64_t word = 0;
        for (std::size_t d = 0; d < shape.size(); ++d) word = word * shape[d] + from[d] + (d < inner ? run[d] : 0);
        found.add(target.put(words, word, run_words));
        words += run_words * word_bytes;
    } while (next_box(run, ones, outer));
    return found;
}

}  // namespace

bool read_box(const Hdf5Handle& dataset, const Shape& from, const Shape& box, hid_t memory_type, hid_t transfer,
              void* values) {
    const Hdf5Handle space(H5Dget_space(dataset.get()), H5Sclose), memory = memory_of(box);
    return space && memory && select(space, from, box) &&
           H5Dread(dataset.get(), memory_type, memory.get(), space.get(), transfer, values) >= 0;
}

std::optional<NotFiniteCount> read_cells(const Hdf5Handle& dataset, const DatasetPart& part, hid_t memory_type,
                                         hid_t transfer, const PartTarget& target) {
    const Shape shape = part.shape(), start = part.start(), most = box_of_cells(dataset, part);
    std::vector<std::byte> buffer(cell_count(most).value_or(0) * word_bytes(part.type));
    NotFiniteCount found;
    Shape at(shape.size(), 0);
    do {
        Shape box = most, from = start;
        for (std::size_t d = 0; d < shape.size(); ++d) {
            box[d] = std::min(most[d], shape[d] - at[d]);
            from[d] += at[d];
        }
        if (!read_box(dataset, from, box, memory_type, transfer, buffer.data())) return std::nullopt;
        found.add(put_box(target, shape, at, box, buffer.data(), word_bytes(part.type)));
    } while (next_box(at, most, shape));
    return found;
}

}  // namespace kasc::runtime
