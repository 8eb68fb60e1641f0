// Example: p of 200 steps at 3000 sensors, float32: chunks (1, 87, 3000), the last of 26 rows. A field (64, 512, 512):
// chunks (1, 512, 512), a plane each.

#include "runtime/hdf5/packed_file.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "runtime/hdf5/cell_words.hpp"
#include "runtime/hdf5/layout_objects.hpp"

namespace kasc::runtime {

namespace {

constexpr std::uint64_t most_chunk_bytes = 1U << 20U;
/// The index of a chunked dataset takes 3.1 KB (rank 3, H5Pset_istore_k at its default of 32), and of fields of waves
/// deflate saves a sixth.
constexpr std::uint64_t least_packed_bytes = 32768;

/// Puts bytes of a dataset where it is told to.
using DatasetBytes = std::function<bool(std::uint64_t offset, void* to, std::uint64_t bytes)>;

Hdf5Handle packed_creation(const Shape& shape, std::size_t word_bytes, int level) {
    Hdf5Handle creation = dataset_creation();
    if (cell_count(shape).value_or(0) * word_bytes <= least_packed_bytes) return creation;
    const Shape chunk = chunk_of(shape, word_bytes);
    const std::vector<hsize_t> dimensions(chunk.begin(), chunk.end());
    H5Pset_chunk(creation.get(), static_cast<int>(dimensions.size()), dimensions.data());
    H5Pset_shuffle(creation.get());
    H5Pset_deflate(creation.get(), static_cast<unsigned>(level));
    return creation;
}

/// Chunk by chunk, each of which lies together in the dataset.
bool write_chunks(const Hdf5Handle& dataset, const Shape& shape, hid_t type, std::size_t word_bytes,
                  const DatasetBytes& bytes) {
    const Shape chunk = chunk_of(shape, word_bytes);
    const Hdf5Handle space(H5Dget_space(dataset.get()), H5Sclose);
    std::vector<std::byte> buffer(*cell_count(chunk) * word_bytes);
    std::uint64_t offset = 0;
    std::vector<hsize_t> start(shape.size(), 0), count(shape.size());
    while (true) {
        hsize_t words = 1;
        for (std::size_t d = 0; d < shape.size(); ++d) {
            count[d] = std::min<hsize_t>(chunk[d], shape[d] - start[d]);
            words *= count[d];
        }
        const int rank = static_cast<int>(count.size());
        const Hdf5Handle memory(H5Screate_simple(rank, count.data(), nullptr), H5Sclose);
        if (!bytes(offset, buffer.data(), words * word_bytes) ||
            H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr) < 0 ||
            H5Dwrite(dataset.get(), type, memory.get(), space.get(), H5P_DEFAULT, buffer.data()) < 0)
            return false;
        offset += words * word_bytes;
        std::size_t d = shape.size();
        while (d > 0 && (start[d - 1] += chunk[d - 1]) >= shape[d - 1]) start[--d] = 0;
        if (d == 0) return true;
    }
}

bool write_dataset(hid_t file, const ArraySpec& spec, int level, const DatasetBytes& bytes) {
    const std::size_t size = word_bytes(spec.type);
    Hdf5Handle dataset =
        create_dataset(file, spec.name, spec.shape, stored_type(spec.type), packed_creation(spec.shape, size, level));
    return dataset && write_attributes(dataset.get(), spec.attributes) &&
           write_chunks(dataset, spec.shape, stored_type(spec.type), size, bytes) && dataset.close();
}

/// Writes the dataset whose cells the array is the first word of.
bool write_cells(hid_t file, const FileLayout& layout, std::size_t index, int level, const ArrayBytes& bytes) {
    const ArraySpec& first = layout.arrays[index];
    const std::size_t size = word_bytes(first.type);
    std::vector<std::size_t> words(first.cell_words, index);
    for (std::size_t i = 0; i < layout.arrays.size(); ++i) {
        if (layout.arrays[i].name == first.name) words.at(layout.arrays[i].word) = i;
    }
    std::vector<std::byte> run;
    // A chunk has whole cells: it is of the last dimensions first.
    return write_dataset(file, first, level, [&](std::uint64_t offset, void* to, std::uint64_t count) {
        const std::uint64_t cells = count / (first.cell_words * size);
        run.resize(cells * size);
        for (std::size_t word = 0; word < words.size(); ++word) {
            if (!bytes(words[word], offset / first.cell_words, run.data(), run.size())) return false;
            copy_words(size, run.data(), 1, static_cast<std::byte*>(to) + word * size, first.cell_words, cells);
        }
        return true;
    });
}

/// Writes the array; the datasets that share the rows of one are written in turn.
bool write_array(hid_t file, const FileLayout& layout, std::size_t index, int level, const ArrayBytes& bytes) {
    const ArraySpec& array = layout.arrays[index];
    if (array.cell_words > 1) return array.word > 0 || write_cells(file, layout, index, level, bytes);
    if (array.parts.empty()) {
        return write_dataset(file, array, level, [&](std::uint64_t offset, void* to, std::uint64_t count) {
            return bytes(index, offset, to, count);
        });
    }
    const std::uint64_t row_bytes = *cell_count(array.shape) * word_bytes(array.type) / array.rows;
    std::uint64_t first = 0;  // of the part within a row
    for (const ArraySpec& part : array.parts) {
        const std::uint64_t part_bytes = *cell_count(part.shape) * word_bytes(part.type) / array.rows;
        const auto of_part = [&](std::uint64_t offset, void* to, std::uint64_t count) {
            for (std::uint64_t done = 0; done < count;) {
                const std::uint64_t row = (offset + done) / part_bytes, within = (offset + done) % part_bytes;
                const std::uint64_t length = std::min(part_bytes - within, count - done);
                if (!bytes(index, row * row_bytes + first + within, static_cast<char*>(to) + done, length))
                    return false;
                done += length;
            }
            return true;
        };
        if (!write_dataset(file, part, level, of_part)) return false;
        first += part_bytes;
    }
    return true;
}

bool write_constant(hid_t file, const ConstantSpec& constant, int level) {
    const hid_t type = stored_type(constant);
    Hdf5Handle dataset = create_dataset(file, constant.name, constant.shape, type,
                                        packed_creation(constant.shape, H5Tget_size(type), level));
    return dataset && write_attributes(dataset.get(), constant.attributes) && write_values(dataset, constant) &&
           dataset.close();
}

}  // namespace

Shape chunk_of(const Shape& shape, std::size_t word_bytes) {
    Shape chunk(shape.size(), 1);
    std::uint64_t room = std::max<std::uint64_t>(most_chunk_bytes / word_bytes, 1);
    for (std::size_t d = shape.size(); d-- > 0;) {
        chunk[d] = std::min<std::uint64_t>(shape[d], room);
        if (chunk[d] < shape[d]) break;  // slower dimensions stay at one: what is left of the room lies elsewhere
        room /= chunk[d];
    }
    return chunk;
}

bool can_pack() { return H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0 && H5Zfilter_avail(H5Z_FILTER_SHUFFLE) > 0; }

Diagnostics write_packed(const std::string& path, const FileLayout& layout, int level, const ArrayBytes& bytes) {
    silence_hdf5();
    Hdf5Handle file = create_layout_file(path);
    bool good = file && write_attributes(file.get(), layout.attributes);
    for (std::size_t i = 0; i < layout.arrays.size(); ++i)
        good = good && write_array(file.get(), layout, i, level, bytes);
    for (const ConstantSpec& constant : layout.constants) good = good && write_constant(file.get(), constant, level);
    if (!file.close() || !good) return {not_stored(path, 0)};
    return {};
}

}  // namespace kasc::runtime
