// One pass over the bytes that knows strings (with \" and \\) and the depth of braces and brackets. In well-formed JSON
// the outermost object's keys are the strings at depth 1 before a colon, its values what stands between that colon and
// the next comma or closing brace at depth 1.
//
//   { "name": "H100", "origin": { "name": "…" } }
//     ^^^^^^  ^^^^^^  ^^^^^^^^  ^^^^^^^^^^^^^^^

#include "model/device/json_places.hpp"

namespace kasc {

namespace {

/// The index after the string that starts at `at`.
std::size_t end_of_string(const std::string& text, std::size_t at) {
    for (std::size_t i = at + 1; i < text.size(); ++i) {
        if (text[i] == '\\')
            ++i;
        else if (text[i] == '"')
            return i + 1;
    }
    return text.size();
}

bool blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

Span trimmed(const SourceRef& source, std::size_t begin, std::size_t end) {
    while (begin < end && blank(source->text[begin])) ++begin;
    while (end > begin && blank(source->text[end - 1])) --end;
    return {source, begin, end};
}

}  // namespace

std::vector<JsonPlace> json_places(const SourceRef& source) { return json_places({source, 0, source->text.size()}); }

std::vector<JsonPlace> json_places(const Span& object) {
    const SourceRef& source = object.source;
    const std::string& text = source->text;
    std::vector<JsonPlace> places;
    int depth = 0;
    bool in_value = false;
    std::size_t value_begin = 0;
    const auto end_value = [&](std::size_t at) {
        if (in_value && depth == 1) places.back().value_span = trimmed(source, value_begin, at);
        if (depth == 1) in_value = false;
    };
    for (std::size_t i = object.begin; i < object.end; ++i) {
        const char c = text[i];
        if (c == '"') {
            const std::size_t end = end_of_string(text, i);
            if (depth == 1 && !in_value) {
                const std::size_t length = end - i < 2 ? 0 : end - i - 2;
                places.push_back({text.substr(i + 1, length), {source, i, end}, {}});
            }
            i = end - 1;
        } else if (c == '{' || c == '[') {
            ++depth;
        } else if (c == '}' || c == ']') {
            end_value(i);
            --depth;
        } else if (c == ',') {
            end_value(i);
        } else if (c == ':' && depth == 1 && !in_value && !places.empty()) {
            in_value = true;
            value_begin = i + 1;
        }
    }
    return places;
}

std::vector<Span> json_items(const Span& array) {
    const std::string& text = array.source->text;
    std::vector<Span> items;
    int depth = 0;
    std::size_t begin = array.begin + 1;
    const auto end_item = [&](std::size_t at) {
        const Span item = trimmed(array.source, begin, at);
        if (item.begin < item.end) items.push_back(item);
        begin = at + 1;
    };
    for (std::size_t i = array.begin; i < array.end; ++i) {
        if (text[i] == '"')
            i = end_of_string(text, i) - 1;
        else if (text[i] == '{' || text[i] == '[')
            ++depth;
        else if (text[i] == ',' && depth == 1)
            end_item(i);
        else if ((text[i] == '}' || text[i] == ']') && --depth == 0)
            end_item(i);
    }
    return items;
}

std::optional<Span> nested_deeper(const SourceRef& source, int depth) {
    const std::string& text = source->text;
    int at = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '"')
            i = end_of_string(text, i) - 1;
        else if (text[i] == '}' || text[i] == ']')
            --at;
        else if ((text[i] == '{' || text[i] == '[') && ++at > depth)
            return Span{source, i, i + 1};
    }
    return std::nullopt;
}

}  // namespace kasc
