#include "runtime/runs/outputs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <new>

#include "runtime/files/check_places.hpp"
#include "runtime/hdf5/cell_words.hpp"
#include "runtime/hdf5/packed_file.hpp"

namespace kasc::runtime {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t cells_bytes_at_once = std::uint64_t{1} << 20U;  // of cells: stays in a core's cache

/// Bytes of the arrays but those left out; none where they overflow.
std::optional<std::uint64_t> total_bytes(const ProgramInterface& program, const std::vector<Shape>& shapes,
                                         const std::vector<bool>& left_out) {
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        if (!left_out.empty() && left_out.at(i)) continue;
        const auto cells = cell_count(shapes[i]);
        if (!cells || __builtin_add_overflow(bytes, *cells * word_bytes(program.outputs[i].type), &bytes))
            return std::nullopt;
    }
    return bytes;
}

/// "T (4, 8, 16), u (4, 8, 16, 3)".
std::string shapes_text(const ProgramInterface& program, const std::vector<FileArray>& in_file,
                        const std::vector<long long>& extents) {
    std::string text;
    for (const FileArray& output : in_file)
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", output.array.name,
                            to_text(expected_shape(program, output.array, extents)));
    return text;
}

Diagnostics check_room(const OutputRequest& request, const ProgramInterface& program, const std::vector<Shape>& shapes,
                       const std::string& shapes_text) {
    const auto bytes = total_bytes(program, shapes, {});
    const auto held_bytes = total_bytes(program, shapes, request.streamed);
    if (!bytes || !held_bytes || *held_bytes > physical_memory_bytes()) {
        return {placeless("K0722",
                          fmt::format("the outputs do not fit the machine's memory of {}: {}",
                                      bytes_text(physical_memory_bytes()), shapes_text),
                          "run it for fewer cells or elements")};
    }
    std::error_code error;
    const fs::path folder = fs::path(request.path).parent_path();
    const fs::space_info space = fs::space(folder.empty() ? fs::path(".") : folder, error);
    // What is streamed and then packed is there twice for a while; deflate makes nothing longer that counts.
    const bool packed = request.form && request.form->compression > 0;
    const std::uint64_t needed = packed ? *bytes + (*bytes - *held_bytes) : *bytes;
    if (!error && space.available < needed) {
        Diagnostic d = placeless("K0722",
                                 fmt::format("the outputs need {}, the disk of '{}' has {} left", bytes_text(needed),
                                             request.path, bytes_text(space.available)),
                                 "make room there");
        d.flag_helps = {{{"--out"}, "or give {} another place"}};
        return {d};
    }
    return {};
}

/// The outputs' arrays by output, where words of cells share a dataset.
std::vector<ArraySpec> specs_of(const ProgramInterface& program, const std::vector<FileArray>& in_file,
                                const std::vector<long long>& extents, const std::vector<bool>& over_steps) {
    std::vector<ArraySpec> specs(program.outputs.size());
    for (const FileArray& output : in_file) {
        ArraySpec spec{output.array.name, expected_shape(program, output.array, extents), output.array.type};
        if (output.words.size() > 1)
            spec.attributes = {{"cell_shape", fmt::format("{}", fmt::join(output.array.element_shape, " "))}};
        std::vector<std::string> axes;
        for (const int axis : output.array.axes) axes.push_back(program.axes.at(static_cast<std::size_t>(axis)));
        if (!axes.empty()) spec.attributes.emplace_back("axes", fmt::format("{}", fmt::join(axes, " ")));
        if (!axes.empty() && !over_steps.empty() && over_steps.at(output.words.front()))
            spec.attributes.emplace_back("series_axis", axes.back());
        spec.cell_words = output.words.size();
        for (std::size_t word = 0; word < output.words.size(); ++word) {
            spec.word = word;
            specs[output.words[word]] = spec;
        }
    }
    return specs;
}

/// The layout with what is known at the end.
FileLayout amended(FileLayout layout, const FileLayout& known) {
    for (const auto& [name, text] : known.attributes) {
        for (auto& attribute : layout.attributes) {
            if (attribute.first == name) attribute.second = text;
        }
    }
    for (const ConstantSpec& constant : known.constants) {
        for (ConstantSpec& before : layout.constants) {
            if (before.name == constant.name) before = constant;
        }
    }
    return layout;
}

}  // namespace

std::vector<void*> Outputs::pointers() {
    std::vector<void*> all;
    for (auto& values : values_) all.push_back(values.empty() ? nullptr : values.data());
    return all;
}

std::vector<ArrayView> Outputs::arrays() const {
    std::vector<ArrayView> all;
    for (std::size_t i = 0; i < names_.size(); ++i) {
        const std::size_t words = values_[i].size() / word_bytes(types_[i]);
        all.push_back({names_[i], shapes_[i], Words(types_[i], values_[i].data(), words)});
    }
    return all;
}

bool Outputs::streams() const {
    return std::find(request_.streamed.begin(), request_.streamed.end(), true) != request_.streamed.end();
}

Diagnostics Outputs::hold_place() {
    if (!request_.at_once && !(request_.lasting && streams())) return {};
    auto target =
        request_.at_once ? ReplacementFile::in_place(request_.path) : ReplacementFile::create_lasting(request_.path);
    if (target) target_.emplace(*std::move(target.value));
    return target.diagnostics;
}

Diagnostics Outputs::open(const std::vector<std::uint64_t>& places) {
    if (!target_) {
        auto target = ReplacementFile::create(request_.path);
        if (!target) return target.diagnostics;
        target_.emplace(*std::move(target.value));
    }
    const std::string& working = target_->temporary_path();
    if (!places.empty() && target_->is_new()) {
        const bool ended = !request_.at_once && fs::exists(request_.path);
        return {placeless(
            "K0843", fmt::format("'{}', which the checkpoint goes on with, is not there", working),
            ended ? fmt::format("a run that comes to its end makes '{}' of it, and that is there", request_.path)
                  : "bring it back, or start anew without the checkpoint")};
    }
    if (request_.at_once && places.empty()) return open_in_place();
    auto file =
        places.empty() ? ArrayFile::create(working, layout_) : ArrayFile::reopen(working, layout_.arrays, places);
    if (!file) {
        Diagnostics bad = target_->named(file.diagnostics);
        target_.reset();
        return bad;
    }
    target_->begin();
    file_.emplace(*std::move(file.value));
    return {};
}

/// The file appears with all of its structure, in place of what is there, or not at all.
Diagnostics Outputs::open_in_place() {
    auto fresh = ReplacementFile::create(request_.path);
    if (!fresh) return fresh.diagnostics;
    const auto places = lay_out(fresh->temporary_path(), layout_);
    if (!places) return fresh->named(places.diagnostics);
    if (Diagnostics bad = fresh.value->commit_in_place(*target_); !bad.empty()) return bad;
    auto file = ArrayFile::reopen(fresh->temporary_path(), layout_.arrays, *places.value);
    if (!file) return file.diagnostics;
    target_.emplace(*std::move(fresh.value));
    file_.emplace(*std::move(file.value));
    return {};
}

Diagnostics Outputs::amend_file(long long done) {
    if (!request_.form || !request_.form->amended) return {};
    const FileLayout known = request_.form->amended(done);
    return target_->named(amend(target_->temporary_path(), known.attributes, known.constants));
}

Diagnostics Outputs::suspend(long long done) {
    if (!file_) return {};
    if (Diagnostics bad = amend_file(done); !bad.empty()) return bad;
    return file_->sync();
}

Diagnostics Outputs::store(long long done) {
    if (!file_) {
        if (Diagnostics bad = open(); !bad.empty()) return bad;
    }
    for (const FileArray& array : in_file_) {
        if (Diagnostics bad = target_->named(store_array(array)); !bad.empty()) return bad;
    }
    if (Diagnostics bad = amend_file(done); !bad.empty()) return bad;
    return target_->commit();
}

/// Words that lie in memory become cells block by block; arrays of one word, and words whose others were streamed, go
/// by themselves.
Diagnostics Outputs::store_array(const FileArray& array) {
    const std::size_t first = array.words.front(), size = word_bytes(types_[first]);
    const bool by_word = array.words.size() == 1 || std::any_of(array.words.begin(), array.words.end(),
                                                                [&](auto i) { return values_[i].empty(); });
    if (by_word) {
        for (const std::size_t i : array.words) {
            if (Diagnostics bad = file_->write(i, 0, values_[i].data(), values_[i].size()); !bad.empty()) return bad;
        }
        return {};
    }
    const std::uint64_t words = array.words.size(), cells = values_[first].size() / size;
    const std::uint64_t most = std::max<std::uint64_t>(1, cells_bytes_at_once / (words * size));
    std::vector<std::byte> block(std::min(most, cells) * words * size);
    for (std::uint64_t done = 0; done < cells; done += most) {
        const std::uint64_t count = std::min(most, cells - done);
        for (std::size_t word = 0; word < words; ++word)
            copy_words(size, values_[array.words[word]].data() + done * size, 1, block.data() + word * size, words,
                       count);
        if (Diagnostics bad = file_->write_cells(first, done, block.data(), count); !bad.empty()) return bad;
    }
    return {};
}

/// What lies in memory goes to the packed file at once, what was streamed comes from the file that it was streamed to.
Diagnostics Outputs::store_packed(long long done) {
    auto packed = ReplacementFile::create(request_.path);
    if (!packed) return packed.diagnostics;
    const FileLayout layout = request_.form->amended ? amended(layout_, request_.form->amended(done)) : layout_;
    const auto bytes = [&](std::size_t array, std::uint64_t offset, void* to, std::uint64_t count) {
        if (values_[array].empty()) return file_->read(array, offset, to, count);
        std::memcpy(to, values_[array].data() + offset, count);
        return true;
    };
    Diagnostics bad = write_packed(packed->temporary_path(), layout, request_.form->compression, bytes);
    bad = bad.empty() ? packed.value->commit() : packed.value->named(std::move(bad));
    if (bad.empty() && target_ && !request_.at_once) target_->discard();
    return bad;
}

Diagnostics Outputs::write(long long done) {
    Diagnostics bad = request_.form && request_.form->compression > 0 ? store_packed(done) : store(done);
    file_.reset();
    target_.reset();  // removes what was not committed
    return bad;
}

Outcome<Outputs> create_outputs(const OutputRequest& request, const ProgramInterface& program,
                                const std::vector<long long>& extents) {
    Outputs outputs;
    outputs.request_ = request;
    outputs.layout_.attributes = {{"created_by", "kasc " + request.version}, {"program", program.name}};
    outputs.layout_.attributes.insert(outputs.layout_.attributes.end(), request.attributes.begin(),
                                      request.attributes.end());
    for (const ArrayInterface& output : program.outputs) {
        outputs.names_.push_back(output.name);
        outputs.types_.push_back(output.type);
        outputs.shapes_.push_back(expected_shape(program, output, extents));
    }
    outputs.in_file_ = written_arrays(program.outputs);
    outputs.layout_.arrays = specs_of(program, outputs.in_file_, extents, request.over_steps);
    if (request.form) outputs.layout_ = request.form->layout;
    if (Diagnostics bad = request.path.empty() ? check_writable(request.path)
                                               : check_places({{request.path, "the output file"}},
                                                              {{request.input_path, "the input file"}});
        !bad.empty())
        return failure<Outputs>(std::move(bad));
    if (request.form && request.form->compression > 0 && !can_pack())
        return failure<Outputs>(placeless(
            "K0720", fmt::format("cannot write '{}' compressed: HDF5 was built without zlib here", request.path),
            "leave the compression out"));
    if (Diagnostics bad =
            check_room(request, program, outputs.shapes_, shapes_text(program, outputs.in_file_, extents));
        !bad.empty())
        return failure<Outputs>(std::move(bad));
    try {
        for (std::size_t i = 0; i < outputs.shapes_.size(); ++i) {
            const bool streamed = !request.streamed.empty() && request.streamed.at(i);
            outputs.values_.emplace_back(streamed ? 0
                                                  : *cell_count(outputs.shapes_[i]) * word_bytes(outputs.types_[i]));
        }
    } catch (const std::bad_alloc&) {
        return failure<Outputs>(placeless("K0722", "there is no memory for the outputs"));
    }
    if (Diagnostics bad = outputs.hold_place(); !bad.empty()) return failure<Outputs>(std::move(bad));
    return success(std::move(outputs));
}

}  // namespace kasc::runtime
