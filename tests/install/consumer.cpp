// A user of libkasc: compiles a program from a string, and runs another.
#include <kasc/kasc.hpp>
#include <kasc/program.hpp>

#include <cstdio>

namespace api = kasc::api;

/// 2 u + 1 of 1000 numbers, on the host.
static bool computes() {
    const auto program = api::Program::read("float u[x];\ninput u;\nu = 2 * u + 1;\nreturn u;\n", "twice.kas");
    const auto machine = api::find_machine("cpu");
    if (!program.value || !machine.value) return false;
    const auto sizes = program.value->sizes({}, {{"x", 1000}});
    if (!sizes.value) return false;
    const auto plans = program.value->plan(*machine.value, *sizes.value);
    if (!plans.value) return false;
    const auto code = plans.value->build(0);
    if (!code.value) return false;
    std::vector<float> u(1000), v(1000);
    for (int i = 0; i < 1000; ++i) u[i] = static_cast<float>(i);
    if (!code.value->call({{u.data()}, {v.data()}, {}}).value) return false;
    for (int i = 0; i < 1000; ++i)
        if (v[i] != static_cast<float>(2 * i + 1)) return false;
    return true;
}

int main() {
    const char* source =
        "matrix3x3 A, B, M;\n"
        "input A, B;\n"
        "M = mmul33(A, B);\n"
        "return M;\n";
    const kasc::api::Result good = kasc::api::compile(source, "product.kas");
    const kasc::api::Result bad = kasc::api::compile("matrix3x3 A;\nreturn A;\n", "bad.kas");
    std::printf("%s: %zu files, %s", kasc::api::version().c_str(), good.ok ? good.plans.front().files.size() : 0,
                bad.diagnostics.c_str());
    return computes() && good.ok && !bad.ok && good.plans.front().files.size() >= 6 && !bad.diagnostics.empty() ? 0 : 1;
}
