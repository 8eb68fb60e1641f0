// Comments at the ends of lines: those that began in one column, in lines one below the other, still do. A comment on a
// line of its own that goes on with one above it, in its column, is one of them.
//
//     a  = b;    // m             a = b;     // m
//     cc = d;    // s        →    cc = d;    // s
//                // a minute                 // a minute

#include <algorithm>

#include "format/pieces.hpp"

namespace kasc::format {

namespace {

/// Comments in one column.
struct Group {
    std::vector<std::size_t> comments;
    int old_column = 0;
    int column = 0;

    void settle(std::vector<Piece>& pieces) const {
        for (const std::size_t i : comments) pieces[i].column = column;
    }
};

int end_of(const Piece& piece) {
    const auto lines = lines_of(piece.text());
    return (lines.size() > 1 ? 0 : piece.column) + width_of(lines.back());
}

}  // namespace

void align_comments(std::vector<Piece>& pieces) {
    Group group;
    std::size_t lines = 0, last = 0;  // ends of lines so far, and that of the group's last comment
    int shift = 0;                    // of the current line
    const auto begin_group = [&](std::size_t i) {
        group.settle(pieces);
        group = {{i}, pieces[i].old_column, pieces[i].old_column + shift};
    };
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const Piece& piece = pieces[i];
        const bool first = i == 0 || piece.breaks > 0;
        if (first) shift = piece.column - piece.old_column;
        lines += piece.breaks;
        const bool below = !group.comments.empty() && lines == last + 1 && piece.old_column == group.old_column;
        if (!piece.is_comment() || !piece.ends_line || (first && !below)) continue;
        if (below) {
            group.comments.push_back(i);
        } else {
            begin_group(i);
        }
        if (!first) group.column = std::max(group.column, end_of(pieces[i - 1]) + least_gap);
        last = lines;
    }
    group.settle(pieces);
}

}  // namespace kasc::format
