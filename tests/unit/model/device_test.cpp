#include "model/device/device.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace kasc {
namespace {

const std::filesystem::path root = KASC_SOURCE_DIR;

std::string file_text(const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

TEST(Device, EveryFileOfTheInstallationReads) {
    for (const char* name : {"h100", "h200", "a100", "cpu"}) {
        const Outcome<Device> device = read_device(name, root / "devices");
        EXPECT_TRUE(device) << name << "\n" << render_text(device.diagnostics);
    }
    const Outcome<Device> h100 = read_device("h100", root / "devices");
    EXPECT_EQ(h100->multiprocessors, 132);
    EXPECT_EQ(h100->compute_capability, "9.0");
    EXPECT_EQ(h100->copy_gb_s, 3030);
    EXPECT_EQ(h100->l2_bytes, 52428800);
    EXPECT_EQ(read_device("cpu", root / "devices")->kind, DeviceKind::cpu);
}

TEST(Device, APathReadsToo) { EXPECT_TRUE(read_device((root / "devices/a100.json").string(), "/nowhere")); }

TEST(Device, AnUnknownNameSuggestsTheNearest) {
    const Outcome<Device> device = read_device("h10", root / "devices");
    ASSERT_FALSE(device);
    EXPECT_EQ(device.diagnostics[0].code, "K0501");
    EXPECT_EQ(device.diagnostics[0].help, "did you mean 'h100'?");
    EXPECT_FALSE(read_device(".", root / "devices"));
    EXPECT_FALSE(read_device("", root / "devices"));
}

/// tests/golden/diagnostics/device/<name>.json and what is said of it, <name>.txt. KASC_UPDATE_GOLDEN=1 rewrites.
TEST(Device, GoldenDiagnostics) {
    const std::filesystem::path folder = root / "tests/golden/diagnostics/device";
    std::size_t tested = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".json") continue;
        const SourceRef source = make_source(entry.path().filename().string(), file_text(entry.path()));
        const Outcome<Device> device = read_device_source(source);
        EXPECT_FALSE(device) << entry.path();
        const std::string said = render_text(device.diagnostics);
        std::filesystem::path golden = entry.path();
        golden.replace_extension(".txt");
        if (std::getenv("KASC_UPDATE_GOLDEN") != nullptr) std::ofstream(golden, std::ios::binary) << said;
        EXPECT_EQ(said, file_text(golden)) << entry.path();
        ++tested;
    }
    EXPECT_GE(tested, 10U);
}

TEST(Device, NestingBombsAndLargeFilesAreRefused) {
    for (const std::string& text : {std::string(1'000'000, '['), std::string(1'000'000, '{'),
                                    std::string(2'000'000, ' '), "{\"origin\": " + std::string(500'000, '[') + "}"}) {
        const Outcome<Device> device = read_device_source(make_source("bomb.json", text));
        ASSERT_FALSE(device);
        EXPECT_EQ(device.diagnostics[0].code, "K0502");
    }
}

/// Every prefix and every single-byte change of a good file ends in a device or a diagnostic.
TEST(Device, DamagedFilesEndInADiagnostic) {
    const std::string good = file_text(root / "devices/cpu.json");
    for (std::size_t i = 0; i + 2 < good.size(); ++i) {
        const Outcome<Device> cut = read_device_source(make_source("cut.json", good.substr(0, i)));
        EXPECT_FALSE(cut);
        EXPECT_TRUE(has_errors(cut.diagnostics));
        for (const char byte : {'\0', '"', '{', '}', ',', '\\', '9', '\xff'}) {
            std::string damaged = good;
            damaged[i] = byte;
            const Outcome<Device> device = read_device_source(make_source("damaged.json", damaged));
            EXPECT_TRUE(device || has_errors(device.diagnostics));
            EXPECT_NO_FATAL_FAILURE(static_cast<void>(render_text(device.diagnostics)));
        }
    }
}

}  // namespace
}  // namespace kasc
