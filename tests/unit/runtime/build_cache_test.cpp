// What is kept of builds: found again where all is the same, never where it may be somebody else's or damaged.

#include "runtime/building/cache.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#include "runtime/building/cache_place.hpp"
#include "unit/runtime/scratch.hpp"

namespace kasc::runtime {
namespace {

namespace fs = std::filesystem;

BuildKey key_of(const std::string& text) {
    BuildKey key("heat3d", "cpu");
    key.add("source", text);
    return key;
}

class BuildCacheTest : public ScratchTest {
protected:
    static constexpr std::uint64_t much = 1U << 20U;

    static BuildCache cache(std::uint64_t most_bytes = much) {
        auto opened = BuildCache::open("cache", most_bytes);
        return opened ? *opened : BuildCache{};
    }
    static fs::path file_of(const BuildKey& key) { return fs::path("cache") / (key.digest() + ".built"); }
    static std::string found(const BuildKey& key) {
        const auto artefact = cache().find(key);
        return artefact ? artefact->bytes : "none";
    }
    static void set_age(const BuildKey& key, int seconds) {
        const timespec then{std::time(nullptr) - seconds, 0};
        const timespec times[] = {then, then};
        EXPECT_EQ(utimensat(AT_FDCWD, file_of(key).c_str(), times, 0), 0);
    }
};

TEST_F(BuildCacheTest, WhatWasKeptIsFound) {
    const BuildKey key = key_of("a");
    EXPECT_EQ(found(key), "none");
    Diagnostic warning;
    warning.severity = Severity::warning;
    warning.code = "K0803";
    warning.message = "one core \xff";
    warning.notes = {{{}, "note"}};
    warning.help = "help";
    const std::string bytes("\0\nbytes\n", 8);
    cache().keep(key, {bytes, {warning}});
    const auto artefact = cache().find(key);
    ASSERT_TRUE(artefact);
    EXPECT_EQ(artefact->bytes, bytes);
    ASSERT_EQ(artefact->said.size(), 1U);
    EXPECT_EQ(artefact->said[0].code, "K0803");
    EXPECT_EQ(artefact->said[0].severity, Severity::warning);
    EXPECT_EQ(artefact->said[0].message, "one core \xEF\xBF\xBD");
    EXPECT_EQ(artefact->said[0].notes.at(0).text, "note");
    EXPECT_EQ(artefact->said[0].help, "help");
    EXPECT_EQ(found(key_of("b")), "none");
    cache().keep(key, {"", {}});
    EXPECT_EQ(found(key), "");
}

TEST_F(BuildCacheTest, KeysTellTextsAndLabelsApart) {
    const auto digest = [](std::vector<std::pair<std::string, std::string>> parts) {
        BuildKey key("", "");
        for (const auto& [label, text] : parts) key.add(label, text);
        return key.digest();
    };
    EXPECT_NE(digest({{"a", "bc"}}), digest({{"ab", "c"}}));
    EXPECT_NE(digest({{"a", "b"}, {"a", "c"}}), digest({{"a", "bc"}}));
    EXPECT_NE(digest({{"a", "b"}, {"c", "d"}}), digest({{"c", "d"}, {"a", "b"}}));
    EXPECT_NE(digest({{"a", "1\nb 1\n2"}}), digest({{"a", "1"}, {"b", "2"}}));
    EXPECT_EQ(digest({}), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");  // SHA-256 of nothing
    EXPECT_EQ(sha256_text("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");  // FIPS 180-4
}

TEST_F(BuildCacheTest, DamageAtAnyByteIsSeen) {
    const BuildKey key = key_of("a");
    cache().keep(key, {"artefact", {}});
    const std::string whole = read_text(file_of(key));
    for (std::size_t i = 0; i < whole.size(); ++i) {
        std::string damaged = whole;
        damaged[i] = static_cast<char>(damaged[i] ^ 1);
        write_text(file_of(key), damaged);
        EXPECT_EQ(found(key), "none") << i;
        write_text(file_of(key), whole.substr(0, i));
        EXPECT_EQ(found(key), "none") << i;
    }
    // Whole, but another key's.
    write_text(file_of(key_of("b")), whole);
    EXPECT_EQ(found(key_of("b")), "none");
    cache().keep(key, {"again", {}});
    EXPECT_EQ(found(key), "again");
}

TEST_F(BuildCacheTest, WhatOthersMayWriteIsNotTrusted) {
    const BuildKey key = key_of("a");
    cache().keep(key, {"mine", {}});
    for (const mode_t bit : {S_IWGRP, S_IWOTH}) {
        ASSERT_EQ(chmod(file_of(key).c_str(), 0600 | bit), 0);
        EXPECT_EQ(found(key), "none");
        ASSERT_EQ(chmod(file_of(key).c_str(), 0600), 0);
        EXPECT_EQ(found(key), "mine");
        // The folder, and one that was opened while it was still well.
        const BuildCache before = cache();
        ASSERT_EQ(chmod("cache", 0700 | bit), 0);
        const auto opened = BuildCache::open("cache", much);
        ASSERT_FALSE(opened);
        EXPECT_EQ(render_text(opened.diagnostics),
                  "warning[K0806]: nothing is kept of what is built: the cache 'cache' can be written by others\n"
                  "   = help: name a folder of your own in $KASC_CACHE, or set KASC_CACHE_SIZE=0\n");
        EXPECT_FALSE(before.find(key));
        before.keep(key, {"theirs", {}});
        ASSERT_EQ(chmod("cache", 0700), 0);
        EXPECT_EQ(found(key), "mine");
    }
}

TEST_F(BuildCacheTest, WhatBelongsToAnotherUserIsNotTrusted) {
    if (geteuid() != 0) GTEST_SKIP() << "only root can give files away";
    const BuildKey key = key_of("a");
    cache().keep(key, {"mine", {}});
    constexpr uid_t nobody = 65534;
    ASSERT_EQ(chown(file_of(key).c_str(), nobody, nobody), 0);
    EXPECT_EQ(found(key), "none");
    cache().keep(key, {"again", {}});
    EXPECT_EQ(found(key), "again");
    ASSERT_EQ(chown("cache", nobody, nobody), 0);
    const auto opened = BuildCache::open("cache", much);
    EXPECT_NE(render_text(opened.diagnostics).find("belongs to another user"), std::string::npos);
}

TEST_F(BuildCacheTest, LinksAreNotFollowed) {
    const BuildKey key = key_of("a");
    cache().keep(key, {"mine", {}});
    fs::rename(file_of(key), "elsewhere");
    fs::create_symlink("../elsewhere", file_of(key));
    EXPECT_EQ(found(key), "none");
    const std::string before = read_text("elsewhere");
    cache().keep(key, {"again", {}});
    EXPECT_EQ(found(key), "again");
    EXPECT_FALSE(fs::is_symlink(file_of(key)));
    EXPECT_EQ(read_text("elsewhere"), before);
    fs::rename("cache", "other");
    fs::create_directory_symlink("other", "cache");
    EXPECT_NE(render_text(BuildCache::open("cache", much).diagnostics).find("'cache' is a link"), std::string::npos);
    // A pipe, which nobody writes, holds nobody up; nor does a folder.
    const BuildCache real = *BuildCache::open("other/", much);
    fs::remove(fs::path("other") / (key.digest() + ".built"));
    ASSERT_EQ(mkfifo(("other/" + key.digest() + ".built").c_str(), 0600), 0);
    EXPECT_FALSE(real.find(key));
    fs::create_directory("other/" + key_of("b").digest() + ".built");
    EXPECT_FALSE(real.find(key_of("b")));
}

TEST_F(BuildCacheTest, TheLeastRecentlyUsedGo) {
    const std::string bytes(3000, 'x');
    const BuildCache small = cache(10'000);
    for (const char* name : {"a", "b", "c"}) small.keep(key_of(name), {bytes, {}});
    set_age(key_of("a"), 30);
    set_age(key_of("b"), 20);
    set_age(key_of("c"), 10);
    EXPECT_TRUE(small.find(key_of("a")));  // used again
    small.keep(key_of("d"), {bytes, {}});
    EXPECT_TRUE(small.find(key_of("a")));
    EXPECT_FALSE(small.find(key_of("b")));
    EXPECT_TRUE(small.find(key_of("c")));
    EXPECT_TRUE(small.find(key_of("d")));
    small.keep(key_of("e"), {std::string(20'000, 'x'), {}});  // larger than all may be
    EXPECT_EQ(small.entries().size(), 3U);
    EXPECT_EQ(small.entries().front().head.title, "heat3d");
    EXPECT_EQ(small.entries().front().head.target, "cpu");
    // What a process left when it was killed goes after an hour; what another writes now stays, and files of others.
    for (const char* name : {"cache/.new-old", "cache/.new-now", "cache/notes.txt"}) write_text(name, "text");
    const timespec then{std::time(nullptr) - 7200, 0};
    const timespec times[] = {then, then};
    for (const char* name : {"cache/.new-old", "cache/notes.txt"}) utimensat(AT_FDCWD, name, times, 0);
    EXPECT_EQ(small.shrink(0), 3U);
    EXPECT_TRUE(small.entries().empty());
    EXPECT_FALSE(fs::exists("cache/.new-old"));
    EXPECT_TRUE(fs::exists("cache/.new-now"));
    EXPECT_TRUE(fs::exists("cache/notes.txt"));
}

TEST_F(BuildCacheTest, ManyProcessesPublishAtOnce) {
    const std::string bytes(200'000, 'x');
    static_cast<void>(cache());
    std::vector<pid_t> children;
    for (int child = 0; child < 8; ++child) {
        const pid_t pid = fork();
        if (pid == 0) {
            bool good = true;
            const BuildCache mine = cache();
            for (int round = 0; round < 30; ++round) {
                const BuildKey key = key_of(std::to_string(round % 3));
                const auto artefact = mine.find(key);
                good = good && (!artefact || artefact->bytes == bytes + std::to_string(round % 3));
                mine.keep(key, {bytes + std::to_string(round % 3), {}});
                good = good && mine.find(key);
            }
            _exit(good ? 0 : 1);
        }
        children.push_back(pid);
    }
    for (const pid_t pid : children) {
        int status = 0;
        waitpid(pid, &status, 0);
        EXPECT_EQ(status, 0);
    }
    EXPECT_EQ(cache().entries().size(), 3U);
    EXPECT_EQ(std::distance(fs::directory_iterator("cache"), {}), 3) << "nothing half written stays";
}

TEST_F(BuildCacheTest, AFullDiskLeavesNothing) {
    const BuildCache mine = cache();
    mine.keep(key_of("a"), {"small", {}});
    const pid_t pid = fork();
    if (pid == 0) {
        signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{50'000, 50'000};
        setrlimit(RLIMIT_FSIZE, &limit);
        mine.keep(key_of("b"), {std::string(100'000, 'x'), {}});
        _exit(0);
    }
    int status = 0;
    waitpid(pid, &status, 0);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(std::distance(fs::directory_iterator("cache"), {}), 1);
    EXPECT_EQ(found(key_of("a")), "small");
    EXPECT_EQ(found(key_of("b")), "none");
}

/// The variables that name the cache, as they are outside of a test again at its end.
class PlaceTest : public ScratchTest {
protected:
    void SetUp() override {
        ScratchTest::SetUp();
        for (const char* name : names) {
            const char* value = std::getenv(name);
            before_.push_back(value == nullptr ? std::optional<std::string>() : value);
            unsetenv(name);
        }
        here_ = fs::current_path().string();
    }
    void TearDown() override {
        for (std::size_t i = 0; i < before_.size(); ++i) {
            if (before_[i]) {
                setenv(names[i], before_[i]->c_str(), 1);
            } else {
                unsetenv(names[i]);
            }
        }
        ScratchTest::TearDown();
    }
    static constexpr const char* names[] = {"KASC_CACHE", "KASC_CACHE_SIZE", "XDG_CACHE_HOME", "HOME"};
    std::vector<std::optional<std::string>> before_;
    std::string here_;
};

TEST_F(PlaceTest, TheUsersOwnFolders) {
    EXPECT_EQ(cache_place()->folder, "");
    EXPECT_FALSE(users_cache()->usable());
    EXPECT_TRUE(users_cache().diagnostics.empty());
    setenv("HOME", here_.c_str(), 1);
    EXPECT_EQ(cache_place()->folder, here_ + "/.cache/kasc");
    EXPECT_TRUE(users_cache()->usable());
    struct stat info {};
    ASSERT_EQ(stat(".cache/kasc", &info), 0);
    EXPECT_EQ(info.st_mode & 07777U, 0700U);
    setenv("XDG_CACHE_HOME", "relative", 1);
    EXPECT_EQ(cache_place()->folder, here_ + "/.cache/kasc");
    setenv("XDG_CACHE_HOME", (here_ + "/xdg").c_str(), 1);
    EXPECT_EQ(cache_place()->folder, here_ + "/xdg/kasc");
    setenv("KASC_CACHE", "named", 1);
    EXPECT_EQ(cache_place()->folder, "named");
    EXPECT_EQ(cache_place()->most_bytes, std::uint64_t{1} << 30U);
    setenv("KASC_CACHE_SIZE", "20M", 1);
    EXPECT_EQ(users_cache()->most_bytes(), std::uint64_t{20} << 20U);
    setenv("KASC_CACHE_SIZE", "0", 1);
    EXPECT_FALSE(users_cache()->usable());
    setenv("KASC_CACHE_SIZE", "much", 1);
    EXPECT_EQ(render_text(users_cache().diagnostics),
              "warning[K0806]: $KASC_CACHE_SIZE is no size: 'much'; nothing is kept of what is built\n"
              "   = help: a size as 500M or 2G, or 0 for no cache\n");
}

TEST_F(PlaceTest, APlaceThatCannotBeMadeIsToldOfWhereItWasNamed) {
    write_text("file", "text");
    setenv("HOME", (here_ + "/file").c_str(), 1);
    EXPECT_FALSE(users_cache()->usable());
    EXPECT_TRUE(users_cache().diagnostics.empty());
    setenv("KASC_CACHE", "file/kasc", 1);
    EXPECT_EQ(users_cache().diagnostics.at(0).code, "K0806");
    setenv("KASC_CACHE", "file", 1);
    EXPECT_EQ(users_cache().diagnostics.at(0).message,
              "nothing is kept of what is built: the cache 'file' cannot be opened: Not a directory");
    EXPECT_FALSE(users_cache()->usable());
}

TEST_F(BuildCacheTest, AReadOnlyCacheIsReadAndNothingElse) {
    cache().keep(key_of("a"), {"bytes", {}});
    // Root may write everywhere, so it is another user who tries.
    constexpr uid_t nobody = 65534;
    const bool root = geteuid() == 0;
    for (const fs::path& path : {fs::path("."), fs::path("cache"), file_of(key_of("a"))})
        ASSERT_TRUE(!root || chown(path.c_str(), nobody, nobody) == 0);
    fs::permissions("cache", fs::perms::owner_read | fs::perms::owner_exec);
    const pid_t pid = fork();
    if (pid == 0) {
        if (root && (setgid(nobody) != 0 || setuid(nobody) != 0)) _exit(2);
        const BuildCache mine = cache();
        const bool read = mine.find(key_of("a")).has_value();
        mine.keep(key_of("b"), {"bytes", {}});
        _exit(read && mine.usable() && !mine.find(key_of("b")) ? 0 : 1);
    }
    int status = 0;
    waitpid(pid, &status, 0);
    EXPECT_EQ(status, 0);
    fs::permissions("cache", fs::perms::owner_all);
    EXPECT_EQ(std::distance(fs::directory_iterator("cache"), {}), 1);
}

}  // namespace
}  // namespace kasc::runtime
