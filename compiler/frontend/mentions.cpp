#include "frontend/mentions.hpp"

#include <algorithm>
#include <typeinfo>

#include "frontend/building.hpp"

namespace kasc::frontend {

using grammar::KascParser;

namespace {

std::string pattern_of(const std::string& name) {
    std::string pattern;
    bool part = false;
    for (const char c : name) {
        if (c == '{') pattern += '*';
        part = (part || c == '{') && c != '}';
        if (!part && c != '}') pattern += c;
    }
    return pattern;
}

bool fits(std::string_view name, std::string_view pattern) {
    const std::size_t star = pattern.find('*');
    if (star == std::string_view::npos) return name == pattern;
    if (name.substr(0, star) != pattern.substr(0, star)) return false;
    const std::string_view rest = pattern.substr(star + 1);
    for (std::size_t at = std::min(star, name.size()); at <= name.size(); ++at)
        if (fits(name.substr(at), rest)) return true;
    return false;
}

/// By the node's own type, since most nodes are none of these: asking each by dynamic_cast takes longer than to parse.
template <class Node>
Node* as(antlr4::tree::ParseTree* tree, const std::type_info& type) {
    return type == typeid(Node) ? static_cast<Node*>(tree) : nullptr;
}

void add(antlr4::tree::ParseTree* tree, Ast::Mentions& mentions, std::size_t depth = 0) {
    if (depth > deepest_tree || tree->children.empty()) return;
    const std::type_info& type = typeid(*tree);
    if (type == typeid(KascParser::RequirementContext)) return;
    if (auto* use = as<KascParser::NameUseContext>(tree, type)) {
        mentions.read.insert(pattern_of(use->getText()));
    } else if (auto* access = as<KascParser::AccessContext>(tree, type)) {
        mentions.read.insert(pattern_of(access->name()->getText()));
    } else if (auto* assignment = as<KascParser::AssignmentContext>(tree, type)) {
        mentions.assigned.insert(pattern_of(assignment->name()->getText()));
    } else if (auto* call = as<KascParser::CallStatementContext>(tree, type)) {
        for (KascParser::ExpressionContext* argument : call->expression())
            if (typeid(*argument) == typeid(KascParser::NameUseContext))
                mentions.assigned.insert(pattern_of(argument->getText()));
    } else if (auto* outputs = as<KascParser::OutputsContext>(tree, type)) {
        for (KascParser::NameContext* name : outputs->name()) mentions.returned.insert(pattern_of(name->getText()));
    }
    for (antlr4::tree::ParseTree* child : tree->children) add(child, mentions, depth + 1);
}

}  // namespace

void add_mentions(KascParser::ItemContext* item, Ast::Mentions& mentions) { add(item, mentions); }

bool is_among(const std::string& name, const std::set<std::string>& mentioned) {
    return mentioned.contains(name) || std::any_of(mentioned.begin(), mentioned.end(), [&](const std::string& pattern) {
               return pattern.find('*') != std::string::npos && fits(name, pattern);
           });
}

}  // namespace kasc::frontend
