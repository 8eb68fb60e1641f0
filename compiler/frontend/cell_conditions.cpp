#include "frontend/cell_conditions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "frontend/ast_parts.hpp"
#include "frontend/called_reduction.hpp"
#include "frontend/check_expression.hpp"

namespace kasc::frontend {

namespace {

ast::ExpressionRef whole(const char* text, const Span& span) { return made(ast::Number{text}, span); }

const ast::Declaration* declared(const Ast& ast, const std::string& name) {
    const auto found = std::find_if(ast.declarations.begin(), ast.declarations.end(),
                                    [&](const ast::Declaration& d) { return d.is_field && d.name.text == name; });
    return found == ast.declarations.end() ? nullptr : &*found;
}

std::set<std::string> axes_of(const ast::Declaration& d) {
    std::set<std::string> axes;
    for (const ast::Name& axis : d.axes) axes.insert(axis.text);
    return axes;
}

/// A name of an axis alone is its coordinate.
bool is_axis(const Ast& ast, const std::string& name) {
    return std::any_of(ast.declarations.begin(), ast.declarations.end(), [&](const ast::Declaration& d) {
        return std::any_of(d.axes.begin(), d.axes.end(), [&](const ast::Name& axis) { return axis.text == name; });
    });
}

constexpr const char* form = "a loop that each cell ends by itself assigns whole fields over the same axes";

class Guarding {
public:
    Guarding(const ast::Loop& loop, const std::string& alive, const std::set<std::string>& valued, const Ast& ast,
             Report& report)
        : loop_(loop), valued_(valued), ast_(ast), report_(report), span_(loop.condition->span) {
        made_.alive.type = {"uint8", span_};
        made_.alive.name = {alive, span_};
        made_.alive.is_field = true;
        made_.loop = loop;
        made_.loop.condition = nullptr;
        made_.loop.alive = made_.alive.name;
        made_.loop.body.clear();
    }

    std::optional<CellLoop> run() {
        if (loop_.body.empty()) return std::nullopt;
        std::set<std::string> names;
        add_names(*loop_.condition, ast_, names);
        const bool stays = !names.contains(loop_.variable.text);
        for (const ast::Statement& statement : loop_.body) {
            const auto* assignment = std::get_if<ast::Assignment>(&statement);
            if (assignment == nullptr) {
                const auto& inner = *std::get<std::shared_ptr<const ast::Loop>>(statement);
                return refused(inner.span, "a loop or branch is no such statement: choose with 'condition ? a : b'");
            }
            if (!fits(*assignment)) return std::nullopt;
        }
        decide(stays);
        for (const ast::Statement& statement : loop_.body)
            made_.loop.body.emplace_back(guarded(std::get<ast::Assignment>(statement)));
        return std::move(made_);
    }

private:
    const ast::Loop& loop_;
    const std::set<std::string>& valued_;
    const Ast& ast_;
    Report& report_;
    const Span span_;
    CellLoop made_;

    std::nullopt_t refused(const Span& span, const std::string& help) {
        Diagnostic& d = report_.error("K0264", form, span);
        d.notes.push_back({span_, "the condition has a value at each cell"});
        d.help = help;
        return std::nullopt;
    }

    bool fits(const ast::Assignment& s) {
        const ast::Declaration* target = declared(ast_, s.target.text);
        if (target == nullptr) return true;  // what it is instead is said where names are looked up
        if (!s.indices.empty() || s.colours) {
            refused(s.span, "assign the whole field, or fold the condition: 'any(...)'");
            return false;
        }
        if (target->axes.empty()) {
            refused(
                s.target.span,
                fmt::format("'{}' is one number: fold the condition, 'any(...)', or let it be a field", s.target.text));
            return false;
        }
        if (made_.alive.axes.empty()) made_.alive.axes = target->axes;
        if (axes_of(*target) == axes_of(made_.alive)) return true;
        refused(s.target.span,
                fmt::format("'{}' has other axes than the first field that the loop assigns", s.target.text));
        return false;
    }

    [[nodiscard]] ast::ExpressionRef is_alive() const {
        return made(ast::Binary{BinaryOperator::greater, made(ast::NameUse{made_.alive.name.text}, span_),
                                whole("0", span_), span_},
                    span_);
    }
    void decide(bool stays) {
        const auto assigned = [&](ast::ExpressionRef value) {
            ast::Assignment item;
            item.target = made_.alive.name;
            item.span = span_;
            item.value = std::move(value);
            return item;
        };
        ast::ExpressionRef goes_on = loop_.condition;
        if (!stays) {
            made_.before.emplace_back(assigned(whole("1", span_)));
            goes_on = made(ast::Binary{BinaryOperator::logical_and, is_alive(), goes_on, span_}, span_);
        }
        made_.loop.body.emplace_back(
            assigned(made(ast::Conditional{goes_on, whole("1", span_), whole("0", span_)}, span_)));
    }

    /// What has no value before the loop is of one iteration, and nobody sees what becomes of it.
    ast::Assignment guarded(ast::Assignment item) const {
        if (!valued_.contains(item.target.text)) return item;
        ast::ExpressionRef former = made(ast::NameUse{item.target.text}, item.target.span);
        if (item.word) former = made(ast::WordUse{former, *item.word}, item.target.span);
        if (item.adds)
            item.value = made(ast::Binary{BinaryOperator::add, former, item.value, item.target.span}, item.value->span);
        item.adds = false;
        item.value = made(ast::Conditional{is_alive(), item.value, former}, item.value->span);
        return item;
    }
};

/// The function of the program that is called; null: none is.
const ast::Function* called_function(const ast::Call& call, const Ast& ast) {
    const auto found = std::find_if(ast.functions.begin(), ast.functions.end(),
                                    [&](const ast::Function& f) { return f.name.text == call.callee.text; });
    return found == ast.functions.end() || call.reduction != nullptr ? nullptr : &*found;
}

/// Trees may share parts, and functions are called often: each is looked at once, of functions for each kind of
/// arguments.
class Looking {
public:
    Looking(const Ast& ast, const Library& library) : ast_(ast), library_(library) {}

    bool differs(const ast::Expression& e) { return looked(e).differs; }

private:
    struct Seen {
        bool differs = false;
        bool has_shape = false;  ///< it is a cell of several words
    };
    using Part = std::tuple<const ast::Expression*, bool, bool>;  ///< and what the arguments around are

    const Ast& ast_;
    const Library& library_;
    std::map<Part, Seen> seen_;
    std::vector<ast::Name> arguments_;  ///< of the function that is looked at
    Seen given_;                        ///< any of them

    Seen looked(const ast::Expression& e) {
        const Part part{&e, given_.differs, given_.has_shape};
        if (const auto found = seen_.find(part); found != seen_.end()) return found->second;
        return seen_[part] = look(e);
    }

    Seen look(const ast::Expression& e) {
        if (const auto* use = std::get_if<ast::NameUse>(&e.node)) {
            if (is_argument(use->name)) return given_;
            const ast::Declaration* field = declared(ast_, use->name);
            if (field == nullptr) return {is_axis(ast_, use->name), false};
            return {!field->axes.empty(), is_shape(field->type.text)};
        }
        if (const auto* access = std::get_if<ast::Access>(&e.node)) return look(*access);
        if (const auto* word = std::get_if<ast::WordUse>(&e.node)) return {looked(*word->cell).differs, false};
        if (const auto* call = std::get_if<ast::Call>(&e.node)) return look(e, *call);
        return of_operands(e);
    }

    Seen of_operands(const ast::Expression& e) {
        Seen all;
        for_each_operand(e, [&](const ast::ExpressionRef& operand) {
            const Seen one = looked(*operand);
            all.differs = all.differs || one.differs;
            all.has_shape = all.has_shape || one.has_shape;
        });
        return all;
    }

    Seen look(const ast::Expression& e, const ast::Call& call) {
        if (call.callee.text == extent_name) return {};
        const Seen given = of_operands(e);
        const Reduction* called = call.reduction != nullptr
                                      ? call.reduction
                                      : called_reduction(ast_, library_, call.callee.text, std::nullopt);
        if (called != nullptr && call.arguments.size() == 1 && given.has_shape) return {given.differs, false};
        // One number, or at least fewer: a running sum has as many as before.
        if (called != nullptr) return {called->running && given.differs, given.has_shape};
        if (is_shape(call.callee.text)) return {given.differs, true};
        if (const ast::Function* function = called_function(call, ast_)) return look(*function, given);
        if (const auto code = library_.find_function(call.callee.text))
            return {given.differs, has_words(library_.functions[*code].result)};
        return given;
    }

    Seen look(const ast::Function& function, const Seen& given) {
        const std::vector<ast::Name> around = std::exchange(arguments_, function.arguments);
        const Seen given_around = std::exchange(given_, given);
        const Seen made = looked(*function.body);
        arguments_ = around;
        given_ = given_around;
        return made;
    }

    /// What stands at a position along each axis is one number, unless the positions are a list's.
    Seen look(const ast::Access& access) {
        if (is_argument(access.variable.text)) return given_;
        const ast::Declaration* field = declared(ast_, access.variable.text);
        if (field == nullptr) return {};
        std::set<std::string> running = axes_of(*field);
        bool listed = false;
        for (const ast::Index& index : access.indices) {
            if (!index.axis) continue;
            running.erase(index.axis->text);
            listed = listed || looked(*index.value).differs;
        }
        return {listed || !running.empty(), is_shape(field->type.text)};
    }

    [[nodiscard]] bool is_argument(const std::string& name) const {
        return std::any_of(arguments_.begin(), arguments_.end(), [&](const ast::Name& a) { return a.text == name; });
    }
    [[nodiscard]] bool has_words(TypeId type) const { return !library_.types[type].shape.empty(); }
    /// The name of a type of the program or the library whose cells have a shape.
    [[nodiscard]] bool is_shape(const std::string& type) const {
        const auto of_library = library_.find_type(type);
        return (of_library && has_words(*of_library)) ||
               std::any_of(ast_.types.begin(), ast_.types.end(),
                           [&](const ast::CellTypeDeclaration& own) { return own.name.text == type; });
    }
};

class Naming {
public:
    Naming(const Ast& ast, std::set<std::string>& names) : ast_(ast), names_(names) {}

    void add(const ast::Expression& e) {
        if (!seen_.insert(&e).second) return;
        if (const auto* use = std::get_if<ast::NameUse>(&e.node)) names_.insert(use->name);
        if (const auto* word = std::get_if<ast::WordUse>(&e.node)) add(*word->cell);
        if (const auto* access = std::get_if<ast::Access>(&e.node)) {
            names_.insert(access->variable.text);
            for (const ast::Index& index : access->indices) add(*index.value);
        }
        if (const auto* call = std::get_if<ast::Call>(&e.node)) {
            if (const ast::Function* function = called_function(*call, ast_)) {
                std::set<std::string> inside;
                Naming within(ast_, inside);
                within.seen_.swap(seen_);
                within.add(*function->body);
                within.seen_.swap(seen_);
                for (const ast::Name& argument : function->arguments) inside.erase(argument.text);
                names_.insert(inside.begin(), inside.end());
            }
        }
        for_each_operand(e, [&](const ast::ExpressionRef& part) { add(*part); });
    }

private:
    const Ast& ast_;
    std::set<std::string>& names_;
    std::set<const ast::Expression*> seen_;
};

}  // namespace

bool differs_between_cells(const ast::Expression& condition, const Ast& ast, const Library& library) {
    return Looking(ast, library).differs(condition);
}

std::optional<CellLoop> ended_by_cells(const ast::Loop& loop, const std::string& alive,
                                       const std::set<std::string>& valued, const Ast& ast, Report& report) {
    return Guarding(loop, alive, valued, ast, report).run();
}

void add_names(const ast::Expression& e, const Ast& ast, std::set<std::string>& names) { Naming(ast, names).add(e); }

}  // namespace kasc::frontend
