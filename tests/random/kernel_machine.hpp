#pragma once
// Runs one kernel of the IR block by block in checking mode: what stands in the kernel is interpreted, the library
// functions that it calls are compiled code.

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "random/device_code.hpp"

namespace kasc::random {

class KernelMachine {
public:
    KernelMachine(const kernel::Kernel& kernel, const DeviceCode& code);
    KernelMachine(const KernelMachine&) = delete;

    /// `arrays` by the parameters' values: kasc_arrays of the code. `integers`: parameters that the host computes.
    void run(const std::map<ValueId, void*>& arrays, long long elements,
             const std::function<long long(const ExpressionRef&)>& integers);

private:
    using Number = std::function<std::int64_t()>;
    using Action = std::function<void()>;
    struct Place {
        Pointer pointer;                ///< global and shared arrays
        void* private_array = nullptr;  ///< else each thread's own
    };

    const kernel::Kernel& kernel_;
    const DeviceCode& code_;
    const CheckedMemory& memory_;
    std::map<std::string, std::size_t> number_slots_, place_slots_;
    std::vector<std::int64_t> numbers_;
    std::vector<Place> places_;
    std::vector<void*> private_arrays_;  ///< of the block that runs
    std::vector<int> order_;
    std::vector<Action> body_;
    std::vector<Number> grid_;
    void* block_ = nullptr;
    int thread_ = 0;
    std::array<int, 3> group_{};

    std::size_t number_slot(const std::string& name);
    std::size_t place_slot(const std::string& name);
    Number number(const kernel::ExprRef& e);
    Number binary(const kernel::Binary& e);
    std::vector<Action> actions(const kernel::Body& body);
    Action action(const kernel::Statement& statement);
    Action call(const kernel::Call& call);
    Action stage(const kernel::Stage& stage);
    std::function<Pointer()> argument(const std::string& array, const kernel::ExprRef& offset);
    Action threads(const kernel::Threads& region);
    void run_block();
};

}  // namespace kasc::random
