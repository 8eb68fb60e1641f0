// A declaration at file level runs from the first token after the last ';' or '}' to its own:
//
//     __device__ inline void d_f_1_save(float *s, scalar r, int tx) { … }
//     ^ first token          ^ name: the word before the first '('     ^ closing brace
//
// `extern "C" {` and `namespace x {` are looked through; any other braced thing without a parameter list (struct,
// enum, initialiser) is skipped. Conditional compilation is not evaluated.

#include "library/declarations.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace kasc::library {

namespace {

/// Words that take parentheses before a function's own: the next '(' is not its parameter list.
bool takes_parentheses(std::string_view word) {
    return word == "__launch_bounds__" || word == "__attribute__" || word == "__align__" || word == "alignas" ||
           word == "decltype" || word == "__declspec" || word == "noexcept";
}

class Scanner {
public:
    Scanner(const std::vector<Token>& tokens, Faults& faults)
        : tokens_(tokens), faults_(faults), text_(faults.source()->text) {}

    FileCode run() {
        while (at_ < tokens_.size()) next();
        return std::move(code_);
    }

private:
    [[nodiscard]] std::string_view word(std::size_t index) const {
        return index < tokens_.size() ? text_of(tokens_[index], text_) : std::string_view();
    }
    [[nodiscard]] bool is(std::size_t index, char c) const {
        return index < tokens_.size() && tokens_[index].kind == TokenKind::punctuation &&
               text_[tokens_[index].begin] == c;
    }

    void next() {
        const Token& token = tokens_[at_];
        if (token.kind == TokenKind::metadata) {
            code_.metadata.push_back(token);
            begin_declaration(at_ + 1);
        } else if (token.kind == TokenKind::directive) {
            directive(token);
            if (declaration_ == at_) ++declaration_;
        } else if (is(at_, '(')) {
            parentheses();
        } else if (is(at_, '{')) {
            braces();
            return;
        } else if (is(at_, ';')) {
            type_definition();
            variables();
            begin_declaration(at_ + 1);
        } else if (is(at_, '}')) {
            begin_declaration(at_ + 1);  // of an `extern "C" {`
        }
        ++at_;
    }

    void begin_declaration(std::size_t first) {
        declaration_ = first;
        open_ = close_ = std::nullopt;
    }

    void directive(const Token& token) {
        const std::string_view line = text_of(token, text_);
        const std::size_t keyword = line.find_first_not_of(" \t", 1);
        if (keyword == std::string_view::npos) return;
        if (line.substr(keyword).starts_with("define")) {
            const std::size_t length = line.find_last_not_of(" \t\r") + 1;
            code_.macros.push_back(
                {std::string(line.substr(0, length)), faults_.span(token.begin, token.begin + length)});
        } else if (line.substr(keyword).starts_with("include")) {
            const std::size_t open = line.find('"'), close = line.find('"', open + 1);
            if (open < close && close != std::string_view::npos)
                code_.includes.push_back(faults_.span(token.begin + open + 1, token.begin + close));
        }
    }

    /// Leaves at_ on the closing parenthesis; the first list that is no attribute's is the function's.
    void parentheses() {
        const std::size_t opening = at_;
        int depth = 0;
        for (; at_ < tokens_.size(); ++at_) {
            if (is(at_, '(')) ++depth;
            if (is(at_, ')') && --depth == 0) break;
            if (is(at_, '{') || is(at_, '}') || is(at_, ';') || tokens_[at_].kind == TokenKind::metadata) {
                --at_;  // an unfinished list is no function's
                break;
            }
        }
        if (open_ || opening == declaration_ || at_ == tokens_.size() || depth != 0) return;
        if (tokens_[opening - 1].kind != TokenKind::word || takes_parentheses(word(opening - 1))) return;
        open_ = opening;
        close_ = at_;
    }

    /// at_ is on '{'. Leaves at_ after what it opens.
    void braces() {
        if (!open_ && (word(declaration_) == "namespace" || word(declaration_) == "extern")) {
            begin_declaration(++at_);
            return;
        }
        const std::size_t opening = at_;
        int depth = 0;
        for (; at_ < tokens_.size() && tokens_[at_].kind != TokenKind::metadata; ++at_) {
            if (is(at_, '{')) ++depth;
            if (is(at_, '}') && --depth == 0) break;
        }
        if (depth == 0) {
            if (open_) add_function(at_);
            ++at_;
        } else {
            const bool at_end = at_ == tokens_.size();
            faults_.add(
                "K0318", faults_.span(tokens_[opening].begin, tokens_[opening].end),
                at_end ? "this brace is never closed" : "this brace is not closed before the next metadata block", "",
                "add the missing '}'");
        }
        if (open_ || depth != 0) begin_declaration(at_);
    }

    void add_function(std::size_t closing) {
        CodeFunction function;
        const Token& name = tokens_[*open_ - 1];
        function.name = std::string(text_of(name, text_));
        function.name_span = faults_.span(name.begin, name.end);
        function.span = faults_.span(tokens_[declaration_].begin, tokens_[closing].end);
        for (std::size_t i = declaration_; i < *open_; ++i) {
            if (word(i) == "__device__") function.kind = CodeFunctionKind::device;
            if (word(i) == "__global__") function.kind = CodeFunctionKind::kernel;
        }
        parameters(function);
        code_.functions.push_back(std::move(function));
    }

    void parameters(CodeFunction& function) {
        CodeParameter parameter;
        int depth = 0;
        for (std::size_t i = *open_ + 1; i <= *close_; ++i) {
            const bool ends = (i == *close_ || (is(i, ',') && depth == 0));
            if (ends) {
                if (!parameter.words.empty()) function.parameters.push_back(std::move(parameter));
                parameter = {};
                continue;
            }
            const Token& token = tokens_[i];
            if (parameter.words.empty()) parameter.span = faults_.span(token.begin, token.end);
            parameter.span.end = token.end;
            if (token.kind == TokenKind::word) parameter.words.emplace_back(text_of(token, text_));
            if (is(i, '*') || is(i, '&') || is(i, '[')) parameter.pointer = true;
            if (is(i, '(') || is(i, '<')) ++depth;
            if (is(i, ')') || is(i, '>')) --depth;
        }
    }

    /// Reads the names a and b of `__constant__ float a[3] = {1, 2, 3}, b;`: the words before '[', '=', '{', ',' and
    /// ';'. A declaration with parentheses may be of a function: it is passed over.
    void variables() {
        static constexpr std::array<std::string_view, 11> others{"typedef",  "using",         "struct",   "class",
                                                                 "enum",     "union",         "extern",   "friend",
                                                                 "template", "static_assert", "namespace"};
        if (std::find(others.begin(), others.end(), word(declaration_)) != others.end()) return;
        std::optional<std::size_t> name;
        int depth = 0;
        bool has_type = false, has_name = false;
        for (std::size_t i = declaration_; i <= at_; ++i) {
            if (is(i, '(')) return;
            const bool ends = is(i, '[') || is(i, '=') || is(i, '{') || is(i, ',') || is(i, ';');
            if (depth == 0 && ends && name && has_type && !has_name) {
                code_.variables.push_back(faults_.span(tokens_[*name].begin, tokens_[*name].end));
                has_name = true;
            }
            if (is(i, '[') || is(i, '{')) ++depth;
            if (is(i, ']') || is(i, '}')) --depth;
            if (depth != 0) continue;
            if (is(i, ',')) {
                name.reset();
                has_name = false;
            } else if (tokens_[i].kind == TokenKind::word) {
                has_type = has_type || name.has_value() || i > declaration_;
                name = i;
            }
        }
    }

    void type_definition() {
        if (word(declaration_) != "typedef" || word(declaration_ + 1) != "float" || !is(declaration_ + 2, '*')) return;
        if (declaration_ + 4 == at_) code_.typedefs.emplace_back(word(declaration_ + 3));
    }

    const std::vector<Token>& tokens_;
    Faults& faults_;
    std::string_view text_;
    FileCode code_;
    std::size_t at_ = 0;
    std::size_t declaration_ = 0;              // its first token
    std::optional<std::size_t> open_, close_;  // its parameter list
};

}  // namespace

FileCode scan_declarations(const std::vector<Token>& tokens, Faults& faults) { return Scanner(tokens, faults).run(); }

}  // namespace kasc::library
