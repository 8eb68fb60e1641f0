#include "unit/frontend/test_library.hpp"

namespace kasc::test {

Library test_library() {
    Library library;
    library.version = "1";
    const auto type = [&](const char* name, std::vector<int> shape, int words) {
        return library.types.add({name, std::move(shape), words, {}});
    };
    const TypeId scalar = type("scalar", {}, 1);
    const TypeId vector3 = type("vector3", {3}, 3);
    const TypeId matrix3x3 = type("matrix3x3", {3, 3}, 9);
    const TypeId matrix5x5 = type("matrix5x5", {5, 5}, 25);
    const auto function = [&](const char* name, std::vector<TypeId> arguments, TypeId result) {
        Function added;
        added.name = name;
        added.arguments = std::move(arguments);
        added.result = result;
        library.functions.add(std::move(added));
    };
    function("mmul33", {matrix3x3, matrix3x3}, matrix3x3);
    function("mvmul33", {matrix3x3, vector3}, vector3);
    function("venorm3", {vector3}, scalar);
    function("mmul55", {matrix5x5, matrix5x5}, matrix5x5);
    function("smmul55", {scalar, matrix5x5}, matrix5x5);
    function("madd33", {matrix3x3, matrix3x3}, matrix3x3);
    function("svmul3", {vector3, scalar}, vector3);
    return library;
}

}  // namespace kasc::test
