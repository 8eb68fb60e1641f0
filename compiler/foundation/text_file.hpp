#pragma once

#include <string>

namespace kasc {

/// A text as a file: its name, in a folder or below it.
struct TextFile {
    std::string name;
    std::string text;
};

}  // namespace kasc
