// mmul33_2 with 64 elements a block becomes, on CUDA (on the CPU the threads of a block are a loop):
//
//   namespace e64 {
//   void load(n, in0, in1, out)        { shared s0[576], s1[576]; loads; if (n < 0) out[…] = s0[…] + … }
//   void compute(n, rounds, in0, …)    { shared s0, s1, r[576]; loads; for rounds: compute; if (n < 0) out[…] = r[…] }
//   void save(n, out)                  { shared r[576] = thread; save }
//   }
//   int kasc_bench(call)               { if (call->elements == 64 && call->phase == 0) return launch(e64::load, …); … }
//
// n is never negative, which no compiler knows: so nothing that was computed can be left out.

#include "tune/bench_source.hpp"

#include <algorithm>
#include <set>

#include "emit/kernel_text.hpp"
#include "patterns/expression.hpp"
#include "search/element_numbers.hpp"

namespace kasc::tune {

namespace {

constexpr const char* own_file = "bench";
constexpr int largest_shared_bytes = 48 * 1024;  // static shared memory, as for emitted kernels

class Printer {
public:
    Printer(const Library& library, const Function& function, const Implementation& implementation, emit::Target target)
        : library_(library), function_(function), implementation_(implementation), target_(target) {}

    std::optional<BenchSource> run(std::vector<int> wanted) {
        if (!implementation_.faults.empty()) return std::nullopt;
        std::sort(wanted.begin(), wanted.end());
        std::vector<EnumeratedImplementation> blocks;
        Enumerations enumerations(library_);
        const auto add = [&](const std::vector<int>& numbers) {
            for (const int elements : numbers) {
                const auto& found = enumerations.of(implementation_, elements).value;
                const bool again = found && std::any_of(blocks.begin(), blocks.end(),
                                                        [&](const auto& b) { return b.elements == found->elements; });
                if (found && !again && shared_bytes(found->elements) <= largest_shared_bytes) blocks.push_back(*found);
            }
        };
        add(wanted);
        if (blocks.empty()) {
            std::vector<int> own = ElementNumbers(enumerations).of(implementation_);
            std::sort(own.begin(), own.end());
            add(own);
        }
        if (blocks.empty()) return std::nullopt;
        header();
        BenchSource source;
        for (const EnumeratedImplementation& block : blocks) {
            kernels(block);
            source.elements.push_back(block.elements);
        }
        entry(blocks);
        source.text = out_.take();
        return source;
    }

private:
    const Library& library_;
    const Function& function_;
    const Implementation& implementation_;
    emit::Target target_;
    emit::Writer out_;

    [[nodiscard]] bool cuda() const { return target_ == emit::Target::cuda; }
    [[nodiscard]] int words(TypeId type) const { return library_.types[type].words; }
    [[nodiscard]] int shared_bytes(int elements) const {
        int sum = words(function_.result);
        for (const TypeId type : function_.arguments) sum += words(type);
        return 4 * elements * sum;
    }

    void header() {
        out_.line("// Kernels that measure {}; made by kasc.", implementation_.name);
        out_.line("#include \"{}\"", cuda() ? "kasc_bench_cuda.cuh" : "kasc_bench_cpu.hpp");
        out_.blank();
        out_.line("namespace {{");
        out_.blank();
        std::set<std::string> types{library_.types[function_.result].name};
        for (const TypeId type : function_.arguments) types.insert(library_.types[type].name);
        for (const std::string& type : types) out_.line("typedef float *{};", type);
        for (const Macro& macro : implementation_.macros) out_.raw_line(macro.text);
        for (const DeviceFunction& helper : implementation_.helpers) out_.raw_line(helper.text);
        out_.blank();
    }

    void device_function(const DeviceFunction& function, const BlockShape& block,
                         std::vector<std::pair<std::string, std::string>> macros) {
        const std::vector<std::string> dimensions = patterns::dimension_names(implementation_.name);
        for (std::size_t d = 0; d < dimensions.size(); ++d)
            macros.emplace_back(dimensions[d], std::to_string(block[d]));
        emit::write_checked_function(
            out_, {function.name, function.name, function, implementation_.source, std::move(macros), {}, {}}, own_file,
            target_);
    }

    void kernels(const EnumeratedImplementation& block) {
        const Implementation& i = implementation_;
        out_.open("namespace e{}", block.elements);
        for (const Transfer& load : i.loads)
            device_function(load.function, block.block, {{"APLS", "(" + load.pattern.start + ")"}});
        std::vector<std::pair<std::string, std::string>> places;
        for (std::size_t k = 0; k < i.inputs.size(); ++k)
            places.emplace_back(fmt::format("APIN{}", k), "(" + i.inputs[k].start + ")");
        places.emplace_back("APOUT", "(" + i.output.start + ")");
        device_function(i.compute, block.block, std::move(places));
        device_function(i.save.function, block.block, {{"APLS", "(" + i.save.pattern.start + ")"}});
        load_kernel(block);
        compute_kernel(block);
        save_kernel(block);
        out_.close();
        out_.blank();
    }

    void open_kernel(const char* name, const std::string& parameters, const EnumeratedImplementation& block) {
        if (cuda()) {
            out_.open("__global__ void {}(int n, {})", name, parameters);
            out_.line("const int group = (int)blockIdx.x;");
        } else {
            out_.open("inline void {}(int group, int n, {})", name, parameters);
        }
        out_.line("const long long own = (long long)group * {0}, last = (long long)n - {0};", block.elements);
        out_.line("[[maybe_unused]] const long long first = own < last ? own : last;");
    }
    void shared(const std::string& name, int tile_words) {
        out_.line("{} float {}[{}];", cuda() ? "__shared__ __align__(16)" : "alignas(64)", name, tile_words);
    }
    void open_threads(const EnumeratedImplementation& block) {
        const char* names[] = {"tx", "ty", "tz"};
        const char* axes = "xyz";
        if (cuda()) {
            out_.open_block();
            for (std::size_t d = 0; d < 3; ++d)
                out_.line("[[maybe_unused]] const int {} = (int)threadIdx.{};", names[d], axes[d]);
        } else {
            for (std::size_t d = 3; d-- > 1;)
                out_.line("for (int {0} = 0; {0} < {1}; ++{0})", names[d], block.block[d]);
            out_.open("for (int tx = 0; tx < {}; ++tx)", block.block[0]);
        }
        out_.line("[[maybe_unused]] const int thread = tx + {} * (ty + {} * tz);", block.block[0], block.block[1]);
    }
    void keep(const std::string& tile) { out_.line("kasc_keep({});", tile); }
    void barrier() {
        if (cuda()) out_.line("__syncthreads();");
    }

    static std::string coordinates(const DeviceFunction& function) {
        const char* names[] = {"tx", "ty", "tz", "0", "0", "0"};
        std::string text;
        for (const Coordinate c : function.coordinates) text += fmt::format(", {}", names[static_cast<int>(c)]);
        return text;
    }
    [[nodiscard]] std::string input_parameters() const {
        std::string text;
        for (std::size_t k = 0; k < function_.arguments.size(); ++k) text += fmt::format("float *in{}, ", k);
        return text + "float *out";
    }

    void loads(const EnumeratedImplementation& block) {
        for (std::size_t k = 0; k < function_.arguments.size(); ++k)
            shared(fmt::format("s{}", k), block.elements * words(function_.arguments[k]));
        open_threads(block);
        for (std::size_t k = 0; k < implementation_.loads.size(); ++k) {
            const DeviceFunction& load = implementation_.loads[k].function;
            out_.line("{}(in{} + first * {}, s{}{});", load.name, k, words(function_.arguments[k]), k,
                      coordinates(load));
        }
        out_.close();
    }
    void load_kernel(const EnumeratedImplementation& block) {
        open_kernel("load", input_parameters(), block);
        loads(block);
        std::string sum;
        for (std::size_t k = 0; k < function_.arguments.size(); ++k)
            sum += fmt::format("{}s{}[-n % {}]", sum.empty() ? "" : " + ", k,
                               block.elements * words(function_.arguments[k]));
        if (sum.empty()) sum = "0";
        for (std::size_t k = 0; k < function_.arguments.size(); ++k) keep(fmt::format("s{}", k));
        barrier();
        out_.line("if (n < 0) out[0] = {};", sum);
        out_.close();
    }
    void compute_kernel(const EnumeratedImplementation& block) {
        open_kernel("compute", "int rounds, " + input_parameters(), block);
        shared("r", block.elements * words(function_.result));
        loads(block);
        barrier();
        out_.open("for (int round = 0; round < rounds; ++round)");
        out_.line("// Every round reads and writes its data anew.");
        keep("r");
        for (std::size_t k = 0; k < function_.arguments.size(); ++k) keep(fmt::format("s{}", k));
        open_threads(block);
        std::string arguments;
        for (std::size_t k = 0; k < function_.arguments.size(); ++k) arguments += fmt::format("s{}, ", k);
        out_.line("{}({}r{});", implementation_.compute.name, arguments, coordinates(implementation_.compute));
        out_.close();
        out_.close();
        barrier();
        out_.line("if (n < 0) out[0] = r[-n % {}];", block.elements * words(function_.result));
        out_.close();
    }
    void save_kernel(const EnumeratedImplementation& block) {
        const int tile = block.elements * words(function_.result);
        open_kernel("save", "float *out", block);
        shared("r", tile);
        open_threads(block);
        out_.line("for (int k = thread; k < {}; k += {}) r[k] = (float)k;", tile, thread_count(block.block));
        out_.close();
        barrier();
        open_threads(block);
        const DeviceFunction& save = implementation_.save.function;
        out_.line("{}(r, out + first * {}{});", save.name, words(function_.result), coordinates(save));
        out_.close();
        out_.close();
    }

    void entry(const std::vector<EnumeratedImplementation>& blocks) {
        out_.line("}}  // namespace");
        out_.blank();
        out_.open("extern \"C\" int kasc_bench(kasc_bench_call *call)");
        std::string inputs;
        for (std::size_t k = 0; k < function_.arguments.size(); ++k) inputs += fmt::format("call->inputs[{}], ", k);
        for (const EnumeratedImplementation& block : blocks) {
            launch(block, 0, "load", inputs + "call->output");
            launch(block, 1, "compute", "call->rounds, " + inputs + "call->output");
            launch(block, 2, "save", "call->output");
        }
        out_.line("return 1;");
        out_.close();
    }
    void launch(const EnumeratedImplementation& block, int phase, const char* kernel, const std::string& arguments) {
        const auto& b = block.block;
        out_.line("if (call->elements == {} && call->phase == {})", block.elements, phase);
        if (cuda()) {
            out_.line("    return kasc_bench_launch(*call, dim3({}, {}, {}), e{}::{}, call->n, {});", b[0], b[1], b[2],
                      block.elements, kernel, arguments);
        } else {
            out_.line("    return kasc_bench_run(*call, [&](int group) {{ e{}::{}(group, call->n, {}); }});",
                      block.elements, kernel, arguments);
        }
    }
};

}  // namespace

std::optional<BenchSource> bench_source(const Library& library, const Function& function,
                                        const Implementation& implementation, const std::vector<int>& wanted,
                                        emit::Target target) {
    return Printer(library, function, implementation, target).run(wanted);
}

}  // namespace kasc::tune
