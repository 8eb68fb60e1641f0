#include "runtime/runs/outputs.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <regex>

#include "runtime/files/replacement.hpp"
#include "runtime/hdf5/file.hpp"
#include "runtime/runs/inputs.hpp"
#include "unit/runtime/sample_files.hpp"
#include "unit/runtime/sample_programs.hpp"
#include "unit/runtime/scratch.hpp"

namespace kasc::runtime {
namespace {

/// Files cannot grow beyond it, as on a full disk.
class FileSizeLimit {
public:
    explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
        getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit limit{bytes, before_.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    FileSizeLimit(const FileSizeLimit&) = delete;
    FileSizeLimit& operator=(const FileSizeLimit&) = delete;
    ~FileSizeLimit() {
        setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }

private:
    void (*handler_)(int);
    rlimit before_{};
};

class OutputsTest : public ScratchTest {
protected:
    static Outcome<Outputs> create(const std::string& path) {
        return create_outputs({path, "", "0.1.0"}, heat_program(), {2, 3, 4, 7});
    }
    static void expect_refused(const std::string& path, const std::string& text) {
        auto outputs = create(path);
        EXPECT_FALSE(outputs);
        EXPECT_EQ(render_text(outputs.diagnostics), text);
    }
};

TEST_F(OutputsTest, WhatIsWrittenIsReadBack) {
    auto outputs = create("out.h5");
    ASSERT_TRUE(outputs) << render_text(outputs.diagnostics);
    auto* values = static_cast<float*>(outputs.value->pointers().at(0));
    for (int i = 0; i < 24; ++i) values[i] = static_cast<float>(i) / 3;
    EXPECT_EQ(files_here(), 0U) << "nothing is left in the folder before the run is done";
    ASSERT_TRUE(outputs.value->write().empty());
    EXPECT_EQ(files_here(), 1U);

    ProgramInterface reader = heat_program();
    reader.inputs = reader.outputs;
    const auto inputs = open_inputs("out.h5", reader, {});
    ASSERT_TRUE(inputs) << render_text(inputs.diagnostics);
    EXPECT_EQ(inputs->data.arrays.at(0).shape, (Shape{4, 3, 2}));
    EXPECT_EQ(inputs->data.arrays.at(0).values[23], 23.0F / 3);
}

TEST_F(OutputsTest, StreamsHaveTheirElementsShape) {
    auto outputs = create_outputs({"out.h5", "", "0.1.0"}, matrix_program(), {5});
    ASSERT_TRUE(outputs);
    EXPECT_EQ(outputs->arrays().at(0).shape, (Shape{5, 3, 3}));
    EXPECT_EQ(outputs->arrays().at(1).shape, (Shape{5}));
}

TEST_F(OutputsTest, TheSameOutputsGiveTheSameBytes) {
    for (const char* name : {"a.h5", "b.h5"}) {
        auto outputs = create(name);
        ASSERT_TRUE(outputs);
        ASSERT_TRUE(outputs.value->write().empty());
    }
    EXPECT_EQ(read_text("a.h5"), read_text("b.h5"));
    const hid_t file = H5Fopen("a.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
    for (const char* object : {"/", "/T"}) {
        H5O_info_t info;
        ASSERT_GE(H5Oget_info_by_name2(file, object, &info, H5O_INFO_TIME, H5P_DEFAULT), 0);
        EXPECT_EQ(info.mtime, 0) << object << " holds the time of writing";
    }
    H5Fclose(file);
}

TEST_F(OutputsTest, AttributesTellWhoMadeIt) {
    auto outputs = create("out.h5");
    ASSERT_TRUE(outputs);
    ASSERT_TRUE(outputs.value->write().empty());
    const hid_t file = H5Fopen("out.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
    for (const auto& [name, expected] : Attributes{{"created_by", "kasc 0.1.0"}, {"program", "heat"}}) {
        const hid_t attribute = H5Aopen(file, name.c_str(), H5P_DEFAULT);
        const hid_t type = H5Aget_type(attribute);
        std::string text(H5Tget_size(type), ' ');
        EXPECT_GE(H5Aread(attribute, type, text.data()), 0);
        EXPECT_EQ(text, expected);
        H5Tclose(type);
        H5Aclose(attribute);
    }
    H5Fclose(file);
}

TEST_F(OutputsTest, UnwritablePlacesAreRefusedBeforeTheRun) {
    expect_refused("nowhere/out.h5",
                   "error[K0720]: cannot write 'nowhere/out.h5': no file can be made in folder 'nowhere': "
                   "No such file or directory\n"
                   "  --> nowhere/out.h5\n"
                   "   = help: make it first: mkdir -p 'nowhere'\n");
    std::filesystem::create_directory("out.h5");
    expect_refused("out.h5", "error[K0720]: cannot write 'out.h5': it is a folder\n  --> out.h5\n");
    expect_refused("", "error[K0720]: cannot write '': the name is empty\n");
    expect_refused("/dev/null", "error[K0720]: cannot write '/dev/null': it is no regular file\n  --> /dev/null\n");
}

TEST_F(OutputsTest, TheInputIsNotOverwritten) {
    write_text("in.h5", "data");
    auto outputs = create_outputs({"./in.h5", "in.h5", "0.1.0"}, heat_program(), {2, 3, 4, 7});
    ASSERT_FALSE(outputs);
    EXPECT_EQ(outputs.diagnostics.at(0).message, "cannot write './in.h5': it is the input file");
    EXPECT_EQ(read_text("in.h5"), "data");
}

TEST_F(OutputsTest, WhatCannotFitIsRefusedBeforeTheRun) {
    for (const long long extent : {1LL << 40, 1LL << 20}) {
        auto outputs = create_outputs({"out.h5", "", "0.1.0"}, heat_program(), {extent, extent, extent, 1});
        ASSERT_FALSE(outputs);
        EXPECT_EQ(outputs.diagnostics.at(0).code, "K0722");
        if (extent > 1LL << 20) continue;
        const std::string text = render_text(outputs.diagnostics);
        expect_golden("diagnostics/output/too_large.txt",
                      std::regex_replace(text, std::regex("memory of [0-9.]+ .iB"), "memory of 16 GiB"));
    }
}

TEST_F(OutputsTest, AFullDiskLeavesTheOldFile) {
    write_text("out.h5", "old");
    auto outputs = create_outputs({"out.h5", "", "0.1.0"}, heat_program(), {64, 64, 64, 7});
    ASSERT_TRUE(outputs);
    Diagnostics said;
    {
        const FileSizeLimit limit(4096);
        said = outputs.value->write();
    }
    EXPECT_EQ(render_text(said),
              "error[K0721]: cannot write 'out.h5': the data could not be stored\n"
              "   = help: is the disk full?\n");
    EXPECT_EQ(read_text("out.h5"), "old");
    EXPECT_EQ(files_here(), 1U);
}

TEST_F(OutputsTest, AnUnfinishedFileLeavesTheOldOne) {
    write_text("out.h5", "old");
    {
        const auto file = ReplacementFile::create("out.h5");
        ASSERT_TRUE(file);
        write_text(file->temporary_path(), "half");
    }
    EXPECT_EQ(read_text("out.h5"), "old");
    EXPECT_EQ(files_here(), 1U);
}

TEST_F(OutputsTest, ReplacingKeepsALinkAndTheUsualMode) {
    write_text("real.h5", "old");
    std::filesystem::create_symlink("real.h5", "link.h5");
    auto file = ReplacementFile::create("link.h5");
    ASSERT_TRUE(file);
    write_text(file->temporary_path(), "new");
    ASSERT_TRUE(file.value->commit().empty());
    EXPECT_TRUE(std::filesystem::is_symlink("link.h5"));
    EXPECT_EQ(read_text("real.h5"), "new");
    const mode_t mask = umask(0);
    umask(mask);
    struct stat info {};
    ASSERT_EQ(stat("real.h5", &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0666 & ~mask);
}

}  // namespace
}  // namespace kasc::runtime
