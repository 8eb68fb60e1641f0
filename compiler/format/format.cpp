#include "format/format.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "format/pieces.hpp"
#include "frontend/parse.hpp"

namespace kasc {

namespace {

using format::Piece;

std::string_view without_blanks_behind(std::string_view line) {
    const std::size_t last = line.find_last_not_of(" \t\f");
    return line.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

/// The lines of a comment move with its first one.
void put_comment(std::string& out, const Piece& piece) {
    const int shift = piece.column - piece.old_column;
    const auto lines = format::lines_of(piece.text());
    for (std::size_t k = 0; k < lines.size(); ++k) {
        std::string_view line = without_blanks_behind(lines[k]);
        if (k > 0) out += '\n';
        if (k > 0 && !line.empty() && shift > 0) out.append(static_cast<std::size_t>(shift), ' ');
        for (int left = -shift; k > 0 && left > 0 && line.starts_with(' '); --left) line.remove_prefix(1);
        out += line;
    }
}

std::string printed(const std::vector<Piece>& pieces) {
    std::string out;
    for (const Piece& piece : pieces) {
        out.append(static_cast<std::size_t>(piece.breaks), '\n');
        const std::size_t line = out.find_last_of('\n') + 1;  // npos + 1: the first
        const int gap = piece.column - format::width_of(std::string_view(out).substr(line));
        if (gap > 0) out.append(static_cast<std::size_t>(gap), ' ');
        if (piece.is_comment()) {
            put_comment(out, piece);
        } else {
            out += piece.text();
        }
    }
    if (!out.empty()) out += '\n';
    return out;
}

std::vector<std::string_view> words_and_signs(const std::vector<Lexeme>& lexemes) {
    std::vector<std::string_view> all;
    for (const Lexeme& lexeme : lexemes)
        if (lexeme.kind != LexemeKind::comment) all.push_back(text_of(lexeme.span));
    return all;
}

}  // namespace

Outcome<std::string> format_program(const SourceRef& source) {
    auto read = lexemes_with_roles(source);
    if (!read) return failure<std::string>(std::move(read.diagnostics));
    std::vector<Piece> pieces = format::spaced(*read);
    format::lay_out(pieces);
    format::align_comments(pieces);
    const SourceRef result = make_source(source->name, printed(pieces));
    if (result->text.size() > program_limits.bytes) {
        return failure<std::string>(
            placeless("K0106", fmt::format("formatted, the program is longer than {} bytes", program_limits.bytes)));
    }
    if (words_and_signs(lexemes(result)) != words_and_signs(*read))
        throw std::logic_error("formatting has changed words or signs of " + source->name);
    return success(result->text, std::move(read.diagnostics));
}

}  // namespace kasc
