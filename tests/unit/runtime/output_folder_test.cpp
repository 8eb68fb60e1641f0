// Folders of emitted files: whole or not at all, over nobody's work, for nobody else to reach into.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/files/output_folder.hpp"
#include "runtime/files/output_place.hpp"
#include "unit/runtime/scratch.hpp"

namespace kasc::runtime {
namespace {

namespace fs = std::filesystem;

class OutputFolder : public ScratchTest {
protected:
    static std::vector<std::string> names(const std::string& folder) {
        std::vector<std::string> found;
        for (const auto& entry : fs::recursive_directory_iterator(folder))
            found.push_back(fs::relative(entry.path(), folder).string());
        std::sort(found.begin(), found.end());
        return found;
    }
    static void put(const fs::path& path, const std::string& text) {
        if (path.has_parent_path()) fs::create_directories(path.parent_path());
        write_text(path, text);
    }
    static mode_t mode(const std::string& path) {
        struct stat info {};
        return stat(path.c_str(), &info) == 0 ? info.st_mode & 07777U : 0;
    }
};

const std::vector<TextFile> files{{"a.cu", "a"}, {"b.h", "b"}, {"1/c.cu", "c"}};

TEST_F(OutputFolder, AppearsWithTheUsualModes) {
    const mode_t before = umask(027);
    EXPECT_TRUE(write_folder("out", files).empty());
    umask(before);
    EXPECT_EQ(names("out"), (std::vector<std::string>{".kasc", "1", "1/c.cu", "a.cu", "b.h"}));
    EXPECT_EQ(mode("out"), 0750U);
    EXPECT_EQ(mode("out/1"), 0750U);
    EXPECT_EQ(mode("out/a.cu"), 0640U);
    EXPECT_EQ(files_here(), 1U);
}

TEST_F(OutputFolder, TheSameAgainAndWithOtherTextsNeedsNoForce) {
    ASSERT_TRUE(write_folder("out", files).empty());
    const std::string manifest = read_text("out/.kasc");
    EXPECT_TRUE(write_folder("out/", files).empty());
    EXPECT_EQ(read_text("out/.kasc"), manifest);
    EXPECT_TRUE(write_folder("./out/.", {{"a.cu", "new"}, {"d.cu", "d"}}).empty());
    EXPECT_EQ(read_text("out/a.cu"), "new");
    EXPECT_EQ(read_text("out/b.h"), "b");
    EXPECT_TRUE(write_folder("out", files).empty());
    EXPECT_EQ(names("out"), (std::vector<std::string>{".kasc", "1", "1/c.cu", "a.cu", "b.h", "d.cu"}));
    // What others put beside kasc's files is nothing that is lost.
    put("out/build/CMakeCache.txt", "mine");
    EXPECT_TRUE(write_folder("out", files).empty());
    EXPECT_EQ(read_text("out/build/CMakeCache.txt"), "mine");
}

TEST_F(OutputFolder, WhatKascDidNotWriteStays) {
    put("mine/notes.txt", "mine");
    Diagnostics said = write_folder("mine", files);
    ASSERT_EQ(said.size(), 1U);
    EXPECT_EQ(said.front().code, "K0725");
    EXPECT_NE(said.front().message.find("'notes.txt'"), std::string::npos) << said.front().message;
    EXPECT_EQ(names("mine"), std::vector<std::string>{"notes.txt"});

    ASSERT_TRUE(write_folder("out", {{"a.cu", "a"}}).empty());
    for (const auto& [name, text] : {std::pair{"a.cu", "edited"}, std::pair{"b.h", "mine"}}) {
        put(std::string("out/") + name, text);
        said = write_folder("out", files);
        ASSERT_EQ(said.size(), 1U) << name;
        EXPECT_EQ(said.front().code, "K0725");
        EXPECT_EQ(read_text(std::string("out/") + name), text);
        EXPECT_FALSE(fs::exists("out/1"));
        fs::remove(std::string("out/") + name);
    }
    // A link in the place of a file is none of kasc's files, and never written through.
    put("dear", "a");
    fs::create_symlink("../dear", "out/a.cu");
    EXPECT_EQ(write_folder("out", files).size(), 1U);
    EXPECT_TRUE(write_folder("out", {{"a.cu", "new"}}, Foreign::replace).empty());
    EXPECT_EQ(read_text("dear"), "a");
    EXPECT_FALSE(fs::is_symlink("out/a.cu"));
    EXPECT_TRUE(write_folder("mine", files, Foreign::replace).empty());
    EXPECT_EQ(read_text("mine/notes.txt"), "mine");
}

TEST_F(OutputFolder, ALinkIsFollowedThereOrNot) {
    fs::create_directory("real");
    fs::create_directory_symlink("real", "link");
    fs::create_symlink("later", "dangling");
    EXPECT_TRUE(write_folder("link", files).empty());
    EXPECT_TRUE(write_folder("dangling", files).empty());
    EXPECT_TRUE(fs::is_symlink("link") && fs::is_symlink("dangling"));
    EXPECT_TRUE(fs::exists("real/a.cu") && fs::exists("later/a.cu"));
    // A folder below it is one that kasc makes, and no link.
    fs::create_directory("elsewhere");
    fs::remove_all("real/1");
    fs::create_directory_symlink("../elsewhere", "real/1");
    EXPECT_EQ(write_folder("real", files, Foreign::replace).size(), 1U);
    EXPECT_TRUE(fs::is_empty("elsewhere"));
}

TEST_F(OutputFolder, WhatOthersPlantInASharedFolderIsRefused) {
    if (geteuid() != 0) GTEST_SKIP() << "only root makes files of others";
    ASSERT_EQ(chown(".", 0, 0), 0);
    fs::create_directory("shared");
    ASSERT_EQ(chmod("shared", 01777), 0);
    fs::create_directory("shared/theirs");
    fs::create_directory("mine");
    fs::create_directory_symlink("../mine", "shared/link");
    fs::create_symlink("../mine/file", "shared/file");
    for (const char* name : {"shared/theirs", "shared/link", "shared/file"})
        ASSERT_EQ(lchown(name, 12345, 12345), 0) << name;
    for (const char* name : {"shared/theirs", "shared/link"}) {
        const Diagnostics said = write_folder(name, files, Foreign::replace);
        ASSERT_EQ(said.size(), 1U) << name;
        EXPECT_EQ(said.front().code, "K0720");
        EXPECT_NE(said.front().message.find("another user"), std::string::npos) << said.front().message;
    }
    EXPECT_FALSE(follow_links("shared/file"));
    EXPECT_TRUE(fs::is_empty("mine") && fs::is_empty("shared/theirs"));
    EXPECT_TRUE(write_folder("shared/own", files).empty());
}

TEST_F(OutputFolder, OnePlaceByAnyOfItsNames) {
    put("a", "a");
    fs::create_hard_link("a", "hard");
    fs::create_symlink("a", "soft");
    fs::create_directory("sub");
    fs::create_directory_symlink("sub", "sublink");
    fs::create_symlink("sub/new", "dangling");
    for (const auto& [one, other] : {std::pair{"a", "./a"}, std::pair{"a", "hard"}, std::pair{"soft", "sub/../hard"},
                                     std::pair{"sub/new", "sublink/new"}, std::pair{"dangling", "sublink/./new"}})
        EXPECT_TRUE(same_place(one, other)) << one << " " << other;
    for (const auto& [one, other] : {std::pair{"a", "b"}, std::pair{"b", "c"}, std::pair{"new", "sub/new"}})
        EXPECT_FALSE(same_place(one, other)) << one << " " << other;
}

}  // namespace
}  // namespace kasc::runtime
