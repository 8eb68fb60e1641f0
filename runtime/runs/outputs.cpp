#include "runtime/runs/outputs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "runtime/files/check_places.hpp"
#include "runtime/finite.hpp"
#include "runtime/hdf5/cell_words.hpp"
#include "runtime/hdf5/packed_file.hpp"
#include "runtime/processes/agreed.hpp"

namespace kasc::runtime {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t cells_bytes_at_once = std::uint64_t{1} << 20U;  // of cells: stays in a core's cache

/// Bytes of the arrays but those left out, as far as they are held; none where they overflow.
std::optional<std::uint64_t> total_bytes(const ProgramInterface& program, const std::vector<Shape>& shapes,
                                         const std::vector<bool>& left_out, const HeldArrays& held = {}) {
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        if (!left_out.empty() && left_out.at(i)) continue;
        Shape shape = shapes[i];
        if (!held.empty() && held.at(i)) shape.at(0) = held[i]->rows;
        const auto cells = cell_count(shape);
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
    const auto held_bytes = total_bytes(program, shapes, request.streamed, request.held);
    if (!bytes || !held_bytes || *held_bytes > physical_memory_bytes()) {
        return {placeless("K0722",
                          fmt::format("the outputs do not fit the machine's memory of {}: {}",
                                      bytes_text(physical_memory_bytes()), shapes_text),
                          "run it for fewer cells or elements")};
    }
    std::error_code error;
    const fs::path folder = fs::path(request.path).parent_path();
    const fs::space_info space = fs::space(folder.empty() ? fs::path(".") : folder, error);
    // What is streamed, or written by several, and then packed is there twice for a while; deflate makes nothing longer
    // that counts.
    const bool packed = request.form && request.form->compression > 0;
    const auto streamed = *bytes - total_bytes(program, shapes, request.streamed).value_or(0);
    const std::uint64_t needed = packed ? *bytes + (request.processes != nullptr ? *bytes : streamed) : *bytes;
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
    for (auto& values : values_) all.push_back(values ? values->memory.data() : nullptr);
    return all;
}

std::vector<ArrayView> Outputs::arrays() const {
    std::vector<ArrayView> all;
    for (std::size_t i = 0; i < names_.size(); ++i) {
        const Words none(types_[i], nullptr, 0);
        const auto whole = [&](const Held& held) {
            return Words(types_[i], held.memory.data(), held.memory.bytes() / word_bytes(types_[i]));
        };
        all.push_back({names_[i], shapes_[i], values_[i] ? whole(*values_[i]) : none});
    }
    return all;
}

std::vector<NotFinite> Outputs::not_finite() const {
    // Three numbers an output: how many, of how many, and the first cell.
    std::vector<std::uint64_t> own;
    for (std::size_t i = 0; i < values_.size(); ++i) {
        const bool reals = values_[i] && !is_integer(types_[i]);
        const std::uint64_t word = word_bytes(types_[i]), parts = parts_of_cell(types_[i]);
        const std::uint64_t low = reals ? values_[i]->low : 0, words = reals ? (values_[i]->high - low) / word : 0;
        NotFiniteCount found;
        if (words > 0) found = count_all_not_finite(types_[i], values_[i]->memory.data() + low, words);
        own.insert(own.end(), {found.count, words * parts, low / word + found.first / parts});
    }
    std::vector<std::vector<std::byte>> by_rank(1);
    const auto* bytes = reinterpret_cast<const std::byte*>(own.data());
    by_rank.front().assign(bytes, bytes + own.size() * sizeof(own[0]));
    if (request_.processes != nullptr) by_rank = request_.processes->gather(by_rank.front());
    std::vector<NotFinite> all;
    for (std::size_t i = 0; i < values_.size(); ++i) {
        all.push_back({names_[i]});
        for (const std::vector<std::byte>& of_rank : by_rank) {
            std::memcpy(own.data(), of_rank.data(), of_rank.size());
            NotFinite more{names_[i], own[3 * i], own[3 * i + 1]};
            if (more.count > 0) more.first = cell_position(shapes_[i], own[3 * i + 2]);
            all.back().add(std::move(more));
        }
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

Diagnostics Outputs::all_stored(Diagnostics own) const { return agreed(request_.processes, std::move(own), "K0721"); }

Diagnostics Outputs::open_together() {
    Diagnostics bad;
    if (leads() && !file_) bad = open();
    if (request_.processes == nullptr) return bad;
    if (bad = all_stored(std::move(bad)); !bad.empty()) return bad;
    std::vector<std::uint64_t> places = leads() ? file_->places() : std::vector<std::uint64_t>{};
    const std::string path = broadcast_text(*request_.processes, leads() ? file_->path() : "");
    std::uint64_t count = places.size();
    request_.processes->broadcast(&count, sizeof(count));
    places.resize(count);
    if (count > 0) request_.processes->broadcast(places.data(), count * sizeof(places[0]));
    if (!leads()) {
        auto file = ArrayFile::reopen(path, layout_.arrays, std::move(places));
        bad = std::move(file.diagnostics);
        if (file) file_.emplace(*std::move(file.value));
    }
    return all_stored(std::move(bad));
}

/// To disk: whoever puts the file in its place may be another.
Diagnostics Outputs::store_own() {
    const int ranks = request_.processes == nullptr ? 1 : request_.processes->ranks();
    Diagnostics bad;
    const auto store = [&](bool word_by_word) {
        for (const FileArray& array : in_file_) {
            if (bad.empty() && this->word_by_word(array) == word_by_word) bad = store_array(array);
        }
    };
    store(false);
    // A word is stored with the others of its cell, which another may have: one process after the other.
    const bool any = std::any_of(in_file_.begin(), in_file_.end(), [&](const auto& a) { return word_by_word(a); });
    for (int turn = 0; turn < ranks && any; ++turn) {
        if (ranks == 1 || turn == request_.processes->rank()) store(true);
        bad = all_stored(std::move(bad));
    }
    if (bad.empty() && ranks > 1) bad = file_->sync();
    return all_stored(std::move(bad));
}

Diagnostics Outputs::store(long long done) {
    const auto named = [&](Diagnostics said) { return target_ ? target_->named(std::move(said)) : said; };
    if (Diagnostics bad = open_together(); !bad.empty()) return bad;
    if (Diagnostics bad = named(store_own()); !bad.empty()) return bad;
    if (!leads()) return {};
    if (Diagnostics bad = amend_file(done); !bad.empty()) return bad;
    return target_->commit();
}

/// Some words of the cells were streamed, or other processes have other rows of them. The same on all processes.
bool Outputs::word_by_word(const FileArray& array) const {
    const auto rows = [&](std::size_t i) { return request_.held.empty() ? std::nullopt : request_.held.at(i); };
    return array.words.size() > 1 && std::any_of(array.words.begin(), array.words.end(), [&](std::size_t i) {
               return !values_[i] || rows(i).has_value() != rows(array.words.front()).has_value();
           });
}

/// Words that lie in memory become cells block by block; arrays of one word, and words whose others were streamed, go
/// by themselves.
Diagnostics Outputs::store_array(const FileArray& array) {
    const std::size_t first = array.words.front(), size = word_bytes(types_[first]);
    if (array.words.size() == 1 || word_by_word(array)) {
        for (const std::size_t i : array.words) {
            if (!values_[i]) continue;
            const auto& [memory, low, high] = *values_[i];
            if (Diagnostics bad = file_->write(i, low, memory.data() + low, high - low); !bad.empty()) return bad;
        }
        return {};
    }
    const std::uint64_t words = array.words.size(), end = values_[first]->high / size;
    const std::uint64_t most = std::max<std::uint64_t>(1, cells_bytes_at_once / (words * size));
    std::vector<std::byte> block(most * words * size);
    for (std::uint64_t done = values_[first]->low / size; done < end; done += most) {
        const std::uint64_t count = std::min(most, end - done);
        for (std::size_t word = 0; word < words; ++word)
            copy_words(size, values_[array.words[word]]->memory.data() + done * size, 1, block.data() + word * size,
                       words, count);
        if (Diagnostics bad = file_->write_cells(first, done, block.data(), count); !bad.empty()) return bad;
    }
    return {};
}

/// What lies in memory goes to the packed file at once, what was streamed comes from the file that it was streamed to;
/// of several processes all of it does.
Diagnostics Outputs::store_packed(long long done) {
    const bool together = request_.processes != nullptr;
    if (together) {
        if (Diagnostics bad = open_together(); !bad.empty()) return bad;
        if (Diagnostics bad = store_own(); !bad.empty()) return bad;
        if (!leads()) return {};
    }
    auto packed = ReplacementFile::create(request_.path);
    if (!packed) return packed.diagnostics;
    const FileLayout layout = request_.form->amended ? amended(layout_, request_.form->amended(done)) : layout_;
    const auto bytes = [&](std::size_t array, std::uint64_t offset, void* to, std::uint64_t count) {
        if (together || !values_[array]) return file_->read(array, offset, to, count);
        std::memcpy(to, values_[array]->memory.data() + offset, count);
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

/// Where others have rows of an output, there are addresses for theirs.
Diagnostics Outputs::take_memory() {
    for (std::size_t i = 0; i < shapes_.size(); ++i) {
        const bool streamed = !request_.streamed.empty() && request_.streamed.at(i);
        const std::uint64_t bytes = *cell_count(shapes_[i]) * word_bytes(types_[i]);
        auto memory = streamed ? std::nullopt : ReservedMemory::reserve(bytes);
        if (!streamed && !memory) return {placeless("K0722", "there is no memory for the outputs")};
        values_.emplace_back();
        if (streamed) continue;
        values_.back().emplace(Held{std::move(*memory), 0, leads() ? bytes : 0});
        if (request_.held.empty() || !request_.held.at(i)) continue;
        const std::uint64_t row = bytes / shapes_[i].at(0);
        values_.back()->low = request_.held[i]->first * row;
        values_.back()->high = values_.back()->low + request_.held[i]->rows * row;
    }
    return {};
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
    if (!outputs.leads()) {
        if (Diagnostics bad = outputs.take_memory(); !bad.empty()) return failure<Outputs>(std::move(bad));
        return success(std::move(outputs));
    }
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
    if (Diagnostics bad = outputs.take_memory(); !bad.empty()) return failure<Outputs>(std::move(bad));
    if (Diagnostics bad = outputs.hold_place(); !bad.empty()) return failure<Outputs>(std::move(bad));
    return success(std::move(outputs));
}

}  // namespace kasc::runtime
