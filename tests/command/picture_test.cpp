// Pictures in all formats, what files say of their axes, movies.
#include <gtest/gtest.h>

#include <cmath>
#include <csignal>

#include "runtime/hdf5/attributes.hpp"
#include "runtime/hdf5/file.hpp"
#include "support/interrupt.hpp"
#include "support/shell.hpp"
#include "support/temporary.hpp"

namespace kasc {
namespace {

namespace fs = std::filesystem;

class Pictures : public testing::Test {
protected:
    [[nodiscard]] std::string file(const std::string& name) const { return (here_.path() / name).string(); }
    [[nodiscard]] std::string text(const std::string& name) const { return test::read_file(here_.path() / name); }
    [[nodiscard]] test::ShellResult kasc(const std::string& arguments) const {
        return test::shell("cd " + here_.path().string() + " && " + environment_ + " " KASC_COMMAND " " + arguments);
    }
    void draw(const std::string& arguments) const {
        const auto run = kasc("view " + arguments);
        ASSERT_EQ(run.status, 0) << run.output;
    }
    void write(const std::string& name, const runtime::Attributes& attributes = {}) const {
        std::vector<float> volume, frames;
        for (int i = 0; i < 20 * 30 * 40; ++i) volume.push_back(static_cast<float>(i % 40 - i / 1200));
        for (int i = 0; i < 7 * 30 * 41; ++i) frames.push_back(std::sin(0.01F * static_cast<float>(i)));
        ASSERT_TRUE(
            runtime::write_hdf5(file(name), {{"T", {20, 30, 40}, volume}, {"movie", {7, 30, 41}, frames}}, attributes)
                .empty());
    }
    /// A script in place of ffmpeg.
    void pretend_ffmpeg(const std::string& script) {
        fs::create_directory(here_.path() / "bin");
        test::write_file(here_.path() / "bin/ffmpeg", "#!/bin/bash\n" + script);
        fs::permissions(here_.path() / "bin/ffmpeg", fs::perms::owner_all);
        environment_ = "PATH=" + file("bin") + ":$PATH";
    }
    [[nodiscard]] std::size_t files() const {
        return static_cast<std::size_t>(std::distance(fs::directory_iterator(here_.path()), fs::directory_iterator()));
    }
    /// Width and height of a PNG, from its header.
    [[nodiscard]] std::pair<int, int> size_of(const std::string& name) const {
        const std::string bytes = text(name);
        const auto number = [&](std::size_t at) {
            int value = 0;
            for (std::size_t i = at; i < at + 4; ++i) value = value * 256 + static_cast<unsigned char>(bytes.at(i));
            return value;
        };
        return {number(16), number(20)};
    }
    test::Temporary here_;
    std::string environment_;
};

TEST_F(Pictures, TheEndingSaysTheFormat) {
    write("a.h5", {{"spacing_x", "0.001"}, {"spacing_y", "0.001"}, {"spacing_z", "0.002"}});
    for (const char* name : {"T.png", "T.svg", "T.pdf"}) draw(std::string("a.h5 T --unit °C -o ") + name);
    EXPECT_EQ(text("T.png").substr(0, 8), "\x89PNG\r\n\x1a\n");
    EXPECT_LT(text("T.png").size(), 60000U);
    const auto [width, height] = size_of("T.png");
    EXPECT_GT(width, 400);
    EXPECT_LT(width, 1000);
    EXPECT_GT(height, 400);
    EXPECT_TRUE(text("T.pdf").starts_with("%PDF-1."));
    const std::string svg = text("T.svg");
    for (const char* words : {"<title>T</title>", "x, mm", "y, mm", "z, mm", "; z = 0 mm;", "; x = 39 mm;", "; °C"})
        EXPECT_NE(svg.find(words), std::string::npos) << words;
    const auto parsed =
        test::shell("python3 -c 'import sys, xml.etree.ElementTree as tree; tree.parse(sys.argv[1])' " + file("T.svg"));
    EXPECT_EQ(parsed.status, 0) << parsed.output;
    // Again the same bytes.
    for (const char* ending : {"png", "svg", "pdf"}) {
        draw(std::string("a.h5 T --unit °C -o again.") + ending);
        EXPECT_TRUE(text(std::string("again.") + ending) == text(std::string("T.") + ending)) << ending;
    }
}

TEST_F(Pictures, SpacingsComeFromTheFileOrTheCall) {
    write("bare.h5");
    write("told.h5", {{"spacing_x", "0.002"}, {"dy", "0.001"}, {"dz", "0.001"}});
    draw("bare.h5 T -o bare.png");
    draw("bare.h5 T -o called.png --spacing x=2mm,y=1mm,z=0.1cm");
    draw("told.h5 T -o told.png");
    EXPECT_FALSE(text("bare.png") == text("told.png"));
    EXPECT_TRUE(text("called.png") == text("told.png"));
    EXPECT_EQ(kasc("view bare.h5 T --spacing x=-1mm").status, 2);
}

TEST_F(Pictures, OnePlaneIsDrawnWhereOneIsAskedFor) {
    write("a.h5");
    const auto drawn = [&](const std::string& options) {
        draw("a.h5 T -o T.svg " + options);
        const std::string svg = text("T.svg");
        const std::size_t words = svg.find("<title>") + 7;
        return svg.substr(words, svg.find("</title>") - words);
    };
    EXPECT_EQ(drawn(""), "T");
    EXPECT_EQ(drawn("--at middle"), "T");
    EXPECT_EQ(drawn("--at 3,4,5"), "T");
    EXPECT_NE(text("T.svg").find("; y = 4;"), std::string::npos);
    EXPECT_EQ(drawn("--as slice"), "T[x,y,z=0]");
    EXPECT_EQ(drawn("--at 7"), "T[x,y,z=7]");
    EXPECT_EQ(drawn("--axis x"), "T[x=39,y,z]");
    EXPECT_EQ(drawn("--axis y --at middle"), "T[x,y=15,z]");
}

TEST_F(Pictures, ARunTellsWhatItsAxesAre) {
    test::write_file(
        here_.path() / "p.kas",
        "param float dx = 0.002; param float dt = 1e-6; param int steps = 12;\n"
        "float T[x, y], movie[x, y, f], probe[p, t]; input T;\n"
        "for (f = 0; f < steps; f++) { T = T + dx; movie[f = f] = T; probe[t = f] = T[x = 0, y = 0] + p; }\n"
        "return T, movie, probe;\n");
    const std::vector<float> values(20 * 30, 1.0F);
    ASSERT_TRUE(runtime::write_hdf5(file("in.h5"), {{"T", {30, 20}, values}}, {}).empty());
    const auto run = kasc("run p.kas --target cpu --in in.h5 --out out.h5 --set p=2 --picture T=run.svg");
    ASSERT_EQ(run.status, 0) << run.output;
    const auto told = runtime::read_attributes(file("out.h5"), {"spacing_x", "spacing_y", "spacing_z", "spacing_t"});
    ASSERT_TRUE(told);
    using Told = std::map<std::string, std::string>;
    EXPECT_EQ(*told, (Told{{"spacing_x", "0.002"}, {"spacing_y", "0.002"}}));
    EXPECT_NE(text("run.svg").find("x, mm"), std::string::npos);
    // The last axis counts steps: no planes.
    draw("out.h5 movie -o movie.svg");
    EXPECT_NE(text("movie.svg").find("<title>movie[x,y,f="), std::string::npos);
    draw("out.h5 probe -o probe.svg --spacing t=1us");
    EXPECT_NE(text("probe.svg").find("t, µs"), std::string::npos);
    EXPECT_NE(text("probe.svg").find("p 1"), std::string::npos);
}

TEST_F(Pictures, AMovieHandsItsFramesToFfmpeg) {
    write("a.h5");
    pretend_ffmpeg("echo \"$@\" > arguments; cat > frames; for last; do :; done; cp frames \"${last#file:}\"\n");
    const auto run = kasc("view a.h5 movie --movie m.mp4 --fps 12.5 --spacing step=2us");
    ASSERT_EQ(run.status, 0) << run.output;
    EXPECT_EQ(run.output, "m.mp4\n");
    const std::string arguments = text("arguments");
    const std::size_t at = arguments.find("-s ") + 3;
    const int width = std::stoi(arguments.substr(at)),
              height = std::stoi(arguments.substr(arguments.find('x', at) + 1));
    EXPECT_EQ(width % 2, 0);
    EXPECT_EQ(height % 2, 0);
    EXPECT_NE(arguments.find("-pix_fmt rgb24"), std::string::npos);
    EXPECT_NE(arguments.find("-r 12.5 "), std::string::npos);
    EXPECT_NE(arguments.find("-f mp4 file:"), std::string::npos);
    const std::string frames = text("m.mp4");
    const std::size_t frame = static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3;
    ASSERT_EQ(frames.size(), 7 * frame);
    EXPECT_FALSE(frames.substr(0, frame) == frames.substr(frame, frame));
    // The colour bar, at the right, is the same in all.
    const std::size_t bar = (static_cast<std::size_t>(height) / 2 * static_cast<std::size_t>(width) +
                             static_cast<std::size_t>(width) - 60) *
                            3;
    for (std::size_t n = 1; n < 7; ++n)
        EXPECT_TRUE(frames.substr(bar, 180) == frames.substr(bar + n * frame, 180)) << n;
    // Fields of three axes have three planes, unless one is asked for.
    ASSERT_EQ(kasc("view a.h5 T --movie t.webm").status, 0);
    EXPECT_NE(text("arguments").find("-f webm"), std::string::npos);
}

TEST_F(Pictures, AMovieIsThereWholeOrNotAtAll) {
    write("a.h5");
    pretend_ffmpeg("cat >/dev/null; echo no such encoder >&2; exit 3\n");
    const auto run = kasc("view a.h5 movie --movie m.mp4");
    EXPECT_EQ(run.status, 1);
    EXPECT_EQ(run.output, "error[K0733]: ffmpeg cannot make 'm.mp4'\n   = note: no such encoder\n");
    EXPECT_EQ(files(), 2U);  // a.h5, bin
    pretend_ffmpeg("exit 5\n");
    EXPECT_NE(kasc("view a.h5 movie --movie m.mp4").output.find("it ended with status 5"), std::string::npos);
    EXPECT_EQ(kasc("view a.h5 movie --movie a.h5").status, 1);
    EXPECT_EQ(files(), 2U);
}

TEST_F(Pictures, CtrlCEndsFfmpeg) {
    write("a.h5");
    pretend_ffmpeg("echo $$ > number.new; mv number.new number; exec sleep 1000\n");
    std::string said;
    const int status = test::interrupt("env -C " + here_.path().string() + " PATH=" + file("bin") +
                                           ":/usr/bin:/bin " KASC_COMMAND " view a.h5 movie --movie m.mp4",
                                       file("number"), SIGINT, file("log"), said);
    EXPECT_EQ(WEXITSTATUS(status), 1) << said;
    EXPECT_NE(said.find("K0814"), std::string::npos) << said;
    EXPECT_NE(kill(std::stoi(text("number")), 0), 0);
    EXPECT_EQ(files(), 4U);  // a.h5, bin, number, log
}

TEST_F(Pictures, FfmpegMakesThem) {
    if (test::shell("ffmpeg -version").status != 0) GTEST_SKIP() << "no ffmpeg";
    write("a.h5");
    for (const char* name : {"m.mp4", "m.gif"}) {
        const auto run = kasc("view a.h5 movie --movie " + std::string(name));
        ASSERT_EQ(run.status, 0) << run.output;
    }
    EXPECT_EQ(text("m.mp4").substr(4, 4), "ftyp");
    EXPECT_EQ(text("m.gif").substr(0, 6), "GIF89a");
}

}  // namespace
}  // namespace kasc
