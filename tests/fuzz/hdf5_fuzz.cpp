// libFuzzer target: any bytes as an HDF5 input end in arrays or in a diagnostic. Seeds: corpus/hdf5.
// Crashes of the HDF5 library stay in the reading child; what is found here is what the parent makes of its report.

#include <stdlib.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "runtime/runs/inputs.hpp"

namespace {

kasc::runtime::ProgramInterface program(bool stream) {
    kasc::runtime::ProgramInterface p;
    p.name = "fuzz";
    p.stream = stream;
    p.axes = {"x", "y", "z", "t"};
    p.inputs = {{"T", {3}, {0, 1, 2}}, {"beta", {1}, {0, 1, 2}}, {"on", {3, 3}, {3}}};
    return p;
}

/// True where a value comes with errors or nothing comes at all.
bool contradicts(const kasc::Outcome<kasc::runtime::Inputs>& inputs) {
    return static_cast<bool>(inputs) == kasc::has_errors(inputs.diagnostics);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string path = "/tmp/kasc-fuzz-XXXXXX";
    const int descriptor = mkstemp(path.data());
    if (descriptor < 0) return 0;
    const bool written = write(descriptor, data, size) == static_cast<ssize_t>(size);
    close(descriptor);
    for (const bool stream : {false, true}) {
        const auto inputs = kasc::runtime::open_inputs(path, program(stream), {});
        if (written && contradicts(inputs)) abort();
        static_cast<void>(kasc::render_text(inputs.diagnostics));
    }
    unlink(path.c_str());
    return 0;
}
