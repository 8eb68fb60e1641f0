#pragma once
// A checkpoint: where a run stands, its state, and what it belongs to, in an HDF5 file. The state is by variable, so
// any plan of the program goes on from it. Everything in it is covered by a digest: a file that was cut short or
// changed is refused, never used. The attribute kasc_checkpoint is JSON:
//
//   {"identity": [["kasc", "0.1.0"], ["parameters", "dt=0.1,steps=600"], …], "loop": 0, "iteration": 120,
//    "done": 120, "total": 600, "state": [{"name": "T.1", "type": 0, "shape": [32, 32, 32], "digest": "…"}, …],
//    "series": [{"name": "movie", "rows": 120, "digest": "…"}], "places": [2048, …], "output_bytes": 4202496}

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "foundation/outcome.hpp"
#include "runtime/array.hpp"
#include "runtime/hdf5/read_datasets.hpp"
#include "runtime/processes/communicator.hpp"
#include "runtime/runs/held_rows.hpp"
#include "runtime/runs/piecewise_run.hpp"

namespace kasc::runtime {

/// What a checkpoint belongs to, word by word: what it is, its value.
using Identity = std::vector<std::pair<std::string, std::string>>;

/// Rows of an output that stand in the output's file already.
struct SeriesSoFar {
    std::string name;
    long long rows = 0;  ///< from the first that is assigned
    std::string digest;
};

struct CheckpointHead {
    struct Array {
        std::string name;
        WordType type = WordType::float32;
        Shape shape;
        std::string digest;
    };
    Identity identity;
    long long loop = 0, iteration = 0;  ///< of the program's loops; iterations of it that are done
    long long done = 0, total = 0;      ///< iterations of all outermost loops
    std::vector<SeriesSoFar> series;
    std::vector<std::uint64_t> places;  ///< of the output file's arrays; empty: nothing is streamed
    std::uint64_t output_bytes = 0;
    std::vector<Array> state;  ///< written: of the run
};

/// The file appears whole or not at all; one that is there stays until then. `shapes`: by array of the run's state, of
/// the dataset. K0720, K0721, and what the run says.
[[nodiscard]] Diagnostics write_checkpoint(const std::string& path, CheckpointHead head, PiecewiseRun& run,
                                           const std::vector<Shape>& shapes);

struct Checkpoint {
    CheckpointHead head;
    LoadedArrays state;  ///< in the order of head.state
};

/// K0840: it cannot be read, is none, or is damaged. Ends in a value or that for any bytes.
[[nodiscard]] Outcome<Checkpoint> read_checkpoint(const std::string& path);
/// The same in two calls: what it says of itself, and its arrays. `held`: what this process reads of each, where it
/// belongs in an array of the whole size; all have those that are none of it. Then all processes make the call.
[[nodiscard]] Outcome<CheckpointHead> read_head(const std::string& path);
[[nodiscard]] Outcome<LoadedArrays> read_state(const std::string& path, const CheckpointHead& head,
                                               const HeldArrays& held = {}, Communicator* processes = nullptr);
/// An array of it as the run has it; null: it is not among them.
[[nodiscard]] const void* find_state(const Checkpoint& checkpoint, const StateArray& array);
/// The first thing in which it differs; K0841.
[[nodiscard]] Diagnostics check_identity(const std::string& path, const Identity& of_checkpoint,
                                         const Identity& of_run);

/// Requires: the run was advanced by 0. `done`: the checkpoint's iteration, as this plan counts. K0842: the plan needs
/// what the checkpoint lacks.
[[nodiscard]] Diagnostics restore(const std::string& path, const Checkpoint& checkpoint, long long done,
                                  PiecewiseRun& run);

}  // namespace kasc::runtime
