// What a user sees of faults that only the whole command meets: tests/golden/diagnostics/command/<name>.txt holds the
// whole output and the exit status. KASC_UPDATE_GOLDEN=1 rewrites the texts.

#include <gtest/gtest.h>

#include <cstdlib>
#include <regex>

#include "kasc/kasc.hpp"
#include "support/shell.hpp"
#include "support/temporary.hpp"

namespace kasc {
namespace {

const std::filesystem::path sources = KASC_SOURCE_DIR;

/// A shell command in a folder with heat.kas, scale.kas and trace.kas; `kasc` and `make_tissue` are those built here.
struct Case {
    std::string name, command;
};

std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }

constexpr const char* heat_text = R"(param float dt;
param int steps = 2;
float T[x, y, z] boundary keep(1);
input T;
for (n = 0; n < steps; n++) {
    T = T + dt * (T[-1, 0, 0] + T[1, 0, 0] - 2 * T);
}
return T;
)";

constexpr const char* trace = R"(param int steps = 4;
float T[x, y, z], hot[x, y, z], S[t];
input T;
hot = 2 * T;
S = 0;
for (n = 0; n < steps; n++) {
    S[t = n] = T[x = 1, y = 1, z = 1];
}
return S;
)";

constexpr const char* words = R"(vector3 u[x], v[x], w[x];
float seen[x];
input u, v;
v = 2*v;
w = u.y + v;
v.x = 7*u.y;
seen = w.y;
v = vector3(v.y, v.x, 1);
return seen;
)";
constexpr const char* spectrum = R"(axis kx = half(x);
float p[x], q[x];
complex P[kx];
input p;
P = fft(2 * p);
q = p;
return q;
)";

constexpr const char* scale = R"(vector3 a, b;
input a;
b = scale(a);
return b;
)";

/// A library whose patterns can be put at fault.
std::string library(const std::string& load, const std::string& in) {
    const auto pattern = [](const std::string& start) {
        return "start \"" + start + "\", block \"1\", stride \"1\", count 1, noreg 0\n";
    };
    const std::string transfer =
        "Data type = vector3\nData location = shared\nOther parameters = tx, ty, bx\nLSPATTERN = ";
    return "/*# vector3 metadata\nShape = 3\n#*/\ntypedef float *vector3;\n"
           "/*# scale metadata\nArguments = vector3\nResult = vector3\n#*/\n"
           "inline void cpu_scale(const float *v, float *r) { for (int k = 0; k < 3; ++k) r[k] = 2 * v[k]; }\n"
           "/*# scale_1_load_1 metadata\n" +
           transfer + pattern(load) +
           "#*/\n"
           "__device__ inline void d_scale_1_load_1(vector3 v, float *s_v, int tx, int ty, int bx) {\n"
           "    s_v[APLS] = v[bx * 3 * SCALE_1_BY + ty * 3 + tx];\n}\n"
           "/*# scale_1_save metadata\n" +
           transfer + pattern("ty*3+tx") +
           "#*/\n"
           "__device__ inline void d_scale_1_save(float *s_r, vector3 r, int tx, int ty, int bx) {\n"
           "    r[bx * 3 * SCALE_1_BY + ty * 3 + tx] = s_r[APLS];\n}\n"
           "/*# scale_1 metadata\nGX = size\nGY = 1\nGZ = 1\nBX = 3\nBY = size (recommended 32)\nBZ = 1\n"
           "BATCH = size (recommended 1)\nINPATTERN 0 = " +
           pattern(in) + "OUTPATTERN = " + pattern("ty*3+tx") +
           "#*/\n"
           "__device__ inline void d_scale_1_compute(float *s_v, float *s_r, int tx, int ty) {\n"
           "    s_r[APOUT] = 2.0f * s_v[APIN0];\n}\n";
}

std::string program_of(const std::string& text, const std::string& name) {
    return std::regex_replace(text, std::regex(R"([^\s']*/)" + name), name);
}

class CommandDiagnostics : public testing::TestWithParam<Case> {};

TEST_P(CommandDiagnostics, AreThoseOfTheGoldenFile) {
    const test::Temporary folder;
    test::write_file(folder.path() / "heat.kas", heat_text);
    test::write_file(folder.path() / "trace.kas", trace);
    test::write_file(folder.path() / "scale.kas", scale);
    test::write_file(folder.path() / "spectrum.kas", spectrum);
    test::write_file(folder.path() / "words.kas", words);
    test::write_file(folder.path() / "good/scale.cu", library("ty*3+tx", "ty*3+tx"));
    test::write_file(folder.path() / "misspelt/scale.cu", library("ty*3+tx", "ty*3+t"));
    test::write_file(folder.path() / "hole/scale.cu", library("ty*4+tx", "ty*3+tx"));
    test::write_file(folder.path() / "barrier/scale.cu",
                     std::regex_replace(library("ty*3+tx", "ty*3+tx"), std::regex(R"((\{\n)(    s_r\[APOUT\]))"),
                                        "$1    __syncthreads();\n$2"));
    const std::string setup = "cd '" + folder.path().string() + "'; data='" + sources.string() +
                              "'; kasc() { '" KASC_COMMAND "' \"$@\"; }; make_tissue() { '" MAKE_TISSUE
                              "' \"$@\" >/dev/null; }; "
                              "compiler() { printf '#!/bin/sh\\n%s\\n' \"$1\" > cc; chmod +x cc; }; ";
    const auto run = test::shell("( " + setup + GetParam().command + " )");
    // Where the command builds, it does so in a folder of its own.
    std::string text = run.output;
    for (const char* name : {"program.so", "heat.cpp", "heat_entry.cpp"}) text = program_of(text, name);
    text += "exit status " + std::to_string(run.status) + "\n";
    EXPECT_EQ(text.find(folder.path().string()), std::string::npos) << text;
    EXPECT_EQ(text.find(sources.string()), std::string::npos) << text;
    const auto golden = sources / "tests/golden/diagnostics/command" / (GetParam().name + ".txt");
    if (std::getenv("KASC_UPDATE_GOLDEN") != nullptr) test::write_file(golden, text);
    EXPECT_EQ(text, test::read_file(golden));
}

const std::string run_heat = "kasc run heat.kas --target cpu --in in.h5 --out out.h5 --set dt=0.1";
const std::string tissue = "make_tissue --size 32 --steps 4 -o in.h5; ";

INSTANTIATE_TEST_SUITE_P(
    Calls, CommandDiagnostics,
    testing::Values(
        // Files that the call names.
        Case{"no_program", "kasc compile nothing.kas -o out"},
        Case{"no_library", "kasc compile heat.kas --lib nowhere -o out"},
        Case{"unreadable_library", "mkdir lib; ln -s gone.cu lib/link.cu; kasc compile heat.kas --lib lib -o out"},
        Case{"huge_library", "mkdir lib; truncate -s 5M lib/huge.cu; kasc compile heat.kas --lib lib -o out"},
        Case{"library_replaced",
             "cp -r good more; kasc compile scale.kas --lib good --lib more --emit graph >/dev/null"},
        Case{"no_device", "kasc compile heat.kas --device h10 -o out"},
        Case{"output_is_a_file", "kasc compile heat.kas -o heat.kas"},
        Case{"output_below_a_file", "kasc compile heat.kas -o heat.kas/out"},
        Case{"incomplete_installation",
             "ln -s $data/elementlib $data/devices .; KASC_DATA=. kasc compile heat.kas -o out"},
        // Plans.
        Case{"plan_unknown_word", "kasc compile heat.kas --plan 'column 32x4 vectr 4' -o out"},
        Case{"plan_unknown_call", "kasc compile heat.kas --plan 'T: vector 4; U: vector 4' -o out"},
        Case{"plan_no_fusion",
             "echo 'float a[x] boundary mirror, b[x] boundary mirror, c[x], d[x]; input a; b = 2 * a; c = b[1]; d = c "
             "+ b; "
             "return d;' > pair.kas; kasc compile pair.kas --plan 'b+d: vector 1' -o out"},
        Case{"plan_not_feasible", "kasc compile heat.kas --plan 'k0: column 32x64 chunk 8' -o out"},
        Case{"plan_of_streams", "kasc compile heat.kas --plan 'elements 64' -o out"},
        Case{"no_input_named", "kasc run heat.kas --target cpu --out out.h5 --set dt=0.1"},
        // Patterns are evaluated for the programs that need them.
        Case{"pattern_misspelt", "kasc compile scale.kas --lib misspelt -o out"},
        Case{"pattern_with_a_hole", "kasc compile scale.kas --lib hole -o out"},
        Case{"barrier_of_its_own", "kasc compile scale.kas --lib barrier -o out"},
        // Settings and parameters.
        Case{"setting_without_value", "kasc compile heat.kas --set steps -o out"},
        Case{"setting_unknown", "kasc compile heat.kas --set step=3 --set quite=1 -o out"},
        Case{"setting_of_extent", "kasc compile heat.kas --set x=0.5 -o out"},
        Case{"parameter_without_value", "kasc run heat.kas --target cpu --in in.h5 --out out.h5"},
        Case{"setting_of_parameter", "kasc compile heat.kas --set dt=1e39 --set steps=0.5 -o out"},
        Case{"parameter_out_of_range", "sed -i 's/steps = 2/steps = 2000000000 + 2000000000/' heat.kas; " + run_heat},
        Case{"extent_of_nothing", tissue + "kasc run trace.kas --target cpu --in in.h5 --out out.h5 --set steps=0"},
        Case{"declared_extent_of_nothing",
             tissue + "sed 's/S.t.;/S[t]; axis t = steps - 4;/; s/= n/= 0/' trace.kas > short.kas; kasc run short.kas "
                      "--target cpu --in in.h5 --out out.h5"},
        Case{"dataset_of_several",
             tissue + "sed 's/^param/param float on; param/; s/= 2/= on/' trace.kas > on.kas; kasc run on.kas "
                      "--target cpu --in in.h5 --out out.h5"},
        Case{"dataset_no_integer",
             tissue + "echo 'float T[x, y, z], steps[]; input T; steps = 2.5 + 0 * T[x = 0, y = 0, z = 0]; return T, "
                      "steps;' > make.kas; kasc run make.kas --target cpu --in in.h5 --out steps.h5 >/dev/null; "
                      "kasc run heat.kas --target cpu --in steps.h5 --out out.h5 --set dt=0.1"},
        Case{"never_needed", "kasc compile trace.kas --emit graph >/dev/null"},
        Case{"transform_never_needed", "kasc compile spectrum.kas --emit graph >/dev/null"},
        Case{"cells_never_needed", "kasc compile words.kas --emit graph >/dev/null"},
        // The call itself.
        Case{"command_unknown", "kasc rum heat.kas"}, Case{"command_none", "kasc"},
        Case{"target_unknown", "kasc compile heat.kas --target gpu --diagnostics json -o out"},
        Case{"emit_unknown", "kasc compile heat.kas --emit plans"},
        Case{"list_unknown", "kasc compile heat.kas --lists x"},
        Case{"output_twice", "kasc run heat.kas --out a.h5 --out b.h5"}, Case{"output_not_named", "kasc run heat.kas"},
        Case{"no_output_named", "kasc compile heat.kas"},
        Case{"no_output_named_json", "kasc compile heat.kas --diagnostics json"},
        Case{"picture_of_nothing", run_heat + " --picture Q=hot.png"},
        Case{"picture_without_file", run_heat + " --picture hot.png"},
        Case{"view_of_nothing", tissue + "kasc view in.h5 Q"}, Case{"view_no_file", "kasc view nothing.h5"},
        Case{"view_no_hdf5", "kasc view heat.kas"},
        Case{"view_one_picture_of_two", tissue + "kasc view in.h5 T beta -o a.png"},
        Case{"view_beyond_the_field", tissue + "kasc view in.h5 T --axis x --at 32"},
        Case{"view_as_what_it_is_not", tissue + "kasc view in.h5 T --as traces"},
        Case{"view_unknown_sensor", "kasc view $data/tests/kwave/data/2d_p0_u.reference.h5 p --sensors 3-22"},
        Case{"view_unknown_ending", tissue + "kasc view in.h5 T -o T.jpg"},
        Case{"view_no_such_axis", tissue + "kasc view in.h5 T --axis w"},
        Case{"view_movie_of_all", tissue + "kasc view in.h5 --movie in.mp4"},
        Case{"view_movie_of_a_series", tissue + "kasc view in.h5 on --movie on.mp4"},
        Case{"view_movie_unknown_ending", tissue + "kasc view in.h5 T --movie T.avi"},
        Case{"view_movie_without_ffmpeg", tissue + "PATH=nowhere kasc view in.h5 T --movie T.mp4"},
        Case{"picture_unknown_ending", tissue + run_heat + " --picture T=T.jpg"},
        Case{"view_nowhere", tissue + "kasc view in.h5 T -o nowhere"},
        // The machine.
        Case{"no_gpu",
             "CUDA_VISIBLE_DEVICES= ; export CUDA_VISIBLE_DEVICES; kasc run heat.kas --target cuda --in in.h5 --out "
             "out.h5"},
        Case{"no_compiler", tissue + "CXX=nowhere " + run_heat},
        Case{"compiler_refuses", tissue + "compiler 'echo heat.cpp:1: error: no; exit 7'; CXX=./cc " + run_heat},
        Case{"compiler_without_openmp", tissue +
                                            "compiler 'case \"$*\" in *-fopenmp*) echo omp.h: no such file; exit 1;; "
                                            "esac; exec $REMEMBERING_CXX \"$@\"'; CXX=./cc " +
                                            run_heat + " >/dev/null"},
        Case{"full_disk", tissue +
                              "compiler 'ulimit -S -f unlimited; exec $REMEMBERING_CXX \"$@\"'; trap '' XFSZ; ulimit "
                              "-S -f 100; CXX=./cc " +
                              run_heat + " >/dev/null"},
        Case{"compiler_of_nothing", tissue + "compiler 'exit 0'; CXX=./cc " + run_heat + " >/dev/null"}),
    [](const auto& test) { return test.param.name; });

TEST(ApiStrategies, AreThoseOfTheCommand) {
    const auto help = test::shell(KASC_COMMAND " compile --help");
    const auto unknown = test::shell(KASC_COMMAND " compile " + (sources / "examples/heat2d.kas").string() +
                                     " --emit plan --strategy best 2>&1");
    EXPECT_EQ(unknown.status, 2);
    ASSERT_GE(api::strategies().size(), 5U);
    for (const api::StrategyInfo& strategy : api::strategies()) {
        EXPECT_NE(help.output.find(strategy.name + ": " + strategy.description), std::string::npos) << help.output;
        EXPECT_NE(unknown.output.find(strategy.name), std::string::npos) << unknown.output;
        api::Options options;
        options.strategy = strategy.name;
        options.settings = {{"dt", 0.1}};
        if (strategy.takes_seed) options.seed = 5;
        options.budget = "500";
        EXPECT_TRUE(api::compile(heat_text, "heat.kas", options).ok) << strategy.name;
        options.seed = 5;
        EXPECT_EQ(api::compile(heat_text, "heat.kas", options).ok, strategy.takes_seed) << strategy.name;
    }
}

TEST(ApiDiagnostics, ABudgetThatIsNoneIsTold) {
    api::Options options;
    options.budget = "soon";
    EXPECT_NE(api::compile(heat_text, "heat.kas", options).diagnostics.find("error[K0915]: 'soon' is no budget"),
              std::string::npos);
}

TEST(ApiDiagnostics, AnUnknownStrategyIsTold) {
    api::Options options;
    options.strategy = "best";
    const auto result = api::compile(heat_text, "heat.kas", options);
    EXPECT_FALSE(result.ok);
    EXPECT_EQ(result.diagnostics,
              "error[K0902]: there is no strategy 'best'\n   = help: one of exact, greedy, beam, random, none\n");
}

}  // namespace
}  // namespace kasc
