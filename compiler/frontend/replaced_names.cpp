#include "frontend/replaced_names.hpp"

#include <cctype>
#include <memory>

// Comments and all that is no name are copied. With a → x:
//
//     u_{a} = v[a + 1].a;   // along a        u_x = v[x + 1].x;   // along a

namespace kasc::frontend {

namespace {

bool begins_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool continues_name(char c) { return begins_name(c) || std::isdigit(static_cast<unsigned char>(c)) != 0; }

std::size_t name_end(std::string_view text, std::size_t at) {
    while (at < text.size() && continues_name(text[at])) ++at;
    return at;
}

/// Behind the `{name}` that begins at `at`; `at` itself where none does.
std::size_t part_end(std::string_view text, std::size_t at) {
    if (at + 1 >= text.size() || text[at] != '{' || !begins_name(text[at + 1])) return at;
    const std::size_t end = name_end(text, at + 1);
    return end < text.size() && text[end] == '}' ? end + 1 : at;
}

class Replacing {
public:
    Replacing(const Span& of, const Replacements& replacements)
        : of_(of), text_(text_of(of)), replacements_(replacements) {}

    void run() {
        for (std::size_t at = 0; at < text_.size();) at = next(at);
    }

    std::string made;
    std::vector<Making::Piece> pieces;

private:
    Span of_;
    std::string_view text_;
    const Replacements& replacements_;
    char before_ = ' ';  ///< the sign or letter before, without spaces

    std::size_t next(std::size_t at) {
        const char c = text_[at];
        if (c == '/' && at + 1 < text_.size() && (text_[at + 1] == '/' || text_[at + 1] == '*')) {
            const bool line = text_[at + 1] == '/';
            const std::size_t end = line ? text_.find('\n', at) : text_.find("*/", at + 2);
            return copy(at, end == std::string_view::npos ? text_.size() : end + (line ? 0 : 2));
        }
        const bool number =
            std::isdigit(static_cast<unsigned char>(c)) != 0 ||
            (c == '.' && at + 1 < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at + 1])) != 0);
        if (number) {
            std::size_t end = at + 1;
            while (end < text_.size() && (continues_name(text_[end]) || text_[end] == '.')) ++end;
            before_ = '0';
            // D.4_{j}
            const std::size_t parts = c == '.' ? parts_end(end) : end;
            if (parts == end) return copy(at, end);
            replace_parts(at, parts);
            return parts;
        }
        std::size_t end = at;
        bool parts = false;
        if (begins_name(c)) {
            end = name_end(text_, at);
        } else if (const std::size_t part = part_end(text_, at);
                   part > at && part < text_.size() && continues_name(text_[part])) {
            end = at;  // {u}_max; {u} alone is a block or a table
            parts = true;
        } else {
            if (std::isspace(static_cast<unsigned char>(c)) == 0) before_ = c;
            return copy(at, at + 1);
        }
        const std::size_t last = parts_end(end);
        parts = parts || last > end;
        end = last;
        parts ? replace_parts(at, end) : replace(at, end);
        before_ = 'a';
        return end;
    }

    /// Behind all parts that follow each other from `end` on, with what stands behind each.
    [[nodiscard]] std::size_t parts_end(std::size_t end) const {
        for (std::size_t part = part_end(text_, end); part > end; part = part_end(text_, end))
            end = name_end(text_, part);
        return end;
    }

    std::size_t copy(std::size_t begin, std::size_t end) {
        add(begin, end, text_.substr(begin, end - begin), true);
        return end;
    }

    void replace(std::size_t begin, std::size_t end) {
        const auto found = replacements_.find(std::string(text_.substr(begin, end - begin)));
        const bool word = before_ == '.';
        // boundary value(0), keep(1), coloured(2): an argument may have such a name, and is not called.
        const std::string_view name = text_.substr(begin, end - begin);
        const std::size_t next = text_.find_first_not_of(" \t\r\n", end);
        const bool of_language = (name == "value" || name == "keep" || name == "coloured") &&
                                 next != std::string_view::npos && text_[next] == '(';
        const bool stands =
            found != replacements_.end() && !of_language && (!word || found->second.kind == Replacement::Kind::entry);
        if (!stands) {
            copy(begin, end);
            return;
        }
        add(begin, end, found->second.text, false);
    }

    void replace_parts(std::size_t begin, std::size_t end) {
        const std::string written(text_.substr(begin, end - begin));
        const auto local = replacements_.find(written);
        const std::string& pattern = local == replacements_.end() ? written : local->second.text;
        std::string name;
        for (std::size_t at = 0; at < pattern.size();) {
            const std::size_t part = part_end(pattern, at);
            if (part == at) {
                name += pattern[at++];
                continue;
            }
            const std::string inner = pattern.substr(at + 1, part - at - 2);
            const auto found = replacements_.find(inner);
            const bool stays = found == replacements_.end() || found->second.kind == Replacement::Kind::local;
            const std::string& text = found == replacements_.end() ? inner : found->second.text;
            name += stays ? "{" + text + "}" : text;
            at = part;
        }
        add(begin, end, name, false);
    }

    /// Bytes of a piece that is a copy go on in the next copy.
    void add(std::size_t begin, std::size_t end, std::string_view text, bool copied) {
        const Span from{of_.source, of_.begin + begin, of_.begin + end};
        const bool goes_on = copied && copying_ && !pieces.empty();
        if (goes_on) {
            pieces.back().from.end = from.end;
        } else {
            pieces.push_back({made.size(), from});
        }
        copying_ = copied;
        made += text;
    }
    bool copying_ = false;
};

}  // namespace

SourceRef with_replaced_names(const Span& of, const Replacements& replacements, const Span& by, std::string why) {
    Replacing replacing(of, replacements);
    replacing.run();
    auto making = std::make_shared<Making>();
    making->pieces = std::move(replacing.pieces);
    if (making->pieces.empty()) making->pieces.push_back({0, of});
    making->by = by;
    making->why = std::move(why);
    return std::make_shared<const Source>(Source{of.source->name, std::move(replacing.made), std::move(making)});
}

bool has_open_parts(std::string_view name) { return name.find('{') != std::string_view::npos; }

}  // namespace kasc::frontend
