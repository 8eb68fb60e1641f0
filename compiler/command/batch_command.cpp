// kasc batch: one command for many programs, each in a process of its own, a line of JSON each.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <sstream>

#include "command/exit.hpp"
#include "command/request.hpp"
#include "command/streams.hpp"
#include "foundation/parallel.hpp"
#include "runtime/files/check_places.hpp"
#include "runtime/files/descriptor.hpp"
#include "runtime/files/output_place.hpp"
#include "runtime/files/sha256.hpp"
#include "runtime/files/temporary_folder.hpp"
#include "runtime/processes/host.hpp"
#include "runtime/processes/interrupt.hpp"
#include "runtime/processes/process.hpp"
#include "runtime/progress/progress.hpp"

namespace kasc::command {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<const char*, 4> of_programs{"compile", "explain", "run", "tune"};

struct Task {
    std::string program;
    std::vector<std::string> arguments;  ///< behind the program's name: the command's and its own
    std::string digest;                  ///< of the program's text; empty: the command says what is wrong with it
};

struct Line {
    std::string text;
    int status = 0;
    bool is_new = true;
};

std::optional<std::string> text_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) return std::nullopt;
    std::ostringstream text;
    text << file.rdbuf();
    return file.bad() ? std::nullopt : std::optional(text.str());
}

/// What the command said last as JSON: it stands at the end, behind progress and what compilers say.
Json diagnostics_of(const std::string& said) {
    for (std::size_t at = said.rfind("\n[");; at = said.rfind("\n[", at - 1)) {
        const std::size_t begin = at == std::string::npos ? 0 : at + 1;
        Json found = Json::parse(said.substr(begin), nullptr, false);
        if (found.is_array()) return found;
        if (begin == 0) return Json::array();
    }
}

class Batch {
public:
    explicit Batch(const BatchOptions& options) : options_(options) {}

    int execute() {
        read_command();
        for (const std::string& name : options_.programs) read_programs(name);
        if (has_errors(said_) || !open_output()) return end();
        auto folder = runtime::TemporaryFolder::create();
        said_.insert(said_.end(), folder.diagnostics.begin(), folder.diagnostics.end());
        if (!folder) return end();
        const runtime::InterruptWatch interrupt;
        runtime::ProgressDisplay display("batch", runtime::ProgressDisplay::standard_error(), 0, "programs");
        lines_.resize(tasks_.size());
        parallel_for(
            tasks_.size(),
            [&](std::size_t k) {
                if (interrupt.interrupted()) return;
                std::optional<Line> line = known_line(tasks_[k]);
                if (!line) line = line_of(tasks_[k], folder->path() / std::to_string(k), interrupt);
                const std::lock_guard lock(writing_);
                lines_[k] = std::move(line);
                write_next();
                display.update(static_cast<long long>(written_), static_cast<long long>(tasks_.size()));
            },
            static_cast<std::size_t>(options_.jobs));
        display.finish();
        if (interrupt.interrupted()) {
            said_.push_back(placeless("K0814", fmt::format("stopped after {} of {} programs", written_, tasks_.size()),
                                      options_.output.empty() ? "with -o FILE.jsonl the same call goes on where it was"
                                                              : "the same call goes on where it was"));
            return end();
        }
        tell_error(fmt::format("{} programs, {} at fault\n", tasks_.size(), faults_));
        return std::max(end(), worst_);
    }

private:
    const BatchOptions& options_;
    Diagnostics said_;
    std::vector<Task> tasks_;
    runtime::Descriptor output_;         ///< none: standard output
    std::map<std::string, Line> known_;  ///< lines that were there, by key
    std::mutex writing_;
    std::vector<std::optional<Line>> lines_;  ///< by task, until they are written
    std::size_t written_ = 0, faults_ = 0;
    int worst_ = good;

    int end() { return report(said_, options_.diagnostics); }
    void fault(const char* code, const std::string& message, const std::string& help) {
        said_.push_back(placeless(code, message, help));
    }

    void read_command() {
        const auto& command = options_.command;
        if (!command.empty() && std::find(of_programs.begin(), of_programs.end(), command.front()) != of_programs.end())
            return;
        fault("K0918",
              command.empty() ? "the call does not say what is done with each program"
                              : fmt::format("'{}' is no command for programs", command.front()),
              fmt::format("write a command and its options behind --: {}", fmt::join(of_programs, ", ")));
    }

    void add(const std::string& program, const std::vector<std::string>& own) {
        std::vector<std::string> arguments = options_.command;
        arguments.insert(arguments.end(), own.begin(), own.end());
        arguments.emplace_back("--diagnostics");
        arguments.emplace_back("json");
        const auto source = read_program_file(program);
        tasks_.push_back({program, std::move(arguments), source ? runtime::sha256_text((*source)->text) : ""});
    }
    void read_programs(const std::string& name) {
        if (name.ends_with(".kas")) return add(name, {});
        const auto text = text_of(name);
        if (!text)
            return fault("K0919", fmt::format("the list '{}' cannot be read", name),
                         "a program's name ends with .kas; a list has one a line, with its own options behind it");
        const std::filesystem::path folder = std::filesystem::path(name).parent_path();
        std::istringstream lines(*text);
        for (std::string line; std::getline(lines, line);) {
            std::vector<std::string> words = CLI::detail::split_up(line);
            if (words.empty() || words.front().starts_with('#')) continue;
            const std::string program = (folder / words.front()).string();
            words.erase(words.begin());
            for (std::string& word : words) CLI::detail::remove_quotes(word);
            add(program, words);
        }
    }

    /// What a line is the answer to. A program that has changed since is another.
    static std::string key_of(const std::string& program, const Json& arguments, const std::string& digest) {
        return Json{program, arguments, digest}.dump();
    }

    bool open_output() {
        if (options_.output.empty()) return true;
        std::vector<runtime::CallFile> others;
        for (const Task& task : tasks_) others.push_back({task.program, "a program"});
        const Diagnostics places = runtime::check_places({{options_.output, "the output"}}, others);
        said_.insert(said_.end(), places.begin(), places.end());
        if (has_errors(said_)) return false;
        output_ = runtime::Descriptor(open(
            options_.output.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, runtime::usual_mode(0666)));
        if (!output_) {
            said_.push_back(runtime::cannot_write("K0720", options_.output, std::strerror(errno)));
            return false;
        }
        const std::string there = text_of(options_.output).value_or("");
        std::size_t whole = 0;  ///< bytes of whole lines
        for (std::size_t end = there.find('\n'); end != std::string::npos; end = there.find('\n', whole)) {
            const std::string line = there.substr(whole, end - whole);
            const Json row = Json::parse(line, nullptr, false);
            if (!row.is_object() || !row.contains("program") || !row.contains("arguments") || !row.contains("sha256")) {
                fault("K0919", fmt::format("'{}' holds what kasc batch has not written", options_.output),
                      "name another file");
                return false;
            }
            known_[key_of(row["program"], row["arguments"], row["sha256"])] = {line, row.value("status", 0), false};
            whole = end + 1;
        }
        // A line that was cut off is of a call that was killed.
        return ftruncate(output_.get(), static_cast<off_t>(whole)) == 0;
    }

    [[nodiscard]] std::optional<Line> known_line(const Task& task) const {
        const auto at = known_.find(key_of(task.program, task.arguments, task.digest));
        return at == known_.end() ? std::nullopt : std::optional(at->second);
    }

    /// None: the call was interrupted.
    std::optional<Line> line_of(const Task& task, const std::filesystem::path& file,
                                const runtime::InterruptWatch& interrupt) const {
        std::vector<std::string> call{runtime::own_executable(), task.arguments.front(), task.program};
        call.insert(call.end(), task.arguments.begin() + 1, task.arguments.end());
        const auto began = std::chrono::steady_clock::now();
        runtime::ProcessResult result{kasc_at_fault, "no process could be started"};
        {
            const runtime::Descriptor printed(open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
            runtime::ProcessWatch watch;
            watch.printed = printed.get();
            watch.limit_seconds = options_.limit_seconds;
            watch.stop = [&] { return interrupt.interrupted(); };
            if (auto process = runtime::Process::start(call, std::move(watch))) result = process->wait();
        }
        if (result.stopped) return std::nullopt;
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
        const std::string text = text_of(file.string()).value_or("");
        std::filesystem::remove(file);
        Json row{{"program", task.program},    {"arguments", task.arguments},   {"sha256", task.digest},
                 {"status", result.exit_code}, {"timed_out", result.timed_out}, {"seconds", seconds}};
        Json parsed = Json::parse(text, nullptr, false);
        row["result"] = parsed.is_discarded() ? Json(text) : std::move(parsed);
        row["diagnostics"] = diagnostics_of(result.output);
        // What no diagnostic says: of a crash, or of the system.
        if (result.exit_code != 0 && row["diagnostics"].empty()) row["said"] = result.output;
        return Line{row.dump(-1, ' ', false, Json::error_handler_t::replace), result.exit_code, true};
    }

    /// Lines come in the order of the programs, however many processes there are.
    void write_next() {
        for (; written_ < lines_.size() && lines_[written_]; ++written_) {
            const Line line = *std::exchange(lines_[written_], Line{});
            faults_ += line.status == 0 ? 0 : 1;
            worst_ = std::max(worst_, std::min<int>(line.status, kasc_at_fault));
            if (!output_)
                tell(line.text + "\n");
            else if (const int fault = line.is_new ? runtime::write_all(output_.get(), line.text + "\n") : 0;
                     fault != 0)
                said_.push_back(runtime::cannot_write("K0721", options_.output, std::strerror(fault)));
        }
    }
};

}  // namespace

int batch_command(const BatchOptions& options) { return Batch(options).execute(); }

}  // namespace kasc::command
