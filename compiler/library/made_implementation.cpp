// trace22 of a matrix2x2, of which the library has cpu_trace22 and its block:
//
//     __device__ inline void cpu_trace22(const float *m, float *r) { r[0] = m[0] + m[3]; }
//     /*# trace22_1_load_1 metadata … LSPATTERN = start "tx", block "1", stride "TRACE22_1_BX", count 4, noreg 0 #*/
//     __device__ inline void d_trace22_1_load_1(matrix2x2 a, float *s_a, int tx, int bx) { … }
//     … save, kernel block …
//     __device__ inline void d_trace22_1_compute(float *s_a, float *s_r, int tx) {
//         float a[4], r[1];
//         …
//         cpu_trace22(a, r);
//
// The text is read like any other. Arguments are taken before the result is written, since both may lie in one place.

#include "library/made_implementation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <memory>

namespace kasc::library {

namespace {

struct Value {
    std::string name, type;
    int words = 1;
};

class ImplementationText {
public:
    ImplementationText(const Function& function, const Table<TypeId, StreamType>& types)
        : name_(function.name + "_1"), result_{"r", types[function.result].name, types[function.result].words} {
        for (const char c : name_) macro_ += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
        macro_ += "_BX";
        for (std::size_t k = 0; k < function.arguments.size(); ++k) {
            const StreamType& type = types[function.arguments[k]];
            arguments_.push_back({std::string(1, static_cast<char>('a' + k)), type.name, type.words});
        }
    }

    std::string write(const std::string& reference) {
        for (std::size_t k = 0; k < arguments_.size(); ++k) {
            const Value& a = arguments_[k];
            const std::string part = fmt::format("{}_load_{}", name_, k + 1);
            transfer(part, a, fmt::format("{} {}, float *s_{}", a.type, a.name, a.name),
                     fmt::format("s_{}[{}] = {}[{}]", a.name, shared(a), a.name, global(a)));
        }
        transfer(name_ + "_save", result_, fmt::format("float *s_r, {} r", result_.type),
                 fmt::format("r[{}] = s_r[{}]", global(result_), shared(result_)));
        kernel();
        compute(reference);
        return std::move(text_);
    }

private:
    std::string name_, macro_, text_;
    std::vector<Value> arguments_;
    Value result_;

    template <class... T>
    void add(fmt::format_string<T...> form, T&&... arguments) {
        text_ += fmt::format(form, std::forward<T>(arguments)...);
    }

    /// Neighbouring threads touch neighbouring words.
    [[nodiscard]] std::string shared(const Value& v) const { return v.words == 1 ? "APLS" : "APLS + k * " + macro_; }
    [[nodiscard]] std::string global(const Value& v) const {
        return v.words == 1 ? fmt::format("bx * {} + tx", macro_)
                            : fmt::format("bx * {} * {} + tx + k * {}", v.words, macro_, macro_);
    }
    void each_word(const Value& v, const std::string& statement) {
        if (v.words > 1) add("#pragma unroll\n    for (int k = 0; k < {}; ++k) {};\n", v.words, statement);
        if (v.words == 1) add("    {};\n", statement);
    }
    void transfer(const std::string& part, const Value& v, const std::string& arrays, const std::string& statement) {
        add("/*# {} metadata\nData type = {}\nData location = shared\nOther parameters = tx, bx\n", part, v.type);
        add("LSPATTERN = start \"tx\", block \"1\", stride \"{}\", count {}, noreg 0\n#*/\n",
            v.words == 1 ? "1" : macro_, v.words);
        add("__device__ inline void d_{}({}, int tx, int bx) {{\n", part, arrays);
        each_word(v, statement);
        text_ += "}\n";
    }
    void pattern(const std::string& key, const Value& v) {
        const std::string start = v.words == 1 ? "tx" : fmt::format("tx*{}", v.words);
        add("{} = start \"{}\", block \"{}\", stride \"{}\", count 1, noreg 0\n", key, start, v.words, v.words);
    }
    void kernel() {
        add("/*# {} metadata\nGX = size\nGY = 1\nGZ = 1\nBX = size (recommended 128)\nBY = 1\nBZ = 1\n", name_);
        text_ += "BATCH = size (recommended 1)\n";
        for (std::size_t k = 0; k < arguments_.size(); ++k) pattern(fmt::format("INPATTERN {}", k), arguments_[k]);
        pattern("OUTPATTERN", result_);
        text_ += "#*/\n";
    }
    void compute(const std::string& reference) {
        std::string parameters, locals, values;
        for (const Value& a : arguments_) {
            parameters += fmt::format("float *s_{}, ", a.name);
            locals += fmt::format("{}[{}], ", a.name, a.words);
            values += a.name + ", ";
        }
        add("__device__ inline void d_{}_compute({}float *s_r, int tx) {{\n", name_, parameters);
        add("    float {}r[{}];\n", locals, result_.words);
        for (std::size_t k = 0; k < arguments_.size(); ++k) {
            const Value& a = arguments_[k];
            each_word(a, a.words == 1 ? fmt::format("{}[0] = s_{}[APIN{}]", a.name, a.name, k)
                                      : fmt::format("{}[k] = s_{}[APIN{} + k]", a.name, a.name, k));
        }
        add("    {}({}r);\n", reference, values);
        each_word(result_, result_.words == 1 ? "s_r[APOUT] = r[0]" : "s_r[APOUT + k] = r[k]");
        text_ += "}\n";
    }
};

}  // namespace

FileDefinitions made_implementation(const Function& function, const Table<TypeId, StreamType>& types) {
    const std::string opening = "__device__ ", reference = "cpu_" + function.name;
    const std::string& helper = function.reference->text;
    auto making = std::make_shared<Making>();
    making->pieces = {{0, function.reference->span},
                      {opening.size(), function.reference->span},
                      {opening.size() + helper.size(), function.span}};
    std::string text = opening + helper + "\n" + ImplementationText(function, types).write(reference);
    return read_definitions(
        std::make_shared<const Source>(Source{function.span.source->name, std::move(text), std::move(making)}));
}

}  // namespace kasc::library
