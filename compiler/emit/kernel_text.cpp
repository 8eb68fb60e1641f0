// Kernel IR → C++ text. CUDA prints a region of threads as plain code; the CPU prints it as a loop over the block's
// threads, with arrays that live across barriers held once a thread:
//
//   threads                       CUDA:  r_M[0] = s_A[thread];
//     r_M[0] = s_A[thread]        CPU:   for (int thread = 0; thread < 96; ++thread) r_M[thread][0] = s_A[thread];
//
// Checking mode visits the threads in a seeded order of its own for each region.
#include "emit/kernel_text.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>

#include "emit/parameter_text.hpp"
#include "emit/regions.hpp"
#include "kernel/c_spelling.hpp"
#include "kernel/dynamic_shared.hpp"
#include "kernel/text.hpp"

namespace kasc::emit {

namespace {
// One by one: some of these names mean other things in the program's namespace.
using kernel::add, kernel::binary, kernel::c_spelling, kernel::both, kernel::integer, kernel::maximum, kernel::minimum,
    kernel::multiply;
using kernel::ArrayArgument, kernel::ArrayIn, kernel::Assign, kernel::Barrier, kernel::Body, kernel::Butterfly,
    kernel::Call, kernel::CallArgument, kernel::CellAxis, kernel::Cells, kernel::Comment, kernel::Dimension,
    kernel::Exchange, kernel::ExprRef, kernel::Fetch, kernel::For, kernel::If, kernel::Integer, kernel::Kernel,
    kernel::Let, kernel::letter, kernel::LoadVector, kernel::name, kernel::PrivateArray, kernel::RegisterArray,
    kernel::SharedArray, kernel::Spelling, kernel::Stage, kernel::StageDirection, kernel::Statement,
    kernel::StoreVector, kernel::text, kernel::thread_index, kernel::Threads, kernel::Type, kernel::Variable;

/// int(e) of a float is an instruction of the device's, that of a double is not quite.
std::string device_function(const std::string& function) {
    return function == kernel::math_name(kernel::whole_function::of_real, Precision::single) ? "__float2int_rz"
                                                                                             : function;
}

class KernelPrinter {
public:
    KernelPrinter(Writer& out, const Kernel& kernel, Target target, Blocks blocks = Blocks::all)
        : out_(out), kernel_(kernel), target_(target), blocks_(blocks), dynamic_(kernel::dynamic_shared(kernel)) {
        for (const kernel::Parameter& p : kernel.parameters)
            if (std::holds_alternative<ArrayIn>(p.source)) constant_arrays_.insert(p.name);
        regions_ = regions_in(kernel.body);
        spelling_ = make_spelling();
    }

    void write() {
        write_comment(out_, kernel_);
        signature();
        if (kernel_.shared_words > 0) {
            if (cuda()) out_.line("__shared__ __align__(16) float shared[{}];", kernel_.shared_words);
            if (target_ == Target::cpu) out_.line("alignas(16) float shared[{}];", kernel_.shared_words);
        }
        if (dynamic()) out_.line("extern __shared__ __align__(16) unsigned char kasc_shared[];");
        if (checking())
            out_.line("kasc_block block(\"{}\", {}, block_x, block_y, block_z, {});", kernel_.name, threads(),
                      kernel_.shared_words);
        guards();
        body(kernel_.body);
        out_.close();
    }

    /// cuFFT's signature: the result's array, the cell's number, its word, the caller's own, shared memory.
    void write_at_store() {
        const kernel::AtStore& stored = *kernel_.at_store;
        const std::string arguments = kernel_.name + "_arguments";
        write_comment(out_, kernel_);
        out_.open("struct {}", arguments);
        each_argument([&](const std::string& declared, const kernel::Parameter&) { out_.line("{};", declared); });
        out_.close(";");
        out_.open("__device__ void {}(void *, unsigned long long kasc_cell, {} {}, void *kasc_given, void *)",
                  kernel_.name, c_spelling(stored.type), stored.word);
        out_.line("const {0} *const kasc_arguments = ({0} *)kasc_given;", arguments);
        each_argument([&](const std::string& declared, const kernel::Parameter& p) {
            const auto* extent = std::get_if<kernel::AxisExtent>(&p.source);
            const std::string value = "kasc_arguments->" + p.name;
            out_.line("[[maybe_unused]] {}{} = {};", p.is_array() ? "" : "const ", declared,
                      extent ? fmt::format("KASC_EXTENT({}, {})", extent->axis.index, value) : value);
        });
        out_.line("[[maybe_unused]] const int {} = (int)kasc_cell;", stored.index);
        out_.line("__builtin_assume({} >= 0);", stored.index);
        body(stored.cell);
        out_.close();
    }

    void write_beside_store() {
        const kernel::AtStore& stored = *kernel_.at_store;
        std::string parameters, values;
        each_argument([&](const std::string& declared, const kernel::Parameter& p) {
            parameters += ", " + declared;
            values += (values.empty() ? "" : ", ") + p.name;
        });
        out_.open("__global__ void {0}_give({0}_arguments *kasc_to{1})", kernel_.name, parameters);
        out_.line("*kasc_to = {{{}}};", values);
        out_.close();
        out_.open("__global__ void __launch_bounds__(256) {0}_behind({1} *words, int cells, {0}_arguments *arguments)",
                  kernel_.name, c_spelling(stored.type));
        out_.line("const int at = (int)(blockIdx.x * 256 + threadIdx.x);");
        out_.line("if (at < cells) {}(words, (unsigned long long)at, words[at], arguments, nullptr);", kernel_.name);
        out_.close();
        out_.blank();
    }

private:
    template <class Use>
    void each_argument(const Use& use) {
        for (const kernel::Parameter& p : kernel_.parameters) {
            if (is_given(kernel_, p)) continue;
            const bool in = std::holds_alternative<ArrayIn>(p.source);
            use(p.is_array() ? fmt::format("{}{} *{}", in ? "const " : "", c_spelling(p.type), p.name)
                             : fmt::format("{} {}", c_spelling(p.type), p.name),
                p);
        }
    }

    Writer& out_;
    const Kernel& kernel_;
    Target target_;
    Blocks blocks_;
    const kernel::DynamicShared dynamic_;
    std::set<std::string> constant_arrays_, private_arrays_;
    long regions_ = 0;
    Spelling spelling_;

    [[nodiscard]] bool cuda() const { return target_ == Target::cuda; }
    [[nodiscard]] bool dynamic() const { return cuda() && dynamic_.bytes > 0; }
    [[nodiscard]] bool checking() const { return target_ == Target::cpu_checking; }
    [[nodiscard]] int threads() const { return thread_count(kernel_.block); }

    Spelling make_spelling() {
        Spelling s;
        const BlockShape b = kernel_.block;
        if (cuda()) {
            s.thread_index = [](Dimension d) { return fmt::format("(int)threadIdx.{}", letter(d)); };
            s.block_index = [this](Dimension d) {
                // Along others a launch has all blocks. The sum takes registers: seven of a wave's 128.
                const bool others = kernel_.span && kernel_.span->along != static_cast<std::size_t>(d);
                return blocks_ == Blocks::shared && !others
                           ? fmt::format("((int)blockIdx.{0} + kasc_first.{0})", letter(d))
                           : fmt::format("(int)blockIdx.{}", letter(d));
            };
            s.linear_thread = [b] {
                if (b[1] == 1 && b[2] == 1) return std::string("(int)threadIdx.x");
                if (b[2] == 1) return fmt::format("(int)(threadIdx.y * {} + threadIdx.x)", b[0]);
                return fmt::format("(int)((threadIdx.z * {} + threadIdx.y) * {} + threadIdx.x)", b[1], b[0]);
            };
            s.element = [](const std::string& array, const std::string& index) {
                return fmt::format("{}[{}]", array, index);
            };
            s.function = device_function;
        } else {
            s.thread_index = [](Dimension d) { return fmt::format("thread_{}", letter(d)); };
            s.block_index = [](Dimension d) { return fmt::format("block_{}", letter(d)); };
            s.linear_thread = [] { return std::string("thread"); };
            s.element = [this](const std::string& array, const std::string& index) {
                return fmt::format("{}{}[{}]", array, private_arrays_.contains(array) ? "[thread]" : "", index);
            };
            s.function = kernel::host_function;
        }
        return s;
    }

    void signature() {
        std::string parameters;
        for (const kernel::Parameter& p : kernel_.parameters)
            parameters += (parameters.empty() ? "" : ", ") + parameter_text(p, target_);
        if (cuda() && blocks_ == Blocks::shared)
            parameters += fmt::format("{}const int3 kasc_first", parameters.empty() ? "" : ", ");
        if (cuda()) {
            const std::string bounds = kernel_.min_blocks > 0 ? fmt::format("{}, {}", threads(), kernel_.min_blocks)
                                                              : fmt::format("{}", threads());
            out_.line("__global__ void __launch_bounds__({})", bounds);
            out_.open("{}({})", kernel_.name, parameters);
        } else {
            out_.open("static inline void {}(int block_x, int block_y, int block_z{}{})", kernel_.name,
                      parameters.empty() ? "" : ", ", parameters);
            out_.line("(void)block_x, (void)block_y, (void)block_z;");
        }
    }

    void guards() {
        if (kernel_.guards.empty()) return;
        if (checking()) out_.line("block.enter(0);");
        std::string ended;
        for (const std::string& word : kernel_.guards)
            ended += fmt::format("{}{}[0] <= 0", ended.empty() ? "" : " || ", word);
        out_.line("if ({}) return;  // an iteration that does not run", ended);
    }

    void body(const Body& statements) {
        for (const Statement& s : statements) std::visit([&](const auto& node) { print(node); }, s.node);
    }
    std::string t(const ExprRef& e) { return text(e, spelling_); }

    void print(const Comment& s) { out_.line("// {}", s.text); }
    void print(const Let& s) { out_.line("const {} {} = {};", c_spelling(s.type), s.name, t(s.value)); }
    void print(const Variable& s) { out_.line("{} {} = {};", c_spelling(s.type), s.name, t(s.value)); }
    void print(const RegisterArray& s) {
        if (s.values.empty()) return out_.line("{} {}[{}];", c_spelling(s.type), s.name, s.words);
        std::string values;
        for (const ExprRef& value : s.values) values += (values.empty() ? "" : ", ") + t(value);
        out_.line("const {} {}[{}] = {{{}}};", c_spelling(s.type), s.name, s.words, values);
    }
    void print(const PrivateArray& s) {
        private_arrays_.insert(s.name);
        if (cuda()) {
            out_.line("{} {}[{}];", c_spelling(s.type), s.name, s.words);
        } else if (checking()) {
            out_.line("kasc_private_of<{0}> {1}(block, \"{1}\", {2});", c_spelling(s.type), s.name, s.words);
        } else {
            out_.line("{} {}[{}][{}];", c_spelling(s.type), s.name, threads(), s.words);
        }
    }
    void print(const SharedArray& s) {
        const std::string comment = s.comment.empty() ? "" : "  // " + s.comment;
        if (!s.offset) {
            const char* word = c_spelling(s.type);
            if (checking())
                out_.line("const kasc_pointer_to<{0}> {1} = block.shared<{0}>(\"{1}\", {2});{3}", word, s.name, s.words,
                          comment);
            else if (dynamic())
                out_.line("{0} *const {1} = ({0} *)(kasc_shared + {2});{3}", word, s.name,
                          dynamic_.first_byte.at(s.name), comment);
            else
                out_.line("{} {} {}[{}];{}", cuda() ? "__shared__ __align__(16)" : "alignas(16)", word, s.name, s.words,
                          comment);
        } else if (checking()) {
            out_.line("const kasc_pointer {0} = block.shared(\"{0}\", {1}, {2});{3}", s.name, *s.offset, s.words,
                      comment);
        } else {
            out_.line("float *const {} = shared + {};{}", s.name, *s.offset, comment);
        }
    }
    void print(const Assign& s) {
        if (s.adds) return out_.line("kasc_add(&{}, {});", t(s.target), t(s.value));
        out_.line("{} = {};", t(s.target), t(s.value));
    }
    void print(const Fetch& s) {
        out_.line("fetch{}({} + {}, {} + {});", s.words > 1 ? fmt::format("<{}>", s.words) : "", s.into,
                  t(s.into_index), s.from, t(s.from_index));
    }
    void print(const kernel::Prefetch& s) {
        out_.line("prefetch{}({} + {});", s.words > 1 ? fmt::format("_row<{}>", s.words) : "", s.array, t(s.index));
    }
    void print(const LoadVector& s) {
        out_.line("load{}({} + {}, {} + {});", s.width, own(s.registers), t(s.first), s.array, t(s.index));
    }
    void print(const StoreVector& s) {
        out_.line("store{}({} + {}, {} + {});", s.width, s.array, t(s.index), own(s.registers), t(s.first));
    }
    void print(const Butterfly& s) {
        out_.line("kasc_butterfly<{}, {}, {}>({} + {}{});", c_spelling(s.type), s.numbers, s.backward, own(s.registers),
                  s.first, s.turn ? ", " + t(s.turn) : "");
    }
    void print(const For& s) {
        if (cuda() && s.unroll != 0) out_.line("#pragma unroll{}", s.unroll > 0 ? fmt::format(" {}", s.unroll) : "");
        const std::string by = s.stride ? t(s.stride) : std::to_string(s.step);
        const std::string step = by == "1" ? "++" + s.variable : fmt::format("{} += {}", s.variable, by);
        out_.open("for (int {0} = {1}; {0} < {2}{3}; {4})", s.variable, t(s.from), t(s.to),
                  s.going ? " && " + t(s.going) : "", step);
        body(s.body);
        out_.close();
    }
    void print(const If& s) {
        out_.open("if ({})", t(s.condition));
        body(s.then);
        if (!s.otherwise.empty()) out_.reopen("else"), body(s.otherwise);
        out_.close();
    }
    void print(const kernel::CommitCopies&) { out_.line("commit_copies();"); }
    void print(const Barrier& s) {
        const std::string but = s.awaits_all_but.value_or(0) > 0 ? fmt::format("<{}>", *s.awaits_all_but) : "";
        if (s.awaits_all_but) out_.line("{}await_copies{}();", checking() ? "block." : "", but);
        const char* waits = cuda() ? "__syncthreads();  // " : checking() ? "block.barrier();  // " : "// barrier: ";
        out_.line("{}{}", waits, s.reason);
    }

    void print(const Exchange& s) {
        const bool spreads = s.group > 0;
        const int apart = std::abs(s.distance);
        if (checking())
            return out_.line("{}.{}({}, {}, {}, {}, {}{});", s.into, spreads ? "spread" : "exchange", s.into_first,
                             s.from, s.from_first, s.words, spreads ? s.group : s.distance, s.or_own ? ", true" : "");
        const std::string in_group = spreads && s.group < warp_threads ? fmt::format(", {}", s.group) : "";
        const std::string way = spreads ? "" : s.distance < 0 ? "up_" : "down_";
        for (int k = 0; k < s.words && cuda(); ++k)
            out_.line("{}[{}] = __shfl_{}sync(0xffffffffu, {}[{}], {}{});", s.into, s.into_first + k, way, s.from,
                      s.from_first + k, spreads ? 0 : apart, in_group);
        if (cuda()) return;
        std::string of = spreads ? fmt::format("thread - thread % {}", s.group)
                                 : fmt::format("thread {} {}", s.distance < 0 ? "-" : "+", apart);
        const std::string has_one = s.distance < 0
                                        ? fmt::format("thread % {} >= {}", warp_threads, apart)
                                        : fmt::format("thread % {} < {}", warp_threads, warp_threads - apart);
        if (s.or_own) of = fmt::format("{} ? {} : thread", has_one, of);
        out_.open("for (int thread = 0; thread < {}; ++thread)", threads());
        if (!spreads && !s.or_own) out_.open("if ({})", has_one);
        for (int k = 0; k < s.words; ++k)
            out_.line("{}[thread][{}] = {}[{}][{}];", s.into, s.into_first + k, s.from, of, s.from_first + k);
        if (!spreads && !s.or_own) out_.close();
        out_.close();
    }

    void print(const kernel::CountBlock& s) {
        out_.line("{} = kasc_is_last({}, {});", t(kernel::element(s.into, s.index)), s.finished, t(s.blocks));
    }

    void print(const Threads& s) {
        if (cuda()) {
            if (regions_ > 1) out_.open_block();
            body(s.body);
            if (regions_ > 1) out_.close();
            return;
        }
        open_thread_loop();
        body(s.body);
        out_.close();
    }

    /// Opens a loop in which thread, thread_x, thread_y, thread_z are known.
    void open_thread_loop() {
        if (checking()) {
            out_.open("for (const int thread : block.thread_order())");
            out_.line("block.enter(thread);");
        } else {
            out_.open("for (int thread = 0; thread < {}; ++thread)", threads());
        }
        const BlockShape& b = kernel_.block;
        out_.line(
            "[[maybe_unused]] const int thread_x = thread % {}, thread_y = thread / {} % {}, thread_z = thread / {};",
            b[0], b[0], b[1], b[0] * b[1]);
    }

    void print(const Cells& s) {
        if (target_ == Target::cpu) return cells_as_loops(s);
        if (cuda()) {
            if (regions_ > 1) out_.open_block();
        } else {
            open_thread_loop();
        }
        ExprRef inside;
        for (const CellAxis& a : s.axes) {
            const ExprRef at =
                a.dimension ? add(a.origin, multiply(thread_index(*a.dimension), integer(a.step))) : a.origin;
            out_.line("const int {} = {};", a.name, t(at));
            const auto* low = std::get_if<Integer>(&a.low->node);
            // A GPU's blocks never stand before the grid; a CPU's lanes may begin in the row before.
            if (low == nullptr || low->value > 0 || !cuda()) inside = both(inside, binary(">=", name(a.name), a.low));
            inside = both(inside, binary("<", name(a.name), a.high));
        }
        out_.open("if ({})", t(inside));
        body(s.body);
        out_.close();
        if (!cuda() || regions_ > 1) out_.close();
    }

    void cells_as_loops(const Cells& s) {
        for (std::size_t k = s.axes.size(); k-- > 0;) {
            const CellAxis& a = s.axes[k];
            if (!a.dimension) {
                out_.open_block();
                out_.line("const int {} = {};", a.name, t(a.origin));
                out_.open("if ({0} >= {1} && {0} < {2})", a.name, t(a.low), t(a.high));
                continue;
            }
            const std::string end =
                t(minimum(add(a.origin, integer(static_cast<std::int64_t>(a.count) * a.step)), a.high));
            out_.open_block();
            out_.line("const int kasc_end_{} = {};", a.name, end);
            if (a.step == 1) {
                if (k == 0) out_.line("KASC_INDEPENDENT");
                out_.open("for (int {0} = {1}; {0} < kasc_end_{0}; ++{0})", a.name, t(maximum(a.origin, a.low)));
            } else {
                out_.open("for (int {0} = {1}; {0} < kasc_end_{0}; {0} += {2})", a.name, t(a.origin), a.step);
                out_.line("if ({} < {}) continue;", a.name, t(a.low));
            }
        }
        body(s.body);
        for (std::size_t k = 0; k < 2 * s.axes.size(); ++k) out_.close();
    }

    /// The thread's own part of a private array on the CPU.
    [[nodiscard]] std::string own(const std::string& array) const {
        return !cuda() && private_arrays_.contains(array) ? array + "[thread]" : array;
    }

    std::string argument_text(const CallArgument& argument) {
        if (const auto* e = std::get_if<ExprRef>(&argument)) return t(*e);
        const auto& array = std::get<ArrayArgument>(argument);
        std::string base = own(array.array);
        if (!checking() && constant_arrays_.contains(base)) base = fmt::format("const_cast<float *>({})", base);
        return array.offset ? base + " + " + t(array.offset) : base;
    }
    void print(const Call& s) {
        std::vector<std::string> arguments;
        for (const CallArgument& argument : s.arguments) arguments.push_back(argument_text(argument));
        out_.line("{}({});", s.function, fmt::join(arguments, ", "));
    }
    void print(const Stage& s) {
        const std::string global = s.global_offset ? fmt::format("{} + {}", s.global, t(s.global_offset)) : s.global;
        const std::string pitch = s.padding == 0 ? "" : fmt::format(", {}, {}", s.element_words, s.padding);
        const bool in = s.direction == StageDirection::into_shared;
        out_.line("copy_tile_{}<{}, {}{}>({}, {}, {});", in ? "in" : "out", s.words, threads(), pitch,
                  in ? s.shared : global, in ? global : s.shared, spelling_.linear_thread());
    }
};

}  // namespace

bool is_given(const kernel::Kernel& kernel, const kernel::Parameter& parameter) {
    const auto* in = std::get_if<ArrayIn>(&parameter.source);
    return kernel.at_store && in != nullptr && in->value == kernel.at_store->given;
}

void write_at_store(Writer& out, const kernel::Kernel& kernel) {
    KernelPrinter(out, kernel, Target::cuda).write_at_store();
}

void write_beside_store(Writer& out, const kernel::Kernel& kernel) {
    KernelPrinter(out, kernel, Target::cuda).write_beside_store();
}

void write_comment(Writer& out, const kernel::Kernel& kernel) {
    const std::vector<std::string>& lines = kernel.comment;
    for (std::size_t k = 0; k < lines.size();) {
        std::size_t end = k + 1;
        while (end < lines.size() && lines[end] == lines[k]) ++end;
        const std::size_t times = end - k;
        out.line("// {}{}", lines[k], times > 1 ? fmt::format(" ({} times)", times) : "");
        k = end;
    }
}

void write_kernel(Writer& out, const kernel::Kernel& kernel, Target target, Blocks blocks) {
    KernelPrinter(out, kernel, target, blocks).write();
}

}  // namespace kasc::emit
