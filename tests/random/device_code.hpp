#pragma once
// The library functions of many kernels, as kasc prints them for checking mode, compiled once and called one by one;
// and the checking mode's memory (support/kasc_checking.hpp) as an interface that an interpreter of kernels can use.

#include <array>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "kernel/kernel.hpp"

namespace kasc::random {

/// A kasc_pointer of the compiled code: copied, never looked into.
struct Pointer {
    std::array<long long, 5> words{};
};

/// What glue.inc exports, by name.
struct CheckedMemory {
    void (*begin_run)(unsigned seed);
    const char* (*fault)();
    void (*begin_launch)();
    void* (*array_new)(const char* name, long long words);
    void (*array_delete)(void* array);
    void (*array_fill)(void* array, const float* values, long long words);
    void (*array_zero)(void* array);
    void (*array_copy)(void* to, void* from);
    void (*array_read)(void* array, float* values, long long words);
    long long (*array_touched)(void* array);  ///< words that the launch has read, and written
    void (*array_pointer)(void* array, Pointer* out);
    void* (*block_new)(const char* kernel, int threads, int x, int y, int z, int shared_words);
    void (*block_delete)(void* block);
    void (*block_order)(void* block, int* order);
    void (*block_enter)(void* block, int thread);
    void (*block_barrier)(void* block);
    void (*block_shared)(void* block, int offset, int words, Pointer* out);
    void* (*private_new)(void* block, const char* name, int words);
    void (*private_delete)(void* array);
    void (*private_at)(void* array, int thread, Pointer* out);
    void (*advance)(Pointer* pointer, long long words);
};

using CheckedFunction = void (*)(const Pointer* arrays, const int* numbers);
using ReferenceFunction = void (*)(const float* const* arguments, float* result);

/// Collects what kernels call; then compiles it.
class DeviceCode {
public:
    explicit DeviceCode(const Library& library) : library_(library) {}
    ~DeviceCode();
    DeviceCode(const DeviceCode&) = delete;

    void require(const kernel::Kernel& kernel);
    void require(FunctionId function);
    /// Empty, or what the C++ compiler says.
    [[nodiscard]] std::string build(const std::filesystem::path& folder);

    [[nodiscard]] const CheckedMemory& memory() const { return memory_; }
    [[nodiscard]] CheckedFunction function(const kernel::FunctionVariant& variant) const;
    [[nodiscard]] CheckedFunction stage(const kernel::Stage& stage, int threads) const;
    [[nodiscard]] ReferenceFunction reference(FunctionId function) const;
    [[nodiscard]] std::size_t functions() const { return variants_.size() + stages_.size(); }

private:
    const Library& library_;
    std::map<std::string, kernel::FunctionVariant> variants_;  ///< by all that tells two apart
    std::map<std::string, std::string> stages_;                ///< call text → the same
    std::map<FunctionId, std::string> references_;
    std::map<std::string, CheckedFunction> compiled_;
    std::map<FunctionId, ReferenceFunction> compiled_references_;
    CheckedMemory memory_{};
    void* handle_ = nullptr;

    void require_stages(const kernel::Body& body, int threads);
    [[nodiscard]] std::string text() const;
    void load();
};

}  // namespace kasc::random
