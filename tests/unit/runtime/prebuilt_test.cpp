// Programs that were built as kasc was installed: taken without a compiler, and only where they are to be trusted.

#include "runtime/building/prebuilt.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/building/build.hpp"
#include "unit/runtime/scratch.hpp"

namespace kasc::runtime {
namespace {

namespace fs = std::filesystem;

class PrebuiltTest : public ScratchTest {
protected:
    void SetUp() override {
        ScratchTest::SetUp();
        if (!has_portable_level()) GTEST_SKIP() << "no processor that such programs are for";
        folder_ = *BuildCache::open("built", 1U << 24U);
        write_text("scale.cpp", "extern \"C\" int scale_entry() { return 0; }\n");
    }
    void TearDown() override {
        unsetenv("CXX");
        ScratchTest::TearDown();
    }
    /// A compiler of the test's own, which adds to each call.
    static void use_compiler(const std::string& more) {
        write_text("mine",
                   "#!/bin/sh\ncase \"$*\" in *--version*) echo 12; exit;; esac\nexec g++ \"$@\" " + more + "\n");
        fs::permissions("mine", fs::perms::owner_all);
        setenv("CXX", "./mine", 1);
    }
    [[nodiscard]] BuildRequest request() const {
        BuildRequest wanted;
        wanted.sources = {"scale.cpp"};
        wanted.library = "libscale.so";
        wanted.prebuilt = "built";
        return wanted;
    }
    void build_into_folder(const std::string& more = "") const {
        use_compiler(more);
        BuildRequest wanted = request();
        wanted.prebuilt.clear();
        wanted.cache = folder_;
        wanted.portable = true;
        ASSERT_TRUE(build_shared_library(wanted));
    }
    /// Where it comes from on a machine without a compiler.
    static bool comes_with_kasc(BuildRequest wanted) {
        setenv("CXX", "no-such-compiler", 1);
        Build build = Build::start(std::move(wanted));
        const auto library = build.finish();
        EXPECT_EQ(library.value.has_value(), build.built_by() == BuiltBy::installation);
        if (!library) {
            EXPECT_EQ(library.diagnostics.at(0).code, "K0801");
        }
        return library.value.has_value();
    }
    static fs::path entry() { return fs::directory_iterator("built")->path(); }

    BuildCache folder_;
};

TEST_F(PrebuiltTest, NeedsNoCompiler) {
    build_into_folder();
    EXPECT_TRUE(comes_with_kasc(request()));
    // For all who run kasc.
    fs::permissions("built", fs::perms(0755));
    fs::permissions(entry(), fs::perms(0644));
    EXPECT_TRUE(comes_with_kasc(request()));
    BuildRequest other = request();
    other.prebuilt.clear();
    EXPECT_FALSE(comes_with_kasc(other));
    other = request();
    other.purpose = BuildPurpose::soon;
    EXPECT_FALSE(comes_with_kasc(other)) << "it was built with other flags";
    write_text("scale.cpp", "extern \"C\" int scale_entry() { return 1; }\n");
    EXPECT_FALSE(comes_with_kasc(request()));
}

TEST_F(PrebuiltTest, ComesBeforeCompilerAndCache) {
    build_into_folder();
    use_compiler("; exit 1");
    BuildRequest wanted = request();
    wanted.cache = *BuildCache::open("cache", 1U << 24U);
    EXPECT_EQ(Build::start(wanted).built_by(), BuiltBy::installation);
    EXPECT_TRUE(fs::is_empty("cache")) << "what comes with kasc is not kept twice";
}

TEST_F(PrebuiltTest, WhatOthersMayWriteIsNotTrusted) {
    build_into_folder();
    struct stat own {};
    ASSERT_EQ(stat("/proc/self/exe", &own), 0);
    const bool group_writes = (own.st_mode & S_IWGRP) != 0;
    for (const fs::path& place : {fs::path("built"), entry()}) {
        const auto before = fs::status(place).permissions();
        fs::permissions(place, fs::perms::others_write, fs::perm_options::add);
        EXPECT_FALSE(comes_with_kasc(request())) << place;
        fs::permissions(place, before);
        fs::permissions(place, fs::perms::group_write, fs::perm_options::add);
        if (!group_writes) {
            EXPECT_FALSE(comes_with_kasc(request())) << place;
        }
        fs::permissions(place, before);
        EXPECT_TRUE(comes_with_kasc(request())) << place;
    }
}

TEST_F(PrebuiltTest, WhatBelongsToAnotherUserIsNotTrusted) {
    if (geteuid() != 0) GTEST_SKIP() << "only root can give files away";
    build_into_folder();
    constexpr uid_t nobody = 65534;
    for (const fs::path& place : {entry(), fs::path("built")}) {
        ASSERT_EQ(chown(place.c_str(), nobody, nobody), 0);
        EXPECT_FALSE(comes_with_kasc(request())) << place;
        ASSERT_EQ(chown(place.c_str(), 0, 0), 0);
    }
    EXPECT_TRUE(comes_with_kasc(request()));
}

TEST_F(PrebuiltTest, LinksAndDamageAreNotTaken) {
    build_into_folder();
    const fs::path name = entry();
    const std::string whole = read_text(name);
    for (const std::size_t at : {std::size_t{0}, std::size_t{70}, whole.size() / 2, whole.size() - 1}) {
        std::string damaged = whole;
        damaged[at] = static_cast<char>(damaged[at] ^ 1);
        write_text(name, damaged);
        EXPECT_FALSE(comes_with_kasc(request())) << at;
    }
    write_text(name, whole.substr(0, whole.size() / 2));
    EXPECT_FALSE(comes_with_kasc(request()));
    write_text(name, whole);
    EXPECT_TRUE(comes_with_kasc(request()));
    fs::rename(name, "elsewhere");
    fs::create_symlink("../elsewhere", name);
    EXPECT_FALSE(comes_with_kasc(request()));
    fs::remove(name);
    fs::rename("elsewhere", name);
    fs::rename("built", "other");
    fs::create_directory_symlink("other", "built");
    EXPECT_FALSE(comes_with_kasc(request()));
}

TEST_F(PrebuiltTest, WhatCannotBeLoadedHereIsBuilt) {
    write_text("missing.cpp", "extern \"C\" int missing() { return 0; }\n");
    ASSERT_EQ(system("g++ -shared -fPIC missing.cpp -o libmissing.so"), 0);
    build_into_folder("-Wl,--no-as-needed -L. -lmissing");
    EXPECT_FALSE(comes_with_kasc(request()));
    const auto refused = build_shared_library(request());
    EXPECT_EQ(refused.diagnostics.at(0).notes.at(0).text,
              "kasc comes with this program, built, but it cannot be loaded: libmissing.so: cannot open shared object "
              "file: No such file or directory");
    use_compiler("");
    Build build = Build::start(request());
    EXPECT_EQ(build.built_by(), BuiltBy::compiler);
    EXPECT_TRUE(build.finish());
    EXPECT_EQ(load_fault(fs::absolute("libscale.so")), std::nullopt);
}

}  // namespace
}  // namespace kasc::runtime
