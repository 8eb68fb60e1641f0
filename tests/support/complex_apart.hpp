#pragma once
// A kernel without complex numbers, for the interpreter, which computes with reals alone: an array of n complex words
// becomes one of 2 n reals, a complex name two names.
//
//     let c32 P_0 = P[i]                     let f32 P_0.x = P[2 * i]
//                                            let f32 P_0.y = P[2 * i + 1]
//     q[i] = make_float2(s * P_0.x, 1)       q[2 * i] = s * P_0.x
//                                            q[2 * i + 1] = 1

#include <set>
#include <stdexcept>
#include <utility>

#include "kernel/kernel.hpp"

namespace kasc::test {

class ComplexApart {
public:
    [[nodiscard]] static kernel::Kernel of(kernel::Kernel k) {
        ComplexApart apart;
        for (kernel::Parameter& p : k.parameters) apart.declare(p.type, p.name);
        k.body = apart.body(k.body);
        return k;
    }

private:
    std::set<std::string> complex_;  ///< names of registers and arrays

    /// Its type becomes that of a part.
    bool declare(kernel::Type& type, const std::string& name) {
        const bool complex = type == kernel::Type::c32 || type == kernel::Type::c64;
        if (!complex) return complex_.erase(name), false;
        type = type == kernel::Type::c32 ? kernel::Type::f32 : kernel::Type::f64;
        complex_.insert(name);
        return true;
    }
    [[nodiscard]] static std::string part_name(const std::string& name, bool imaginary) {
        return name + (imaginary ? ".y" : ".x");
    }
    [[nodiscard]] static kernel::ExprRef part_index(const kernel::ExprRef& index, bool imaginary) {
        return add(multiply(index, kernel::integer(2)), kernel::integer(imaginary ? 1 : 0));
    }

    [[nodiscard]] bool is_complex(const kernel::ExprRef& e) const {
        if (const auto* n = std::get_if<kernel::Name>(&e->node)) return complex_.contains(n->name);
        if (const auto* n = std::get_if<kernel::Element>(&e->node)) return complex_.contains(n->array);
        return false;
    }
    [[nodiscard]] kernel::ExprRef part(const kernel::ExprRef& e, bool imaginary) const {
        if (const auto* n = std::get_if<kernel::Name>(&e->node)) return kernel::name(part_name(n->name, imaginary));
        if (const auto* n = std::get_if<kernel::Element>(&e->node))
            return kernel::element(n->array, part_index(real(n->index), imaginary));
        if (const auto* n = std::get_if<kernel::Select>(&e->node))
            return select(real(n->condition), part(n->then, imaginary), part(n->otherwise, imaginary));
        const auto* made = std::get_if<kernel::MathCall>(&e->node);
        if (made != nullptr && (made->function == "make_float2" || made->function == "make_double2"))
            return real(made->arguments.at(imaginary ? 1 : 0));
        if (made != nullptr && made->function.starts_with(kernel::turn_of_unity))
            return kernel::math_call(made->function + (imaginary ? ".y" : ".x"),
                                     {real(made->arguments.at(0)), real(made->arguments.at(1))});
        throw std::logic_error("no complex number");
    }

    // --- expressions of reals, integers and conditions ---

    [[nodiscard]] kernel::ExprRef real(const kernel::ExprRef& e) const {
        if (is_complex(e)) throw std::logic_error("a complex number stands for a real one");
        return std::visit([&](const auto& node) { return taken(e, node); }, e->node);
    }
    template <class Leaf>
    [[nodiscard]] kernel::ExprRef taken(const kernel::ExprRef& e, const Leaf&) const {
        return e;
    }
    [[nodiscard]] kernel::ExprRef taken(const kernel::ExprRef&, const kernel::Part& n) const {
        return part(n.operand, n.imaginary);
    }
    [[nodiscard]] kernel::ExprRef taken(const kernel::ExprRef&, const kernel::Binary& n) const {
        return kernel::binary(n.op, real(n.left), real(n.right));
    }
    [[nodiscard]] kernel::ExprRef taken(const kernel::ExprRef&, const kernel::Negate& n) const {
        return negate(real(n.operand));
    }
    [[nodiscard]] kernel::ExprRef taken(const kernel::ExprRef&, const kernel::Not& n) const {
        return logical_not(real(n.operand));
    }
    [[nodiscard]] kernel::ExprRef taken(const kernel::ExprRef&, const kernel::Select& n) const {
        return select(real(n.condition), real(n.then), real(n.otherwise));
    }
    [[nodiscard]] kernel::ExprRef taken(const kernel::ExprRef&, const kernel::MathCall& n) const {
        std::vector<kernel::ExprRef> arguments;
        for (const kernel::ExprRef& a : n.arguments) arguments.push_back(real(a));
        return kernel::math_call(n.function, std::move(arguments));
    }
    [[nodiscard]] kernel::ExprRef taken(const kernel::ExprRef&, const kernel::Element& n) const {
        return kernel::element(n.array, real(n.index));
    }
    [[nodiscard]] kernel::ExprRef taken(const kernel::ExprRef&, const kernel::Wide& n) const {
        return kernel::wide(real(n.operand));
    }
    [[nodiscard]] kernel::ExprRef taken(const kernel::ExprRef&, const kernel::Convert& n) const {
        return convert(n.to, real(n.operand));
    }

    // --- statements ---

    [[nodiscard]] kernel::Body body(const kernel::Body& statements) {
        kernel::Body all;
        for (const kernel::Statement& s : statements) std::visit([&](auto node) { put(std::move(node), all); }, s.node);
        return all;
    }
    template <class Other>
    void put(Other node, kernel::Body& all) {
        all.push_back({std::move(node)});
    }
    template <class Named>
    void put_named(Named node, kernel::Body& all) {
        const kernel::ExprRef value = node.value;
        const std::string name = node.name;
        if (!declare(node.type, name)) {
            node.value = real(value);
            all.push_back({std::move(node)});
            return;
        }
        for (const bool imaginary : {false, true}) {
            node.name = part_name(name, imaginary), node.value = part(value, imaginary);
            all.push_back({node});
        }
    }
    void put(kernel::Let node, kernel::Body& all) { put_named(std::move(node), all); }
    void put(kernel::Variable node, kernel::Body& all) { put_named(std::move(node), all); }
    template <class Words>
    void put_array(Words node, kernel::Body& all) {
        if (declare(node.type, node.name)) node.words *= 2;
        all.push_back({std::move(node)});
    }
    void put(kernel::RegisterArray node, kernel::Body& all) { put_array(std::move(node), all); }
    void put(kernel::PrivateArray node, kernel::Body& all) { put_array(std::move(node), all); }
    void put(const kernel::Assign& node, kernel::Body& all) {
        if (!is_complex(node.target)) {
            all.push_back({kernel::Assign{real(node.target), real(node.value), node.adds}});
            return;
        }
        for (const bool imaginary : {false, true})
            all.push_back({kernel::Assign{part(node.target, imaginary), part(node.value, imaginary)}});
    }
    template <class Vector>
    void put_vector(Vector node, kernel::Body& all) {
        if (complex_.contains(node.array)) {
            node.first = part_index(node.first, false), node.index = part_index(node.index, false);
            node.width *= 2;
        }
        all.push_back({std::move(node)});
    }
    void put(kernel::Prefetch node, kernel::Body& all) {
        if (complex_.contains(node.array)) node.index = part_index(node.index, false);
        all.push_back({std::move(node)});
    }
    void put(kernel::LoadVector node, kernel::Body& all) { put_vector(std::move(node), all); }
    void put(kernel::StoreVector node, kernel::Body& all) { put_vector(std::move(node), all); }
    void put(kernel::Butterfly node, kernel::Body& all) {
        node.type = node.type == kernel::Type::c32 ? kernel::Type::f32 : kernel::Type::f64;
        all.push_back({std::move(node)});
    }
    void put(kernel::SharedArray node, kernel::Body& all) { put_array(std::move(node), all); }
    void put(kernel::For node, kernel::Body& all) {
        node.from = real(node.from), node.to = real(node.to), node.body = body(node.body);
        all.push_back({std::move(node)});
    }
    void put(kernel::If node, kernel::Body& all) {
        node.condition = real(node.condition), node.then = body(node.then), node.otherwise = body(node.otherwise);
        all.push_back({std::move(node)});
    }
    void put(kernel::Threads node, kernel::Body& all) {
        node.body = body(node.body);
        all.push_back({std::move(node)});
    }
    void put(kernel::Cells node, kernel::Body& all) {
        node.body = body(node.body);
        all.push_back({std::move(node)});
    }
};

}  // namespace kasc::test
