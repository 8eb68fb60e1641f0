#pragma once
// What candidates are run on, and what they must compute.

#include <filesystem>
#include <functional>

#include "engine/binding.hpp"
#include "runtime/runs/measure.hpp"

namespace kasc::command {

struct TuneData {
    std::vector<runtime::RawArray> inputs, outputs;
    bool has_reference = true;  ///< false: a function has none, and the outputs' files hold zeros
};

struct TuneDataRequest {
    const runtime::ProgramInterface& face;
    const std::vector<long long>& extents;
    const std::vector<double>& parameters;
    const runtime::LoadedArrays* given = nullptr;         ///< null: random data, of which
    const std::vector<std::vector<std::byte>>& integers;  ///< these are drawn: words by input, none of reals
    std::string reference_library;                        ///< with <program>_reference_entry
    std::filesystem::path folder;                         ///< for the files
    std::function<bool()> stop;                           ///< asked some times a second
};

/// Random reals are integers from -2 to 2 for streams, so that sums and products are exact, and lie between 0.5 and 1.5
/// for fields, which keeps iterations tame; the same at every call. They are made by a process of their own: what the
/// reference does to it, and threads that it starts, leave this one as it is. K0722 no room for the files; the
/// reference's K08; K0814 it was stopped. Requires: inputs of integers are given
/// or drawn.
[[nodiscard]] Outcome<TuneData> make_tune_data(const TuneDataRequest& request);

}  // namespace kasc::command
