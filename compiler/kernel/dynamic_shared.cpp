#include "kernel/dynamic_shared.hpp"

namespace kasc::kernel {

namespace {

constexpr int granularity = 16;

int bytes_of(Type type) {
    switch (type) {
        case Type::u8:
        case Type::boolean:
            return 1;
        case Type::f16:
        case Type::bf16:
            return 2;
        case Type::f32:
        case Type::i32:
            return 4;
        case Type::f64:
        case Type::i64:
        case Type::c32:
            return 8;
        case Type::c64:
            return 16;
    }
    return 16;
}

}  // namespace

DynamicShared dynamic_shared(const Kernel& kernel) {
    DynamicShared made;
    for (const Statement& statement : kernel.body) {
        const auto* array = std::get_if<SharedArray>(&statement.node);
        if (array == nullptr || array->offset) continue;
        made.first_byte[array->name] = made.bytes;
        made.bytes += (array->words * bytes_of(array->type) + granularity - 1) / granularity * granularity;
    }
    return made.bytes > most_static_shared_bytes ? made : DynamicShared{};
}

}  // namespace kasc::kernel
