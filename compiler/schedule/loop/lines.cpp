#include "schedule/loop/lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "graph/field_target.hpp"
#include "graph/loop_lines.hpp"
#include "schedule/loop/schedule.hpp"

namespace kasc {

namespace {

bool is_at_cell(const std::vector<FieldIndex>& indices) {
    return std::all_of(indices.begin(), indices.end(), [](const FieldIndex& index) {
        const auto* own = std::get_if<Moving>(&index);
        return own != nullptr && own->step == 0;
    });
}

class Placing {
public:
    Placing(const LoopWork& work, const Program& program) : work_(work), program_(program) {}

    LoopLinesResult run() {
        find_axes();
        if (made_.along.empty()) return {};
        if (std::string reason = fault(); !reason.empty()) return {{}, std::move(reason)};
        find_phases();
        place_walked();
        place_chains();
        place_made();
        place_staying();
        return {std::move(made_), ""};
    }

private:
    const LoopWork& work_;
    const Program& program_;
    LoopLines made_;

    /// With the former value of a word that a statement leaves as it was at some cells.
    void each_read(const std::function<void(std::size_t k, const FieldRead& read)>& visit) const {
        for (std::size_t k = work_.begin; k < work_.end; ++k) {
            const FieldCall& call = work_.call(k);
            for (const FieldRead& read : call.reads) visit(k, read);
            if (call.former && work_.walked_of(call.value) == nullptr) visit(k, *call.former);
        }
    }
    [[nodiscard]] int phase(std::size_t statement) const { return made_.phases[statement - work_.begin]; }
    [[nodiscard]] std::optional<std::size_t> made_by(ValueId value) const {
        for (std::size_t k = work_.begin; k < work_.end; ++k)
            if (work_.call(k).value == value) return k;
        return std::nullopt;
    }

    void find_axes() {
        std::vector<const FieldStatement*> body;
        for (std::size_t k = work_.begin; k < work_.end; ++k) body.push_back(work_.call(k).statement);
        const std::vector<AxisId> along = line_axes(program_, body);
        for (std::size_t k = 0; k < work_.axes().size(); ++k)
            (std::find(along.begin(), along.end(), work_.axes()[k]) != along.end() ? made_.along : made_.beside)
                .push_back(k);
    }

    [[nodiscard]] std::string fault() const {
        if (work_.begin > 0 || work_.end < work_.statements.size())
            return "a block that runs a loop for whole lines computes nothing beside it";
        std::string fault;
        each_read([&](std::size_t k, const FieldRead& read) {
            const WalkedField* field = work_.walked_of(read.value);
            if (field == nullptr || !made_.looks_around(read)) return;
            if (word_of(work_, k, read, program_) == WordOf::memory)
                fault = fmt::format(
                    "other cells of {} are read at positions that are neither this iteration's nor the "
                    "one's before",
                    program_.variables[field->variable].name);
        });
        for (std::size_t k = work_.begin; k < work_.end; ++k) {
            const FieldCall& call = work_.call(k);
            const bool keeps = std::any_of(call.kept.begin(), call.kept.end(),
                                           [](const KeptLayers& layers) { return layers != KeptLayers{}; });
            if (keeps && work_.walked_of(call.value) != nullptr)
                fault = fmt::format("{} keeps layers at positions of the iteration",
                                    program_.variables[work_.loop.body->values[call.value].variable].name);
        }
        return fault;
    }

    /// As few phases as statements in their order allow.
    void find_phases() {
        int current = 0;
        for (std::size_t k = work_.begin; k < work_.end; ++k) {
            for (const FieldRead& read : work_.call(k).reads) {
                if (!made_.looks_around(read)) continue;
                const auto maker = maker_in_iteration(k, read);
                if (maker && phase(*maker) == current) {
                    ++current;
                    break;
                }
            }
            made_.phases.push_back(current);
        }
    }
    /// The statement that has made in this iteration what is read; none: an earlier iteration has.
    [[nodiscard]] std::optional<std::size_t> maker_in_iteration(std::size_t k, const FieldRead& read) const {
        const WalkedField* field = work_.walked_of(read.value);
        if (field == nullptr) return made_by(read.value);
        return word_of(work_, k, read, program_) == WordOf::this_iteration ? field->kept_of : std::nullopt;
    }

    std::size_t add(VariableId variable, bool shared, bool ring) {
        made_.words.push_back({variable, shared, ring});
        return made_.words.size() - 1;
    }

    /// Words of a field that stand in memory at positions, as far as others than the thread that makes them read them,
    /// or later phases.
    void place_walked() {
        for (const WalkedField& field : work_.walked) {
            bool around = false, later = false;
            each_read([&](std::size_t k, const FieldRead& read) {
                if (work_.walked_of(read.value) != &field) return;
                const WordOf of = word_of(work_, k, read, program_);
                if (of == WordOf::memory) return;
                around = around || made_.looks_around(read);
                later = later || of == WordOf::former_iteration || phase(*field.kept_of) != phase(k);
            });
            made_.last_made.push_back(
                around || later ? std::optional(LineChain{add(field.variable, around, true), true}) : std::nullopt);
        }
    }

    void place_chains() {
        for (const HandedWord& word : work_.words) {
            bool around = false;
            each_read([&](std::size_t, const FieldRead& read) {
                const bool own = read.value == word.leaving || read.value == word.entering;
                around = around || (own && made_.looks_around(read));
            });
            const bool made = made_by(word.leaving) && !made_.places.contains(word.leaving);
            const LineChain chain{add(word.variable, around, true), made};
            made_.chains.push_back(chain);
            if (word.entering) made_.places[*word.entering] = {chain.words, false};
            if (made) made_.places[word.leaving] = {chain.words, true};
        }
    }

    /// Values of an iteration that other cells or later phases look at, or that are handed on at its end.
    void place_made() {
        for (std::size_t k = work_.begin; k < work_.end; ++k) {
            const ValueId value = work_.call(k).value;
            if (work_.walked_of(value) != nullptr || made_.places.contains(value)) continue;
            bool around = false, later = false;
            each_read([&](std::size_t reader, const FieldRead& read) {
                if (read.value != value) return;
                around = around || made_.looks_around(read);
                later = later || phase(reader) != phase(k);
            });
            for (const HandedWord& word : work_.words) later = later || word.leaving == value;
            if (around || later)
                made_.places[value] = {add(work_.loop.body->values[value].variable, around, false), false};
        }
    }

    void place_staying() {
        const auto has_cells = [&](ValueId value) {
            return field_shape(program_, work_.loop.body->values[value].variable).axes.size() == work_.axes().size();
        };
        each_read([&](std::size_t, const FieldRead& read) {
            if (work_.is_in_register(read.value) || work_.walked_of(read.value) != nullptr) return;
            if (!is_at_cell(read.indices) || !has_cells(read.value) || made_.places.contains(read.value)) return;
            made_.places[read.value] = {add(work_.loop.body->values[read.value].variable, false, false), false};
            made_.staying.push_back(read.value);
        });
    }
};

}  // namespace

bool LoopLines::looks_around(const FieldRead& read) const {
    return std::any_of(read.indices.begin(), read.indices.end(), [&](const FieldIndex& index) {
        const auto* moving = std::get_if<Moving>(&index);
        return moving == nullptr ? std::holds_alternative<Computed>(index) : moving->step != 0;
    });
}

LoopLinesResult loop_lines(const LoopWork& work, const Program& program) { return Placing(work, program).run(); }

std::optional<LinePlace> place_of_read(const LoopWork& work, std::size_t statement, const FieldRead& read,
                                       const Program& program) {
    const WalkedField* field = work.walked_of(read.value);
    if (field != nullptr) {
        const auto& last = work.lines.last_made[static_cast<std::size_t>(field - work.walked.data())];
        const WordOf of = word_of(work, statement, read, program);
        if (!last || of == WordOf::memory) return std::nullopt;
        return LinePlace{last->words, of == WordOf::this_iteration};
    }
    const auto known = work.lines.places.find(read.value);
    if (known == work.lines.places.end()) return std::nullopt;
    // What the loop leaves as it is stands at its own cell in a register, elsewhere in memory.
    if (!work.is_in_register(read.value) && !is_at_cell(read.indices)) return std::nullopt;
    return known->second;
}

std::optional<LinePlace> place_of_made(const LoopWork& work, std::size_t statement) {
    const ValueId made = work.call(statement).value;
    if (const WalkedField* field = work.walked_of(made)) {
        const auto& last = work.lines.last_made[static_cast<std::size_t>(field - work.walked.data())];
        return last && field->kept_of == statement ? std::optional(LinePlace{last->words, true}) : std::nullopt;
    }
    const auto known = work.lines.places.find(made);
    return known == work.lines.places.end() ? std::nullopt : std::optional(known->second);
}

}  // namespace kasc
