#pragma once
// What entries of a list add to cells, in the order of the language: by chunks of a cell's entries, or, to few cells,
// by pieces of the list.

#include <map>
#include <vector>

#include "frontend/list_entries.hpp"
#include "frontend/reduction.hpp"
#include "graph/field_target.hpp"
#include "support/field_values.hpp"
#include "support/folded_numbers.hpp"

namespace kasc::test {

/// A statement that adds, as a whole. `Evaluation`: its words, cell by cell.
template <class Evaluation>
class AddedEntries {
public:
    explicit AddedEntries(const Evaluation& of) : of_(of), statement_(of.statement_) {}

    [[nodiscard]] Cells run(const Cells& former) const {
        if (makes_pieces(statement_)) return pieces(former);
        if (statement_.adding->part != Adding::Part::entries) return along_places(former);
        Cells out = former;
        if (adds_in_pieces(of_.program_, statement_)) {
            add_pieces(out);
            return out;
        }
        for (const auto& [index, numbered] : by_cell()) {
            std::vector<Cell> entries;
            for (const auto& entry : numbered) entries.push_back(entry.second);
            add_all(out, index, entries);
        }
        return out;
    }

private:
    using Cell = std::map<AxisId, long long>;
    using Numbered = std::map<long long, Cell>;  ///< by the number of an entry: the first axis of the list fastest
    const Evaluation& of_;
    const FieldStatement& statement_;

    [[nodiscard]] std::map<std::size_t, Numbered> by_cell() const {
        std::map<std::size_t, Numbered> all;
        Cell cell;
        of_.each(free_axes(of_.program_, statement_), 0, cell, [&] {
            const auto index = of_.target_index(cell);
            if (!index) return;
            long long number = 0;
            for (std::size_t k = statement_.listed.size(); k-- > 0;)
                number = number * of_.extent(statement_.listed[k]) + cell.at(statement_.listed[k]);
            all[*index][number] = cell;
        });
        return all;
    }

    // --- by pieces of the list ---

    [[nodiscard]] double rounded(double sum) const {
        return of_.dual() ? sum : static_cast<double>(static_cast<float>(sum));
    }

    /// Each entry to a word of its lane, the words by halves. Sums of two floats are the same by way of double.
    [[nodiscard]] double sum_of_piece(const Numbered& entries, long long piece) const {
        std::vector<double> words(piece_lanes, 0.0);
        const auto end = entries.lower_bound((piece + 1) * piece_entries);
        for (auto entry = entries.lower_bound(piece * piece_entries); entry != end; ++entry) {
            double& word = words[static_cast<std::size_t>(entry->first % piece_lanes)];
            if (makes_pieces(statement_)) {
                word = of_.chained({FoldOperator::sum, false, false}, word, entry->second);
            } else {
                of_.running_ = word;
                word = of_.value(entry->second);
            }
        }
        for (std::size_t half = words.size() / 2; half > 0; half /= 2)
            for (std::size_t k = 0; k < half; ++k) words[k] = rounded(words[k] + words[k + half]);
        return words[0];
    }
    [[nodiscard]] long long piece_count() const {
        long long entries = 1;
        for (const AxisId axis : statement_.listed) entries *= of_.extent(axis);
        return (entries + piece_entries - 1) / piece_entries;
    }

    /// As a sum along an axis that is not the first: parts of 256 in 8 lanes, and these in 128.
    [[nodiscard]] double sum_of_pieces(const Numbered& entries) const {
        const FoldedNumbers numbers{FoldOperator::sum, false, false};
        const long long all = piece_count(), parts = (all + column_part_cells - 1) / column_part_cells;
        return numbers.folded(joined_lanes, parts, [&](double lane, long long part) {
            const long long first = part * column_part_cells;
            return lane +
                   numbers.folded(column_lanes, std::min<long long>(column_part_cells, all - first),
                                  [&](double own, long long k) { return own + sum_of_piece(entries, first + k); });
        });
    }

    /// All cells of the target, those that no entry names included.
    void add_pieces(Cells& out) const {
        const FieldShape& shape = field_shape(of_.program_, statement_.target);
        std::vector<AxisId> axes;
        for (std::size_t k = 0; k < shape.axes.size(); ++k)
            if (!std::holds_alternative<Absolute>(statement_.target_indices[k])) axes.push_back(shape.axes[k]);
        const std::map<std::size_t, Numbered> all = by_cell();
        Cell cell;
        of_.each(axes, 0, cell, [&] {
            const auto index = of_.target_index(cell, true);
            if (!index) return;
            const auto entries = all.find(*index);
            const double sum = entries == all.end() ? 0 : sum_of_pieces(entries->second);
            out[*index] = stored(shape.type, rounded(out[*index] + rounded(sum)));
        });
    }

    /// The statement makes sums of pieces: each word of its target is of one.
    [[nodiscard]] Cells pieces(const Cells& former) const {
        const CellType type = field_shape(of_.program_, statement_.target).type;
        Cells out(former.size(), 0.0);
        for (const auto& [index, entries] : by_cell())
            out[index] = stored(type, sum_of_piece(entries, entries.begin()->first / piece_entries));
        return out;
    }

    // --- by chunks ---

    /// Entries of a cell of the target, one after the other, into `cells` at `index`: those of the first chunk begin
    /// with what is there, those of others with 0.
    void add_chunk(Cells& cells, std::size_t index, const std::vector<Cell>& entries, std::size_t first,
                   std::size_t end, bool from_nothing) const {
        const bool pairs = is_complex(field_shape(of_.program_, statement_.target).type);
        const std::size_t at = pairs ? 2 * index : index;
        if (from_nothing) cells[at] = 0;
        if (from_nothing && pairs) cells[at + 1] = 0;
        for (std::size_t k = first; k < std::min(end, entries.size()); ++k) {
            of_.running_ = cells[at];
            of_.running_imaginary_ = pairs ? cells[at + 1] : 0;
            of_.assign(cells, index, entries[k]);
        }
    }
    void add_number(Cells& cells, std::size_t index, const Cells& more, std::size_t more_index) const {
        const CellType type = field_shape(of_.program_, statement_.target).type;
        const std::size_t words = is_complex(type) ? 2 : 1;
        for (std::size_t part = 0; part < words; ++part)
            cells[words * index + part] = stored(type, cells[words * index + part] + more[words * more_index + part]);
    }
    void add_all(Cells& cells, std::size_t index, const std::vector<Cell>& entries) const {
        const auto chunk = static_cast<std::size_t>(chunk_entries(static_cast<long long>(entries.size())));
        add_chunk(cells, index, entries, 0, chunk, false);
        for (std::size_t first = chunk; first < entries.size(); first += chunk) {
            Cells sum(2, 0.0);
            add_chunk(sum, 0, entries, first, first + chunk, true);
            add_number(cells, index, sum, 0);
        }
    }

    /// The statement runs along cells of an ordered list that begin, or along parts of it in which chunks do.
    [[nodiscard]] Cells along_places(const Cells& former) const {
        const Adding& adding = *statement_.adding;
        const bool cells = adding.part == Adding::Part::cells;
        const bool pairs = is_complex(field_shape(of_.program_, statement_.target).type);
        const Cells& places = of_.operands_(adding.places);
        Cells out = former;
        Cell cell;
        of_.each(free_axes(of_.program_, statement_), 0, cell, [&] {
            const auto own = static_cast<std::size_t>(cell.at(adding.along));
            const std::size_t here = cells ? own : own * least_chunk;
            if (cells == (places.at(here) < 0)) return;
            const auto place = [](double word) { return static_cast<std::size_t>(word < 0 ? -1 - word : word); };
            const std::size_t first = place(places.at(here)), behind = here + 1;
            const std::size_t end = !cells                   ? first + place(places.at(first))
                                    : behind < places.size() ? place(places[behind])
                                                             : behind;
            const std::size_t count = end - first;
            const auto chunk = static_cast<std::size_t>(chunk_entries(static_cast<long long>(count)));
            const std::size_t begin = cells ? first : first + (here - first + chunk - 1) / chunk * chunk;
            const auto index = of_.target_index(cell);
            if (!index || begin >= std::min(end, cells ? end : here + least_chunk)) return;
            std::vector<Cell> entries(count, cell);
            for (std::size_t k = 0; k < count; ++k) entries[k][adding.along] = static_cast<long long>(first + k);
            add_chunk(out, *index, entries, begin - first, begin - first + chunk, !cells);
            if (!cells) return;
            for (std::size_t other = chunk; other < count; other += chunk)
                add_number(
                    out, *index,
                    {of_.read(adding.sums, entries[other]), pairs ? of_.read(adding.sums, entries[other], 1) : 0.0}, 0);
        });
        return out;
    }
};

}  // namespace kasc::test
