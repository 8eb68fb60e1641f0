#include "foundation/source.hpp"

#include <algorithm>

namespace kasc {

SourceRef make_source(std::string name, std::string text) {
    return std::make_shared<const Source>(Source{std::move(name), std::move(text)});
}

namespace {

const Making::Piece& piece_at(const Making& making, std::size_t offset) {
    const auto behind = std::upper_bound(making.pieces.begin(), making.pieces.end(), offset,
                                         [](std::size_t at, const Making::Piece& piece) { return at < piece.begin; });
    return behind == making.pieces.begin() ? *behind : *(behind - 1);
}

/// Whether the piece's bytes are those that it was made of.
bool is_copy(const Making& making, const Making::Piece& piece, std::size_t text_bytes) {
    const std::size_t next = static_cast<std::size_t>(&piece - making.pieces.data()) + 1;
    const std::size_t end = next < making.pieces.size() ? making.pieces[next].begin : text_bytes;
    return end - piece.begin == piece.from.end - piece.from.begin;
}

}  // namespace

std::optional<Span> made_of(const Span& span) {
    if (!span.source || !span.source->making || span.source->making->pieces.empty()) return std::nullopt;
    const Making& making = *span.source->making;
    const std::size_t bytes = span.source->text.size();
    const Making::Piece &first = piece_at(making, span.begin),
                        &last = piece_at(making, span.end > span.begin ? span.end - 1 : span.begin);
    Span given = first.from;
    if (is_copy(making, first, bytes)) given.begin += span.begin - first.begin;
    given.end = is_copy(making, last, bytes) ? last.from.begin + (span.end - last.begin) : last.from.end;
    return given;
}

Span as_given(Span span) {
    while (auto before = made_of(span)) span = std::move(*before);
    return span;
}

LineColumn line_column(const Source& source, std::size_t offset) {
    const std::string_view before = std::string_view(source.text).substr(0, std::min(offset, source.text.size()));
    const auto line = std::count(before.begin(), before.end(), '\n');
    const std::size_t last_break = before.rfind('\n');
    const std::size_t line_begin = last_break == std::string_view::npos ? 0 : last_break + 1;
    return {static_cast<int>(line) + 1, static_cast<int>(before.size() - line_begin) + 1};
}

std::string_view line_at(const Source& source, std::size_t offset) {
    const std::string_view text = source.text;
    offset = std::min(offset, text.size());
    const std::size_t last_break = offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
    const std::size_t begin = last_break == std::string_view::npos ? 0 : last_break + 1;
    std::size_t end = text.find('\n', begin);
    if (end == std::string_view::npos) end = text.size();
    if (end > begin && text[end - 1] == '\r') --end;
    return text.substr(begin, end - begin);
}

std::string_view text_of(const Span& span) {
    if (!span.source) return {};
    const std::string_view text = span.source->text;
    const std::size_t begin = std::min(span.begin, text.size());
    return text.substr(begin, std::min(span.end, text.size()) - begin);
}

}  // namespace kasc
