// ffmpeg reads raw frames from its standard input, which is a pipe, and writes a file that takes its place at the end.
// Where ffmpeg neither reads nor ends, a request to stop is heard all the same: the pipe is written without waiting.

#include "runtime/pictures/movie.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <optional>
#include <utility>

#include "runtime/files/descriptor.hpp"
#include "runtime/files/replacement.hpp"
#include "runtime/pictures/picture_format.hpp"
#include "runtime/processes/process.hpp"

namespace kasc::runtime {

namespace {

/// ffmpeg's name of the form, and what it needs to know for it: players want even sides and half the colours' detail.
std::optional<std::vector<std::string>> form_of(const std::string& path) {
    const std::string ending = ending_of(path);
    if (ending == "mp4") return std::vector<std::string>{"-pix_fmt", "yuv420p", "-movflags", "+faststart", "-f", "mp4"};
    if (ending == "webm") return std::vector<std::string>{"-pix_fmt", "yuv420p", "-f", "webm"};
    if (ending == "gif")
        return std::vector<std::string>{"-vf", "split[a][b];[a]palettegen[p];[b][p]paletteuse", "-f", "gif"};
    return std::nullopt;
}

/// The last lines of what ffmpeg said.
std::string last_words(const std::string& output) {
    constexpr std::size_t most = 400;
    std::string words = output.size() > most ? "…" + output.substr(output.size() - most) : output;
    while (!words.empty() && words.back() == '\n') words.pop_back();
    return words;
}

}  // namespace

struct Movie::Making {
    std::string path;
    ReplacementFile file;
    Descriptor pipe;
    Process ffmpeg;
    std::function<bool()> stop;
    bool stopped = false;

    /// False: ffmpeg reads no more, or the movie was stopped.
    bool write_some(const char*& from, std::size_t& bytes) {
        constexpr int ask_every_ms = 100;
        stopped = stopped || stop();
        if (stopped) return false;
        pollfd ready{pipe.get(), POLLOUT, 0};
        if (poll(&ready, 1, ask_every_ms) <= 0) return true;
        const ssize_t count = write(pipe.get(), from, bytes);
        if (count < 0) return errno == EAGAIN || errno == EINTR;
        from += count;
        bytes -= static_cast<std::size_t>(count);
        return true;
    }
};

Movie::Movie(std::unique_ptr<Making> making) : making_(std::move(making)) {}
Movie::Movie(Movie&& other) noexcept = default;
Movie::~Movie() = default;

Diagnostics check_movie_format(const std::string& path) {
    if (form_of(path)) return {};
    return {placeless("K0731", fmt::format("the name '{}' does not say what kind of movie it is", path),
                      "a name ends in .mp4, .webm or .gif")};
}

Outcome<std::string> find_ffmpeg() {
    if (auto found = find_program("ffmpeg")) return success(*std::move(found));
    return failure<std::string>(
        placeless("K0732", "movies are made by ffmpeg, which is not found",
                  "install it (Debian: apt install ffmpeg), and have it in one of PATH's folders"));
}

Outcome<Movie> Movie::start(const std::string& path, const MovieForm& form, std::function<bool()> stop) {
    if (Diagnostics bad = check_movie_format(path); !bad.empty()) return failure<Movie>(std::move(bad));
    const auto program = find_ffmpeg();
    if (!program) return failure<Movie>(program.diagnostics);
    auto file = ReplacementFile::create(path);
    if (!file) return failure<Movie>(file.diagnostics);
    std::vector<std::string> arguments{*program.value, "-y", "-nostdin", "-loglevel", "error"};
    const auto add = [&](std::vector<std::string> more) {
        arguments.insert(arguments.end(), more.begin(), more.end());
    };
    add({"-f", "rawvideo", "-pix_fmt", "rgb24", "-s", fmt::format("{}x{}", form.width, form.height)});
    add({"-r", fmt::format("{}", form.frames_per_second), "-i", "pipe:0"});
    // The same frames give the same bytes.
    add({"-an", "-map_metadata", "-1", "-fflags", "+bitexact", "-flags:v", "+bitexact"});
    add(*form_of(path));
    add({"file:" + file->temporary_path()});
    std::array<int, 2> ends{};
    const auto not_started = [&] {
        return failure<Movie>(placeless("K0733", fmt::format("'{}' cannot be started", *program.value)));
    };
    if (pipe2(ends.data(), O_CLOEXEC) != 0) return not_started();
    const Descriptor read_end(ends[0]);
    Descriptor write_end(ends[1]);
    fcntl(write_end.get(), F_SETFL, O_NONBLOCK);
    ProcessWatch watch;
    watch.stop = stop;
    watch.input = read_end.get();
    auto ffmpeg = Process::start(arguments, std::move(watch));
    if (!ffmpeg) return not_started();
    return success(Movie(std::make_unique<Making>(
        Making{path, *std::move(file.value), std::move(write_end), *std::move(ffmpeg), std::move(stop)})));
}

bool Movie::add(const Pixels& frame) {
    const char* from = reinterpret_cast<const char*>(frame.colours.data());
    std::size_t bytes = frame.colours.size() * sizeof(Colour);
    while (bytes > 0) {
        if (!making_->write_some(from, bytes)) return false;
    }
    return true;
}

Diagnostics Movie::finish() {
    Making& m = *making_;
    m.pipe = Descriptor();
    const Diagnostics stopped{placeless("K0814", "the movie was stopped; no file is left", "call again")};
    if (m.stopped) return stopped;
    const ProcessResult ended = m.ffmpeg.wait();
    if (ended.stopped) return stopped;
    if (ended.exit_code != 0) {
        Diagnostic d = placeless("K0733", fmt::format("ffmpeg cannot make '{}'", m.path));
        const std::string words = last_words(ended.output);
        d.notes.push_back({{}, words.empty() ? fmt::format("it ended with status {}", ended.exit_code) : words});
        return {d};
    }
    return m.file.commit();
}

}  // namespace kasc::runtime
