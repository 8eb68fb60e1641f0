#pragma once
// What the user asked for, read from the command line. Nothing here is checked against a program.

#include <map>
#include <optional>
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
    std::string plan;                     ///< empty: the search decides all
    std::string strategy = "exact";       ///< a name, or NAME:SEED
    std::optional<unsigned> seed;         ///< of the strategy
    std::string budget;                   ///< of the search: schedules, or seconds; empty: none
    std::string lists = "priced";         ///< how assignments to lists of cells run: priced, kernels, cells
    std::string graph = "priced";         ///< loops' launches as CUDA graphs: never, priced, always
    std::vector<std::string> no_rewrite;  ///< rules that leave the program as it is, or "all"
    std::vector<std::string> rewrite;     ///< rules that are off unless asked for
    std::string steps = "best";           ///< of a loop in one kernel: a number, or as many as are predicted best
    bool no_callbacks = false;            ///< transforms store their results, and compute nothing
    bool no_last_blocks = false;          ///< what completes a sum is a kernel, or each block's own
    int max_fusion = 512;
    DiagnosticsFormat diagnostics = DiagnosticsFormat::text;
};

/// Take the best measured plan in place of the best predicted one.
struct TunedOptions {
    bool wanted = false;
    std::string database;  ///< empty: the user's own
};

/// How transforms are decomposed over processes.
struct BasisOptions {
    std::string basis = "global";  ///< or local:N, with overlaps of N cells
    std::string blocks;            ///< 2x2x2; empty: chosen
};

struct CompileOptions {
    CommonOptions common;
    std::string output;
    std::size_t top = 1;
    std::string emit;             ///< a stage to print in place of writing files
    std::string format = "text";  ///< of --emit space
    TunedOptions tuned;
    std::string target = "cuda";
    bool force = false;   ///< replace files of the folder that are not as kasc wrote them
    bool timing = false;  ///< say how long the passes took
};

struct RunOptions {
    CommonOptions common;
    std::string input, output;
    std::string target = "auto";
    bool check = false;
    std::string picture;              ///< NAME=FILE.png, .svg, .pdf
    std::string keep;                 ///< a folder for the emitted files
    std::string checkpoint, restart;  ///< files; empty: none
    std::string every = "10m";        ///< between checkpoints
    std::string memory;               ///< that arrays may take; empty: what is free
    int ranks = 1;                    ///< GPUs that share the work
    std::string share = "priced";     ///< among them: priced, always
    BasisOptions basis;
    std::vector<std::string> allow;  ///< faults of the data that are warnings, as names_of_allowed() has them
    bool no_cache = false;           ///< what was built before is built again
    std::string timing;              ///< of the phases: text, json; empty: nothing is told
    TunedOptions tuned;
};

struct ExplainOptions {
    CommonOptions common;
    std::string input;  ///< HDF5; empty: none
    std::string format = "text";
    std::string page;      ///< HTML; empty: none
    std::string database;  ///< of what was measured; empty: the user's own
    bool timing = false;   ///< say how long the passes took
    int ranks = 1;         ///< that would share the run
    std::string share = "priced";
    BasisOptions basis;
};

struct TuneOptions {
    CommonOptions common;
    std::string input;  ///< HDF5; empty: random data
    std::string target = "cuda";
    std::size_t top = 50;
    std::size_t spread = 0;  ///< so many of them, evenly through their order; 0: all
    std::string database;
    int jobs = 0;  ///< compilers at a time; 0: one a core
    int repeats = 20;
    int limit_seconds = 120;  ///< for building one plan, and for one run of it
    std::string export_file;
    std::string format = "text";
    bool no_cache = false;
    std::string timing;  ///< of the phases: text, json; empty: nothing is told
};

struct CheckLibOptions {
    std::vector<std::string> folders;    ///< empty: kasc's own library
    std::vector<std::string> libraries;  ///< that the folders rest on; not checked
    std::vector<std::string> functions;  ///< empty: all
    std::string format = "text";
    bool no_cache = false;
    DiagnosticsFormat diagnostics = DiagnosticsFormat::text;
};

/// Pictures of what a file holds.
struct ViewOptions {
    std::string file;
    std::vector<std::string> datasets;  ///< empty: what there is to see
    bool list = false;                  ///< no pictures
    std::string output = ".";           ///< a folder, or the one picture
    std::string grid;                   ///< a file with dt, dx, dy, dz; empty: the file itself
    std::string as;                     ///< slice, planes, traces; empty: as suits the data
    std::string axis;                   ///< that a field of three is cut across; empty: all, the last
    std::string at = "peak";            ///< an index, three, "middle", "peak"
    std::vector<std::string> sensors;   ///< of traces: 0, 3-5; empty: all
    std::string range;                  ///< LOW:HIGH of the colours or curves; empty: the data's
    std::string colours;                ///< heat, balance, grey; empty: by the signs of the data
    std::string unit;                   ///< of the values; empty: as the file says, or by k-Wave's names
    std::vector<std::string> spacing;   ///< of axes: x=1mm
    std::string movie;                  ///< a file, in place of pictures; empty: none
    double fps = 25;                    ///< frames of a movie in a second
    DiagnosticsFormat diagnostics = DiagnosticsFormat::text;
};

struct BenchOptions {
    std::vector<std::string> libraries;
    std::string function;  ///< empty: all
    std::string output;    ///< empty: standard output
    std::vector<int> elements{32, 64, 96, 128, 192, 256};
    std::string target = "cuda";
    int size = 0;  ///< elements of the streams; 0: the target's default
    int repeats = 10;
    int jobs = 0;
    bool no_cache = false;
    DiagnosticsFormat diagnostics = DiagnosticsFormat::text;
};

/// One command for many programs.
struct BatchOptions {
    std::vector<std::string> programs;  ///< programs (.kas), and lists of them
    std::vector<std::string> command;   ///< explain, tune … and its options
    std::string output;                 ///< JSON lines; empty: standard output
    int jobs = 1;                       ///< processes at a time
    int limit_seconds = 0;              ///< for one program; 0: none
    DiagnosticsFormat diagnostics = DiagnosticsFormat::text;
};

/// What is kept of what was built.
struct CacheOptions {
    bool clear = false;
    std::string size;  ///< that it is brought down to; empty: it stays as it is
    std::string format = "text";
    DiagnosticsFormat diagnostics = DiagnosticsFormat::text;
};

/// Programs in the layout of kasc's examples.
struct FormatOptions {
    std::vector<std::string> files;  ///< "-": from standard input to standard output
    bool check = false;              ///< change nothing, say which are not formatted
    DiagnosticsFormat diagnostics = DiagnosticsFormat::text;
};

/// What the server of the language begins with; the editor may give more.
struct LspOptions {
    std::vector<std::string> libraries;
    std::string device;  ///< empty: the command's default
    std::vector<std::string> settings;
    bool stdio = true;
};

int compile_command(const CompileOptions& options);
int run_command(const RunOptions& options);
int explain_command(const ExplainOptions& options);
int bench_command(const BenchOptions& options);
int tune_command(const TuneOptions& options);
int check_lib_command(const CheckLibOptions& options);
int view_command(const ViewOptions& options);
int cache_command(const CacheOptions& options);
int batch_command(const BatchOptions& options);
int format_command(const FormatOptions& options);
int lsp_command(const LspOptions& options);

}  // namespace kasc::command
