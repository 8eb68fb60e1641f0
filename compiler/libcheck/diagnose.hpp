#pragma once
// What was found, as diagnostics: the caret stands under the pattern, or the function, that is at fault.

#include "libcheck/function_check.hpp"

namespace kasc::libcheck {

/// A diagnostic a finding. K0410 to K0420, K0427.
[[nodiscard]] Diagnostics diagnose(const Library& library, const CheckedFunction& checked, const Findings& findings);

/// How the run of a function's code ended early.
enum class EarlyEnd {
    endless,  ///< K0421
    crash,    ///< K0422
};
[[nodiscard]] Diagnostic diagnose_end(const Library& library, const CheckedFunction& checked, const Whereabouts& where,
                                      EarlyEnd end);

/// K0423: the compiler refuses the code; `why` holds its words.
[[nodiscard]] Diagnostic diagnose_build(const Library& library, const CheckedFunction& checked, const Diagnostics& why);

/// K0425: no block can be used, and nothing else that was found explains it.
[[nodiscard]] Diagnostic diagnose_no_block(const Library& library, const CheckedFunction& checked,
                                           const CheckedImplementation& implementation);

}  // namespace kasc::libcheck
