#pragma once
// A program as text with its data, as a run has them.

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "frontend/evaluate.hpp"
#include "frontend/program.hpp"
#include "stability/stability.hpp"

namespace kasc::test {

class StabilityCase {
public:
    explicit StabilityCase(const std::string& text) {
        auto program = read_program(make_source("case.kas", text), Library{});
        EXPECT_TRUE(program) << render_text(program.diagnostics);
        if (!program) return;
        program_ = std::move(*program.value);
        for (const Parameter& p : program_.parameters) {
            parameters_.push_back(p.fallback ? evaluate(*p.fallback, parameters_)
                                             : std::numeric_limits<double>::quiet_NaN());
        }
        extents_.assign(program_.axes.size(), 1);
    }

    StabilityCase& extent(const std::string& axis, long long extent) {
        for (const AxisId id : program_.axes.ids()) {
            if (program_.axes[id].name == axis) extents_[id.index] = extent;
        }
        return *this;
    }
    StabilityCase& extents(long long extent) {
        extents_.assign(program_.axes.size(), extent);
        return *this;
    }
    /// As --set does: the fallback becomes the number.
    StabilityCase& set(const std::string& name, double value) {
        std::vector<double> values;
        for (Parameter& p : program_.parameters) {
            if (p.name == name)
                p.fallback = std::make_shared<const Expression>(Expression{Literal{value}, p.kind, p.span});
            values.push_back(evaluate(*p.fallback, values));
        }
        parameters_ = values;
        return *this;
    }
    /// All cells of an input; extents first. Inputs are 1 without it.
    StabilityCase& fill(const std::string& input, float value) {
        for (float& word : data(input)) word = value;
        return *this;
    }
    /// The words of an input, the first axis fastest.
    std::vector<float>& data(const std::string& input) {
        allocate();
        for (std::size_t i = 0; i < program_.inputs.size(); ++i) {
            if (program_.variables[program_.inputs[i]].name == input) return data_[i];
        }
        throw std::invalid_argument("no input " + input);
    }

    Diagnostics check() {
        allocate();
        const auto graph = build_graph(program_);
        EXPECT_TRUE(graph) << render_text(graph.diagnostics);
        if (!graph) return {};
        std::vector<const void*> inputs;
        for (const auto& words : data_) inputs.push_back(words.data());
        return check_stability(program_, *graph, parameters_, extents_, inputs);
    }
    /// The messages, one a line.
    /// 0 where none is known.
    double largest_stable_step() {
        allocate();
        const auto graph = build_graph(program_);
        EXPECT_TRUE(graph);
        std::vector<const void*> inputs;
        for (const auto& words : data_) inputs.push_back(words.data());
        const auto limit = kasc::largest_stable_step(program_, *graph, parameters_, extents_, inputs);
        return limit ? limit->value : 0;
    }
    /// What decides whether the step is stable, without any input and without parameters that have no value.
    [[nodiscard]] std::string deciding() const {
        const auto graph = build_graph(program_);
        EXPECT_TRUE(graph);
        const auto unknown = unknowns_that_decide(program_, *graph, parameters_, extents_,
                                                  std::vector<const void*>(program_.inputs.size(), nullptr));
        std::string names;
        for (const VariableId v : unknown.inputs) names += (names.empty() ? "" : " ") + program_.variables[v].name;
        for (const ParameterId p : unknown.parameters) names += " " + program_.parameters[p].name;
        return names;
    }
    std::string messages() {
        std::string all;
        for (const Diagnostic& d : check()) all += d.message + "\n";
        return all;
    }

private:
    void allocate() {
        if (!data_.empty()) return;
        for (const VariableId id : program_.inputs) {
            long long words = 1;
            for (const AxisId axis : field_shape(program_, id).axes) words *= extents_[axis.index];
            data_.emplace_back(static_cast<std::size_t>(words), 1.0F);
        }
    }

    Program program_;
    std::vector<double> parameters_;
    std::vector<long long> extents_;
    std::vector<std::vector<float>> data_;
};

/// The message of the warning.
[[nodiscard]] inline std::string exceeds(const std::string& name, const std::string& value, const std::string& limit) {
    return "the step " + name + " = " + value + " is likely unstable: the largest stable is " + limit + "\n";
}
/// The same where no step is stable.
[[nodiscard]] inline std::string grows_at_any(const std::string& name, const std::string& value) {
    return "the step " + name + " = " + value +
           " is likely unstable: waves grow at any, the slower the smaller it is\n";
}

}  // namespace kasc::test
