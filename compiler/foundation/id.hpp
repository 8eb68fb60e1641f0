#pragma once
// Typed indices: a ValueId cannot be used where a NodeId is meant. Ids are given in source order, which makes every
// tie that is broken by id deterministic.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace kasc {

template <class Tag>
struct Id {
    std::uint32_t index = 0;
    auto operator<=>(const Id&) const = default;
};

using TypeId = Id<struct TypeTag>;                  ///< a stream type of the library
using FunctionId = Id<struct FunctionTag>;          ///< an elementary function of the library
using AxisId = Id<struct AxisTag>;                  ///< a named axis of a program
using ParameterId = Id<struct ParameterTag>;        ///< a parameter of a program
using VariableId = Id<struct VariableTag>;          ///< a declared name of a program
using LoopId = Id<struct LoopTag>;                  ///< a loop of a program, numbered in source order over all depths
using ValueId = Id<struct ValueTag>;                ///< a value of one graph (local to that graph)
using NodeId = Id<struct NodeTag>;                  ///< a node of one graph (local to that graph)
using CellFunctionId = Id<struct CellFunctionTag>;  ///< a function of the library that a program calls in cells
using FusionId = Id<struct FusionTag>;              ///< a fusion of one fusion space
using BufferId = Id<struct BufferTag>;              ///< a buffer of a host plan
using KernelId = Id<struct KernelTag>;              ///< a kernel of a kernel module

/// A vector that is indexed by one kind of id.
template <class IdType, class T>
class Table {
public:
    Table() = default;
    Table(std::initializer_list<T> items) : items_(items) {}

    IdType add(T item) {
        items_.push_back(std::move(item));
        return IdType{static_cast<std::uint32_t>(items_.size() - 1)};
    }
    [[nodiscard]] const T& operator[](IdType id) const { return items_.at(id.index); }
    [[nodiscard]] T& operator[](IdType id) { return items_.at(id.index); }
    [[nodiscard]] std::size_t size() const { return items_.size(); }
    [[nodiscard]] bool empty() const { return items_.empty(); }
    [[nodiscard]] std::vector<IdType> ids() const {
        std::vector<IdType> all;
        for (std::uint32_t i = 0; i < items_.size(); ++i) all.push_back(IdType{i});
        return all;
    }
    [[nodiscard]] auto begin() const { return items_.begin(); }
    [[nodiscard]] auto end() const { return items_.end(); }
    [[nodiscard]] auto begin() { return items_.begin(); }
    [[nodiscard]] auto end() { return items_.end(); }

private:
    std::vector<T> items_;
};

}  // namespace kasc
