#include "command/tune_data.hpp"

#include <fmt/format.h>

#include <random>

#include "command/machine.hpp"
#include "runtime/entry_library.hpp"
#include "runtime/word_file.hpp"

namespace kasc::command {

namespace {

constexpr unsigned seed = 20111;  // any; the same for ever, so that times can be compared

std::vector<float> random_words(std::size_t count, bool stream, std::size_t array) {
    std::mt19937 generator(seed + static_cast<unsigned>(array));
    std::vector<float> words(count);
    for (float& word : words) {
        const auto bits = static_cast<unsigned>(generator());
        word = stream ? static_cast<float>(static_cast<int>((bits >> 16U) % 5U) - 2)
                      : 0.5F + static_cast<float>(bits >> 8U) * (1.0F / 16777216.0F);
    }
    return words;
}

Diagnostic no_room(const std::filesystem::path& folder) {
    return call_fault("K0722", fmt::format("the arrays cannot be kept in '{}'", folder.string()),
                      "free space there, point TMPDIR to a larger disk, or tune smaller sizes");
}

class Maker {
public:
    explicit Maker(const TuneDataRequest& request) : request_(request) {}

    Outcome<TuneData> run() {
        const auto& face = request_.face;
        arguments_.extents = request_.extents;
        arguments_.parameters = request_.parameters;
        arguments_.go_on = request_.go_on;
        for (std::size_t i = 0; i < face.inputs.size(); ++i) take_input(i);
        std::vector<std::vector<float>> results;
        for (const runtime::ArrayInterface& output : face.outputs) results.emplace_back(words_of(output));
        for (auto& result : results) arguments_.outputs.push_back(result.data());
        const Diagnostics faults = run_reference();
        if (!faults.empty()) return failure<TuneData>(faults);
        for (std::size_t i = 0; i < results.size(); ++i)
            data_.outputs.push_back(write("output", i, face.outputs[i].name, results[i]));
        if (!written_) return failure<TuneData>(no_room(request_.folder));
        return success(std::move(data_));
    }

private:
    const TuneDataRequest& request_;
    TuneData data_;
    runtime::EntryArguments arguments_;
    std::vector<std::vector<float>> random_;
    bool written_ = true;

    [[nodiscard]] std::size_t words_of(const runtime::ArrayInterface& array) const {
        return runtime::cell_count(runtime::expected_shape(request_.face, array, request_.extents)).value_or(0);
    }
    runtime::ArrayFile write(const char* kind, std::size_t index, const std::string& name,
                             std::span<const float> words) {
        const auto path = request_.folder / fmt::format("{}{}.words", kind, index);
        written_ = written_ && runtime::write_words(path.string(), words);
        return {name, path.string()};
    }
    void take_input(std::size_t i) {
        std::span<const float> words;
        if (request_.given != nullptr) {
            words = request_.given->arrays[i].values.floats();
        } else {
            random_.push_back(random_words(words_of(request_.face.inputs[i]), request_.face.stream, i));
            words = random_.back();
        }
        data_.inputs.push_back(write("input", i, request_.face.inputs[i].name, words));
        arguments_.inputs.push_back(words.data());
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

}  // namespace

Outcome<TuneData> make_tune_data(const TuneDataRequest& request) { return Maker(request).run(); }

}  // namespace kasc::command
