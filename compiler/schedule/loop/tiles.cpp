// Finds the words of a loop's fields that go on evenly with its iterations, so that a block may fetch them together
// ahead of the iterations that read them, and store them together behind those that made them:
//
//   d[x = k] = (q[x = k] - d[x = k - 1])*c      q fetched, d stored; d[x = k - 1] is in a register
//   u[x = k] = u[x = k - 2] + a[x = k]          u[x = k - 2] may have been made in the same chunk: u stays in memory

#include <algorithm>
#include <cstdlib>

#include "schedule/loop/schedule.hpp"

namespace kasc {

namespace {

/// The tile has the words of this value at these indices.
bool holds(const LoopTile& tile, ValueId value, const std::vector<FieldIndex>& indices, const LoopWork& work,
           const Program& program) {
    const WalkedField* field = work.walked_of(value);
    const bool one_array = field == nullptr ? tile.value == value : work.walked_of(tile.value) == field;
    return one_array && stand_alike(tile.indices, indices, false, work, program);
}

class LoopTiles {
public:
    LoopTiles(const LoopWork& work, const Program& program) : work_(work), program_(program) {}

    std::vector<LoopTile> run() {
        for (std::size_t k = work_.begin; k < work_.end; ++k) {
            for (const FieldRead& read : work_.call(k).reads) {
                const WalkedField* walked = work_.walked_of(read.value);
                if (walked == nullptr ? work_.is_in_register(read.value) : !in_memory(k, read) || !may_hold(*walked))
                    continue;
                if (auto line = tile_at(read.value, read.indices)) add(std::move(*line), true);
            }
            const FieldCall& call = work_.call(k);
            const WalkedField* walked = work_.walked_of(call.value);
            if (walked == nullptr || !may_hold(*walked)) continue;
            // Words beside each other threads store as they make them.
            if (auto line = tile_at(call.value, call.target); line->lines) add(*std::move(line), false);
        }
        share_regions();
        return std::move(tiles_);
    }

private:
    const LoopWork& work_;
    const Program& program_;
    std::vector<LoopTile> tiles_;

    [[nodiscard]] bool in_memory(std::size_t k, const FieldRead& read) const {
        return word_of(work_, k, read, program_) == WordOf::memory;
    }

    /// None: it stands at another cell, or at positions that do not go on with the iterations.
    [[nodiscard]] std::optional<LoopTile> tile_at(ValueId value, const std::vector<FieldIndex>& indices) const {
        if (indices.size() < 2) return std::nullopt;
        std::optional<std::size_t> along;
        bool in_order = true;  // the kernel's axes behind the first
        for (std::size_t k = 0; k < indices.size(); ++k) {
            const auto* own = std::get_if<Moving>(&indices[k]);
            if (std::holds_alternative<Absolute>(indices[k]) && !along)
                along = k;
            else if (own == nullptr || own->step != 0)
                return std::nullopt;
            in_order = in_order && (k == 0 ? own == nullptr : own != nullptr && own->axis + 1 == k);
        }
        if (!along) return std::nullopt;
        auto at = linear_position(*std::get<Absolute>(indices[*along]).position, work_.loop.loop, program_);
        if (!at || at->coefficient == 0) return std::nullopt;
        const bool lines = in_order && indices.size() == work_.axes().size() + 1;
        const auto* first = std::get_if<Moving>(&indices.front());
        const bool fits = lines ? std::abs(at->coefficient) == 1 : first != nullptr && first->axis == 0;
        if (!fits) return std::nullopt;
        return LoopTile{value, indices, *along, *std::move(at), lines};
    }

    /// One statement assigns the field, at cells of a line in turn, and whatever is read of its memory is not what an
    /// earlier iteration has left there.
    [[nodiscard]] bool may_hold(const WalkedField& field) const {
        if (!field.kept_of) return false;
        const FieldCall& assigning = work_.call(*field.kept_of);
        const auto target = tile_at(assigning.value, assigning.target);
        if (!target || is_read_beside(field)) return false;
        for (std::size_t k = work_.begin; k < work_.end; ++k) {
            for (const FieldRead& read : work_.call(k).reads) {
                if (work_.walked_of(read.value) != &field || !in_memory(k, read)) continue;
                const auto line = tile_at(read.value, read.indices);
                if (!line || line->axis != target->axis || line->at.coefficient != target->at.coefficient ||
                    line->at.terms != target->at.terms)
                    return false;
                const long long ahead = (line->at.constant - target->at.constant) * target->at.coefficient;
                if (ahead < 0 || (ahead == 0 && k > *field.kept_of)) return false;
            }
        }
        return true;
    }

    /// Threads of the block that store a tile are others than those whose cells read it behind the loop.
    [[nodiscard]] bool is_read_beside(const WalkedField& field) const {
        for (std::size_t k = 0; k < work_.statements.size(); ++k)
            for (const FieldRead& read : work_.call(k).reads)
                if (work_.is_beside(k) && work_.walked_of(read.value) == &field) return true;
        return false;
    }

    /// A tile that is fetched alone lies where one that is stored alone will: at the same place of the line, and read
    /// for the last time no later than the word there is made.
    void share_regions() {
        std::size_t regions = 0;
        for (std::size_t t = 0; t < tiles_.size(); ++t) {
            tiles_[t].region = regions;
            bool shares = false;
            for (std::size_t other = 0; other < t && !shares; ++other) {
                LoopTile &a = tiles_[other], &b = tiles_[t];
                const auto of_region = [&](const LoopTile& tile) { return tile.region == a.region; };
                shares =
                    std::count_if(tiles_.begin(), tiles_.begin() + static_cast<std::ptrdiff_t>(t), of_region) == 1 &&
                    (give_way(a, b) || give_way(b, a));
                if (shares) b.region = a.region;
            }
            if (!shares) ++regions;
        }
    }
    [[nodiscard]] bool give_way(const LoopTile& fetched, const LoopTile& made) const {
        if (fetched.stored || made.loaded || !(fetched.at == made.at) || fetched.lines != made.lines) return false;
        if (type_of_tile(fetched, work_, program_) != type_of_tile(made, work_, program_)) return false;
        const std::size_t making = *work_.walked_of(made.value)->kept_of;
        for (std::size_t k = making + 1; k < work_.end; ++k)
            for (const FieldRead& read : work_.call(k).reads)
                if (holds(fetched, read.value, read.indices, work_, program_)) return false;
        return true;
    }
    void add(LoopTile line, bool loads) {
        auto known = std::find_if(tiles_.begin(), tiles_.end(), [&](const LoopTile& t) {
            return holds(t, line.value, line.indices, work_, program_);
        });
        if (known == tiles_.end()) known = tiles_.insert(tiles_.end(), std::move(line));
        (loads ? known->loaded : known->stored) = true;
    }
};

}  // namespace

std::vector<LoopTile> loop_tiles(const LoopWork& work, const Program& program) {
    return LoopTiles(work, program).run();
}

const LoopTile* LoopWork::tile_of(ValueId value, const std::vector<FieldIndex>& indices, const Program& program) const {
    const auto found = std::find_if(tiles.begin(), tiles.end(),
                                    [&](const LoopTile& t) { return holds(t, value, indices, *this, program); });
    return found == tiles.end() ? nullptr : &*found;
}

}  // namespace kasc
