// A kernel's text begins with a comment of its calls, a line each, and ends with a brace at the beginning of a line:
//
//   // L = T[-1, 0] + T[1, 0]           kernel k0, statement L
//   // T = T + dt * L                              statement T
//   __global__ void
//   heat_k0(const float *T, …) {        its name stands at the beginning of a line or behind a type
//       const float L_0 = …                        statement L: its value is called L
//       T_new[i] = …                               statement T
//   }

#include "driver/explorer/emitted_lines.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <string_view>

namespace kasc::explorer {

namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::vector<std::string_view> lines_of(const std::string& text) {
    std::vector<std::string_view> lines;
    std::string_view rest = text;
    while (!rest.empty()) {
        const std::size_t end = rest.find('\n');
        lines.push_back(rest.substr(0, end));
        rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    }
    return lines;
}

std::string_view trimmed(std::string_view line) {
    while (!line.empty() && line.front() == ' ') line.remove_prefix(1);
    return line;
}

/// The text of a line that is a comment; none: it is code.
std::optional<std::string_view> comment_of(std::string_view line) {
    line = trimmed(line);
    if (!line.starts_with("//")) return std::nullopt;
    return trimmed(line.substr(2));
}

/// "L_0" of "const float L_0 = …", "float L_0[4];", "L_0[v] = …" and "store4(L_0 + i, …": what the line assigns.
std::string_view assigned_in(std::string_view line) {
    line = trimmed(line);
    if (line.starts_with("store")) {
        const std::size_t open = line.find('(');
        if (open == std::string_view::npos) return {};
        std::size_t end = open + 1;
        while (end < line.size() && is_word(line[end])) ++end;
        return line.substr(open + 1, end - open - 1);
    }
    std::size_t end = line.find(" = ");
    if (end == std::string_view::npos) end = line.find(" += ");
    if (end == std::string_view::npos) end = line.ends_with("];") ? line.size() - 1 : 0;
    while (end > 0 && line[end - 1] == ']') {
        const std::size_t open = line.rfind('[', end - 1);
        if (open == std::string_view::npos) return {};
        end = open;
    }
    std::size_t begin = end;
    while (begin > 0 && is_word(line[begin - 1])) --begin;
    return line.substr(begin, end - begin);
}

/// The name of a kernel whose head this line is: "heat_k0_v1" of "heat_k0_v1(const float *…".
std::string_view head_in(std::string_view line) {
    if (line.empty() || line.front() == ' ' || line.front() == '/' || line.front() == '#') return {};
    const std::size_t open = line.find('(');
    if (open == std::string_view::npos || !line.ends_with('{')) return {};
    std::size_t begin = open;
    while (begin > 0 && is_word(line[begin - 1])) --begin;
    return line.substr(begin, open - begin);
}

/// Texts of one kernel: its statements by the texts of its calls, in the order in which emitted code has them, and by
/// what the names of their values begin with.
struct KernelTexts {
    std::size_t kernel = 0;
    std::vector<std::pair<std::string, std::size_t>> calls{};
    std::map<std::string, std::optional<std::size_t>, std::less<>> values{};
};

class Reader {
public:
    Reader(const Compilation& c, const HostPlan& host, const PlanView& view) : c_(c), view_(view) {
        for (std::size_t k = 0; k < view.kernels.size(); ++k) {
            texts_.push_back({k});
            const ViewedKernel& kernel = view.kernels[k];
            add_calls(texts_.back(), kernel.graph, fusion_of(kernel.candidate->schedule).calls);
        }
        for (const kernel::Lowered& lowered : host.kernels) {
            for (const kernel::Kernel& kernel : lowered.alternatives) add_names(kernel, lowered);
        }
    }

    EmittedLines read(const std::string& text) {
        const std::vector<std::string_view> lines = lines_of(text);
        for (std::size_t at = 0; at < lines.size(); ++at) {
            std::string_view name = head_in(lines[at]);
            const bool host = name.starts_with("launch_");
            if (host) name.remove_prefix(7);
            const auto known = by_name_.find(name);
            if (known != by_name_.end()) at = read_kernel(lines, at, texts_[known->second], host);
            if (const auto launched = launched_in(lines[at]); known == by_name_.end() && launched)
                out_.kernels.push_back({static_cast<int>(at) + 1, static_cast<int>(at) + 1, *launched});
        }
        return std::move(out_);
    }

private:
    const Compilation& c_;
    const PlanView& view_;
    std::vector<KernelTexts> texts_;
    std::map<std::string, std::size_t, std::less<>> by_name_;
    EmittedLines out_;

    void add_calls(KernelTexts& texts, std::size_t graph, const std::vector<NodeId>& calls) {
        const ViewedGraph& in = view_.graphs[graph];
        for (const NodeId call : calls) {
            const auto statement = in.statement_of.find(call);
            if (statement != in.statement_of.end())
                texts.calls.emplace_back(node_text(*in.graph, c_.program, call), statement->second);
            const auto body = in.body_of.find(call);
            if (body == in.body_of.end()) continue;
            const Graph& inner = *view_.graphs[body->second].graph;
            add_calls(texts, body->second, inner.nodes.ids());
        }
    }

    void add_names(const kernel::Kernel& kernel, const kernel::Lowered& lowered) {
        const std::string& first = lowered.alternatives.front().name;
        const auto viewed = std::find_if(view_.kernels.begin(), view_.kernels.end(),
                                         [&](const ViewedKernel& k) { return k.name == first; });
        if (viewed == view_.kernels.end()) return;
        const auto k = static_cast<std::size_t>(viewed - view_.kernels.begin());
        by_name_[kernel.name] = k;
        // Values are of the kernel's graph, of a loop that the kernel runs of the loop's body.
        std::size_t graph = viewed->graph;
        if (std::holds_alternative<LoopSchedule>(viewed->candidate->schedule))
            graph = view_.graphs[graph].body_of.at(fusion_of(viewed->candidate->schedule).calls.front());
        const ViewedGraph& in = view_.graphs[graph];
        for (const auto& [value, name] : kernel.value_names) {
            const auto& producer = in.graph->values[value].producer;
            const auto computed = producer ? in.kernel_of.find(*producer) : in.kernel_of.end();
            const auto statement = producer ? in.statement_of.find(*producer) : in.statement_of.end();
            const bool own = computed != in.kernel_of.end() && computed->second == k;
            texts_[k].values[name] =
                own && statement != in.statement_of.end() ? std::optional(statement->second) : std::nullopt;
        }
    }

    /// By the longest name of a value that it begins with.
    static std::optional<std::size_t> statement_of(const KernelTexts& texts, std::string_view word) {
        for (std::size_t end = word.size(); end > 0; --end) {
            if (end < word.size() && word[end] != '_') continue;
            const auto found = texts.values.find(word.substr(0, end));
            if (found != texts.values.end()) return found->second;
        }
        return std::nullopt;
    }

    /// The kernel that a line of the host's side launches.
    [[nodiscard]] std::optional<std::size_t> launched_in(std::string_view line) const {
        const std::size_t at = line.find("launch_");
        if (at == std::string_view::npos) return std::nullopt;
        const std::string_view name = line.substr(at + 7, line.find('(', at) - at - 7);
        const auto known = by_name_.find(name);
        return known == by_name_.end() ? std::nullopt : std::optional(known->second);
    }

    void mark(std::size_t line, const KernelTexts& texts, std::size_t statement) {
        out_.statements.push_back({static_cast<int>(line) + 1, texts.kernel, statement});
    }

    /// Comments name the calls in their order; of equal texts the next one is meant.
    std::optional<std::size_t> named(const KernelTexts& texts, std::string_view comment, std::size_t& next) {
        for (std::size_t k = 0; k < texts.calls.size(); ++k) {
            const std::size_t at = (next + k) % texts.calls.size();
            if (texts.calls[at].first != comment) continue;
            next = at + 1;
            return texts.calls[at].second;
        }
        return std::nullopt;
    }

    /// The last line of the kernel.
    std::size_t read_kernel(const std::vector<std::string_view>& lines, std::size_t head, const KernelTexts& texts,
                            bool host) {
        std::size_t first = head;
        while (first > 0 && !lines[first - 1].empty() && lines[first - 1] != "}") --first;
        std::size_t next = 0, last = head;
        for (std::size_t at = first; at < head; ++at) {
            const auto comment = comment_of(lines[at]);
            const auto statement = comment ? named(texts, *comment, next) : std::nullopt;
            if (statement) mark(at, texts, *statement);
        }
        std::optional<std::size_t> called;  // by the comment above
        next = 0;
        for (last = head + 1; last < lines.size() && !lines[last].starts_with("}"); ++last) {
            if (host) continue;
            if (const auto comment = comment_of(lines[last])) {
                called = named(texts, *comment, next);
                if (called) mark(last, texts, *called);
                continue;
            }
            const auto statement = called ? called : statement_of(texts, assigned_in(lines[last]));
            if (statement) mark(last, texts, *statement);
            called.reset();
        }
        out_.kernels.push_back({static_cast<int>(first) + 1, static_cast<int>(last) + 1, texts.kernel});
        return last;
    }
};

}  // namespace

EmittedLines emitted_lines(const std::string& text, const Compilation& compilation, const HostPlan& host,
                           const PlanView& view) {
    return Reader(compilation, host, view).read(text);
}

}  // namespace kasc::explorer
