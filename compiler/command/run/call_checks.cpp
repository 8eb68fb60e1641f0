#include "command/run/call_checks.hpp"

#include <algorithm>

#include "command/request.hpp"
#include "command/run/picture.hpp"
#include "runtime/files/check_places.hpp"
#include "runtime/files/output_place.hpp"
#include "runtime/files/replacement.hpp"

namespace kasc::command {

bool is_long_run(const RunOptions& options) { return !options.checkpoint.empty() || !options.restart.empty(); }

Diagnostics check_files(const RunOptions& options) {
    std::vector<runtime::CallFile> others = read_files(options.common);
    others.push_back({options.input, "the input file"});
    others.push_back({options.keep, "the folder that the source is kept in"});
    // Where a run goes on from a checkpoint, it may write the next in its place, but nothing else.
    if (options.checkpoint.empty() || !runtime::same_place(options.checkpoint, options.restart))
        others.push_back({options.restart, "the checkpoint that the run goes on from"});
    std::vector<runtime::CallFile> written{{options.output, "the output file"}};
    if (is_long_run(options))
        written.push_back(
            {runtime::ReplacementFile::lasting_path(options.output), "the output file while it is not finished"});
    written.push_back({options.checkpoint, "the checkpoint"});
    written.push_back({picture_file(options.picture), "the picture"});
    return runtime::check_places(written, others);
}

Diagnostics check_whole(const RunOptions& options, const RunBinding& bound, const std::vector<bool>& streamed) {
    const bool windows = std::any_of(bound.rows.begin(), bound.rows.end(), [](auto rows) { return rows != 0; });
    if (options.check && windows)
        return {flag_fault(
            "K0907", "--check compares whole arrays, and a series passes through memory row by row",
            {{{"--check"}, "leave {} out"}, {{"--checkpoint", "--restart", "--memory"}, "or leave {} out"}})};
    if (!options.picture.empty() && streamed.at(drawn_output(options.picture, bound.face)))
        return {flag_fault("K0907", "--picture draws a whole array, and this output is written row by row",
                           {{{"--picture"}, "draw it from the file, with kasc view, in place of {}"},
                            {{"--checkpoint", "--restart", "--memory"}, "or leave {} out"}})};
    return {};
}

}  // namespace kasc::command
