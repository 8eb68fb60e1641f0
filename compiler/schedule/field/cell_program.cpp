#include "schedule/field/cell_program.hpp"

#include <algorithm>
#include <boost/container_hash/hash.hpp>
#include <optional>
#include <unordered_map>

#include "frontend/expression_parts.hpp"
#include "graph/field_target.hpp"

namespace kasc {

namespace {

/// Along axes that boundaries map, cells are anywhere.
std::optional<Standing> standing_at(const PathCells& cells, const CellView& view, const CellPlace& at,
                                    std::size_t axis) {
    if (axis >= cells.size() || !cells[axis] || view.maps(axis)) return std::nullopt;
    const int step = sum(at[axis]);
    return Standing{cells[axis]->low + step, cells[axis]->high - step};
}

struct PlaceHash {
    std::size_t operator()(const CellPlace& at) const {
        std::size_t seed = at.size();
        for (const Chain& chain : at) {
            boost::hash_combine(seed, chain.size());
            for (const MappedStep& step : chain)
                boost::hash_combine(seed, (static_cast<unsigned>(step.step) << 3U) + static_cast<unsigned>(step.kind));
        }
        return seed;
    }
};

bool divides_integers(const Expression& e) {
    return any_part(e, [](const Expression& part) {
        const auto* operation = std::get_if<BinaryOperation>(&part.node);
        return operation != nullptr && part.kind == ScalarKind::integer &&
               (operation->op == BinaryOperator::divide || operation->op == BinaryOperator::modulo);
    });
}

/// Places have numbers, and how a read goes from one to another is found once for all reads that step alike: a fusion
/// is followed back to memory for several views, and thousands of fusions are.
class Maker {
public:
    Maker(const FieldPlan& plan, PlanReads& reads, const CellView& view, const PathCells& cells, std::size_t most)
        : plan_(plan), reads_(reads), ways_(reads.ways(view)), most_(most) {
        made_.view = view;
        made_.cells = cells;
    }

    CellProgram run() {
        for (const bool slices : {false, true}) {
            for (int row = 0; row < made_.view.rows; ++row) {
                for (std::uint32_t k = 0; k < plan_.calls.size(); ++k) {
                    const FieldCall& call = plan_.calls[k];
                    whole_ = !slices && !updates_some_cells(*call.statement);
                    if (call.stored && is_slice(call) == slices) store(k, row);
                }
            }
        }
        // Thousands of them are held until some are selected.
        made_.places.shrink_to_fit();
        made_.values.shrink_to_fit();
        made_.uses.shrink_to_fit();
        return std::move(made_);
    }

private:
    using PlaceId = std::uint32_t;
    /// A place without its steps along the first axis, where cells are in groups.
    struct Row {
        PlaceId place = 0;
        int cells = 0;
    };
    enum class Followed : std::uint8_t { no, for_some_cells, for_all };

    const FieldPlan& plan_;
    PlanReads& reads_;
    const ReadWays& ways_;
    std::size_t most_;
    CellProgram made_;
    const bool joins_values_ = std::none_of(plan_.calls.begin(), plan_.calls.end(), [](const FieldCall& call) {
        return divides_integers(*call.statement->value);
    });
    bool whole_ = true;
    static constexpr std::uint32_t none = ~0U;  ///< not known yet
    std::unordered_map<CellPlace, PlaceId, PlaceHash> known_places_;
    // By place, and at each by what follows; they grow with the places.
    std::vector<Row> rows_;
    std::vector<PlaceId> stepped_;      ///< by steps
    std::vector<std::uint32_t> index_;  ///< values, by source
    std::vector<Followed> followed_;    ///< by call, that of a group's cell

    [[nodiscard]] std::uint32_t& index(std::size_t source, PlaceId at) {
        return index_[at * reads_.sources() + source];
    }

    void store(std::uint32_t call, int row) {
        CellPlace own(plan_.axes.size());
        if (row != 0) own[1] = extend({}, BoundaryKind::periodic, row);
        const std::uint32_t value = computed(call, number_of(own)).value;
        made_.stores.push_back({call, row, value});
    }

    PlaceId number_of(const CellPlace& place) {
        const auto [entry, added] = known_places_.try_emplace(place, static_cast<PlaceId>(made_.places.size()));
        if (!added) return entry->second;
        made_.places.push_back(place);
        const std::size_t places = made_.places.size();
        rows_.push_back({none, 0});
        stepped_.resize(places * ways_.steps.size(), none);
        index_.resize(places * reads_.sources(), none);
        followed_.resize(places * plan_.calls.size(), Followed::no);
        return entry->second;
    }

    PlaceId step(std::size_t steps, PlaceId from) {
        const std::size_t entry = from * ways_.steps.size() + steps;
        if (stepped_[entry] != none) return stepped_[entry];
        CellPlace at(plan_.axes.size());
        for (const AxisStep& s : ways_.steps[steps])
            at[s.axis] = extend(made_.places[from][s.axis], s.kind, s.step, joins_values_);
        const PlaceId number = number_of(at);
        stepped_[entry] = number;
        return number;
    }

    CellUse read(const FieldRead& r, const ReadWay& way, PlaceId from) {
        const PlaceId at = step(way.steps, from);
        return r.producer ? computed(static_cast<std::uint32_t>(*r.producer), at) : loaded(r, way.source, at);
    }

    CellUse loaded(const FieldRead& r, std::size_t source, PlaceId at) {
        const Row row = row_of(at);
        std::uint32_t& known = index(source, row.place);
        if (known == none) {
            known = static_cast<std::uint32_t>(made_.values.size());
            made_.values.push_back({r.value, &r, 0, row.place, 0, row.cells, row.cells});
        }
        want(made_.values[known], row.cells);
        return {known, row.cells};
    }

    CellUse computed(std::uint32_t call, PlaceId at) {
        const bool follow = made_.computed.size() <= most_ && is_new(call, at);
        const Row row = row_of(at);
        if (follow && made_.view.own_rows && row.cells != 0) static_cast<void>(computed(call, row.place));
        const FieldCall& c = plan_.calls[call];
        std::uint32_t& known = index(call, row.place);
        const bool added = known == none;
        if (added) {
            known = static_cast<std::uint32_t>(made_.values.size());
            made_.values.push_back({c.value, nullptr, call, row.place, static_cast<std::uint32_t>(made_.uses.size()),
                                    row.cells, row.cells});
            made_.uses.resize(made_.uses.size() + c.reads.size());
        }
        const std::uint32_t number = known;
        want(made_.values[number], row.cells);
        if (!follow) return {number, row.cells};
        // At other cells of a group the same values are wanted, further along.
        const auto beside = [&](CellUse use) { return CellUse{use.value, use.cells - row.cells}; };
        const std::uint32_t operands = made_.values[number].operands;
        const std::vector<bool>* needed = needed_at(call, at);
        for (std::size_t k = 0; k < c.reads.size(); ++k) {
            if (needed != nullptr && !(*needed)[k]) continue;
            const CellUse use = beside(read(c.reads[k], ways_.of[call][k], at));
            made_.uses[operands + k] = use;
        }
        if (c.former && shows_former(call)) {
            const CellUse former = beside(read(*c.former, ways_.of[call].back(), at));
            made_.values[number].former = former;
        }
        if (added) made_.computed.push_back(number);
        return {number, row.cells};
    }

    /// Null: all.
    [[nodiscard]] const std::vector<bool>* needed_at(std::uint32_t call, PlaceId at) {
        if (made_.cells.empty() || reads_.needed(call).are_all()) return nullptr;
        return &reads_.needed(call).at([&](AxisId id) -> std::optional<Standing> {
            const auto axis = std::find(plan_.axes.begin(), plan_.axes.end(), id) - plan_.axes.begin();
            return standing_at(made_.cells, made_.view, made_.places[at], static_cast<std::size_t>(axis));
        });
    }

    Row row_of(PlaceId at) {
        if (!made_.view.group || made_.places[at].empty()) return {at, 0};
        if (rows_[at].place != none) return rows_[at];
        CellPlace place = made_.places[at];
        const int cells = sum(place.front());
        place.front().clear();
        const Row row{number_of(place), cells};
        rows_[at] = row;
        return row;
    }

    /// True the first time, and the first time for more than some cells.
    bool is_new(std::uint32_t call, PlaceId at) {
        Followed& before = followed_[at * plan_.calls.size() + call];
        const Followed now = whole_ ? Followed::for_all : Followed::for_some_cells;
        if (before >= now) return false;
        before = now;
        return true;
    }

    void want(CellValue& value, int cells) const {
        value.whole = value.whole || whole_;
        value.low = std::min(value.low, cells);
        value.high = std::max(value.high, cells);
        value.own = value.own || cells == 0;
    }

    [[nodiscard]] bool shows_former(std::uint32_t call) const {
        const FieldCall& c = plan_.calls[call];
        const CellView& view = made_.view;
        const bool seen = reads_.is_seen(call), somewhere = c.fixed_by(FixedBy::target);
        if (view.any_path)
            return (seen && somewhere) || (keeps_moving(c, [](std::size_t) { return true; }) && c.former->producer);
        if (view.group)
            return (view.rim && keeps_moving(c, [](std::size_t axis) { return axis == 0; })) ||
                   (seen && (somewhere || keeps_position(c)));
        return seen && (somewhere || c.statement->where ||
                        keeps_moving(c, [&](std::size_t axis) { return made_.view.maps(axis); }));
    }

    template <class Along>
    [[nodiscard]] static bool keeps_moving(const FieldCall& call, const Along& along) {
        for (std::size_t k = 0; k < call.target.size(); ++k) {
            const auto* moving = std::get_if<Moving>(&call.target[k]);
            if (moving && along(moving->axis) && call.kept[k] != KeptLayers{}) return true;
        }
        return false;
    }
    [[nodiscard]] static bool keeps_position(const FieldCall& call) {
        for (std::size_t k = 0; k < call.target.size(); ++k) {
            if (std::holds_alternative<Absolute>(call.target[k]) && call.kept[k] != KeptLayers{}) return true;
        }
        return false;
    }
};

}  // namespace

std::optional<Standing> CellProgram::standing(const CellValue& value, std::size_t axis) const {
    const auto place = standing_at(cells, view, at(value), axis);
    if (!place || axis > 0 || !view.group) return place;
    return Standing{place->low + value.low, place->high - value.high};
}

int sum(const Chain& chain) { return chain.empty() ? 0 : chain.front().step; }

std::vector<int> sums(const CellPlace& at) {
    std::vector<int> all;
    for (const Chain& chain : at) all.push_back(sum(chain));
    return all;
}

CellPlace place_of(const std::vector<int>& steps) {
    CellPlace at;
    for (const int step : steps) at.push_back(extend({}, BoundaryKind::periodic, step));
    return at;
}

bool is_own(const CellPlace& at) {
    return std::all_of(at.begin(), at.end(), [](const Chain& c) { return c.empty(); });
}

bool is_slice(const FieldCall& call) { return !call.merges && !call.fixed.empty(); }

CellProgram cell_program(const Program& program, const Graph& graph, const FieldPlan& plan, const CellView& view,
                         const PathCells& cells, std::size_t most) {
    return CellPrograms(program, graph, plan).of(view, cells, most);
}

CellProgram CellPrograms::of(const CellView& view, const PathCells& cells, std::size_t most) {
    return Maker(plan_, reads_, view, cells, most).run();
}

}  // namespace kasc
