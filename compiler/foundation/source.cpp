#include "foundation/source.hpp"

#include <algorithm>

namespace kasc {

SourceRef make_source(std::string name, std::string text) {
    return std::make_shared<const Source>(Source{std::move(name), std::move(text)});
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
