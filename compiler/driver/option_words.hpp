#pragma once
// Settings that are words: --set source=additive, of 'option source = none in (none, additive);'.

#include <map>
#include <string>
#include <vector>

#include "foundation/diagnostic.hpp"

namespace kasc {

/// Each "name=word" as the number that the program's option has for it. K0901 where the program has no such option or
/// the option no such word; nothing is said of a program that cannot be read.
void set_words(const SourceRef& program, const std::vector<std::string>& words, std::map<std::string, double>& settings,
               Diagnostics& faults);

}  // namespace kasc
