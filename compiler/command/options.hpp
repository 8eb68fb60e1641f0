#pragma once
// What the user asked for, read from the command line. Nothing here is checked against a program.

#include <map>
#include <string>
#include <vector>

namespace kasc::command {

enum class DiagnosticsFormat { text, json };

/// Options that every command with a program has.
struct CommonOptions {
    std::string program;
    std::vector<std::string> libraries;
    std::string device;  ///< empty: the command's default
    std::vector<std::string> settings;
    std::string strategy = "exact";
    int max_fusion = 8;
    DiagnosticsFormat diagnostics = DiagnosticsFormat::text;
};

struct CompileOptions {
    CommonOptions common;
    std::string output;
    std::size_t top = 1;
    std::string emit;  ///< a stage to print in place of writing files
    std::string target = "cuda";
};

struct RunOptions {
    CommonOptions common;
    std::string input, output;
    std::string target = "auto";
    bool check = false;
    std::string picture;  ///< NAME=FILE.png
    std::string keep;     ///< a folder for the emitted files
};

struct ExplainOptions {
    CommonOptions common;
    std::string format = "text";
};

int compile_command(const CompileOptions& options);
int run_command(const RunOptions& options);
int explain_command(const ExplainOptions& options);

}  // namespace kasc::command
