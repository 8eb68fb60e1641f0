// A user of libkasc: compiles a program from a string.
#include <kasc/kasc.hpp>

#include <cstdio>

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
    return good.ok && !bad.ok && good.plans.front().files.size() >= 6 && !bad.diagnostics.empty() ? 0 : 1;
}
