#pragma once
// A built program: loading it and calling it (see entry.hpp for the contract with emitted code).

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "foundation/outcome.hpp"
#include "runtime/runs/entry.hpp"

namespace kasc::runtime {

struct Entry {
    std::string program;
    std::shared_ptr<void> library;  ///< keeps the code loaded
    kasc_entry_function function = nullptr;
};

/// Symbol <program>_entry. K0804.
[[nodiscard]] Outcome<Entry> load_entry(const std::string& library, const std::string& program);

/// Who has an array of the host where several processes run a plan: rank 0 all of it, each all of it, or each its part,
/// at its place in memory that has room for the whole.
enum class HeldBy { first, each, parts };

struct EntryArguments {
    std::vector<long long> extents;
    std::vector<double> parameters;
    std::vector<const void*> inputs;
    std::vector<void*> outputs;
    std::function<bool(long long done, long long total)> go_on;  ///< after each step; false asks to stop; may be empty
    bool resident = false;          ///< of a walked plan: arrays in the target's own memory
    std::vector<long long> rows{};  ///< of a run in pieces: by series, rows in memory at a time or 0; empty: all whole
    void* stream = nullptr;  ///< of resident arrays on a GPU: the caller's, in which all is done (open_cuda_device)
    std::vector<HeldBy> inputs_held{}, outputs_held{};  ///< of several processes; empty: rank 0 has all
};

/// What emitted code takes: views of arguments that outlive it.
[[nodiscard]] kasc_entry_call call_of(const EntryArguments& arguments);

struct RunReport {
    double seconds = 0;         ///< the whole call, copies included
    double kernel_seconds = 0;  ///< the kernels alone
};

/// What went wrong, from the status of a call and its message (see entry.hpp).
[[nodiscard]] Diagnostic run_fault(const std::string& program, int status, const std::string& message);

/// K0811 the input is at fault, K0812 the device failed, K0813 a check failed, K0814 stopped on request, K0815 a
/// reference that the library does not have, K0810 else.
[[nodiscard]] Outcome<RunReport> invoke(const Entry& entry, const EntryArguments& arguments);

}  // namespace kasc::runtime
