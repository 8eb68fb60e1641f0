#pragma once
// The names that a text declares, read off its words alone: they are known while a statement is being typed, when the
// text is no program.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/lexemes.hpp"

namespace kasc::lsp {

/// No such word.
inline constexpr std::size_t none = std::string::npos;

struct Declared {
    enum class Kind {
        field,
        stream,
        cell_type,
        axis,
        parameter,
        option,
        list,
        function,
        procedure,
        argument,
        let,
        loop_variable,
        entry  ///< the name of a 'for … in'
    };
    Kind kind = Kind::field;
    std::string name;
    Span at;                           ///< the name
    Span item;                         ///< the declaration, or the function or loop that it belongs to
    Span scope;                        ///< where the name means this
    std::string text;                  ///< "float T[x, y] boundary keep(1)": this one alone, in one line
    bool used = false;                 ///< an axis that no 'axis' item declares: at its first use
    std::vector<std::string> parts{};  ///< axes of a field, arguments of a function or a procedure
};

[[nodiscard]] const char* describe(Declared::Kind kind);
[[nodiscard]] bool is_callable(const Declared& declared);

struct Outline {
    SourceRef source;
    std::vector<Lexeme> lexemes;      ///< with comments
    std::vector<Lexeme> words;        ///< without: words, numbers and signs
    std::vector<std::size_t> closes;  ///< of each opening bracket among `words` the closing one; else npos
    std::vector<Declared> declared;   ///< in the text's order
    std::vector<Span> items;          ///< of all kinds, an outer one before those in it
    std::vector<Span> imports;        ///< names of files, with their quotes
    bool only_imported = false;       ///< it holds functions and the like alone: a file that others import

    /// Empty beyond the ends.
    [[nodiscard]] std::string_view word(std::size_t i) const;
    /// The word or sign at a place, or the word that ends there; npos: none.
    [[nodiscard]] std::size_t word_at(std::size_t offset) const;
    /// The innermost item around a place; no source: none.
    [[nodiscard]] Span item_at(std::size_t offset) const;
    [[nodiscard]] bool in_comment(std::size_t offset) const;
};

/// The program declares no field.
[[nodiscard]] bool is_of_streams(const Outline& outline);
/// The file that one of its imports names, whether it is there or not.
[[nodiscard]] std::filesystem::path import_path(const Span& import);

/// u_{a} stands for u_x.
[[nodiscard]] bool stands_for(std::string_view pattern, std::string_view name);

[[nodiscard]] Outline outline_of(const SourceRef& source);

}  // namespace kasc::lsp
