#include "command/tune/data.hpp"

#include <fmt/format.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <random>

#include "runtime/files/word_file.hpp"
#include "runtime/processes/process.hpp"
#include "runtime/runs/entry_library.hpp"

namespace kasc::command {

namespace {

constexpr unsigned seed = 20111;  // any; the same for ever, so that times can be compared

using Bytes = std::vector<std::byte>;

/// `count` numbers, of a complex array two a cell.
template <class Number>
Bytes random_numbers(std::size_t count, bool stream, std::size_t array) {
    std::mt19937 generator(seed + static_cast<unsigned>(array));
    Bytes bytes(count * sizeof(Number));
    for (std::size_t i = 0; i < count; ++i) {
        const auto bits = static_cast<unsigned>(generator());
        const auto word = static_cast<Number>(stream ? static_cast<float>(static_cast<int>((bits >> 16U) % 5U) - 2)
                                                     : 0.5F + static_cast<float>(bits >> 8U) * (1.0F / 16777216.0F));
        std::memcpy(bytes.data() + i * sizeof(Number), &word, sizeof(Number));
    }
    return bytes;
}

Bytes random_reals(CellType type, std::size_t count, bool stream, std::size_t array) {
    const std::size_t numbers = parts_of_cell(type) * count;
    switch (part_type(type)) {
        case CellType::float16:
            return random_numbers<kasc_half>(numbers, stream, array);
        case CellType::bfloat16:
            return random_numbers<kasc_bfloat16>(numbers, stream, array);
        case CellType::float64:
            return random_numbers<double>(numbers, stream, array);
        default:
            return random_numbers<float>(numbers, stream, array);
    }
}

Diagnostic no_room(const std::filesystem::path& folder) {
    return placeless("K0722", fmt::format("the arrays cannot be kept in '{}'", folder.string()),
                     "free space there, point TMPDIR to a larger disk, or tune smaller sizes");
}

TuneData files_of(const TuneDataRequest& request) {
    TuneData data;
    const auto add = [&](const char* kind, const std::vector<runtime::ArrayInterface>& arrays, auto& files) {
        for (std::size_t i = 0; i < arrays.size(); ++i)
            files.push_back(
                {arrays[i].name, (request.folder / fmt::format("{}{}.words", kind, i)).string(), arrays[i].type});
    };
    add("input", request.face.inputs, data.inputs);
    add("output", request.face.outputs, data.outputs);
    return data;
}

class Maker {
public:
    explicit Maker(const TuneDataRequest& request) : request_(request) {}

    Outcome<TuneData> run() {
        const auto& face = request_.face;
        arguments_.extents = request_.extents;
        arguments_.parameters = request_.parameters;
        for (std::size_t i = 0; i < face.inputs.size(); ++i) take_input(i);
        std::vector<Bytes> results;
        for (const runtime::ArrayInterface& output : face.outputs)
            results.emplace_back(words_of(output) * runtime::word_bytes(output.type));
        for (auto& result : results) arguments_.outputs.push_back(result.data());
        const Diagnostics faults = run_reference();
        if (!faults.empty()) return failure<TuneData>(faults);
        for (std::size_t i = 0; i < results.size(); ++i) write(data_.outputs[i], words(face.outputs[i], results[i]));
        if (!written_) return failure<TuneData>(no_room(request_.folder));
        return success(std::move(data_));
    }

private:
    const TuneDataRequest& request_;
    TuneData data_ = files_of(request_);
    runtime::EntryArguments arguments_;
    std::vector<Bytes> random_;
    bool written_ = true;

    [[nodiscard]] std::size_t words_of(const runtime::ArrayInterface& array) const {
        return runtime::cell_count(runtime::expected_shape(request_.face, array, request_.extents)).value_or(0);
    }
    [[nodiscard]] static runtime::Words words(const runtime::ArrayInterface& array, const Bytes& bytes) {
        return {array.type, bytes.data(), bytes.size() / runtime::word_bytes(array.type)};
    }
    void write(const runtime::RawArray& file, const runtime::Words& words) {
        written_ = written_ && runtime::write_words(file.path, words);
    }
    void take_input(std::size_t i) {
        const runtime::ArrayInterface& input = request_.face.inputs[i];
        runtime::Words values;
        if (request_.given != nullptr) {
            values = request_.given->arrays[i].values;
        } else if (is_integer(input.type)) {
            values = words(input, request_.integers.at(i));
        } else {
            random_.push_back(random_reals(input.type, words_of(input), request_.face.stream, i));
            values = words(input, random_.back());
        }
        write(data_.inputs[i], values);
        arguments_.inputs.push_back(values.data());
    }
    Diagnostics run_reference() {
        const auto entry = runtime::load_entry(request_.reference_library, request_.face.name + "_reference");
        if (!entry) return entry.diagnostics;
        const auto run = runtime::invoke(*entry, arguments_);
        if (run) return {};
        data_.has_reference = run.diagnostics.front().code != "K0815";
        return data_.has_reference ? run.diagnostics : Diagnostics{};
    }
};

/// What the process says at its end: a line.
std::string line_of(const Outcome<TuneData>& made) {
    nlohmann::json line;
    if (made) {
        line["has_reference"] = made->has_reference;
    } else {
        const Diagnostic& d = made.diagnostics.front();
        line = {{"code", d.code}, {"message", d.message}, {"help", d.help}};
    }
    return line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

Outcome<TuneData> make_tune_data(const TuneDataRequest& request) {
    nlohmann::json last;
    runtime::ProcessWatch watch;
    watch.stop = request.stop;
    watch.on_line = [&](const std::string& line) {
        auto read = nlohmann::json::parse(line, nullptr, false);
        if (read.is_object()) last = std::move(read);
    };
    const auto work = [&] {
        fmt::print("\n{}\n", line_of(Maker(request).run()));
        return 0;
    };
    const auto process = runtime::run_process(work, watch);
    if (request.stop && request.stop())
        return failure<TuneData>(placeless("K0814", "tuning was stopped before its first plan", ""));
    if (last.contains("has_reference")) {
        TuneData data = files_of(request);
        data.has_reference = last["has_reference"];
        return success(std::move(data));
    }
    if (last.contains("code")) return failure<TuneData>(placeless(last["code"], last["message"], last["help"]));
    return failure<TuneData>(
        placeless("K0810", fmt::format("the reference ended with status {}", process ? process->exit_code : -1), ""));
}

}  // namespace kasc::command
