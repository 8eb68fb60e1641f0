// A function is drawn first, then implementations of it, each a layout of threads over elements and words.
//
// Word w of the result is (base + step·w + Σ over arguments) mod 1021, where an argument adds either its own word w
// times a weight ("same") or some of its words, each times a small number that depends on w ("mixed"). Inputs below
// 1021 keep every sum below 2^24: all is exact in float, but for what the installed functions make (roots), and there
// the order of the sum, which is the same in all implementations, gives the same bits.
//
// An implementation serves an element by P threads, or G elements by one thread. Example, P = 2, free dimension y:
//
//     BX = 2, BY = size      element ty, part tx
//     output of 4 words      start "ty*4+tx*2", block "2"          or  start "ty*4+tx", block "1", stride "2", count 2
//     load of 3 words        2 does not divide 3: every thread takes the whole element, start "ty*3", block "3"
//
// A pattern is a Form: start, block, stride, count, and the code is written from the same Form.

#include "random/random_library.hpp"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <vector>

#include "random/draw.hpp"

namespace kasc::random {

namespace {

constexpr int modulus = 1021;  // a prime: sums of 3 arguments of 9 words, weights up to 5, stay far below 2^24

struct Type {
    std::string name, shape;
    int words = 1;
};

struct DrawnArgument {
    Type type;
    bool same = false;  ///< reads its own word w; else `words_read`
    std::vector<int> words_read;
    int weight = 1;
};

struct DrawnFunction {
    std::string name;
    std::vector<DrawnArgument> arguments;
    Type result;
    int base = 0, step = 0;
};

/// One access pattern, as text.
struct Form {
    std::string start, block, stride;
    int count = 1;
};

std::string pattern_text(const Form& form, bool noreg) {
    return fmt::format("start \"{}\", block \"{}\", stride \"{}\", count {}, noreg {}", form.start, form.block,
                       form.stride, form.count, noreg ? 1 : 0);
}

/// What mixed word `j` of argument `k` is multiplied with for word w of the result.
std::string factor(int j, std::size_t k) {
    return fmt::format("(float)((w * 3 + {}) % 5)", j * 2 + static_cast<int>(k));
}

class ImplementationWriter {
public:
    ImplementationWriter(Draw& draw, const DrawnFunction& function, int number)
        : draw_(draw), function_(function), name_(fmt::format("{}_{}", function.name, number)) {
        for (const char c : name_) prefix_ += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
        draw_threads();
    }

    std::string run() {
        for (std::size_t k = 0; k < function_.arguments.size(); ++k) load(k);
        save();
        const Form out = output_form();
        std::vector<Form> inputs;
        for (const DrawnArgument& argument : function_.arguments) inputs.push_back(input_form(argument));
        metadata(inputs, out);
        compute();
        return text_;
    }

private:
    Draw& draw_;
    const DrawnFunction& function_;
    std::string name_, prefix_, text_;
    int parts_ = 1;       ///< threads an element (P)
    int group_ = 1;       ///< elements a thread (G)
    bool split_ = false;  ///< of several elements a thread: apart by the block's free dimension, else neighbours
    std::size_t free_ = 0;
    std::array<int, 3> fixed_{1, 1, 1};    ///< of the dimensions that are not free
    std::string element_, part_, extent_;  ///< coordinates, and the macro of the free dimension
    bool strided_ = false;                 ///< a thread's words of the result: apart by P, else neighbours
    std::vector<bool> like_output_;        ///< a "same" argument reads the words of the result only

    template <class... T>
    void line(fmt::format_string<T...> format, T&&... arguments) {
        text_ += fmt::format(format, std::forward<T>(arguments)...) + "\n";
    }

    void draw_threads() {
        constexpr std::array<const char*, 3> coordinates{"tx", "ty", "tz"}, macros{"_BX", "_BY", "_BZ"};
        free_ = static_cast<std::size_t>(draw_.of<int>({0, 0, 0, 1, 1, 1, 2}));
        if (draw_.percent(30)) {
            group_ = draw_.of<int>({2, 4});
            split_ = draw_.percent(50);
        } else if (draw_.percent(60)) {
            std::vector<int> sizes{2, 3, 4};
            if (function_.result.words > 1 && function_.result.words <= 9) sizes.push_back(function_.result.words);
            parts_ = draw_.of(sizes);
        }
        const std::size_t low = free_ == 0 ? 1 : 0, high = free_ == 2 ? 1 : 2;
        std::size_t at = draw_.percent(70) ? low : high;
        if (parts_ == 4 && draw_.percent(50)) {
            fixed_[low] = fixed_[high] = 2;
            part_ = fmt::format("({}+{}*2)", coordinates[low], coordinates[high]);
        } else {
            fixed_[at] = parts_;
            part_ = parts_ == 1 ? "0" : coordinates[at];
        }
        element_ = coordinates[free_];
        extent_ = prefix_ + macros[free_];
        strided_ = draw_.percent(50);
        for (std::size_t k = 0; k < function_.arguments.size(); ++k) like_output_.push_back(draw_.percent(60));
    }

    [[nodiscard]] std::string linear() const { return fmt::format("(tx+{0}_BX*(ty+{0}_BY*tz))", prefix_); }
    [[nodiscard]] std::string all_threads() const { return fmt::format("{0}_BX*{0}_BY*{0}_BZ", prefix_); }

    /// Whole elements: what a thread takes of its elements when it takes all of them.
    [[nodiscard]] Form elements_form(int words) const {
        if (group_ == 1) return {fmt::format("{}*{}", element_, words), std::to_string(words), "1", 1};
        if (split_)
            return {fmt::format("{}*{}", element_, words), std::to_string(words), fmt::format("{}*{}", extent_, words),
                    group_};
        return {fmt::format("{}*{}", element_, words * group_), std::to_string(words * group_), "1", 1};
    }

    /// The form of a load or save. `once`: no word is taken by two threads.
    Form transfer_form(int words, bool& whole) {
        const int each = words * group_;
        whole = each % parts_ != 0 || draw_.percent(25);
        if (whole) return elements_form(words);
        const int c = each / parts_;
        switch (draw_.between(0, 3)) {
            case 0:
                return {fmt::format("{}*{}", linear(), c), std::to_string(c), std::to_string(c), 1};
            case 1:
                return {linear(), "1", all_threads(), c};
            case 2:
                return {fmt::format("({}-1-{})*{}", all_threads(), linear(), c), std::to_string(c), "1", 1};
            default: {
                const int b = c % 2 == 0 ? 2 : 1;
                return {fmt::format("{}*{}", linear(), b), std::to_string(b), fmt::format("{}*{}", all_threads(), b),
                        c / b};
            }
        }
    }

    void transfer_head(const std::string& part, const Type& type, const Form& form) {
        line("/*# {}_{} metadata", name_, part);
        line("Data type = {}", type.name);
        line("Data location = shared");
        line("Other parameters = tx, ty, tz, bx");
        line("LSPATTERN = {}", pattern_text(form, draw_.percent(5)));
        line("#*/");
    }

    void transfer_loop(const Form& form, int words, const std::string& statement) {
        line("    const int tile = bx * {} * {} * {}, start = {};", extent_, group_, words, form.start);
        line("    for (int i = 0; i < {}; ++i)", form.count);
        line("        for (int j = 0; j < {}; ++j) {{", form.block);
        line("            const int k = i * ({}) + j;", form.stride);
        line("            {}", statement);
        line("        }}");
        line("}}\n");
    }

    void load(std::size_t k) {
        const Type& type = function_.arguments[k].type;
        bool whole = false;
        const Form form = transfer_form(type.words, whole);
        transfer_head(fmt::format("load_{}", k + 1), type, form);
        line("__device__ inline void d_{}_load_{}({} a, float *s, int tx, int ty, int tz, int bx) {{", name_, k + 1,
             type.name);
        transfer_loop(form, type.words, "s[APLS + k] = a[tile + start + k];");
    }

    /// Where several threads hold a word, the first of them saves it.
    void save() {
        bool whole = false;
        const Form form = transfer_form(function_.result.words, whole);
        transfer_head("save", function_.result, form);
        line("__device__ inline void d_{}_save(float *s, {} a, int tx, int ty, int tz, int bx) {{", name_,
             function_.result.name);
        if (whole && parts_ > 1) line("    if ({} != 0) return;", part_);
        transfer_loop(form, function_.result.words, "a[tile + start + k] = s[APLS + k];");
    }

    [[nodiscard]] bool divided() const { return parts_ > 1 && function_.result.words % parts_ == 0; }
    [[nodiscard]] int words_each() const { return function_.result.words / (divided() ? parts_ : 1); }

    [[nodiscard]] Form output_form() const {
        const int words = function_.result.words, c = words_each();
        if (!divided()) return elements_form(words);
        if (strided_) return {fmt::format("{}*{}+{}", element_, words, part_), "1", std::to_string(parts_), c};
        return {fmt::format("{}*{}+{}*{}", element_, words, part_, c), std::to_string(c), "1", 1};
    }

    [[nodiscard]] bool reads_like_output(std::size_t k) const { return function_.arguments[k].same && like_output_[k]; }

    Form input_form(const DrawnArgument& argument) {
        const auto k = static_cast<std::size_t>(&argument - function_.arguments.data());
        if (reads_like_output(k)) return output_form();
        const std::size_t read = argument.words_read.size();
        const bool some = !argument.same && read < static_cast<std::size_t>(argument.type.words) && group_ == 1;
        // Words 0, 1, 3, 6: the step grows by one a round.
        if (some && draw_.percent(60))
            return {fmt::format("{}*{}", element_, argument.type.words), "1", "i+1", static_cast<int>(read)};
        return elements_form(argument.type.words);
    }

    void metadata(const std::vector<Form>& inputs, const Form& out) {
        constexpr std::array<const char*, 3> names{"BX", "BY", "BZ"};
        line("/*# {} metadata", name_);
        line("GX = size\nGY = 1\nGZ = 1");
        for (std::size_t d = 0; d < 3; ++d) {
            if (d == free_)
                line("{} = size (recommended 32)", names[d]);
            else
                line("{} = {}", names[d], fixed_[d]);
        }
        line("BATCH = size (recommended 1)");
        for (std::size_t k = 0; k < inputs.size(); ++k)
            line("INPATTERN {} = {}", k, pattern_text(inputs[k], draw_.percent(7)));
        line("OUTPATTERN = {}", pattern_text(out, draw_.percent(7)));
        line("#*/");
    }

    /// Offset of word `word` (C text) of local element g from the start of elements_form.
    [[nodiscard]] std::string whole_offset(int words, const std::string& word) const {
        if (group_ == 1) return word;
        return split_ ? fmt::format("g * {} * {} + {}", extent_, words, word) : fmt::format("g * {} + {}", words, word);
    }
    /// Offset of the q-th word that the thread makes of element g.
    [[nodiscard]] std::string output_offset() const {
        if (!divided()) return whole_offset(function_.result.words, "q");
        return strided_ ? fmt::format("q * {}", parts_) : "q";
    }

    void compute() {
        std::string parameters;
        for (std::size_t k = 0; k < function_.arguments.size(); ++k) parameters += fmt::format("float *s_{}, ", k);
        line("__device__ inline void d_{}_compute({}float *s_r, int tx, int ty, int tz) {{", name_, parameters);
        line("    float r[{}];", group_ * words_each());
        line("    for (int g = 0; g < {}; ++g)", group_);
        line("        for (int q = 0; q < {}; ++q) {{", words_each());
        line("            const int w = {};", !divided() ? std::string("q")
                                              : strided_ ? fmt::format("{} + q * {}", part_, parts_)
                                                         : fmt::format("{} * {} + q", part_, words_each()));
        line("            float sum = (float)({} + w * {});", function_.base, function_.step);
        for (std::size_t k = 0; k < function_.arguments.size(); ++k) add_argument(k);
        line("            r[g * {} + q] = fmodf(sum, {}.0f);", words_each(), modulus);
        line("        }}");
        line("    for (int g = 0; g < {}; ++g)", group_);
        line("        for (int q = 0; q < {}; ++q) s_r[APOUT + {}] = r[g * {} + q];", words_each(), output_offset(),
             words_each());
        line("}}\n");
    }

    void add_argument(std::size_t k) {
        const DrawnArgument& argument = function_.arguments[k];
        const int words = argument.type.words;
        if (argument.same) {
            const std::string at = reads_like_output(k) ? output_offset() : whole_offset(words, "w");
            line("            sum = sum + {}.0f * s_{}[APIN{} + {}];", argument.weight, k, k, at);
            return;
        }
        for (const int j : argument.words_read)
            line("            sum = sum + {} * s_{}[APIN{} + {}];", factor(j, k), k, k,
                 whole_offset(words, std::to_string(j)));
    }
};

class LibraryWriter {
public:
    explicit LibraryWriter(unsigned seed) : draw_(seed) {}

    std::string run() {
        declare_types();
        for (int f = 0; f < functions; ++f) write(draw_function(fmt::format("g{}", f)));
        return text_;
    }

private:
    static constexpr int functions = 12;
    Draw draw_;
    std::string text_;
    std::vector<Type> types_{{"scalar", "", 1}, {"vector3", "", 3}, {"matrix3x3", "", 9}};

    void declare_types() {
        std::vector<std::pair<std::string, int>> shapes{{"2", 2},    {"4", 4},    {"5", 5},
                                                        {"2, 2", 4}, {"2, 3", 6}, {"7", 7}};
        draw_.shuffle(shapes);
        for (std::size_t k = 0; k < 2; ++k) {
            const std::string name = fmt::format("shape{}", k);
            types_.push_back({name, shapes[k].first, shapes[k].second});
            text_ += fmt::format("/*# {0} metadata\nShape = {1}\n#*/\ntypedef float *{0};\n\n", name, shapes[k].first);
        }
    }

    DrawnFunction draw_function(const std::string& name) {
        DrawnFunction function{name, {}, draw_.of(types_), draw_.between(0, 99), draw_.between(0, 9)};
        for (int k = draw_.of<int>({1, 2, 2, 2, 3}); k > 0; --k) {
            DrawnArgument argument{
                draw_.percent(50) ? function.result : draw_.of(types_), false, {}, draw_.between(1, 4)};
            argument.same = argument.type.words == function.result.words && draw_.percent(60);
            if (!argument.same) {
                const bool all = draw_.percent(60);
                for (int j = 0, step = 1; j < argument.type.words; j += all ? 1 : step++)
                    argument.words_read.push_back(j);
            }
            function.arguments.push_back(argument);
        }
        return function;
    }

    void write(const DrawnFunction& function) {
        std::string types, parameters;
        for (std::size_t k = 0; k < function.arguments.size(); ++k) {
            types += (types.empty() ? "" : ", ") + function.arguments[k].type.name;
            parameters += fmt::format("const float *s_{}, ", k);
        }
        text_ += fmt::format("/*# {} metadata\nArguments = {}\nResult = {}\n#*/\n", function.name, types,
                             function.result.name);
        text_ += fmt::format("inline void cpu_{}({}float *r) {{\n    for (int w = 0; w < {}; ++w) {{\n", function.name,
                             parameters, function.result.words);
        text_ += fmt::format("        float sum = (float)({} + w * {});\n", function.base, function.step);
        for (std::size_t k = 0; k < function.arguments.size(); ++k) {
            const DrawnArgument& argument = function.arguments[k];
            if (argument.same) text_ += fmt::format("        sum = sum + {}.0f * s_{}[w];\n", argument.weight, k);
            for (const int j : argument.words_read)
                text_ += fmt::format("        sum = sum + {} * s_{}[{}];\n", factor(j, k), k, j);
        }
        text_ += fmt::format("        r[w] = fmodf(sum, {}.0f);\n    }}\n}}\n\n", modulus);
        const int implementations = draw_.between(2, 4);
        for (int number = 1; number <= implementations; ++number)
            text_ += ImplementationWriter(draw_, function, number).run();
    }
};

}  // namespace

std::string random_library(unsigned seed) { return LibraryWriter(seed).run(); }

}  // namespace kasc::random
