#pragma once
// Graphs drawn at random, of streams and of fields.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <set>

#include "graph/graph.hpp"
#include "model/device/device.hpp"
#include "model/prediction.hpp"
#include "unit/graph/program_builder.hpp"

namespace kasc::test {

/// Calls drawn at random, each of some of the last values of its types.
struct RandomCalls {
    RandomCalls(unsigned seed, int calls) {
        b.library = *read_library({std::string(KASC_SOURCE_DIR) + "/elementlib"}).value;
        device = *read_device("h100", std::string(KASC_SOURCE_DIR) + "/devices").value;
        std::mt19937 random(seed);
        std::map<std::string, std::vector<VariableId>> values;
        std::vector<VariableId> inputs;
        for (const char* type : {"matrix3x3", "vector3", "scalar"}) {
            for (int k = 0; k < 2; ++k) {
                inputs.push_back(b.stream(std::string(type, 1) + std::to_string(k), type));
                values[type].push_back(inputs.back());
            }
        }
        b.input(inputs);
        const std::vector<std::string> names{"mmul33", "madd33", "mvmul33", "vadd3",
                                             "vdot3",  "svmul3", "smmul33", "sadd"};
        std::set<VariableId> unread;
        for (int k = 0; k < calls; ++k) {
            const std::string& name = names[random() % names.size()];
            const Function& function = b.library.functions[*b.library.find_function(name)];
            std::vector<VariableId> arguments;
            for (const TypeId type : function.arguments) {
                const auto& of_type = values[b.library.types[type].name];
                const std::size_t last = std::min<std::size_t>(3, of_type.size());
                arguments.push_back(of_type[of_type.size() - 1 - random() % last]);
                unread.erase(arguments.back());
            }
            const std::string& type = b.library.types[function.result].name;
            const VariableId result = b.stream("x" + std::to_string(k), type);
            b.call(result, name, arguments);
            values[type].push_back(result);
            unread.insert(result);
        }
        program = b.output({unread.begin(), unread.end()});
        graph = *build_graph(program).value;
    }
    ProgramBuilder b;
    Device device;
    Program program;
    Graph graph;
};

/// Statements over fields drawn at random: each of two or three of the last values, some of them at a neighbour.
struct RandomFields {
    /// `made`: of the sum of what is read, the value of a call.
    RandomFields(unsigned seed, int calls, const std::string& axes, const std::string& type, long long extent,
                 const std::string& made = "{}") {
        device = *read_device("h100", std::string(KASC_SOURCE_DIR) + "/devices").value;
        std::mt19937 random(seed);
        std::string declared = "a, b", text, asked;
        const auto name = [](int k) { return k < 0 ? std::string(k == -1 ? "a" : "b") : fmt::format("v{}", k); };
        std::set<int> unread;
        for (int k = 0; k < calls; ++k) {
            std::string sum = "2";
            const int terms = 2 + static_cast<int>(random() % 2);
            for (int t = 0; t < terms; ++t) {
                const int from = std::max(-2, k - 1 - static_cast<int>(random() % 4));
                unread.erase(from);
                sum += " + 3 * " + name(from);
                if (random() % 3 == 0) sum += fmt::format("[{} - 1]", axes[random() % axes.size()]);
            }
            text += name(k) + " = " + fmt::format(fmt::runtime(made), sum) + ";\n";
            unread.insert(k);
        }
        std::string fields;
        for (int k = -2; k < calls; ++k)
            fields += fmt::format("{}{}[{}] boundary periodic", k == -2 ? "" : ", ", name(k), fmt::join(axes, ", "));
        for (const int k : unread) asked += (asked.empty() ? "" : ", ") + name(k);
        text = fmt::format("{} {};\ninput a, b;\n{}return {};\n", type, fields, text, asked);
        program = *read_program(make_source("random.kas", text), library).value;
        graph = *build_graph(program).value;
        problem = planned_problem(program);
        problem.extents.assign(axes.size(), extent);
    }
    Library library;
    Device device;
    Program program;
    Graph graph;
    Problem problem;
};

}  // namespace kasc::test
