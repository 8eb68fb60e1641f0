// Where lines begin.
//
// An item, a comment between items and a closing brace begin four columns a block in. A line that goes on with an item
// keeps its place beside what it stood below: the bracket around it, else the item's '=', else the item's beginning.
//
//     T = a *                         T = a *
//     (b                  →               (b          four columns behind the item, where it was less than two
//      + c);                               + c);      still below the b

#include <algorithm>
#include <optional>

#include "format/pieces.hpp"

namespace kasc::format {

namespace {

/// A column, as it was and as it is.
struct Mark {
    int before = 0, now = 0;
};

/// The items between two braces, or of the whole text.
struct Level {
    bool expanded = true;
    Mark item{};                     ///< where the current item begins
    std::optional<Mark> assigned{};  ///< its first '='
    std::vector<Mark> brackets{};    ///< open ones of the item: what their lines stand below
};

bool opens(LexemeRole role) {
    return role == LexemeRole::call_open || role == LexemeRole::group_open || role == LexemeRole::index_open ||
           role == LexemeRole::table_open;
}

class Layout {
public:
    explicit Layout(std::vector<Piece>& pieces) : pieces_(pieces) {}

    void run() {
        int end = 0;  // of the piece before
        for (std::size_t i = 0; i < pieces_.size(); ++i) {
            Piece& piece = pieces_[i];
            if (piece.role() == LexemeRole::block_close) levels_.pop_back();
            const bool first = i == 0 || piece.breaks > 0;
            piece.column = first ? begin_of_line(i) : end + (piece.blank ? 1 : 0);
            if (first) line_ = {piece.old_column, piece.column};
            take(piece);
            const auto lines = lines_of(piece.text());
            end = (lines.size() > 1 ? 0 : piece.column) + width_of(lines.back());
        }
    }

private:
    [[nodiscard]] int depth() const {
        const auto blocks = std::count_if(levels_.begin(), levels_.end(), [](const Level& l) { return l.expanded; });
        return indent * (static_cast<int>(blocks) - 1);
    }

    /// What of the program follows the comments from here on; null: nothing.
    [[nodiscard]] const Piece* after_comments(std::size_t i) const {
        while (i < pieces_.size() && pieces_[i].is_comment()) ++i;
        return i < pieces_.size() ? &pieces_[i] : nullptr;
    }

    [[nodiscard]] int begin_of_line(std::size_t i) const {
        const Piece& piece = pieces_[i];
        const Piece* next = after_comments(i);
        if (!next || next->lexeme.begins_item || next->role() == LexemeRole::block_close) return depth();
        const Level& level = levels_.back();
        if (next->text() == "else" && next->role() == LexemeRole::word) return level.item.now;
        return going_on(level, piece);
    }

    [[nodiscard]] static int going_on(const Level& level, const Piece& piece) {
        Mark below = level.item;
        if (!level.brackets.empty()) {
            below = level.brackets.back();
        } else if (level.assigned && piece.old_column >= level.assigned->before) {
            below = *level.assigned;
        }
        const int beside = below.now + piece.old_column - below.before;
        if (piece.role() == LexemeRole::close) return std::max(beside, level.item.now);
        return beside >= level.item.now + least_indent ? beside : level.item.now + indent;
    }

    void take(const Piece& piece) {
        Level* level = &levels_.back();
        const Mark at{piece.old_column, piece.column};
        if (piece.lexeme.begins_item) *level = {level->expanded, at};
        if (piece.role() == LexemeRole::close) level->brackets.pop_back();
        // What follows a bracket at the end of its line stands below the line's beginning.
        if (opens(piece.role())) level->brackets.push_back(piece.ends_line ? line_ : at);
        const bool assigns = piece.role() == LexemeRole::operation && piece.text() == "=" && level->brackets.empty();
        if (assigns && !level->assigned) level->assigned = at;
        if (piece.role() == LexemeRole::block_open) levels_.push_back({piece.expanded});
    }

    std::vector<Piece>& pieces_;
    std::vector<Level> levels_{Level{}};
    Mark line_{};  ///< where the current line begins
};

}  // namespace

void lay_out(std::vector<Piece>& pieces) { Layout(pieces).run(); }

}  // namespace kasc::format
