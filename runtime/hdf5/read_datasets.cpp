// Sizes are checked, one block of shared memory is laid out (each array on a page of its own), a child reads every
// dataset into its place and counts what is not finite. Example: T (4, 8) and beta (8,) take bytes [0, 128) and
// [4096, 4128); u (4, 8, 3), cells of three words, three pages.

#include "runtime/hdf5/read_datasets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "runtime/hdf5/open.hpp"
#include "runtime/hdf5/read_part.hpp"
#include "runtime/hdf5/survey.hpp"

namespace kasc::runtime {

namespace {

struct Layout {
    std::uint64_t reports_bytes = 0;
    std::vector<std::uint64_t> offsets;  ///< of the arrays, in bytes
    std::uint64_t bytes = 0;             ///< of addresses
};

Diagnostic too_large(const std::string& path, const DatasetPart& array, std::uint64_t memory) {
    Diagnostic d;
    d.code = "K0711";
    d.message =
        fmt::format("dataset '{}' of shape {} does not fit the machine's memory", array.name, to_text(array.shape()));
    d.span = dataset_place(path, array.name);
    d.notes.push_back({{}, fmt::format("all inputs together lie in memory; the machine has {}", bytes_text(memory))});
    return d;
}

/// Arrays one after another from a page boundary on. The limit is the machine's memory.
Outcome<Layout> lay_out(const std::string& path, const std::vector<DatasetPart>& wanted) {
    const std::uint64_t memory = physical_memory_bytes();
    Layout layout;
    layout.reports_bytes = to_page(wanted.size() * sizeof(ReadReport));
    layout.bytes = layout.reports_bytes;
    std::uint64_t filled = layout.bytes;
    for (const DatasetPart& array : wanted) {
        const auto cells = cell_count(array.shape());
        if (!cells || *cells * word_bytes(array.type) > memory - std::min(memory, filled)) {
            return failure<Layout>(too_large(path, array, memory));
        }
        filled += *cells * word_bytes(array.type);
        layout.offsets.push_back(layout.bytes);
        layout.bytes += array.arrays() * array.array_stride();
    }
    return success(std::move(layout));
}

}  // namespace

Outcome<LoadedArrays> read_datasets(const std::string& path, const FileStamp& stamp,
                                    const std::vector<DatasetPart>& wanted) {
    const Outcome<Layout> layout = lay_out(path, wanted);
    if (!layout) return failure<LoadedArrays>(layout.diagnostics);
    auto allocated = SharedMemory::allocate(layout->bytes);
    if (!allocated) return failure<LoadedArrays>(too_large(path, wanted.front(), physical_memory_bytes()));
    LoadedArrays loaded;
    loaded.storage = std::make_shared<const SharedMemory>(std::move(*allocated));
    std::byte* base = loaded.storage->data();
    auto* reports = reinterpret_cast<ReadReport*>(base);
    std::uninitialized_fill_n(reports, wanted.size(), ReadReport{});
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const Shape shape = wanted[i].memory_shape();
        for (std::uint64_t k = 0; k < wanted[i].arrays(); ++k) {
            const std::byte* values = base + layout->offsets[i] + k * wanted[i].array_stride();
            const Words words(wanted[i].type, values, static_cast<std::size_t>(*cell_count(shape)));
            loaded.arrays.push_back({wanted[i].name, shape, words});
        }
    }

    ChildLimits limits = reading_limits(stamp.bytes, layout->bytes);
    // Words of cells are spread out of a buffer, which holds a chunk at least.
    if (std::any_of(wanted.begin(), wanted.end(), [](const DatasetPart& part) { return part.arrays() > 1; }))
        limits.private_bytes += layout->bytes;
    const ChildEnd end = run_in_child(limits, [&] {
        silence_hdf5();
        const Hdf5Handle file = open_file(path);
        for (std::size_t i = 0; file && i < wanted.size(); ++i) {
            read_part(file.get(), stamp, wanted[i], base + layout->offsets[i] + wanted[i].memory_offset(), reports[i]);
        }
        return true;
    });

    Diagnostics diagnostics;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        Diagnostics found = findings(path, wanted[i], reports[i], end);
        if (has_errors(found)) return failure<LoadedArrays>(std::move(found));
        diagnostics.insert(diagnostics.end(), found.begin(), found.end());
    }
    return success(std::move(loaded), std::move(diagnostics));
}

}  // namespace kasc::runtime
