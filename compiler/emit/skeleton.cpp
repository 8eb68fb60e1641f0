#include "emit/skeleton.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

namespace kasc::emit {

namespace {

class Filling {
public:
    explicit Filling(const Holes& holes) : holes_(holes) {}

    std::string run(std::string_view text) {
        if (text.starts_with('\n')) text.remove_prefix(1);
        while (!text.empty()) {
            const std::size_t end = text.find('\n');
            line(text.substr(0, end));
            if (end == std::string_view::npos) break;
            text.remove_prefix(end + 1);
        }
        for (const auto& [name, filling] : holes_)
            if (!used_.contains(name)) throw std::logic_error("a text has no hole for " + name);
        return std::move(made_);
    }

private:
    const Holes& holes_;
    std::set<std::string, std::less<>> used_;
    std::string made_;

    const std::string& filling(std::string_view name) {
        const auto found = holes_.find(name);
        if (found == holes_.end()) throw std::logic_error("nothing fills the hole " + std::string(name));
        used_.insert(found->first);
        return found->second;
    }

    void line(std::string_view line) {
        const std::size_t blanks = std::min(line.find_first_not_of(' '), line.size());
        const std::string_view rest = line.substr(blanks);
        if (rest.starts_with("${") && rest.find('}') == rest.size() - 1)
            return lines(filling(rest.substr(2, rest.size() - 3)), blanks);
        while (true) {
            const std::size_t hole = line.find("${");
            made_ += line.substr(0, hole);
            if (hole == std::string_view::npos) break;
            const std::size_t end = line.find('}', hole);
            if (end == std::string_view::npos) throw std::logic_error("a hole of a text is not closed");
            made_ += filling(line.substr(hole + 2, end - hole - 2));
            line.remove_prefix(end + 1);
        }
        made_ += '\n';
    }

    void lines(std::string_view text, std::size_t blanks) {
        if (text.empty()) return;
        while (true) {
            const std::size_t end = text.find('\n');
            const std::string_view one = text.substr(0, end);
            if (!one.empty()) made_.append(blanks, ' ').append(one);
            made_ += '\n';
            if (end == std::string_view::npos) return;
            text.remove_prefix(end + 1);
        }
    }
};

}  // namespace

std::string filled(std::string_view text, const Holes& holes) { return Filling(holes).run(text); }

std::string filled_part(std::string_view text, const Holes& holes) {
    std::string made = filled(text, holes);
    if (made.ends_with('\n')) made.pop_back();
    return made;
}

}  // namespace kasc::emit
