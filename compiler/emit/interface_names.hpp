#pragma once
// The C names of a program's extents, parameters and arrays: members of <program>_arguments, and local
// constants of the host code.

#include <string>
#include <vector>

#include "frontend/program.hpp"
#include "kernel/host_names.hpp"
#include "plan/series.hpp"

namespace kasc::emit {

/// A series that may lie in memory window by window.
struct SeriesNames {
    Series series;
    std::string rows;    ///< member of the arguments: rows in memory at a time
    std::string window;  ///< member of a run
};

struct InterfaceNames {
    std::string elements;                 ///< of streams; else empty
    std::vector<std::string> extents;     ///< by axis: "n" + axis
    std::vector<std::string> parameters;  ///< by parameter
    std::vector<Precision> parameter_precisions;
    std::vector<std::string> inputs;   ///< by position
    std::vector<std::string> outputs;  ///< by position
    std::vector<SeriesNames> series;   ///< in the order of series_of()
    kernel::HostNames local;           ///< constants that hold parameters, loop variables
};

[[nodiscard]] InterfaceNames interface_names(const Program& program);

/// Fields with a loop are run in pieces, too. Streams are not: their elements do not depend on each other, and a loop
/// over them may be a kernel's own.
[[nodiscard]] bool has_pieces(const Program& program);

/// Number of words of a variable as a C expression over `prefix` + names (a stream's `elements` times its words).
[[nodiscard]] std::string words_text(const Program& program, const Library& library, const InterfaceNames& names,
                                     VariableId variable, const std::string& prefix);

/// The C type of a variable's words.
[[nodiscard]] const char* word_text(const Program& program, VariableId variable);
/// The same as callers have them, who know no type of complex numbers: real and imaginary parts in turn.
[[nodiscard]] const char* callers_word_text(const Program& program, VariableId variable);
[[nodiscard]] std::string callers_words_text(const Program& program, const Library& library,
                                             const InterfaceNames& names, VariableId variable,
                                             const std::string& prefix);
/// `array` of a caller's type as one of word_text's.
[[nodiscard]] std::string callers_array_text(const Program& program, VariableId variable, const std::string& array,
                                             bool input);
/// The C type of a parameter.
[[nodiscard]] const char* type_text(const kasc::Parameter& parameter);

/// A uniform expression as C of the host, over the constants that hold extents and parameters. Real arithmetic in the
/// order written, of the precision; in integers of precision_in_integer.
[[nodiscard]] std::string host_text(const Expression& expression, const InterfaceNames& names,
                                    Precision precision = Precision::single);
/// The same before it is text; extents are called "args." and their names.
[[nodiscard]] kernel::ExprRef host_expression(const Expression& expression, const InterfaceNames& names,
                                              Precision precision = Precision::single);

}  // namespace kasc::emit
