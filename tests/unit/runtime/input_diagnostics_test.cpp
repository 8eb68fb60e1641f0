// What users see of each fault of an input file, as whole texts: tests/golden/diagnostics/input/*.txt.

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <limits>
#include <regex>

#include "runtime/runs/inputs.hpp"
#include "unit/runtime/sample_files.hpp"
#include "unit/runtime/sample_programs.hpp"
#include "unit/runtime/scratch.hpp"

namespace kasc::runtime {
namespace {

class InputDiagnosticsTest : public ScratchTest {
protected:
    static void expect_text(const std::string& golden, const ProgramInterface& program = heat_program(),
                            const std::map<std::string, long long>& extents = {}) {
        const auto inputs = open_inputs("in.h5", program, extents);
        EXPECT_EQ(static_cast<bool>(inputs), !has_errors(inputs.diagnostics));
        expect_golden("diagnostics/input/" + golden + ".txt", render_text(tidy(inputs.diagnostics)));
    }
    static ProgramInterface only(const ArrayInterface& input) {
        ProgramInterface program = heat_program();
        program.inputs = {input};
        return program;
    }
};

TEST_F(InputDiagnosticsTest, MissingFile) { expect_text("missing_file"); }

TEST_F(InputDiagnosticsTest, Folder) {
    std::filesystem::create_directory("in.h5");
    expect_text("folder");
}

TEST_F(InputDiagnosticsTest, PipeIsNotWaitedFor) {
    ASSERT_EQ(mkfifo("in.h5", 0600), 0);
    expect_text("pipe");
}

TEST_F(InputDiagnosticsTest, NotHdf5) {
    write_text("in.h5", "x,y,z\n1,2,3\n");
    expect_text("not_hdf5");
}

TEST_F(InputDiagnosticsTest, EmptyFile) {
    write_text("in.h5", "");
    expect_text("empty_file");
}

TEST_F(InputDiagnosticsTest, CutShort) {
    SampleFile("in.h5").floats("T", {4, 3, 2}).floats("beta", {4, 3, 2}).floats("on", {900});
    std::filesystem::resize_file("in.h5", 1500);
    expect_text("cut_short");
}

TEST_F(InputDiagnosticsTest, MissingDatasetNamesTheNearest) {
    SampleFile("in.h5").floats("T", {4, 3, 2}).floats("betta", {4, 3, 2}).floats("on", {7});
    expect_text("missing_dataset");
}

TEST_F(InputDiagnosticsTest, NoDatasetAtAll) {
    SampleFile("in.h5");
    expect_text("no_dataset", only({"T", {}, {0}}));
}

TEST_F(InputDiagnosticsTest, Group) {
    const SampleFile file("in.h5");
    H5Gclose(H5Gcreate2(file.id(), "T", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Fflush(file.id(), H5F_SCOPE_GLOBAL);
    expect_text("group", only({"T", {}, {0}}));
}

TEST_F(InputDiagnosticsTest, Text) {
    SampleFile("in.h5").add("T", {3}, std::vector<char>{'a', 'b', 'c'}, H5T_C_S1, H5T_C_S1);
    expect_text("text", only({"T", {}, {0}}));
}

TEST_F(InputDiagnosticsTest, Complex) {
    const hid_t pair = H5Tcreate(H5T_COMPOUND, 8);
    H5Tinsert(pair, "r", 0, H5T_NATIVE_FLOAT);
    H5Tinsert(pair, "i", 4, H5T_NATIVE_FLOAT);
    SampleFile("in.h5").add("T", {1}, std::vector<float>{1, 2}, pair, pair);
    H5Tclose(pair);
    expect_text("complex", only({"T", {}, {0}}));
}

TEST_F(InputDiagnosticsTest, WrongRank) {
    SampleFile("in.h5").floats("T", {4, 6}).floats("beta", {4, 3, 2}).floats("on", {7, 1});
    expect_text("wrong_rank");
}

TEST_F(InputDiagnosticsTest, WrongElementShape) {
    SampleFile("in.h5").floats("A", {5, 8}).floats("v", {5, 4}).floats("c", {5, 2});
    expect_text("wrong_element_shape", matrix_program());
}

TEST_F(InputDiagnosticsTest, WordsOfElements) {
    SampleFile("in.h5").floats("v_x", {5}).floats("v_y", {5}).floats("v_z", {5}).floats("A", {5, 9}).floats("c", {5});
    expect_text("words_of_elements", matrix_program());
}

TEST_F(InputDiagnosticsTest, WrongCellShape) {
    SampleFile("in.h5").floats("u", {3, 4, 2}).floats("T", {4, 2}).floats("F", {2, 2, 4});
    expect_text("wrong_cell_shape", flow_program());
}

TEST_F(InputDiagnosticsTest, CellsOfOneAxisOrNone) {
    ProgramInterface program = flow_program();
    program.inputs = cell_words("g", {3}, {"x", "y", "z"}, {});
    const std::vector<std::string> numbers{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10"};
    for (const ArrayInterface& word : cell_words("f", {11}, numbers, {0})) program.inputs.push_back(word);
    SampleFile("in.h5").floats("g", {2}).floats("f", {11, 8});
    expect_text("wrong_cell_shape_narrow", program);
}

TEST_F(InputDiagnosticsTest, NeitherCellsNorWords) {
    SampleFile("in.h5").floats("v", {4, 2, 3}).floats("T", {4, 2}).floats("F_xx", {4});
    expect_text("missing_cells", flow_program());
}

TEST_F(InputDiagnosticsTest, CellsAndWords) {
    SampleFile("in.h5").floats("u", {4, 2, 3}).floats("u_z", {4, 2}).floats("T", {4, 2}).floats("F", {4, 4});
    expect_text("cells_and_words", flow_program());
}

TEST_F(InputDiagnosticsTest, CellsAndOthersDisagree) {
    SampleFile("in.h5").floats("u", {4, 2, 3}).floats("T", {5, 2}).floats("F", {6, 4});
    expect_text("cells_disagree", flow_program());
}

TEST_F(InputDiagnosticsTest, Empty) {
    SampleFile("in.h5").floats("T", {0, 3, 2}, {1}).floats("beta", {4, 3, 2}).floats("on", {7});
    expect_text("empty");
}

TEST_F(InputDiagnosticsTest, NoSpace) {
    {
        const SampleFile file("in.h5");
        const hid_t space = H5Screate(H5S_NULL);
        H5Dclose(H5Dcreate2(file.id(), "T", H5T_IEEE_F32LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        H5Sclose(space);
    }
    expect_text("null_space", only({"T", {}, {0}}));
}

TEST_F(InputDiagnosticsTest, ExtentsDisagree) {
    SampleFile("in.h5").floats("T", {4, 3, 2}).floats("beta", {4, 5, 2}).floats("on", {7});
    expect_text("extents_disagree");
}

TEST_F(InputDiagnosticsTest, ElementsDisagree) {
    SampleFile("in.h5").floats("A", {5, 3, 3}).floats("v", {6, 3}).floats("c", {5});
    expect_text("elements_disagree", matrix_program());
}

TEST_F(InputDiagnosticsTest, ExplicitExtentDisagrees) {
    SampleFile("in.h5").floats("T", {4, 3, 2}).floats("beta", {4, 3, 2}).floats("on", {7});
    expect_text("explicit_disagrees", heat_program(), {{"t", 8}});
}

TEST_F(InputDiagnosticsTest, ExplicitExtentsOutOfPlace) {
    SampleFile("in.h5").floats("T", {4, 3, 2}).floats("beta", {4, 3, 2}).floats("on", {7});
    expect_text("explicit_faults", heat_program(), {{"w", 8}, {"t", -1}});
}

TEST_F(InputDiagnosticsTest, TooLarge) {
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    const Dimensions chunk = {1, 1, 1024};
    H5Pset_chunk(creation, 3, chunk.data());
    SampleFile("in.h5").add("T", {1U << 20, 1U << 20, 1U << 20}, std::vector<float>{}, H5T_NATIVE_FLOAT, H5T_IEEE_F32LE,
                            creation);
    H5Pclose(creation);
    const auto inputs = open_inputs("in.h5", only({"T", {}, {0, 1, 2}}), {});
    // The note tells the memory of the machine at hand.
    const std::string text = render_text(inputs.diagnostics);
    expect_golden("diagnostics/input/too_large.txt",
                  std::regex_replace(text, std::regex("has [0-9.]+ .iB"), "has 16 GiB"));
}

TEST_F(InputDiagnosticsTest, NotFinite) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    std::vector<float> values = SampleFile::counting({4, 3, 2});
    values[9] = nan;
    values[20] = -std::numeric_limits<float>::infinity();
    SampleFile("in.h5").floats("T", {4, 3, 2}, values).floats("beta", {4, 3, 2}).floats("on", {7});
    expect_text("not_finite");
}

TEST_F(InputDiagnosticsTest, BeyondFloat32) {
    SampleFile("in.h5").doubles("T", {2, 1, 2}, {1, 2, 1e39, -1e300}).floats("beta", {2, 1, 2}).floats("on", {7});
    expect_text("beyond_float32");
}

TEST_F(InputDiagnosticsTest, AFilterThatIsNotThere) {
    const H5Z_class2_t filter{
        H5Z_CLASS_T_VERS,
        32700,
        1,
        1,
        "squeeze",
        nullptr,
        nullptr,
        [](unsigned, std::size_t, const unsigned*, std::size_t bytes, std::size_t*, void**) { return bytes; }};
    // By a child, which alone has it: taken back, HDF5 would look at all open files, those too that a full disk left
    // half closed (layout_objects.cpp).
    const pid_t child = fork();
    if (child == 0) {
        const bool registered = H5Zregister(&filter) >= 0;
        const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
        const Dimensions chunk = {7};
        H5Pset_chunk(creation, 1, chunk.data());
        H5Pset_filter(creation, filter.id, H5Z_FLAG_OPTIONAL, 0, nullptr);
        SampleFile("in.h5").add("T", {7}, SampleFile::counting({7}), H5T_NATIVE_FLOAT, H5T_IEEE_F32LE, creation);
        const bool reads = open_inputs("in.h5", only({"T", {}, {0}}), {}).value.has_value();
        _exit(registered && reads ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_EQ(status, 0);
    expect_text("filter", only({"T", {}, {0}}));
}

TEST_F(InputDiagnosticsTest, OtherFilesAreNotRead) {
    {
        SampleFile("other.h5").floats("T", {7});
        const SampleFile file("in.h5");
        H5Lcreate_external("other.h5", "/T", file.id(), "T", H5P_DEFAULT, H5P_DEFAULT);
    }
    expect_text("external_link", only({"T", {}, {0}}));
    {
        const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
        H5Pset_external(creation, "other.h5", 0, 28);
        SampleFile("in.h5").add("T", {7}, std::vector<float>{}, H5T_NATIVE_FLOAT, H5T_IEEE_F32LE, creation);
        H5Pclose(creation);
    }
    expect_text("external_link", only({"T", {}, {0}}));
}

}  // namespace
}  // namespace kasc::runtime
