// A warp adds the entries of its piece to words of its own threads, in shared memory:
//
//   for (word = lane; word < 16 * 32; word += 32) centre_lanes[own + word] = 0
//   for (at = lane; at < count; at += 32)                     entry first + at, loads of eight under way
//       centre_lanes[own + cell * 32 + lane] += p             cell 0, and nothing, where the label is none     barrier
//   for (r = thread; r < warps * 16; r += threads)            a cell of a warp's piece
//       words[k] = centre_lanes[r * 32 + (k ^ r % 32)]        a bank each
//       words[0] = sum of the 32, by halves
//       centre_pieces[…] = words[0]
//
// Words are joined 16, 8, 4, 2 and 1 apart: who takes word k ^ r for word k meets the same pairs. The one thread of a
// CPU's block goes through the entries one by one, and adds each to the word of its lane.
#include <fmt/format.h>

#include "frontend/list_entries.hpp"
#include "graph/field_target.hpp"
#include "lower/block.hpp"
#include "lower/field/counted_places.hpp"
#include "lower/walk/walk.hpp"
#include "schedule/field/walk/pieces.hpp"

namespace kasc::kernel {

namespace {

class PieceWalk {
public:
    explicit PieceWalk(FieldContext& context) : c_(context) {
        for (LaneSums& sums : lane_sums_of(c_.plan, c_.program)) {
            const Type type = word_type(sums.type);
            const std::string array = c_.fresh(c_.schedule.block->regions[sums_.size()].name);
            sums_.push_back({std::move(sums), type, array});
            if (makes_pieces(*sums_.back().of.call->statement))
                pieces_ = c_.extent(c_.shape(sums_.back().of.call->value).axes.back());
        }
    }

    Walked run() {
        const auto word = [this](const FieldCall& call, const std::vector<ExprRef>& coordinates, const ExprRef& where) {
            for (const Sums& s : sums_)
                if (s.of.call == &call) return lane_word(s, coordinates, where);
            return ExprRef();
        };
        c_.serve({.word = {}, .own_word = word});
        Walked walked;
        walked.block = {c_.schedule.choice.threads_x, 1, 1};
        walked.grid = {multiply(block_count(pieces_, warps_), others()), integer(1), integer(1)};
        walked.body = opening();
        std::vector<Body> steps{{{Threads{added()}}}, {{Threads{stored()}}}};
        append(walked.body, lower_block(*c_.schedule.block, std::move(steps)));
        c_.serve({});
        return walked;
    }

private:
    struct Sums {
        LaneSums of;
        Type type = Type::f32;
        std::string array;
    };
    FieldContext& c_;
    std::vector<Sums> sums_;
    ExprRef pieces_;  ///< how many
    const int warps_ = warps_of_pieces(c_.schedule.choice);
    const bool alone_ = c_.schedule.choice.walk == Walk::row;  ///< a thread has all lanes
    const PieceAxes axes_ = axes_of_pieces(c_.plan);
    const int step_ = alone_ ? 1 : piece_lanes;
    CountedPlaces places_{c_, axes_.entries, step_};
    const ExprRef first_piece_ = name(c_.once("first piece", "first_piece")),
                  at_ = name(c_.once("entry in piece", "at")), own_ = name(c_.once("own lane", "lane"));

    [[nodiscard]] bool carries() const { return axes_.entries.size() > 1; }
    /// The warp of a thread, of which a CPU's block has one.
    [[nodiscard]] ExprRef warp() const {
        return warps_ == 1 ? integer(0) : divide(linear_thread(), integer(piece_lanes));
    }
    [[nodiscard]] ExprRef others() {
        ExprRef cells = integer(1);
        for (const std::size_t axis : axes_.others) cells = multiply(cells, c_.extent(axis));
        return cells;
    }
    [[nodiscard]] ExprRef entries() {
        ExprRef product = integer(1);
        for (std::size_t k = axes_.entries.size(); k-- > 0;)
            product = multiply(wide(c_.extent(axes_.entries[k])), product);
        return product;
    }

    /// Blocks of the same pieces follow each other: what they all read, such as labels, is in L2.
    [[nodiscard]] Body opening() {
        Body body;
        ExprRef left = block_index(Dimension::x);
        for (const std::size_t axis : axes_.others) {
            body.push_back({Let{Type::i32, c_.coordinate(axis), modulo(left, c_.extent(axis))}});
            left = divide(left, c_.extent(axis));
        }
        body.push_back({Let{Type::i32, text_of(first_piece_), multiply(left, integer(warps_))}});
        std::vector<std::string> names;
        std::vector<Type> types;
        for (const Sums& s : sums_) names.push_back(s.array), types.push_back(s.type);
        append(body, declare_shared(*c_.schedule.block, names, types));
        if (carries()) places_.steps(body);
        return body;
    }

    [[nodiscard]] Body added() {
        const ExprRef first = name(c_.once("first entry", "first")), count = name(c_.once("entries of piece", "count"));
        const ExprRef left = name(c_.once("entries left", "behind"));
        Body body;
        body.push_back({Let{Type::i64, text_of(first),
                            multiply(wide(kernel::add(first_piece_, warp())), integer(piece_entries))}});
        body.push_back({Let{Type::i64, text_of(left), subtract(entries(), first)}});
        const ExprRef whole = binary("<", left, integer(piece_entries));
        body.push_back(
            {Let{Type::i32, text_of(count), convert(Type::i32, select(whole, left, wide(integer(piece_entries))))}});
        if (!alone_) body.push_back({Let{Type::i32, text_of(own_), modulo(linear_thread(), integer(piece_lanes))}});
        const ExprRef from = alone_ ? integer(0) : own_;
        for (const Sums& s : sums_) {
            const ExprRef word = name(c_.once("word of " + s.array, "word"));
            const ExprRef own = kernel::add(multiply(warp(), integer(std::int64_t{s.of.cells} * piece_lanes)), word);
            const ExprRef nothing =
                is_real(s.type) ? real(0.0, s.type == Type::f64 ? Precision::dual : Precision::single) : integer(0);
            body.push_back({For{text_of(word),
                                from,
                                integer(std::int64_t{s.of.cells} * piece_lanes),
                                step_,
                                0,
                                {{Assign{element(s.array, own), nothing}}}}});
        }
        if (carries()) places_.begin(body, kernel::add(first, from));
        Body each;
        if (alone_) each.push_back({Let{Type::i32, text_of(own_), modulo(at_, integer(piece_lanes))}});
        if (!carries()) each.push_back({Let{Type::i32, places_.along(0), kernel::add(convert(Type::i32, first), at_)}});
        append(each, cells_of_thread(c_));
        if (carries()) places_.advance(each);
        body.push_back(
            {For{text_of(at_), from, count, step_, alone_ ? 0 : c_.schedule.choice.unroll, std::move(each)}});
        return body;
    }

    [[nodiscard]] ExprRef label_extent(const Sums& s, std::size_t k) {
        return integer(declared_length(c_.program.axes[c_.shape(s.of.call->value).axes[s.of.labels[k]]]).value());
    }
    [[nodiscard]] ExprRef lane_word(const Sums& s, const std::vector<ExprRef>& coordinates, const ExprRef& where) {
        ExprRef cell = integer(0);
        for (std::size_t k = s.of.labels.size(); k-- > 0;)
            cell = kernel::add(multiply(cell, label_extent(s, k)), coordinates[s.of.labels[k]]);
        cell = kernel::add(multiply(warp(), integer(s.of.cells)), select(where, cell, integer(0)));
        return element(s.array, kernel::add(multiply(cell, integer(piece_lanes)), own_));
    }

    [[nodiscard]] Body stored() {
        Body body;
        for (const Sums& s : sums_) {
            const auto own = [&](const char* wish) { return name(c_.once(wish + (" of " + s.array), wish)); };
            const ExprRef cell = own("cell"), k = own("word_of_cell");
            const std::string words = c_.fresh("words");
            body.push_back({RegisterArray{words, piece_lanes, s.type}});
            const ExprRef bank = binary("^", k, modulo(cell, integer(piece_lanes)));
            Body joined{{For{text_of(k),
                             integer(0),
                             integer(piece_lanes),
                             1,
                             piece_lanes,
                             {{Assign{element(words, k),
                                      element(s.array, kernel::add(multiply(cell, integer(piece_lanes)), bank))}}}}}};
            for (int half = piece_lanes / 2; half > 0; half /= 2) {
                const ExprRef pair = name(c_.once(fmt::format("pair {} of {}", half, s.array), "pair"));
                const ExprRef sum = binary("+", element(words, pair), element(words, kernel::add(pair, integer(half))));
                joined.push_back(
                    {For{text_of(pair), integer(0), integer(half), 1, half, {{Assign{element(words, pair), sum}}}}});
            }
            append(joined, to_memory(s, cell, element(words, integer(0))));
            // The last block has no pieces for some of its warps.
            const ExprRef piece = kernel::add(first_piece_, divide(cell, integer(s.of.cells)));
            if (warps_ > 1) joined = {{If{binary("<", piece, pieces_), std::move(joined), {}}}};
            body.push_back({For{text_of(cell), linear_thread(), integer(std::int64_t{warps_} * s.of.cells),
                                c_.schedule.choice.threads_x, 0, std::move(joined)}});
        }
        return body;
    }
    [[nodiscard]] Body to_memory(const Sums& s, const ExprRef& cell, const ExprRef& sum) {
        const FieldCall& call = *s.of.call;
        std::vector<ExprRef> coordinates(call.target.size());
        ExprRef left = warps_ > 1 ? modulo(cell, integer(s.of.cells)) : cell;
        for (std::size_t k = 0; k < s.of.labels.size(); ++k) {
            coordinates[s.of.labels[k]] = k + 1 == s.of.labels.size() ? left : modulo(left, label_extent(s, k));
            left = divide(left, label_extent(s, k));
        }
        const bool pieces = makes_pieces(*call.statement);
        if (pieces) coordinates.back() = kernel::add(first_piece_, divide(cell, integer(s.of.cells)));
        for (std::size_t k = 0; k < coordinates.size(); ++k) {
            if (coordinates[k]) continue;
            const auto* moving = std::get_if<Moving>(&call.target[k]);
            coordinates[k] =
                moving ? name(c_.coordinate(moving->axis)) : c_.scalar(std::get<Absolute>(call.target[k]).position);
        }
        const ExprRef word = element(c_.array_out(call.value), c_.index(call.value, coordinates));
        const Statement store{Assign{word, sum, !pieces}};
        if (pieces) return {store};
        return {{If{binary("!=", sum, integer(0)), {store}, {}}}};
    }
};

}  // namespace

Walked walk_pieces(FieldContext& context) { return PieceWalk(context).run(); }

}  // namespace kasc::kernel
