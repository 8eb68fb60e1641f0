#include "random/program_run.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

#include "frontend/evaluate.hpp"
#include "random/kernel_machine.hpp"

namespace kasc::random {

namespace {

std::size_t words_of(const Program& program, const Library& library, VariableId variable) {
    return static_cast<std::size_t>(library.types[std::get<StreamShape>(program.variables[variable].shape).type].words);
}

/// Statement by statement, each for all elements.
class Reference {
public:
    Reference(const Program& program, const Library& library, const DeviceCode& code, const RunCase& run)
        : program_(program), library_(library), code_(code), run_(run) {
        for (const VariableId v : program.variables.ids())
            values_.emplace_back(words_of(program, library, v) * static_cast<std::size_t>(run.elements));
        for (std::size_t i = 0; i < program.inputs.size(); ++i) {
            Words& to = values_[program.inputs[i].index];
            std::copy_n(run.inputs[i].begin(), to.size(), to.begin());
        }
    }

    std::vector<Words> run() {
        statements(program_.statements);
        std::vector<Words> outputs;
        for (const VariableId v : program_.outputs) outputs.push_back(values_[v.index]);
        return outputs;
    }

private:
    const Program& program_;
    const Library& library_;
    const DeviceCode& code_;
    const RunCase& run_;
    std::vector<Words> values_;  ///< by variable

    void statements(const std::vector<Statement>& all) {
        for (const Statement& s : all) {
            if (const auto* call = std::get_if<CallStatement>(&s)) {
                run_call(*call);
            } else {
                const LoopStatement& loop = *std::get<std::shared_ptr<const LoopStatement>>(s);
                const double end = evaluate(*loop.to, run_.parameters);
                for (double i = evaluate(*loop.from, run_.parameters); i < end; ++i) statements(loop.body);
            }
        }
    }
    void run_call(const CallStatement& call) {
        const ReferenceFunction function = code_.reference(call.callee);
        const std::size_t words = words_of(program_, library_, call.target);
        Words result(values_[call.target.index].size());
        for (std::size_t e = 0; e < static_cast<std::size_t>(run_.elements); ++e) {
            std::array<const float*, 16> arguments{};
            for (std::size_t k = 0; k < call.arguments.size(); ++k)
                arguments.at(k) =
                    values_[call.arguments[k].index].data() + e * words_of(program_, library_, call.arguments[k]);
            function(arguments.data(), result.data() + e * words);
        }
        values_[call.target.index] = std::move(result);
    }
};

class PlanMachine {
public:
    PlanMachine(const Program& program, const Library& library, const HostPlan& plan, const DeviceCode& code,
                const RunCase& run)
        : plan_(plan), memory_(code.memory()), run_(run) {
        memory_.begin_run(run.seed);
        for (const Slot& slot : plan.slots) {
            const auto words = static_cast<long long>(words_of(program, library, slot.variable)) * run.elements;
            arrays_.push_back(memory_.array_new(slot.name.c_str(), words));
            if (const auto* in = std::get_if<InputStorage>(&slot.storage))
                memory_.array_fill(arrays_.back(), run.inputs[in->position].data(), words);
        }
        for (const kernel::Lowered& lowered : plan.kernels)
            kernels_.push_back(std::make_unique<KernelMachine>(lowered.alternatives.front(), code));
        for (const VariableId v : program.outputs)
            result_.outputs.emplace_back(words_of(program, library, v) * static_cast<std::size_t>(run.elements));
    }
    ~PlanMachine() {
        for (void* array : arrays_) memory_.array_delete(array);
    }
    PlanMachine(const PlanMachine&) = delete;

    PlanRun run() {
        steps(plan_.steps);
        result_.fault = memory_.fault();
        return std::move(result_);
    }

private:
    const HostPlan& plan_;
    const CheckedMemory& memory_;
    const RunCase& run_;
    std::vector<void*> arrays_;  ///< by slot; loops make them change places
    std::vector<std::unique_ptr<KernelMachine>> kernels_;
    PlanRun result_;

    [[nodiscard]] void* array(SlotId slot) const { return arrays_.at(slot.index); }

    void steps(const std::vector<HostStep>& all) {
        for (const HostStep& s : all) std::visit([this](const auto& step) { take(step); }, s.what);
    }
    void take(const LaunchStep& step) {
        std::map<ValueId, void*> arrays;
        for (const auto& [value, slot] : step.arrays) arrays[value] = array(slot);
        kernels_.at(step.kernel)->run(arrays, run_.elements, [this](const ExpressionRef& e) {
            return static_cast<long long>(evaluate(*e, run_.parameters));
        });
        if (result_.bytes.contains(step.kernel)) return;
        std::set<void*> touched;
        for (const auto& [value, array] : arrays) touched.insert(array);
        for (void* array : touched)
            result_.bytes[step.kernel] += 4.0 * static_cast<double>(memory_.array_touched(array));
    }
    void take(const TransformStep&) { throw std::logic_error("streams have no transforms"); }
    void take(const LoopStep& step) {
        const double end = evaluate(*step.to, run_.parameters);
        for (double i = evaluate(*step.from, run_.parameters); i < end; ++i) {
            steps(step.body);
            for (const auto& [a, b] : step.swaps) std::swap(arrays_.at(a.index), arrays_.at(b.index));
        }
    }
    void take(const CopyStep& step) {
        if (array(step.to) != array(step.from)) memory_.array_copy(array(step.to), array(step.from));
    }
    void take(const ZeroStep& step) { memory_.array_zero(array(step.slot)); }
    void take(const DeliverStep& step) {
        Words& to = result_.outputs.at(step.position);
        memory_.array_read(array(step.slot), to.data(), static_cast<long long>(to.size()));
    }
};

}  // namespace

std::vector<Words> run_reference(const Program& program, const Library& library, const DeviceCode& code,
                                 const RunCase& run) {
    return Reference(program, library, code, run).run();
}

PlanRun run_plan(const Program& program, const Library& library, const HostPlan& plan, const DeviceCode& code,
                 const RunCase& run) {
    return PlanMachine(program, library, plan, code, run).run();
}

}  // namespace kasc::random
