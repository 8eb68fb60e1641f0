// Where each value of a fused kernel lies.
//
// A value lies in registers when (1) all functions that touch it use the same number of threads, (2) all their patterns
// for it are compatible, its load and save included, and (3) none says noreg. Otherwise it lies in shared memory. In
// madd33 → madd33, both with one thread a word, M1 passes in registers; in mmul33 → madd33 the product's consumer reads
// other words than the producer's thread wrote, where their patterns differ, and M1 lies in shared memory.
//
// Staged transfer copies whole tiles between global and shared memory. A value that would lie in registers keeps the
// author's transfer, and its registers, where that transfer is as wide: four words a thread at 16-byte boundaries, or
// consecutive threads on consecutive (or equal) words. Then the detour over shared memory and its barrier buy nothing.

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "schedule/stream/task.hpp"

namespace kasc {

namespace {

bool contains(const std::vector<ValueId>& values, ValueId value) {
    return std::find(values.begin(), values.end(), value) != values.end();
}

Verdict registers_allowed(const std::vector<ValueUse>& uses) {
    const ValueUse& writer = uses.front();
    for (const ValueUse& use : uses)
        if (use.words->noreg) return Verdict::no(fmt::format("the pattern of {} says noreg", use.who));
    for (const ValueUse& use : uses)
        if (thread_count(use.shape) != thread_count(writer.shape))
            return Verdict::no(fmt::format("{} uses {} threads, {} uses {}", writer.who, thread_count(writer.shape),
                                           use.who, thread_count(use.shape)));
    for (const ValueUse& use : uses) {
        if (!use.words->offsets.empty() && use.words->offsets.front() < 0)
            return Verdict::no(fmt::format("{} touches words before its start address", use.who));
        if (const Verdict verdict = compatible(*writer.words, *use.words); !verdict)
            return Verdict::no(fmt::format("{} and {}: {}", writer.who, use.who, verdict.reason()));
    }
    std::string names;
    for (const ValueUse& use : uses) names += (names.empty() ? "" : ", ") + use.who;
    return Verdict::yes(fmt::format("compatible patterns, {} threads: {}", thread_count(writer.shape), names));
}

/// A warp's accesses fall on whole 16-byte words, or on one run of words.
bool transfers_wide(const AddressSet& set) {
    bool rows = true;
    for (std::size_t t = 1; t < set.start.size(); ++t) {
        const int step = set.start[t] - set.start[t - 1];
        rows = rows && (step == 0 || step == 1);
    }
    if (rows) return true;
    const bool aligned = std::all_of(set.start.begin(), set.start.end(), [](int start) { return start % 4 == 0; });
    if (!aligned || set.offsets.size() % 4 != 0) return false;
    for (std::size_t k = 0; k < set.offsets.size(); k += 4)
        if (set.offsets[k] % 4 != 0 || set.offsets[k + 3] != set.offsets[k] + 3) return false;
    return true;
}

/// As uses_of, with a staged copy of the whole tile in the place of the author's load or save.
std::vector<ValueUse> shared_uses(const StreamTask& task, ValueId value, TileTransfer transfer) {
    std::vector<ValueUse> uses = uses_of(task, value);
    if (transfer == TileTransfer::author) return uses;
    AddressSet tile;
    tile.start = {0};
    tile.offsets.resize(static_cast<std::size_t>(task.choice.elements) *
                        static_cast<std::size_t>(task.values.at(value).words));
    std::iota(tile.offsets.begin(), tile.offsets.end(), 0);
    ValueUse& copy = contains(task.fusion.inputs, value) ? uses.front() : uses.back();
    copy.who = "the staged copy";
    copy.words = std::make_shared<const AddressSet>(std::move(tile));
    return uses;
}

int largest_tile(const std::vector<ValueUse>& uses) {
    int words = 1;
    for (const ValueUse& use : uses) words = std::max(words, use.words->tile_words());
    return words;
}

ValueResidence residence_of(const StreamTask& task, ValueId value) {
    const std::vector<ValueUse> uses = uses_of(task, value);
    const Verdict registers = registers_allowed(uses);
    const bool enters = contains(task.fusion.inputs, value);
    const bool moves = enters || contains(task.fusion.outputs, value);
    ValueResidence residence;
    residence.reason = registers.reason();
    if (registers) {
        residence.where = Residence::registers;
        residence.words = uses.front().words->span_words();
        const AddressSet& transfer = *(enters ? uses.front() : uses.back()).words;
        if (!moves || task.choice.transfer == TileTransfer::author) return residence;
        if (transfers_wide(transfer)) {
            residence.reason += "; its own transfer is as wide as a staged one";
            return residence;
        }
    }
    residence.where = Residence::shared;
    if (moves && task.choice.transfer == TileTransfer::staged) {
        residence.transfer = TileTransfer::staged;
        residence.reason =
            fmt::format("staged copy of {} contiguous words; {}", task.choice.elements * task.values.at(value).words,
                        registers ? "its own transfer is narrower" : registers.reason());
    }
    residence.words = largest_tile(shared_uses(task, value, residence.transfer));
    return residence;
}

/// By word: some thread writes it.
std::vector<char> words_of(const AddressSet& writer, int words) {
    std::vector<char> written(static_cast<std::size_t>(words), 0);
    for (const int start : writer.start)
        for (const int offset : writer.offsets) written[static_cast<std::size_t>(start + offset)] = 1;
    return written;
}

/// The first word that the reader takes and that is not written, if any.
std::optional<int> unwritten_word(const std::vector<char>& written, const AddressSet& reader) {
    for (const int start : reader.start)
        for (const int offset : reader.offsets)
            if (written[static_cast<std::size_t>(start + offset)] == 0) return start + offset;
    return std::nullopt;
}

bool same_words(const AddressSet& a, const AddressSet& b) {
    return &a == &b || (a.offsets == b.offsets && a.start == b.start);
}

}  // namespace

const TaskCall* maker_of(const StreamTask& task, ValueId value) {
    for (const TaskCall& call : task.calls)
        if (call.writes == value) return &call;
    for (const TaskLoop& loop : task.loops)
        for (const LoopMove& move : loop.what.repeat)
            if (move.to == value) return maker_of(task, move.from);
    return nullptr;
}

Loader loader_of(const StreamTask& task, ValueId value) {
    Loader loader{nullptr, 0, task.calls.size()};
    for (std::size_t i = task.calls.size(); i-- > 0;) {
        const auto& reads = task.calls[i].reads;
        const auto at = std::find(reads.begin(), reads.end(), value);
        if (at != reads.end()) loader = {&task.calls[i], static_cast<std::size_t>(at - reads.begin()), i};
    }
    for (const TaskLoop& loop : task.loops)
        for (const LoopMove& move : loop.what.enter) {
            if (move.from != value) continue;
            const Loader inside = loader_of(task, move.to);
            if (loader.call == nullptr) loader = inside;
            loader.first_use = std::min(loader.first_use, loop.first);
        }
    return loader;
}

std::vector<ValueUse> uses_of(const StreamTask& task, ValueId value) {
    std::vector<ValueUse> uses;
    if (contains(task.fusion.inputs, value)) {
        const Loader loader = loader_of(task, value);
        const EnumeratedImplementation& how = *loader.call->enumerated;
        uses.push_back({"load for " + loader.call->implementation, shared_set(*loader.call, how.loads[loader.argument]),
                        how.block, true});
    }
    for (const TaskCall& call : task.calls)
        if (call.writes == value)
            uses.push_back(
                {call.implementation, shared_set(call, call.enumerated->output), call.enumerated->block, true});
    const auto add_moves = [&](bool writes) {
        for (const TaskLoop& loop : task.loops)
            for (const auto* moves : {&loop.what.enter, &loop.what.repeat})
                for (const LoopMove& move : *moves) {
                    if ((writes ? move.to : move.from) != value) continue;
                    const TaskCall& maker = *maker_of(task, move.to);
                    uses.push_back({"the loop's move for " + maker.implementation,
                                    shared_set(maker, maker.enumerated->output), maker.enumerated->block, writes});
                }
    };
    add_moves(true);
    for (const TaskCall& call : task.calls)
        for (std::size_t k = 0; k < call.reads.size(); ++k)
            if (call.reads[k] == value)
                uses.push_back(
                    {call.implementation, shared_set(call, call.enumerated->inputs[k]), call.enumerated->block, false});
    add_moves(false);
    if (const TaskCall* maker = maker_of(task, value); maker && contains(task.fusion.outputs, value))
        uses.push_back({"save of " + maker->implementation, shared_set(*maker, maker->enumerated->save),
                        maker->enumerated->block, false});
    return uses;
}

std::map<ValueId, ValueResidence> decide_residence(const StreamTask& task) {
    std::map<ValueId, ValueResidence> residence;
    for (const auto& [value, known] : task.values) residence.emplace(value, residence_of(task, value));
    return residence;
}

std::string layout_fault(const StreamTask& task, const std::map<ValueId, ValueResidence>& residence) {
    for (const auto& [value, lies] : residence) {
        if (lies.where == Residence::registers) continue;
        const std::vector<ValueUse> uses = shared_uses(task, value, lies.transfer);
        const AddressSet& writer = *uses.front().words;
        std::vector<char> written;
        for (std::size_t k = 1; k < uses.size(); ++k) {
            if (same_words(writer, *uses[k].words)) continue;
            if (written.empty()) written = words_of(writer, lies.words);
            if (std::find(written.begin(), written.end(), 0) == written.end()) break;
            if (const auto word = unwritten_word(written, *uses[k].words))
                return fmt::format("{} reads word {} of {}, which {} does not write: their layouts differ", uses[k].who,
                                   *word, task.values.at(value).name, uses.front().who);
        }
    }
    return {};
}

}  // namespace kasc
