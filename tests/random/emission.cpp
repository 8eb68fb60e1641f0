// A compiler's time goes into its headers, so many programs share a translation unit, each in a namespace of its own:
//
//     #include "kasc_device.cuh"                     and all else that emitted files include
//     namespace r5_fused {
//     #define main run
//     #include "r5_fused.cu"                     "r5_fused_reference.cpp" in a namespace, "r5_fused_main.cpp"
//     #undef main
//     }
//     int main() { … r5_fused::run(2, {"r5_fused", "n=77"}) … }

#include "random/emission.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "random/batch.hpp"
#include "random/plans.hpp"
#include "support/temporary.hpp"

namespace kasc::random {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t plans_a_group = 10;
constexpr int elements[] = {1, 77, 1000};  // shorter than a tile; a partial tile; many blocks

/// Files of one plan, all with the program's name in theirs.
void emit_one(const fs::path& folder, const Program& program, const Library& library, const HostPlan& plan,
              emit::Target target) {
    const emit::EmitRequest request{program, library, plan, target, nullptr, std::string(KASC_SOURCE_DIR) + "/support"};
    const auto code = emit::emit_code(request);
    if (!code) throw std::runtime_error(render_text(code.diagnostics));
    for (const emit::EmittedFile& file : code->files)
        if (file.name != "CMakeLists.txt") test::write_file(folder / file.name, file.text);
}

/// The plan of a program under a name of its own.
void emit_named(const fs::path& folder, unsigned seed, const std::string& name, bool fused, const SeededProgram& seeded,
                emit::Target target) {
    const auto program = read_program(make_source(name + ".kas", text_of(seeded.program)), seeded.library);
    if (!program) throw std::runtime_error(render_text(program.diagnostics));
    Enumerations enumerations(seeded.library);
    Draw draw(seed * 16);  // as batch.cpp draws
    const auto plans = covering_plans(*program, *build_graph(*program), enumerations, name, draw).plans;
    const auto fewest = std::min_element(plans.begin(), plans.end(), [](const auto& a, const auto& b) {
        return a.host.kernels.size() < b.host.kernels.size();
    });
    emit_one(folder, *program, seeded.library, (fused ? *fewest : plans.front()).host, target);
}

std::string group_text(const fs::path& folder, const std::vector<std::string>& names, emit::Target target) {
    const bool cuda = target == emit::Target::cuda;
    std::string text = included_headers(folder, target);
    std::string calls;
    for (const std::string& name : names) {
        text += fmt::format("namespace {0} {{\n#define main run\n#include \"{0}.{1}\"\n", name, cuda ? "cu" : "cpp");
        text += fmt::format("namespace reference {{\n#include \"{}_reference.cpp\"\n}}\n", name);
        text += fmt::format("#include \"{}_main.cpp\"\n#undef main\n}}\n", name);
        calls += fmt::format("    failed |= run_all(\"{0}\", {0}::run);\n", name);
    }
    text += "static int run_all(const char *name, int (*run)(int, char **)) {\n    int failed = 0;\n";
    for (const int n : elements)
        text += fmt::format(
            "    {{ char n[] = \"n={}\"; char *words[] = {{(char *)name, n}}; failed |= run(2, words); }}\n", n);
    text += "    if (failed) std::printf(\"%s FAILED\\n\", name);\n    return failed;\n}\n";
    return text + "int main() {\n    int failed = 0;\n" + calls + "    return failed;\n}\n";
}

}  // namespace

std::string included_headers(const fs::path& folder, emit::Target target) {
    const char* own = target == emit::Target::cuda  ? "kasc_device.cuh"
                      : target == emit::Target::cpu ? "kasc_cpu.hpp"
                                                    : "kasc_checking.hpp";
    std::string text = fmt::format("#include \"{}\"\n", own);
    for (const char* header : {"math.h", "algorithm", "chrono", "climits", "cmath", "cstdio", "cstdlib", "cstring",
                               "exception", "memory", "new", "string", "utility", "vector"})
        text += fmt::format("#include <{}>\n", header);
    for (const char* name : {"kasc_calls.hpp", "kasc_pieces.hpp", "kasc_few.cuh"}) {
        if (std::string(name) == "kasc_few.cuh" && target != emit::Target::cuda) continue;
        test::write_file(folder / name, test::read_file(fs::path(KASC_SOURCE_DIR) / "support" / name));
        text += fmt::format("#include \"{}\"\n", name);
    }
    return text;
}

int emit_programs(const fs::path& folder, unsigned first, unsigned count, emit::Target target) {
    std::vector<std::string> names;
    for (unsigned seed = first; seed < first + count; ++seed) {
        const SeededProgram seeded = seeded_program(seed);
        for (const bool fused : {false, true}) {
            names.push_back(fmt::format("r{}_{}", seed, fused ? "fused" : "unfused"));
            emit_named(folder, seed, names.back(), fused, seeded, target);
        }
    }
    int groups = 0;
    for (std::size_t at = 0; at < names.size(); at += plans_a_group) {
        const auto begin = names.begin() + static_cast<std::ptrdiff_t>(at);
        const auto end = names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), at + plans_a_group));
        const char* ending = target == emit::Target::cuda ? "cu" : "cpp";
        test::write_file(folder / fmt::format("group_{}.{}", groups++, ending),
                         group_text(folder, {begin, end}, target));
    }
    return groups;
}

}  // namespace kasc::random
