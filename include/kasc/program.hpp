#pragma once
// A program that is called: read once, planned and built for the sizes that it meets, run on arrays where they lie.
//
//     auto program = api::Program::read("float u[x]; input u; u = 2 * u; return u;", "twice.kas", {});
//     auto machine = api::find_machine("auto");
//     auto plans = program.value->plan(*machine.value, {{1024}, {}});
//     auto code = plans.value->build(0);
//     code.value->call({{in}, {out}, {}});
//
// Values are handles of what is made once and never changed: copies share it, and any number of threads may use them at
// a time; calls of one Code follow each other.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kasc/kasc.hpp"

namespace kasc::api {

/// What there is to say of a step, and what it made; none: `diagnostics` say why.
template <class T>
struct Made {
    std::optional<T> value;
    std::string diagnostics;       ///< errors and warnings as text, with place and help; empty: nothing to say
    std::string diagnostics_json;  ///< the same as a JSON array
};

/// What an array holds, numbered as in the headers of emitted programs.
enum class Word { float32, float64, int32, uint8, complex64, complex128, float16, bfloat16, int64 };

/// An input or output. Streams: (N, element…) words. Fields: the axes reversed, so that the first axis of the program
/// is contiguous. A field whose cells have a shape has an array for each word.
struct Array {
    std::string name;               ///< "T"; of a word of a cell "u_x"
    std::vector<std::size_t> axes;  ///< fields: among Interface::axes
    std::vector<int> element;       ///< streams: shape of an element
    Word type = Word::float32;
    std::string field;      ///< of a word of a cell: "u"; else empty
    std::vector<int> cell;  ///< its cells' shape
    std::size_t word = 0;   ///< which of their words
    bool soa = false;       ///< the field is declared with layout(soa)
};

struct Parameter {
    std::string name;
    bool integer = false;
    bool has_value = false;  ///< without one the call must give it
};

struct Interface {
    std::string name;
    bool stream = false;
    std::vector<std::string> axes;
    std::vector<Parameter> parameters;
    std::vector<Array> inputs, outputs;
};

/// What code is built for and runs on.
struct Machine {
    Target target = Target::cpu;
    std::string device = "cpu";  ///< whose plans are made: h100, h200, a100, cpu
    int compute_capability = 0;  ///< 90 stands for 9.0; of a GPU
    std::string name;            ///< "NVIDIA H100 80GB HBM3", or the processor's own
};
/// `target`: auto, cuda or cpu; auto takes a GPU where there is one, and NVRTC.
[[nodiscard]] Made<Machine> find_machine(const std::string& target);

/// A call: addresses in the order of the interface, numbers in that of its parameters.
struct Call {
    std::vector<const void*> inputs;
    std::vector<void*> outputs;  ///< overlap no input
    std::vector<double> parameters;
    bool on_device = false;  ///< the addresses are of the GPU's memory; on a CPU there is no other than the host's
    bool checked = true;     ///< arrays of the host are held against what the program asks of them
    /// On the device, a CUstream of the caller in which all is done, nothing waits and no time is taken; 1 is the
    /// default stream, as CUDA has it. Null: one of the code's own, and the call waits for the results.
    void* stream = nullptr;
};

/// A plan that was built.
class Code {
public:
    /// Computes all outputs. Seconds of the kernels; 0 in a stream of the caller's, which has not come to them yet.
    [[nodiscard]] Made<double> call(const Call& call) const;

    struct State;
    explicit Code(std::shared_ptr<State> state) : state_(std::move(state)) {}

private:
    std::shared_ptr<State> state_;
};

/// A plan that was run: quartiles of its times.
struct Timed {
    std::size_t plan = 0;
    double median_ns = 0, low_ns = 0, high_ns = 0;
};

/// The best plans of a program for some sizes and a machine.
class Plans {
public:
    [[nodiscard]] std::size_t size() const;
    [[nodiscard]] double predicted_ns(std::size_t plan) const;
    [[nodiscard]] std::string text(std::size_t plan) const;    ///< as Options::plan takes it (docs/plans.md)
    [[nodiscard]] std::string report(std::size_t plan) const;  ///< what was fused and why, a few lines
    [[nodiscard]] Made<std::vector<File>> files(std::size_t plan) const;
    [[nodiscard]] std::string explanation() const;  ///< of the first plan: what was fused, what not, and why
    [[nodiscard]] std::string explanation_json() const;
    /// The explorer page, one HTML file (docs/explorer.md). Requires: planned with all candidates kept.
    [[nodiscard]] Made<std::string> page(const std::vector<Timed>& timed = {}) const;
    /// The fusions and candidates that were priced, as JSON. Requires: planned with all of them kept.
    [[nodiscard]] std::string space_json() const;
    /// By the machine's own compiler or NVRTC, or out of the cache.
    [[nodiscard]] Made<Code> build(std::size_t plan) const;

    struct State;
    explicit Plans(std::shared_ptr<const State> state) : state_(std::move(state)) {}

private:
    std::shared_ptr<const State> state_;
};

/// Sizes of a run.
struct Sizes {
    std::vector<long long> extents;  ///< by axis; streams: {elements}
    std::vector<double> parameters;
};

/// A program that is understood.
class Program {
public:
    /// Options::settings are those of options, parameters and extents that are the same in all calls.
    [[nodiscard]] static Made<Program> read(const std::string& source, const std::string& name,
                                            const Options& options = {});

    [[nodiscard]] const Interface& interface() const;
    /// All parameters and extents where these are known, by name; of a stream the extent "n".
    [[nodiscard]] Made<Sizes> sizes(const std::map<std::string, double>& parameters,
                                    const std::map<std::string, long long>& extents) const;
    /// The best plans, as many as Options::plans or two, and all that was priced besides where `keep_all`.
    [[nodiscard]] Made<Plans> plan(const Machine& machine, const Sizes& sizes, bool keep_all = false) const;

    struct State;
    explicit Program(std::shared_ptr<const State> state) : state_(std::move(state)) {}

private:
    std::shared_ptr<const State> state_;
};

}  // namespace kasc::api
