// The tiles are filled as loads should fill them, so that a fault of a load is not told of a second time.
//
// An input's declared word that no thread reads, on no data, is a warning: the schedule takes the pattern as the truth
// about who reads what, so a word too many costs a barrier or forbids registers, but breaks nothing. A result's
// declared word must be written: the words of a tile are all handed on.

#include "libcheck/check_compute.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "libcheck/rounding.hpp"

namespace kasc::libcheck {

namespace {

bool is_about_values(Fault fault) {
    return fault == Fault::value || fault == Fault::value_among || fault == Fault::rounding ||
           fault == Fault::rounding_among;
}

class ComputeCheck {
public:
    ComputeCheck(const FunctionTask& task, std::size_t implementation, std::size_t block, int elements,
                 Findings& findings)
        : task_(task),
          function_(task.library.functions[task.checked.function]),
          how_(function_.implementations[task.checked.implementations[implementation].number]),
          sets_(task.checked.implementations[implementation].blocks[block]),
          parts_(task.place.parts[implementation][block].compute),
          site_{static_cast<int>(implementation), PartKind::compute, -1, false, false},
          elements_(elements),
          findings_(findings) {
        for (const AddressSet& input : sets_.inputs) read_.emplace_back(input.offsets.size(), false);
    }

    void run(int set, DataSet& data) {
        const Words result = in_shared(set, input_tiles(data), true);
        compare(set, data, result);
        if (parts_.registers >= 0 && !touches_astray()) in_registers(set, data, result);
    }

    void judge_unread() {
        if (touches_astray()) return;
        for (std::size_t k = 0; k < read_.size(); ++k) {
            Site site = site_;
            site.argument = static_cast<int>(k);
            std::vector<std::int64_t> unread;
            for (std::size_t i = 0; i < read_[k].size(); ++i)
                if (!read_[k][i]) unread.push_back(sets_.inputs[k].offsets[i]);
            if (!unread.empty())
                findings_.add({Fault::not_read, site},
                              fmt::format("no thread of block {} x {} x {} reads {}, counted from its start",
                                          sets_.block[0], sets_.block[1], sets_.block[2], word_list(unread)));
        }
    }

    /// Runs the function on data that are all the same, where a thread can read other words than the next by its number
    /// alone.
    void judge_indexing() {
        if (parts_.registers < 0 || touches_astray()) return;
        Findings unheard;
        PartRun run(task_, unheard, site_, sets_.block, 0);
        std::vector<TracedArray> tiles;
        for (const TypeId type : function_.arguments) tiles.emplace_back(Words(tile_words(type), 1.0F));
        TracedArray result(tile_words(function_.result));
        std::vector<TracedArray*> arrays;
        for (TracedArray& tile : tiles) arrays.push_back(&tile);
        arrays.push_back(&result);
        std::vector<std::vector<std::int64_t>> usual(tiles.size());
        for (int t = 0; t < run.threads(); ++t) {
            run.thread(parts_.shared, t, 0, arrays);
            for (std::size_t k = 0; k < tiles.size(); ++k) {
                if (how_.inputs[k].noreg) continue;
                std::vector<std::int64_t> read;
                for (const std::int64_t word : tiles[k].touched())
                    read.push_back(word - Declared{sets_.inputs[k]}.start(t));
                std::sort(read.begin(), read.end());
                if (usual[k].empty()) usual[k] = read;
                Site site = site_;
                site.argument = static_cast<int>(k);
                if (!read.empty() && read != usual[k] && !findings_.has(Fault::indexed, site))
                    findings_.add({Fault::indexed, site},
                                  fmt::format("{} reads {} from its start on, a thread before it {}", run.who(),
                                              word_list(read), word_list(usual[k])));
            }
        }
    }

private:
    const FunctionTask& task_;
    const Function& function_;
    const Implementation& how_;
    const EnumeratedImplementation& sets_;
    PartVariants parts_;
    Site site_;
    int elements_;
    Findings& findings_;
    std::vector<std::vector<bool>> read_;  ///< by input and offset: some thread has read it

    [[nodiscard]] std::size_t tile_words(TypeId type) const {
        return static_cast<std::size_t>(task_.library.types[type].words) * static_cast<std::size_t>(elements_);
    }
    [[nodiscard]] std::vector<TracedArray> input_tiles(const DataSet& data) const {
        std::vector<TracedArray> tiles;
        for (std::size_t k = 0; k < data.arguments.size(); ++k) {
            const auto words = static_cast<std::ptrdiff_t>(tile_words(function_.arguments[k]));
            tiles.emplace_back(Words(data.arguments[k].begin(), data.arguments[k].begin() + words));
        }
        return tiles;
    }
    [[nodiscard]] bool touches_astray() const {
        return std::any_of(findings_.all().begin(), findings_.all().end(), [&](const auto& entry) {
            const FindingKey& key = entry.first;
            return key.site.implementation == site_.implementation && key.site.part == PartKind::compute &&
                   key.fault != Fault::not_read && key.fault != Fault::indexed && !is_about_values(key.fault);
        });
    }

    /// `judged`: what threads touch is told of.
    Words in_shared(int set, std::vector<TracedArray> tiles, bool judged) {
        Findings unheard;
        PartRun run(task_, judged ? findings_ : unheard, site_, sets_.block, set);
        TracedArray result(tile_words(function_.result));
        std::vector<TracedArray*> arrays;
        for (TracedArray& tile : tiles) arrays.push_back(&tile);
        arrays.push_back(&result);
        Writers writers(result.values().size());
        for (int t = 0; t < run.threads(); ++t) {
            run.thread(parts_.shared, t, 0, arrays);
            if (!judged) continue;
            for (std::size_t k = 0; k < tiles.size(); ++k) {
                run.judge_argument(tiles[k], {sets_.inputs[k]}, static_cast<int>(k));
                note_reads(k, t, tiles[k]);
            }
            run.judge_result(result, {sets_.output}, -1, &writers);
        }
        return result.values();
    }
    void note_reads(std::size_t k, int t, const TracedArray& tile) {
        const AddressSet& set = sets_.inputs[k];
        for (std::size_t i = 0; i < set.offsets.size(); ++i) {
            const std::int64_t word = Declared{set}.start(t) + set.offsets[i];
            const bool inside = word < static_cast<std::int64_t>(tile.values().size());
            if (inside && tile.reads(word)) read_[k][i] = true;
        }
    }

    void in_registers(int set, const DataSet& data, const Words& expected) {
        Site site = site_;
        site.registers = true;
        PartRun run(task_, findings_, site, sets_.block, set);
        std::vector<TracedArray> tiles = input_tiles(data);
        TracedArray result(expected.size());
        Words given = result.values();
        for (int t = 0; t < run.threads(); ++t) {
            std::vector<TracedArray> own = own_arrays(t, tiles);
            std::vector<TracedArray*> arrays;
            for (std::size_t k = 0; k < tiles.size(); ++k) arrays.push_back(how_.inputs[k].noreg ? &tiles[k] : &own[k]);
            arrays.push_back(how_.output.noreg ? &result : &own.back());
            run.thread(parts_.registers, t, 0, arrays);
            for (std::size_t k = 0; k < tiles.size(); ++k)
                run.judge_argument(*arrays[k], {sets_.inputs[k], !how_.inputs[k].noreg}, static_cast<int>(k));
            run.judge_result(*arrays.back(), {sets_.output, !how_.output.noreg}, -1, nullptr);
            for (const std::int32_t o : sets_.output.offsets) {
                const auto word = static_cast<std::size_t>(Declared{sets_.output}.start(t) + o);
                given[word] = arrays.back()->values()[how_.output.noreg ? word : static_cast<std::size_t>(o)];
            }
        }
        for (std::size_t w = 0; w < given.size() && !touches_astray(); ++w) {
            if (same_value(given[w], expected[w])) continue;
            run.add(Fault::registers_differ, -1, false,
                    fmt::format("on {}, word {} of the tile is {:.9g} with values in registers, {:.9g} with values in "
                                "shared memory",
                                data_set_name(set), w, given[w], expected[w]));
            break;
        }
    }
    /// What the thread holds in registers: the words that its patterns declare, and no other.
    [[nodiscard]] std::vector<TracedArray> own_arrays(int t, const std::vector<TracedArray>& tiles) const {
        std::vector<TracedArray> own;
        for (std::size_t k = 0; k < tiles.size(); ++k) {
            const AddressSet& set = sets_.inputs[k];
            Words words(static_cast<std::size_t>(set.span_words()), unwritten_word());
            for (const std::int32_t o : set.offsets)
                words[static_cast<std::size_t>(o)] =
                    tiles[k].values()[static_cast<std::size_t>(Declared{set}.start(t) + o)];
            own.emplace_back(std::move(words));
        }
        own.emplace_back(static_cast<std::size_t>(sets_.output.span_words()));
        return own;
    }

    void compare(int set, DataSet& data, const Words& result) {
        if (task_.place.reference < 0 && data.expected_from < 0) data.expected_from = site_.implementation;
        const auto words = static_cast<std::size_t>(task_.library.types[function_.result].words);
        std::vector<double> magnitudes;
        bool rounded = false;
        for (std::size_t w = 0; w < std::min(result.size(), data.expected.size()); ++w) {
            // An unwritten word has been told of already.
            if (same_value(result[w], data.expected[w]) || same_bits(result[w], unwritten_word())) continue;
            if (magnitudes.empty()) magnitudes = magnitudes_of(set, data, result);
            const bool extreme = holds_extreme(data, w / words);
            const Likeness likeness =
                compare_words(result[w], data.expected[w], magnitudes[w], function_.accuracy, extreme);
            if (likeness == Likeness::stated || (likeness == Likeness::rounding && std::exchange(rounded, true)))
                continue;
            const bool reference = task_.place.reference >= 0;
            const Fault fault = likeness == Likeness::rounding ? (reference ? Fault::rounding : Fault::rounding_among)
                                                               : (reference ? Fault::value : Fault::value_among);
            findings_.add({fault, site_},
                          fmt::format("on {}, word {} of element {} is {:.9g}, not {:.9g}", data_set_name(set),
                                      w % words, w / words, result[w], data.expected[w]) +
                              share_text(result[w], data.expected[w], magnitudes[w]));
            if (likeness == Likeness::unlike) return;
        }
        if (data.expected_from == site_.implementation && result.size() > data.expected.size()) data.expected = result;
    }

    /// For every word of the result the sum of the magnitudes that are added on the way to it.
    [[nodiscard]] std::vector<double> magnitudes_of(int set, const DataSet& data, const Words& result) {
        Magnitudes magnitudes(result);
        while (!magnitudes.complete()) {
            std::vector<TracedArray> tiles;
            for (const TracedArray& tile : input_tiles(data)) tiles.emplace_back(magnitudes.disturbed(tile.values()));
            magnitudes.take(in_shared(set, std::move(tiles), false));
        }
        return magnitudes.values();
    }
    [[nodiscard]] bool holds_extreme(const DataSet& data, std::size_t element) const {
        for (std::size_t k = 0; k < data.arguments.size(); ++k) {
            const auto words = static_cast<std::size_t>(task_.library.types[function_.arguments[k]].words);
            for (std::size_t w = 0; w < words; ++w)
                if (is_extreme(data.arguments[k][element * words + w])) return true;
        }
        return false;
    }
};

}  // namespace

void check_compute(const FunctionTask& task, std::size_t implementation, std::size_t block, int elements,
                   std::vector<DataSet>& data_sets, Findings& findings) {
    ComputeCheck check(task, implementation, block, elements, findings);
    for (std::size_t set = 0; set < data_sets.size(); ++set) check.run(static_cast<int>(set), data_sets[set]);
    check.judge_unread();
    check.judge_indexing();
}

}  // namespace kasc::libcheck
