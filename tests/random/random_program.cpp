// Statements are drawn one after the other. An argument is mostly a variable that was assigned not long ago, so that
// calls hang together; a target is a new variable or one that has a value already. Which variables are inputs follows.
//
//     for (i0 = 0; i0 < p0; i0++) { v2 = g3(v0, v2); }     v0, v2 are read before they have a value: inputs
//     v3 = mvmul33(v1, v2);                                v1 too

#include "random/random_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "random/draw.hpp"

namespace kasc::random {

namespace {

class ProgramDrawer {
public:
    ProgramDrawer(unsigned seed, const Library& library) : draw_(seed), library_(library) {
        const TypeId home = draw_home();
        std::set<TypeId> related{home};
        for (const Function& function : library.functions)
            if (const auto types = types_of(function); types.contains(home)) related.insert(types.begin(), types.end());
        for (const Function& function : library.functions) {
            const bool callable = function.reference && !function.implementations.empty();
            const auto types = types_of(function);
            if (callable && std::includes(related.begin(), related.end(), types.begin(), types.end()))
                functions_.push_back(&function);
        }
    }

    RandomProgram run() {
        calls_left_ = draw_.of<int>({1, 2, 3, 3, 4, 4, 5, 6, 7, 8});
        for (int k = draw_.of<int>({0, 0, 0, 1, 2}); k > 0; --k) program_.parameters.push_back(draw_.between(0, 3));
        while (calls_left_ > 0) add_statement(program_.statements, 0);
        std::vector<int> candidates = recent_;
        std::sort(candidates.begin(), candidates.end());
        candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
        program_.outputs.push_back(recent_.back());
        for (const int v : candidates) add_output(v, 30);
        for (int v = 0; v < static_cast<int>(program_.types.size()); ++v) add_output(v, 4);
        program_.requires_number = draw_.percent(20);
        return program_;
    }

private:
    Draw draw_;
    const Library& library_;
    std::vector<const Function*> functions_;
    RandomProgram program_;
    std::vector<int> recent_;  ///< targets, the last assigned last
    int calls_left_ = 0;

    static std::set<TypeId> types_of(const Function& function) {
        std::set<TypeId> types(function.arguments.begin(), function.arguments.end());
        types.insert(function.result);
        return types;
    }
    /// A program is about one type and those that functions have along with it: of all types at once hardly a call
    /// could take what another makes.
    TypeId draw_home() {
        std::vector<TypeId> all;
        for (const TypeId type : library_.types.ids())
            if (library_.types[type].words > 1) all.push_back(type);
        const auto drawn = library_.find_type(draw_.percent(50) ? "vector3" : "matrix3x3");
        return draw_.percent(50) && drawn ? *drawn : draw_.of(all);
    }

    void add_output(int variable, int chance) {
        auto& outputs = program_.outputs;
        if (std::find(outputs.begin(), outputs.end(), variable) == outputs.end() && draw_.percent(chance))
            outputs.push_back(variable);
    }

    void add_statement(std::vector<RandomStatement>& statements, int depth) {
        if (depth < 2 && draw_.percent(14)) {
            RandomStatement loop;
            const int parameters = static_cast<int>(program_.parameters.size());
            loop.bound = parameters > 0 && draw_.percent(60) ? fmt::format("p{}", draw_.between(0, parameters - 1))
                                                             : std::to_string(draw_.between(0, 3));
            for (int k = draw_.between(1, 3); k > 0 && calls_left_ > 0; --k) add_statement(loop.body, depth + 1);
            statements.push_back(std::move(loop));
            return;
        }
        --calls_left_;
        const Function& function = draw_function();
        RandomStatement call;
        call.callee = function.name;
        for (const TypeId type : function.arguments) call.arguments.push_back(argument(library_.types[type].name));
        call.target = target(library_.types[function.result].name);
        recent_.push_back(call.target);
        statements.push_back(std::move(call));
    }

    /// Mostly one that can take what another call made.
    const Function& draw_function() {
        const Function* function = draw_.of(functions_);
        for (int k = 0; k < 8 && !recent_.empty() && !takes_a_result(*function); ++k) function = draw_.of(functions_);
        return *function;
    }
    [[nodiscard]] bool takes_a_result(const Function& function) const {
        return std::any_of(function.arguments.begin(), function.arguments.end(), [&](TypeId type) {
            return std::any_of(recent_.begin(), recent_.end(), [&](int v) {
                return program_.types[static_cast<std::size_t>(v)] == library_.types[type].name;
            });
        });
    }

    std::vector<int> of_type(const std::string& type) const {
        std::vector<int> found;
        for (int v = 0; v < static_cast<int>(program_.types.size()); ++v)
            if (program_.types[static_cast<std::size_t>(v)] == type) found.push_back(v);
        return found;
    }
    int fresh(const std::string& type) {
        program_.types.push_back(type);
        return static_cast<int>(program_.types.size()) - 1;
    }
    int argument(const std::string& type) {
        std::vector<int> assigned;
        for (const int v : recent_)
            if (program_.types[static_cast<std::size_t>(v)] == type) assigned.push_back(v);
        if (!assigned.empty() && draw_.percent(50)) return assigned.back();
        if (!assigned.empty() && draw_.percent(40)) return draw_.of(assigned);
        const std::vector<int> known = of_type(type);
        if (!known.empty() && draw_.percent(75)) return draw_.of(known);
        return fresh(type);
    }
    int target(const std::string& type) {
        const std::vector<int> known = of_type(type);
        return known.empty() || draw_.percent(60) ? fresh(type) : draw_.of(known);
    }
};

class Text {
public:
    explicit Text(const RandomProgram& program) : program_(program) {}

    std::string run() {
        std::set<int> defined;
        find_inputs(program_.statements, defined);
        for (const int v : program_.outputs)
            if (!defined.contains(v)) inputs_.insert(v);
        if (inputs_.empty()) inputs_.insert(program_.outputs.front());
        std::string text;
        std::set<int> used(inputs_);
        collect(program_.statements, used);
        for (const int v : used) text += fmt::format("{} v{};\n", program_.types[static_cast<std::size_t>(v)], v);
        for (std::size_t k = 0; k < program_.parameters.size(); ++k)
            text += fmt::format("param int p{} = {};\n", k, program_.parameters[k]);
        if (program_.requires_number) text += "param double least = 1;\nrequire(2*least > 0);\n";
        text += "input " + list(std::vector<int>(inputs_.begin(), inputs_.end())) + ";\n";
        write(program_.statements, text, 0);
        return text + "return " + list(program_.outputs) + ";\n";
    }

private:
    const RandomProgram& program_;
    std::set<int> inputs_;
    int loops_ = 0;

    static std::string list(const std::vector<int>& variables) {
        std::string text;
        for (const int v : variables) text += fmt::format("{}v{}", text.empty() ? "" : ", ", v);
        return text;
    }
    static void collect(const std::vector<RandomStatement>& statements, std::set<int>& used) {
        for (const RandomStatement& s : statements) {
            if (!s.callee.empty()) used.insert(s.target);
            used.insert(s.arguments.begin(), s.arguments.end());
            collect(s.body, used);
        }
    }
    /// `defined`: what certainly has a value after the statements.
    void find_inputs(const std::vector<RandomStatement>& statements, std::set<int>& defined) {
        for (const RandomStatement& s : statements) {
            if (s.callee.empty()) {
                std::set<int> inside = defined;
                find_inputs(s.body, inside);
                if (s.bound.front() != 'p' && s.bound != "0") defined = inside;
                continue;
            }
            for (const int v : s.arguments)
                if (!defined.contains(v)) inputs_.insert(v);
            defined.insert(s.target);
        }
    }
    void write(const std::vector<RandomStatement>& statements, std::string& text, int depth) {
        const std::string indent(static_cast<std::size_t>(4 * depth), ' ');
        for (const RandomStatement& s : statements) {
            if (!s.callee.empty()) {
                text += fmt::format("{}v{} = {}({});\n", indent, s.target, s.callee, list(s.arguments));
                continue;
            }
            const int i = loops_++;
            text += fmt::format("{0}for (i{1} = 0; i{1} < {2}; i{1}++) {{\n", indent, i, s.bound);
            write(s.body, text, depth + 1);
            text += indent + "}\n";
        }
    }
};

bool drop(std::vector<RandomStatement>& statements, std::size_t& k) {
    for (auto s = statements.begin(); s != statements.end(); ++s) {
        if (k-- == 0) {
            statements.erase(s);
            return true;
        }
        if (!drop(s->body, k)) continue;
        if (s->body.empty()) statements.erase(s);
        return true;
    }
    return false;
}

}  // namespace

RandomProgram random_program(unsigned seed, const Library& library) { return ProgramDrawer(seed, library).run(); }

std::string text_of(const RandomProgram& program) { return Text(program).run(); }

bool drop_statement(RandomProgram& program, std::size_t k) { return drop(program.statements, k); }

}  // namespace kasc::random
