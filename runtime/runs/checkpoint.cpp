#include "runtime/runs/checkpoint.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <sstream>

#include "runtime/files/digest.hpp"
#include "runtime/files/replacement.hpp"
#include "runtime/hdf5/array_file.hpp"
#include "runtime/hdf5/open.hpp"
#include "runtime/processes/child.hpp"
#include "runtime/runs/digest_in_turn.hpp"

namespace kasc::runtime {

namespace {

using nlohmann::json;

constexpr const char* head_name = "kasc_checkpoint";
constexpr const char* digest_name = "kasc_checkpoint_digest";
constexpr std::size_t longest_head = 1U << 20U;  // some hundred bytes an array

Diagnostic unreadable(const std::string& path, const std::string& why) {
    Diagnostic d;
    d.code = "K0840";
    d.message = fmt::format("cannot go on from '{}': {}", path, why);
    d.flag_helps = {{{"--restart"}, "name another checkpoint, or start the run anew without {}"}};
    return d;
}

json to_json(const CheckpointHead& head) {
    json state = json::array(), series = json::array(), identity = json::array();
    for (const auto& [what, value] : head.identity) identity.push_back({what, value});
    for (const auto& a : head.state)
        state.push_back(
            {{"name", a.name}, {"type", static_cast<int>(a.type)}, {"shape", a.shape}, {"digest", a.digest}});
    for (const auto& s : head.series) series.push_back({{"name", s.name}, {"rows", s.rows}, {"digest", s.digest}});
    return {{"identity", identity}, {"loop", head.loop},     {"iteration", head.iteration},
            {"done", head.done},    {"total", head.total},   {"state", state},
            {"series", series},     {"places", head.places}, {"output_bytes", head.output_bytes}};
}

/// Throws what nlohmann's does: the digest has vouched for the text.
CheckpointHead from_json(const json& text) {
    CheckpointHead head;
    for (const json& pair : text.at("identity"))
        head.identity.emplace_back(pair.at(0).get<std::string>(), pair.at(1).get<std::string>());
    text.at("loop").get_to(head.loop);
    text.at("iteration").get_to(head.iteration);
    text.at("done").get_to(head.done);
    text.at("total").get_to(head.total);
    text.at("places").get_to(head.places);
    text.at("output_bytes").get_to(head.output_bytes);
    for (const json& a : text.at("state"))
        head.state.push_back(
            {a.at("name"), static_cast<WordType>(a.at("type").get<int>()), a.at("shape"), a.at("digest")});
    for (const json& s : text.at("series")) head.series.push_back({s.at("name"), s.at("rows"), s.at("digest")});
    return head;
}

/// What a child leaves of the file's two attributes.
struct HeadPage {
    std::size_t head_bytes = 0, digest_bytes = 0;
    std::array<char, 64> digest{};
    std::array<char, longest_head> head{};
};

template <std::size_t size>
std::size_t read_attribute(hid_t file, const char* name, std::array<char, size>& to) {
    const Hdf5Handle attribute(H5Aopen(file, name, H5P_DEFAULT), H5Aclose);
    if (!attribute) return 0;
    const Hdf5Handle stored(H5Aget_type(attribute.get()), H5Tclose);
    const Hdf5Handle space(H5Aget_space(attribute.get()), H5Sclose);
    const std::size_t bytes = H5Tget_size(stored.get());
    if (H5Tget_class(stored.get()) != H5T_STRING || H5Tis_variable_str(stored.get()) != 0 || bytes == 0 ||
        bytes > size || H5Sget_simple_extent_npoints(space.get()) != 1)
        return 0;
    const Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type.get(), bytes);
    H5Tset_strpad(type.get(), H5T_STR_NULLPAD);
    return H5Aread(attribute.get(), type.get(), to.data()) >= 0 ? bytes : 0;
}

Outcome<CheckpointHead> read_attributes(const std::string& path) {
    const auto memory = SharedMemory::allocate(sizeof(HeadPage));
    if (!memory) return failure<CheckpointHead>(unreadable(path, "there is no memory"));
    auto& page = *new (memory->data()) HeadPage;
    const ChildEnd end = run_in_child({}, [&] {
        silence_hdf5();
        const Hdf5Handle file = open_file(path);
        if (!file) return false;
        page.digest_bytes = read_attribute(file.get(), digest_name, page.digest);
        page.head_bytes = read_attribute(file.get(), head_name, page.head);
        return true;
    });
    if (end != ChildEnd::finished)
        return failure<CheckpointHead>(unreadable(path, "it is no HDF5 file, or it is damaged"));
    const std::size_t head_bytes = std::min(page.head_bytes, longest_head);
    const std::size_t digest_bytes = std::min(page.digest_bytes, page.digest.size());
    if (head_bytes == 0) return failure<CheckpointHead>(unreadable(path, "it is no checkpoint of kasc"));
    if (std::string(page.digest.data(), digest_bytes) != digest_text(page.head.data(), head_bytes))
        return failure<CheckpointHead>(unreadable(path, "it is damaged"));
    try {
        return success(from_json(json::parse(page.head.data(), page.head.data() + head_bytes)));
    } catch (const json::exception&) {
        return failure<CheckpointHead>(unreadable(path, "it was written by another kasc"));
    }
}

}  // namespace

Diagnostics write_checkpoint(const std::string& path, CheckpointHead head, PiecewiseRun& run,
                             const std::vector<Shape>& shapes) {
    Outcome<ReplacementFile> target = ReplacementFile::create(path);
    if (!target) return target.diagnostics;
    const std::vector<StateArray> state = run.state();
    FileLayout layout;
    // The head has the digests, and stands in the file's structure, which is settled before any data are written. So
    // digests come first: the arrays are read twice from the run, which costs less than holding all of them.
    for (std::size_t i = 0; i < state.size(); ++i) {
        layout.arrays.push_back({state[i].name, shapes.at(i), state[i].type});
        Digest digest;
        if (Diagnostics bad = run.digest_state(i, digest); !bad.empty()) return bad;
        head.state.push_back({state[i].name, state[i].type, shapes.at(i), digest.text()});
    }
    const std::string text = to_json(head).dump();
    layout.attributes = {{digest_name, digest_text(text.data(), text.size())}, {head_name, text}};
    auto file = ArrayFile::create(target->temporary_path(), layout);
    if (!file) return target.value->named(file.diagnostics);
    for (std::size_t i = 0; i < state.size(); ++i) {
        if (Diagnostics bad = run.store_state(i, *file.value, i); !bad.empty()) return target.value->named(bad);
    }
    return target.value->commit();
}

Outcome<CheckpointHead> read_head(const std::string& path) {
    struct stat info {};
    if (stat(path.c_str(), &info) != 0) return failure<CheckpointHead>(unreadable(path, std::strerror(errno)));
    if (!S_ISREG(info.st_mode)) return failure<CheckpointHead>(unreadable(path, "it is no regular file"));
    return read_attributes(path);
}

Outcome<LoadedArrays> read_state(const std::string& path, const CheckpointHead& head, const HeldArrays& held,
                                 Communicator* processes) {
    struct stat info {};
    const bool there = stat(path.c_str(), &info) == 0;
    std::vector<DatasetPart> parts;
    for (std::size_t i = 0; i < head.state.size(); ++i) {
        const auto& array = head.state[i];
        DatasetPart& part = parts.emplace_back(DatasetPart{array.name, array.shape, 0, 0, array.type});
        if (held.empty() || !held.at(i)) continue;
        part.rows = std::max<std::uint64_t>(1, held[i]->rows);
        part.first = std::min(held[i]->first, part.whole.at(0) - part.rows);
        part.at_its_place = true;
    }
    LoadedArrays state;
    bool good = there || parts.empty();
    if (good && !parts.empty()) {
        auto loaded = read_datasets(path, stamp_of(info), parts);
        good = loaded.value.has_value();
        if (loaded) state = *std::move(loaded.value);
    }
    if (processes != nullptr) {
        const auto all = processes->gather({std::byte{good}});
        good = std::all_of(all.begin(), all.end(), [](const auto& one) { return one.front() == std::byte{1}; });
    }
    if (!good) return failure<LoadedArrays>(unreadable(path, "it is damaged"));
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const Words& values = state.arrays[i].values;
        std::uint64_t low = 0, count = values.size();
        if (parts[i].at_its_place) {
            const std::uint64_t row = count / parts[i].whole.at(0);
            low = held[i]->first * row, count = held[i]->rows * row;
        } else if (processes != nullptr && processes->rank() > 0) {
            count = 0;  // all have it, one adds it
        }
        const Words own = values.subspan(low, count);
        const Digest digest = digest_in_turn(processes, [&](Digest& d) { d.add(own.data(), own.size_bytes()); });
        if (digest.text() != head.state[i].digest)
            return failure<LoadedArrays>(unreadable(path, fmt::format("its array '{}' is damaged", parts[i].name)));
    }
    return success(std::move(state));
}

Outcome<Checkpoint> read_checkpoint(const std::string& path) {
    auto head = read_head(path);
    if (!head) return failure<Checkpoint>(std::move(head.diagnostics));
    auto state = read_state(path, *head.value);
    if (!state) return failure<Checkpoint>(std::move(state.diagnostics));
    return success(Checkpoint{*std::move(head.value), *std::move(state.value)});
}

namespace {

/// What "dt=2,steps=9" lacks of "dt=1,steps=9": "dt=1".
std::string beyond(const std::string& items, const std::string& others) {
    const auto split = [](const std::string& text) {
        std::vector<std::string> all;
        std::istringstream in(text);
        for (std::string item; std::getline(in, item, ',');) all.push_back(item);
        return all;
    };
    const std::vector<std::string> known = split(others);
    std::string own;
    for (const std::string& item : split(items)) {
        if (item.find('=') == std::string::npos) return items;  // places count: extents
        if (std::find(known.begin(), known.end(), item) == known.end()) own += (own.empty() ? "" : ", ") + item;
    }
    return own.empty() ? "nothing" : own;
}

}  // namespace

Diagnostics check_identity(const std::string& path, const Identity& of_checkpoint, const Identity& of_run) {
    for (const auto& here : of_run) {
        const auto same = std::find_if(of_checkpoint.begin(), of_checkpoint.end(),
                                       [&](const auto& pair) { return pair.first == here.first; });
        if (same != of_checkpoint.end() && same->second == here.second) continue;
        Diagnostic d;
        d.code = "K0841";
        d.message = fmt::format("the checkpoint '{}' belongs to another run, which differs in {}", path, here.first);
        const std::string there = same == of_checkpoint.end() ? "" : same->second;
        d.notes.push_back({{}, "in the checkpoint: " + beyond(there, here.second)});
        d.notes.push_back({{}, "in this run: " + beyond(here.second, there)});
        d.flag_helps = {{{"--restart"}, "repeat the call that wrote it, with {}"}};
        return {d};
    }
    return {};
}

const void* find_state(const Checkpoint& checkpoint, const StateArray& array) {
    const auto& head = checkpoint.head.state;
    const auto from = std::find_if(head.begin(), head.end(), [&](const auto& a) {
        return a.name == array.name && a.type == array.type && cell_count(a.shape) == array.words;
    });
    if (from == head.end()) return nullptr;
    return checkpoint.state.arrays.at(static_cast<std::size_t>(from - head.begin())).values.data();
}

Diagnostics restore(const std::string& path, const Checkpoint& checkpoint, long long done, PiecewiseRun& run) {
    if (Diagnostics bad = run.seek(done); !bad.empty()) return bad;
    const std::vector<StateArray> state = run.state();
    for (std::size_t i = 0; i < state.size(); ++i) {
        const void* const values = find_state(checkpoint, state[i]);
        if (values == nullptr) {
            Diagnostic d;
            d.code = "K0842";
            d.message = fmt::format("this plan cannot go on from '{}': it needs '{}'", path, state[i].name);
            d.help = "run it with the strategy and device of the run that was stopped";
            return {d};
        }
        if (Diagnostics bad = run.take_state(i, values); !bad.empty()) return bad;
    }
    return {};
}

}  // namespace kasc::runtime
