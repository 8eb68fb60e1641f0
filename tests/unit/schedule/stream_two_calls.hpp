#pragma once
// A program of two calls, M = f(A); n = g(M);, with a library for them, made by hand.

#include <string>
#include <vector>

#include "unit/schedule/stream_made.hpp"

namespace kasc::test {

inline DeviceFunction function(const std::string& name, std::vector<Coordinate> coordinates) {
    DeviceFunction made;
    made.name = name;
    made.text = "__device__ inline void " + name + "();";
    made.coordinates = std::move(coordinates);
    return made;
}
inline Pattern starting(const std::string& start) {
    Pattern pattern;
    pattern.start = start;
    return pattern;
}

/// f: one argument, 8x1x1 threads. g: one argument, 2x2x1 threads. Both on elements of two words, 8 a block.
struct TwoCalls {
    Program program;
    Graph graph;
    Library library;
    SourceRef source;
    StreamTask task;
    const ValueId a{0}, b{1}, c{2};

    void make(TileTransfer transfer = TileTransfer::author, int batch = 1, BlockShape second = {2, 2, 1},
              bool compatible = false, bool narrow = false) {
        library.types.add({"pair", {2}, 2, {}});
        source = make_source("p.kas", "M = f(A);n = g(M);");
        for (const char* name : {"A", "M", "n"}) program.variables.add({name, {}, StreamShape{TypeId{0}}});
        for (std::uint32_t v = 0; v < 3; ++v) graph.values.add({VariableId{v}, 0, std::nullopt, {}});
        add_function("f_1", 0);
        add_function("g_1", 1);
        const int threads = thread_count(second);
        const AddressSet consumed = compatible ? interleaved(8, 2) : blocked(threads, 16 / threads);
        const AddressSet read = narrow ? reversed(8, 2) : interleaved(8, 2);
        task = task_of({call(0, "f_1", {8, 1, 1}, {a}, {read}, b, interleaved(8, 2)),
                        call(1, "g_1", second, {b}, {consumed}, c, consumed)},
                       {c}, 8, 2, transfer, batch);
        for (auto& [value, known] : task.values) known.name = value_name(graph, program, value);
    }
    void add_function(const std::string& name, std::uint32_t node) {
        Implementation how;
        how.name = name;
        how.loads.push_back(
            {function("d_" + name + "_load_1", {Coordinate::tx, Coordinate::bx}), TypeId{0}, starting("tx")});
        how.save = {function("d_" + name + "_save", {Coordinate::tx, Coordinate::ty, Coordinate::bx}), TypeId{0},
                    starting("ty*2+tx")};
        how.compute = function("d_" + name + "_compute", {Coordinate::tx, Coordinate::ty});
        how.inputs.push_back(starting("tx+" + name));
        how.output = starting("ty*2");
        how.macros = {{"#define TWO 2", {}}};
        Function made;
        made.name = name;
        made.arguments = {TypeId{0}};
        made.result = TypeId{0};
        made.implementations.push_back(std::move(how));
        const FunctionId id = library.functions.add(std::move(made));
        graph.nodes.add({{source, 9 * node, 9 * node + 9}, {ValueId{node}}, {ValueId{node + 1}}, StreamCall{id}});
    }

    [[nodiscard]] StreamSchedule scheduled() const {
        StreamScheduleResult made = arrange_stream(task);
        return made.value.value_or(StreamSchedule{});
    }
};

}  // namespace kasc::test
