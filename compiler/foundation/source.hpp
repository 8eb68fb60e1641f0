#pragma once
// Where a thing stands in the text that the user gave. A Span keeps its text alive, so values may outlive the reader.

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace kasc {

/// A text that the user gave, or a thing without text (an HDF5 dataset: empty text, name "in.h5:/T").
struct Source {
    std::string name;
    std::string text;
};
using SourceRef = std::shared_ptr<const Source>;

[[nodiscard]] SourceRef make_source(std::string name, std::string text = {});

/// Bytes [begin, end) of a source; no source: no place is known.
struct Span {
    SourceRef source;
    std::size_t begin = 0;
    std::size_t end = 0;
};

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
