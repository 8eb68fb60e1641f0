// Decides which lexemes stand side by side and which have a blank or a line break between them.
//
//     for(n=0;n<steps;n++){T=T+ 6*T;}    →    for (n = 0; n < steps; n++) { T = T + 6*T; }
//
// The author chooses: line breaks, but around the braces of a block; blanks around products, 6*T or 6 * T; blanks
// behind the commas of a bracket, T[-1,0] or T[-1, 0].

#include <algorithm>

#include "format/pieces.hpp"

namespace kasc::format {

namespace {

std::string_view between(const Lexeme& left, const Lexeme& right) {
    return std::string_view(left.span.source->text).substr(left.span.end, right.span.begin - left.span.end);
}

int line_breaks(std::string_view text) { return static_cast<int>(lines_of(text).size()) - 1; }

bool glued_to_the_left(LexemeRole role) {
    switch (role) {
        case LexemeRole::suffix:
        case LexemeRole::dot:
        case LexemeRole::call_open:
        case LexemeRole::index_open:
        case LexemeRole::close:
        case LexemeRole::comma:
        case LexemeRole::index_comma:
        case LexemeRole::semicolon:
        case LexemeRole::colon:
        case LexemeRole::increment:
            return true;
        default:
            return false;
    }
}

bool glued_to_the_right(LexemeRole role) {
    switch (role) {
        case LexemeRole::call_open:
        case LexemeRole::group_open:
        case LexemeRole::index_open:
        case LexemeRole::table_open:
        case LexemeRole::prefix:
        case LexemeRole::dot:
            return true;
        default:
            return false;
    }
}

/// 1 .x and T 0.5 would be other words without their blanks.
bool would_merge(const Piece& left, const Piece& right) {
    const bool dotted = right.role() == LexemeRole::dot || right.role() == LexemeRole::suffix;
    const bool after_digit = left.text().front() >= '0' && left.text().front() <= '9';
    return dotted && (after_digit || right.text().front() != '.');
}

bool has_blank(const Piece& left, const Piece& right) {
    if (would_merge(left, right)) return true;
    if (glued_to_the_left(right.role()) || glued_to_the_right(left.role())) return false;
    return left.role() != LexemeRole::block_open || right.role() != LexemeRole::block_close;
}

/// Products have blanks on both sides where the author gave them one on either.
void space_products(std::vector<Piece>& pieces) {
    for (std::size_t i = 1; i + 1 < pieces.size(); ++i) {
        if (pieces[i].role() != LexemeRole::product) continue;
        const bool wide = !between(pieces[i - 1].lexeme, pieces[i].lexeme).empty() ||
                          !between(pieces[i].lexeme, pieces[i + 1].lexeme).empty();
        pieces[i].blank = wide;
        pieces[i + 1].blank = wide;
    }
}

/// Commas of a bracket have a blank behind them where the author gave one to any.
void space_indices(std::vector<Piece>& pieces) {
    std::vector<std::vector<std::size_t>> open;  // behind commas of the brackets around
    const auto close = [&] {
        const auto wide = [&](std::size_t i) { return !between(pieces[i - 1].lexeme, pieces[i].lexeme).empty(); };
        const bool any = std::any_of(open.back().begin(), open.back().end(), wide);
        for (const std::size_t i : open.back()) pieces[i].blank = any || pieces[i].is_comment();
        open.pop_back();
    };
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        switch (pieces[i].role()) {
            case LexemeRole::call_open:
            case LexemeRole::group_open:
            case LexemeRole::index_open:
            case LexemeRole::table_open:
                open.emplace_back();
                break;
            case LexemeRole::close:
                close();
                break;
            case LexemeRole::index_comma:
                open.back().push_back(i + 1);
                break;
            default:
                break;
        }
    }
}

/// Braces of a block with a line break between them stand on lines of their own.
void expand_blocks(std::vector<Piece>& pieces) {
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        if (pieces[i].role() == LexemeRole::block_open) open.push_back(i);
        if (pieces[i].role() != LexemeRole::block_close) continue;
        const Span& first = pieces[open.back()].lexeme.span;
        const std::string_view inside =
            std::string_view(first.source->text).substr(first.end, pieces[i].lexeme.span.begin - first.end);
        pieces[i].expanded = pieces[open.back()].expanded = line_breaks(inside) > 0;
        open.pop_back();
    }
}

/// 'if' and 'else' are reserved.
bool is_else(const Piece& piece) { return piece.text() == "else"; }
bool is_else_if(const Piece& left, const Piece& right) { return is_else(left) && right.text() == "if"; }

/// Line breaks before a piece: the author's, where blocks and statements leave the choice.
int breaks_before(const std::vector<Piece>& pieces, std::size_t i, int written) {
    const Piece& left = pieces[i - 1];
    const Piece& right = pieces[i];
    if (left.text().starts_with("//")) {
        written = std::max(written, 1);
    } else if (right.role() == LexemeRole::block_open || right.role() == LexemeRole::semicolon) {
        return 0;
    }
    const bool closed = left.role() == LexemeRole::block_close && left.expanded;
    if ((left.role() == LexemeRole::block_close && is_else(right)) || is_else_if(left, right)) return 0;
    const bool own_line = !right.is_comment() || written > 0;
    if (left.role() == LexemeRole::block_open && left.expanded && own_line) return 1;
    if (right.role() == LexemeRole::block_close && right.expanded) return 1;
    if (closed && own_line) written = std::max(written, 1);
    return std::min(written, 2);
}

/// The columns of all lexemes, as they are written.
void measure(std::vector<Piece>& pieces) {
    if (pieces.empty()) return;
    const std::string& text = pieces.front().lexeme.span.source->text;
    int column = 0, line_indent = -1;
    std::size_t at = 0;
    for (Piece& piece : pieces) {
        for (; at < piece.lexeme.span.begin; ++at) {
            const bool ends = text[at] == '\n' || text[at] == '\r';
            if (ends) line_indent = -1;
            column = ends ? 0 : text[at] == '\t' ? (column / tab + 1) * tab : column + 1;
        }
        if (line_indent < 0) line_indent = column;
        piece.old_column = column;
        piece.old_indent = line_indent;
        const auto lines = lines_of(piece.text());
        column = (lines.size() > 1 ? 0 : column) + width_of(lines.back());
        at = piece.lexeme.span.end;
    }
}

}  // namespace

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (true) {
        const std::size_t end = text.find_first_of("\r\n");
        lines.push_back(text.substr(0, end));
        if (end == std::string_view::npos) return lines;
        text.remove_prefix(end + (text.substr(end).starts_with("\r\n") ? 2 : 1));
    }
}

int width_of(std::string_view text) {
    return static_cast<int>(std::count_if(text.begin(), text.end(),
                                          [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80; }));
}

std::vector<Piece> spaced(const std::vector<Lexeme>& lexemes) {
    std::vector<Piece> pieces;
    for (const Lexeme& lexeme : lexemes) pieces.push_back({lexeme});
    measure(pieces);
    expand_blocks(pieces);
    for (std::size_t i = 1; i < pieces.size(); ++i) pieces[i].blank = has_blank(pieces[i - 1], pieces[i]);
    space_products(pieces);
    space_indices(pieces);
    for (std::size_t i = 1; i < pieces.size(); ++i) {
        pieces[i].breaks = breaks_before(pieces, i, line_breaks(between(pieces[i - 1].lexeme, pieces[i].lexeme)));
        pieces[i - 1].ends_line = pieces[i].breaks > 0;
    }
    if (!pieces.empty()) pieces.back().ends_line = true;
    return pieces;
}

}  // namespace kasc::format
