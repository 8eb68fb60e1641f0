#pragma once
// Where a thing stands in the text that the user gave. A Span keeps its text alive, so values may outlive the reader.

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kasc {

struct Making;

/// A text that the user gave, or a thing without text (an HDF5 dataset: empty text, name "in.h5:/T").
struct Source {
    std::string name;
    std::string text;
    std::shared_ptr<const Making> making{};  ///< none: the text is as the user gave it
};
using SourceRef = std::shared_ptr<const Source>;

[[nodiscard]] SourceRef make_source(std::string name, std::string text = {});

/// Bytes [begin, end) of a source; no source: no place is known.
struct Span {
    SourceRef source;
    std::size_t begin = 0;
    std::size_t end = 0;
};

/// How a text was made of one that the user gave: of pieces of it, and of values that stand for names in it.
struct Making {
    struct Piece {
        std::size_t begin = 0;  ///< of the made text; the piece ends where the next one begins
        Span from;              ///< where it has as many bytes they are the same, else it stands for all of them
    };
    std::vector<Piece> pieces;  ///< the first at 0
    Span by;                    ///< what asked for the text: the row of a table
    std::string why;            ///< "in the variant 'vadd4'"
};

/// What the span was made of; none: the user gave it.
[[nodiscard]] std::optional<Span> made_of(const Span& span);
/// What of a text that the user gave the span was made of, over any number of texts between.
[[nodiscard]] Span as_given(Span span);

/// 1-based line and column (in bytes).
struct LineColumn {
    int line = 1;
    int column = 1;
};

[[nodiscard]] LineColumn line_column(const Source& source, std::size_t offset);
/// The line that holds `offset`, without its end of line.
[[nodiscard]] std::string_view line_at(const Source& source, std::size_t offset);
[[nodiscard]] std::string_view text_of(const Span& span);

}  // namespace kasc
