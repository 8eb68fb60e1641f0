// One translation unit: the checking header, glue.inc, and by number
//
//     namespace f7 { … d_mmul33_1_compute_3_8_1_ssr, as write_function prints it … }
//     extern "C" void call_7(const kasc_pointer *p, const int *c) { f7::d_mmul33_1_…(p[0], p[1], p[2], c[0], c[1]); }
//
// Kernels are not compiled but interpreted: at -O0 g++ takes 7 ms for a kernel of six calls, so the some 20 fusions of
// a program would take 0.1 s, but the functions that hundreds of programs call take 3 s together.

#include "random/device_code.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <set>

#include "emit/kernel_text.hpp"
#include "support/shell.hpp"
#include "support/temporary.hpp"

namespace kasc::random {

namespace {

std::string identity(const kernel::FunctionVariant& f) {
    std::string key = f.name;
    for (const auto& [macro, value] : f.macros) key += "|" + macro + "=" + value;
    return key;
}

std::string stage_text(const kernel::Stage& stage, int threads) {
    const bool in = stage.direction == kernel::StageDirection::into_shared;
    return fmt::format("{}<{}, {}, {}, {}>(p[0], p[1], c[0])", in ? "copy_tile_in" : "copy_tile_out", stage.words,
                       threads, stage.element_words, stage.padding);
}

/// Arrays that a function takes: loads and saves two, a compute function one a parameter that is no coordinate.
std::size_t arrays_of(const DeviceFunction& function) {
    const std::string& text = function.text;
    const std::size_t open = text.find('('), close = text.find(')', open);
    std::size_t parameters = 1;
    for (std::size_t at = open; at < close; ++at) parameters += text[at] == ',' ? 1 : 0;
    return parameters - function.coordinates.size();
}

}  // namespace

DeviceCode::~DeviceCode() {
    if (handle_ != nullptr) dlclose(handle_);
}

void DeviceCode::require(const kernel::Kernel& kernel) {
    for (const kernel::FunctionVariant& f : kernel.functions) variants_.emplace(identity(f), f);
    require_stages(kernel.body, thread_count(kernel.block));
}

void DeviceCode::require(FunctionId function) {
    references_.emplace(function, library_.functions[function].reference->text);
}

void DeviceCode::require_stages(const kernel::Body& body, int threads) {
    for (const kernel::Statement& s : body) {
        if (const auto* stage = std::get_if<kernel::Stage>(&s.node)) {
            const std::string text = stage_text(*stage, threads);
            stages_.emplace(text, text);
        }
        if (const auto* loop = std::get_if<kernel::For>(&s.node)) require_stages(loop->body, threads);
        if (const auto* region = std::get_if<kernel::Threads>(&s.node)) require_stages(region->body, threads);
        if (const auto* choice = std::get_if<kernel::If>(&s.node)) {
            require_stages(choice->then, threads);
            require_stages(choice->otherwise, threads);
        }
    }
}

std::string DeviceCode::text() const {
    emit::Writer out;
    out.line("#include \"kasc_checking.hpp\"");
    out.line("#include \"glue.inc\"");
    for (const StreamType& type : library_.types) out.line("typedef kasc_pointer {};", type.name);
    std::size_t number = 0;
    for (const auto& entry : variants_) {
        const kernel::FunctionVariant& f = entry.second;
        out.open("namespace f{}", number);
        for (const std::string& macro : f.helper_macros) out.raw_line(macro);
        for (const DeviceFunction& helper : f.helpers) out.raw_line(emit::traced_text(helper.text));
        emit::write_function(out, f, emit::Target::cpu_checking);
        out.close();
        std::string arguments;
        for (std::size_t k = 0; k < arrays_of(f.function); ++k)
            arguments += fmt::format("{}p[{}]", k == 0 ? "" : ", ", k);
        for (std::size_t k = 0; k < f.function.coordinates.size(); ++k) arguments += fmt::format(", c[{}]", k);
        out.line("extern \"C\" void call_{0}(const kasc_pointer *p, const int *c) {{ (void)c; f{0}::{1}({2}); }}",
                 number++, f.name, arguments);
    }
    for (const auto& entry : stages_)
        out.line("extern \"C\" void call_{}(const kasc_pointer *p, const int *c) {{ {}; }}", number++, entry.second);
    for (const auto& [id, reference] : references_) {
        std::string arguments;
        for (std::size_t k = 0; k < library_.functions[id].arguments.size(); ++k)
            arguments += fmt::format("a[{}], ", k);
        out.raw_line(fmt::format("namespace {{\n{}\n}}", reference));
        out.line("extern \"C\" void reference_{}(const float *const *a, float *r) {{ cpu_{}({}r); }}", id.index,
                 library_.functions[id].name, arguments);
    }
    return out.take();
}

std::string DeviceCode::build(const std::filesystem::path& folder) {
    const std::string source = KASC_SOURCE_DIR, code = (folder / "batch.cpp").string(),
                      object = (folder / "batch.so").string();
    test::write_file(code, text());
    const auto built = test::shell(fmt::format(
        "${{CXX:-g++}} -std=c++17 -O0 -w -ffp-contract=off -fPIC -shared -I{0}/support -I{0}/tests/random -o {1} {2}",
        source, object, code));
    if (built.status != 0) return built.output;
    handle_ = dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle_ == nullptr) return dlerror();
    load();
    return "";
}

void DeviceCode::load() {
    std::size_t number = 0;
    const auto next = [&] {
        return reinterpret_cast<CheckedFunction>(dlsym(handle_, fmt::format("call_{}", number++).c_str()));
    };
    for (const auto& entry : variants_) compiled_[entry.first] = next();
    for (const auto& entry : stages_) compiled_[entry.first] = next();
    for (const auto& entry : references_)
        compiled_references_[entry.first] =
            reinterpret_cast<ReferenceFunction>(dlsym(handle_, fmt::format("reference_{}", entry.first.index).c_str()));
    const auto find = [&](auto& function, const char* name) {
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(handle_, name));
    };
#define KASC_FIND(name) find(memory_.name, #name)
    KASC_FIND(begin_run), KASC_FIND(fault), KASC_FIND(begin_launch);
    KASC_FIND(array_new), KASC_FIND(array_delete), KASC_FIND(array_fill), KASC_FIND(array_zero), KASC_FIND(array_copy);
    KASC_FIND(array_read), KASC_FIND(array_touched), KASC_FIND(array_pointer);
    KASC_FIND(block_new), KASC_FIND(block_delete), KASC_FIND(block_order), KASC_FIND(block_enter);
    KASC_FIND(block_barrier), KASC_FIND(block_shared);
    KASC_FIND(private_new), KASC_FIND(private_delete), KASC_FIND(private_at), KASC_FIND(advance);
#undef KASC_FIND
}

CheckedFunction DeviceCode::function(const kernel::FunctionVariant& variant) const {
    return compiled_.at(identity(variant));
}
CheckedFunction DeviceCode::stage(const kernel::Stage& stage, int threads) const {
    return compiled_.at(stage_text(stage, threads));
}
ReferenceFunction DeviceCode::reference(FunctionId function) const { return compiled_references_.at(function); }

}  // namespace kasc::random
