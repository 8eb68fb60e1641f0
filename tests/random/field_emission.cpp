// As emission.cpp does, many programs share a translation unit. Each has a file of doubles: for every case the extents,
// the parameters, the inputs, and of the outputs by how much they may differ and what the reference has.
//
//     namespace r5_fused {
//     #include "r5_fused.cpp"
//     int check(CheckedData &data) { r5_fused_arguments a{}; a.nx = data.next(); … r5_fused_compute(&a, …) … }
//     }

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <stdexcept>

#include "emit/interface_names.hpp"
#include "emit/transform_text.hpp"
#include "frontend/expression_parts.hpp"
#include "frontend/rounding.hpp"
#include "random/emission.hpp"
#include "random/field_plans.hpp"
#include "random/field_program.hpp"
#include "random/field_rewrites.hpp"
#include "rewrite/order_lists.hpp"
#include "rewrite/statements.hpp"
#include "support/temporary.hpp"

namespace kasc::random {

namespace {

namespace fs = std::filesystem;

constexpr int programs_a_group = 5, emitted_cases = 2;

void write_numbers(FILE* file, const std::vector<double>& numbers) {
    if (std::fwrite(numbers.data(), sizeof(double), numbers.size(), file) != numbers.size())
        throw std::runtime_error("the numbers of a program cannot be written");
}

/// Without those that the compiler has made: of parts, of lines that are transformed between walls.
std::vector<AxisId> callers_axes(const Program& program) {
    std::vector<AxisId> axes;
    for (const AxisId axis : program.axes.ids()) {
        if (!program.axes[axis].own) axes.push_back(axis);
    }
    return axes;
}

/// A GPU's functions round otherwise than those of C, which the reference calls: all but these.
bool is_rounded_alike(Intrinsic intrinsic) {
    return is_correctly_rounded(intrinsic) || gives_complex(intrinsic) || intrinsic == Intrinsic::real_part ||
           intrinsic == Intrinsic::imaginary_part;
}
bool calls_functions_of_c(const Program& program) {
    bool any = false;
    rewriting::each_statement(program.statements, [&](const Statement& statement) {
        const auto* field = std::get_if<FieldStatement>(&statement);
        any = any || (field != nullptr && any_part(*field->value, [](const Expression& part) {
                          const auto* call = std::get_if<IntrinsicCall>(&part.node);
                          return call != nullptr && !is_rounded_alike(call->intrinsic);
                      }));
    });
    return any;
}

/// A library's transform is not the reference's: its words differ by some units in the last place of the largest one,
/// 6e-8 or 1e-16 of it. So much more is allowed for as makes up for that errors may grow otherwise than the disturbance
/// by which they are measured. Below 0: nothing differs.
std::vector<double> allowed_of_libraries(const Program& program, const FieldRunCase& run) {
    if (!has_transforms(program)) return std::vector<double>(program.outputs.size(), -1);
    const std::vector<Precision> precisions = emit::transform_precisions(program);
    const bool dual = std::count(precisions.begin(), precisions.end(), Precision::single) == 0;
    return allowed_differences(program, run, dual ? 1e-13 : 1e-5);
}

void write_case(FILE* file, const Program& program, const FieldRunCase& run) {
    for (const AxisId axis : callers_axes(program))
        write_numbers(file, {static_cast<double>(run.problem.extents[axis.index])});
    write_numbers(file, run.problem.parameters);
    for (const test::Cells& cells : run.inputs) write_numbers(file, cells);
    const std::vector<double> allowed = allowed_of_libraries(program, run);
    const std::vector<test::Cells> outputs = run_field_reference(program, run);
    for (std::size_t k = 0; k < outputs.size(); ++k) {
        write_numbers(file, {allowed[k]});
        write_numbers(file, outputs[k]);
    }
}

std::string count_text(const Program& program, const emit::InterfaceNames& names, VariableId variable) {
    std::string text = is_complex(field_shape(program, variable).type) ? "2LL" : "1LL";
    for (const AxisId axis : field_shape(program, variable).axes) text += " * a." + names.extents.at(axis.index);
    return text;
}

/// A function that reads one case and runs the program on it.
std::string check_text(const Program& program) {
    const emit::InterfaceNames names = emit::interface_names(program);
    std::string text = fmt::format("int check(CheckedData &data) {{\n    {}_arguments a{{}};\n", program.name);
    for (const AxisId axis : callers_axes(program))
        text += fmt::format("    a.{} = (long long)data.next();\n", names.extents.at(axis.index));
    for (const ParameterId p : program.parameters.ids())
        text += fmt::format("    a.{} = ({})data.next();\n", names.parameters.at(p.index),
                            emit::type_text(program.parameters[p]));
    std::string checks;
    for (std::size_t k = 0; k < program.inputs.size(); ++k) {
        const VariableId v = program.inputs[k];
        text += fmt::format("    const auto in_{0} = data.cells<{1}>({2});\n    a.{3} = in_{0}.data();\n", k,
                            emit::callers_word_text(program, v), count_text(program, names, v), names.inputs.at(k));
    }
    for (std::size_t k = 0; k < program.outputs.size(); ++k) {
        const VariableId v = program.outputs[k];
        text += fmt::format("    std::vector<{1}> out_{0}({2});\n    a.{3} = out_{0}.data();\n", k,
                            emit::callers_word_text(program, v), count_text(program, names, v), names.outputs.at(k));
        checks += fmt::format("    failed |= data.differs(\"{0}\", out_{1});\n", names.outputs.at(k), k);
    }
    text += fmt::format("    int failed = {0}_compute(&a, nullptr, nullptr, nullptr) != 0;\n", program.name);
    text += fmt::format("    if (failed) std::printf(\"%s\\n\", {}_message());\n", program.name);
    return text + checks + "    return failed;\n}\n";
}

/// The plan of a program under a name of its own; returns the text that includes and checks it.
std::string emit_named(const fs::path& folder, const std::string& name, const std::string& source, bool fused,
                       unsigned seed, const Library& library, emit::Target target) {
    const auto read = read_program(make_source(name + ".kas", source), library);
    if (!read) throw std::runtime_error(render_text(read.diagnostics));
    const Program program = order_lists(*read).program;
    Draw draw(seed * 16);
    const Walks walks = target == emit::Target::cpu ? Walks::host : Walks::device;
    const auto plans = covering_field_plans(program, *build_graph(program), library, walks, draw).plans;
    const auto fewest = std::min_element(plans.begin(), plans.end(), [](const auto& a, const auto& b) {
        return a.host.kernels.size() < b.host.kernels.size();
    });
    const HostPlan& plan = (fused ? *fewest : plans.front()).host;
    const auto code = emit::emit_code(
        {program, library, plan, target, &plans.front().host, std::string(KASC_SOURCE_DIR) + "/support"});
    if (!code) throw std::runtime_error(render_text(code.diagnostics));
    for (const emit::EmittedFile& file : code->files) {
        if (file.name != "CMakeLists.txt") test::write_file(folder / file.name, file.text);
    }
    return fmt::format("namespace {0} {{\n#include \"{0}.{1}\"\n{2}}}\n", name,
                       target == emit::Target::cuda ? "cu" : "cpp", check_text(program));
}

}  // namespace

/// In front of programs that may have transforms or ordered lists: what emitted files include themselves.
std::string library_headers(const fs::path& folder, emit::Target target) {
    const bool cuda = target == emit::Target::cuda;
    std::string text = cuda ? "" : "#define KASC_FFTW_SINGLE\n#define KASC_FFTW_DOUBLE\n";
    for (const char* name : {"kasc_transforms.cuh", "kasc_at_store.cuh", "kasc_transforms.hpp",
                             "kasc_order_kernels.cuh", "kasc_orders.cuh", "kasc_orders.hpp"}) {
        if (cuda != std::string(name).ends_with(".cuh")) continue;
        test::write_file(folder / name, test::read_file(fs::path(KASC_SOURCE_DIR) / "support" / name));
        text += fmt::format("#include \"{}\"\n", name);
    }
    return text;
}

int emit_field_programs(const fs::path& folder, unsigned first, unsigned count, emit::Target target) {
    const auto library = read_library({fs::path(KASC_SOURCE_DIR) / "elementlib"});
    if (!library) throw std::runtime_error(render_text(library.diagnostics));
    test::write_file(folder / "field_glue.inc",
                     test::read_file(fs::path(KASC_SOURCE_DIR) / "tests/random/field_glue.inc"));
    int groups = 0;
    for (unsigned from = first; from < first + count; from += programs_a_group) {
        std::string text = included_headers(folder, target) + library_headers(folder, target), calls;
        text += "#include \"field_glue.inc\"\n";
        for (unsigned seed = from; seed < std::min(from + programs_a_group, first + count); ++seed) {
            const FieldProgram drawn = random_field_program(seed);
            // What libraries make different things of has no one right result: FFTW takes lines as the reference does.
            if (drawn.spectra.any && target == emit::Target::cuda) continue;
            const std::string source = text_of(drawn), data = fmt::format("r{}.data", seed);
            const auto program = read_program(make_source("r.kas", source), *library);
            if (!program) throw std::runtime_error(render_text(program.diagnostics));
            if (target == emit::Target::cuda && calls_functions_of_c(*program)) continue;
            FILE* file = std::fopen((folder / data).c_str(), "wb");
            if (file == nullptr) throw std::runtime_error("no file " + data);
            Draw draw(seed);
            for (int c = 0; c < emitted_cases; ++c) write_case(file, *program, draw_field_case(*program, draw));
            std::fclose(file);
            std::string both;
            for (const bool fused : {false, true}) {
                const std::string name = fmt::format("r{}_{}", seed, fused ? "fused" : "unfused");
                text += emit_named(folder, name, source, fused, seed, *library, target);
                both += fmt::format(", {0}::check", name);
            }
            calls += fmt::format("    failed |= check_both(folder + \"/{0}\", \"r{1}\"{2});\n", data, seed, both);
        }
        // A GPU's transforms that compute as they store round otherwise than its others.
        text += fmt::format("constexpr int cases = {};\nconstexpr bool plans_agree = {};\n", emitted_cases,
                            target != emit::Target::cuda);
        text +=
            "static std::vector<double> check_all(const std::string &path, const std::string &name, check_of_case "
            "check, "
            "int &failed) {\n"
            "    CheckedData data{std::fopen(path.c_str(), \"rb\"), {}};\n    int wrong = 0;\n"
            "    for (int c = 0; c < cases; ++c) wrong |= check(data);\n"
            "    std::fclose(data.file);\n    if (wrong) std::printf(\"%s FAILED\\n\", name.c_str());\n"
            "    failed |= wrong;\n    return data.found;\n}\n"
            "static int check_both(const std::string &path, const std::string &name, check_of_case unfused, "
            "check_of_case fused) {\n"
            "    int failed = 0;\n"
            "    const auto words = check_all(path, name + \"_unfused\", unfused, failed);\n"
            "    const auto others = check_all(path, name + \"_fused\", fused, failed);\n"
            "    if (!plans_agree || same_words(words, others)) return failed;\n"
            "    std::printf(\"%s FAILED: its plans differ\\n\", name.c_str());\n    return 1;\n}\n";
        text +=
            "int main(int, char **arguments) {\n    const std::string self = arguments[0];\n"
            "    const std::string folder = self.substr(0, self.rfind('/'));\n    int failed = 0;\n" +
            calls + "    return failed;\n}\n";
        const char* ending = target == emit::Target::cuda ? "cu" : "cpp";
        test::write_file(folder / fmt::format("group_{}.{}", groups++, ending), text);
    }
    return groups;
}

}  // namespace kasc::random
