// The compiler's library as a module of Python, kasc._kasc: what python/kasc is written on. Arrays come by DLPack or
// the buffer protocol and are used where they lie.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <functional>
#include <numeric>

#include "kasc/program.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

namespace api = kasc::api;

/// (value or None, text of what there is to say, the same as JSON)
template <class T>
nb::tuple tuple_of(api::Made<T> made) {
    return nb::make_tuple(made.value ? nb::cast(std::move(*made.value)) : nb::none(), made.diagnostics,
                          made.diagnostics_json);
}

nb::dlpack::dtype dtype_of(api::Word word) {
    using nb::dlpack::dtype_code;
    const auto type = [](dtype_code code, int bits) {
        return nb::dlpack::dtype{static_cast<std::uint8_t>(code), static_cast<std::uint8_t>(bits), 1};
    };
    switch (word) {
        case api::Word::float32:
            return type(dtype_code::Float, 32);
        case api::Word::float64:
            return type(dtype_code::Float, 64);
        case api::Word::int32:
            return type(dtype_code::Int, 32);
        case api::Word::uint8:
            return type(dtype_code::UInt, 8);
        case api::Word::complex64:
            return type(dtype_code::Complex, 64);
        case api::Word::complex128:
            return type(dtype_code::Complex, 128);
        case api::Word::float16:
            return type(dtype_code::Float, 16);
        case api::Word::bfloat16:
            return type(dtype_code::Bfloat, 16);
        case api::Word::int64:
            return type(dtype_code::Int, 64);
    }
    return {};
}

const char* name_of(api::Word word) {
    constexpr const char* names[] = {"float32",    "float64", "int32",    "uint8", "complex64",
                                     "complex128", "float16", "bfloat16", "int64"};
    return names[static_cast<std::size_t>(word)];
}

using AnyArray = nb::ndarray<nb::ro>;

/// An argument as a call expects it.
struct Expected {
    std::string name;
    api::Word type = api::Word::float32;
    std::vector<std::size_t> shape;

    [[nodiscard]] std::size_t bytes() const {
        return std::accumulate(shape.begin(), shape.end(), static_cast<std::size_t>(dtype_of(type).bits) / 8,
                               std::multiplies<>());
    }
};

std::string shape_text(const std::vector<std::size_t>& shape) {
    std::string text = "(";
    for (const std::size_t n : shape) text += (text.size() > 1 ? ", " : "") + std::to_string(n);
    return text + (shape.size() == 1 ? ",)" : ")");
}

bool is_contiguous(const AnyArray& array) {
    std::int64_t stride = 1;
    for (std::size_t k = array.ndim(); k-- > 0;) {
        if (array.shape(k) != 1 && array.stride(k) != stride) return false;
        stride *= static_cast<std::int64_t>(array.shape(k));
    }
    return true;
}

/// Throws where it is not as expected, or is not where the code runs.
AnyArray taken(nb::handle object, const Expected& expected, bool on_device) {
    AnyArray array;
    if (!nb::try_cast(object, array, false))
        throw nb::type_error((expected.name + ": not an array that DLPack or the buffer protocol hands over").c_str());
    const nb::dlpack::dtype want = dtype_of(expected.type), is = array.dtype();
    const bool truth = expected.type == api::Word::uint8 && is.bits == 8 &&
                       is.code == static_cast<std::uint8_t>(nb::dlpack::dtype_code::Bool);
    if (!truth && is != want)
        throw nb::type_error((expected.name + ": has to be of " + name_of(expected.type) + "; convert it, as in " +
                              expected.name + ".astype(\"" + name_of(expected.type) + "\")")
                                 .c_str());
    std::vector<std::size_t> shape;
    for (std::size_t k = 0; k < array.ndim(); ++k) shape.push_back(array.shape(k));
    if (shape != expected.shape)
        throw nb::value_error(
            (expected.name + ": has shape " + shape_text(shape) + ", expected is " + shape_text(expected.shape))
                .c_str());
    if (!is_contiguous(array))
        throw nb::value_error((expected.name + ": is not contiguous; numpy.ascontiguousarray makes it so").c_str());
    const int device = array.device_type();
    if (on_device != (device == nb::device::cuda::value))
        throw nb::value_error((expected.name + (on_device ? ": lies in the host's memory, other arguments on the GPU"
                                                          : ": lies in another memory than the host's"))
                                  .c_str());
    if (on_device && array.device_id() != 0)
        throw nb::value_error((expected.name + ": lies on GPU " + std::to_string(array.device_id()) +
                               "; programs run on the first, GPU 0")
                                  .c_str());
    constexpr std::uintptr_t alignment = 16;  // kernels move four words at a time
    if (on_device && reinterpret_cast<std::uintptr_t>(array.data()) % alignment != 0)
        throw nb::value_error(
            (expected.name + ": does not start at a multiple of 16 bytes of the GPU's memory; copy it").c_str());
    return array;
}

/// Code with what its arguments have to be.
class Caller {
public:
    Caller(api::Code code, std::vector<Expected> inputs, std::vector<Expected> outputs)
        : code_(std::move(code)), inputs_(std::move(inputs)), outputs_(std::move(outputs)) {}

    /// In place of an array its address may stand: the package has seen that it is as expected (_arrays.py).
    nb::tuple call(const std::vector<nb::handle>& inputs, const std::vector<nb::handle>& outputs,
                   std::vector<double> parameters, bool on_device, bool checked, std::uintptr_t stream) const {
        api::Call call;
        call.stream = reinterpret_cast<void*>(stream);
        call.parameters = std::move(parameters);
        call.on_device = on_device;
        call.checked = checked;
        std::vector<AnyArray> held;
        const auto address = [&](nb::handle object, const Expected& expected) {
            if (PyLong_CheckExact(object.ptr())) return reinterpret_cast<const void*>(nb::cast<std::uintptr_t>(object));
            return held.emplace_back(taken(object, expected, on_device)).data();
        };
        for (std::size_t k = 0; k < inputs.size(); ++k) call.inputs.push_back(address(inputs[k], inputs_.at(k)));
        for (std::size_t k = 0; k < outputs.size(); ++k)
            call.outputs.push_back(const_cast<void*>(address(outputs[k], outputs_.at(k))));
        check_apart(call);
        api::Made<double> made;
        {
            const nb::gil_scoped_release release;
            made = code_.call(call);
        }
        return tuple_of(std::move(made));
    }

private:
    api::Code code_;
    std::vector<Expected> inputs_, outputs_;

    void check_apart(const api::Call& call) const {
        const auto overlap = [](const void* a, std::size_t a_bytes, const void* b, std::size_t b_bytes) {
            const auto *x = static_cast<const std::byte*>(a), *y = static_cast<const std::byte*>(b);
            return std::less<>()(x, y + b_bytes) && std::less<>()(y, x + a_bytes);
        };
        for (std::size_t o = 0; o < call.outputs.size(); ++o) {
            for (std::size_t i = 0; i < call.inputs.size(); ++i) {
                if (overlap(call.outputs[o], outputs_[o].bytes(), call.inputs[i], inputs_[i].bytes()))
                    throw nb::value_error(
                        (outputs_[o].name + ": overlaps the input " + inputs_[i].name + " in memory").c_str());
            }
        }
    }
};

void bind_descriptions(nb::module_& m) {
    nb::enum_<api::Target>(m, "Target")
        .value("cuda", api::Target::cuda)
        .value("cpu", api::Target::cpu)
        .value("cpu_checking", api::Target::cpu_checking);
    nb::class_<api::Machine>(m, "Machine")
        .def_ro("target", &api::Machine::target)
        .def_ro("device", &api::Machine::device)
        .def_ro("name", &api::Machine::name);
    nb::class_<api::Array>(m, "Array")
        .def_ro("name", &api::Array::name)
        .def_ro("axes", &api::Array::axes)
        .def_ro("element", &api::Array::element)
        .def_prop_ro("type", [](const api::Array& a) { return name_of(a.type); })
        .def_ro("field", &api::Array::field)
        .def_ro("cell", &api::Array::cell)
        .def_ro("word", &api::Array::word)
        .def_ro("soa", &api::Array::soa)
        .def(
            "expected",
            [](const api::Array& a, std::vector<std::size_t> shape) {
                return Expected{a.name, a.type, std::move(shape)};
            },
            "shape"_a);
    nb::class_<Expected>(m, "Expected");
    nb::class_<api::Parameter>(m, "Parameter")
        .def_ro("name", &api::Parameter::name)
        .def_ro("integer", &api::Parameter::integer)
        .def_ro("has_value", &api::Parameter::has_value);
    nb::class_<api::Interface>(m, "Interface")
        .def_ro("name", &api::Interface::name)
        .def_ro("stream", &api::Interface::stream)
        .def_ro("axes", &api::Interface::axes)
        .def_ro("parameters", &api::Interface::parameters)
        .def_ro("inputs", &api::Interface::inputs)
        .def_ro("outputs", &api::Interface::outputs);
    nb::class_<api::Sizes>(m, "Sizes")
        .def_ro("extents", &api::Sizes::extents)
        .def_ro("parameters", &api::Sizes::parameters);
    nb::class_<api::Options>(m, "Options")
        .def(nb::init<>())
        .def_rw("library_folders", &api::Options::library_folders)
        .def_rw("settings", &api::Options::settings)
        .def_rw("words", &api::Options::words)
        .def_rw("strategy", &api::Options::strategy)
        .def_rw("seed", &api::Options::seed)
        .def_rw("budget", &api::Options::budget)
        .def_rw("no_rewrite", &api::Options::no_rewrite)
        .def_rw("rewrite", &api::Options::rewrite)
        .def_rw("steps", &api::Options::steps)
        .def_rw("plans", &api::Options::plans)
        .def_rw("plan", &api::Options::plan);
}

void bind_steps(nb::module_& m) {
    using nb::gil_scoped_release;
    nb::class_<api::Program>(m, "Program")
        .def("interface", &api::Program::interface)
        .def("sizes",
             [](const api::Program& p, const std::map<std::string, double>& parameters,
                const std::map<std::string, long long>& extents) { return tuple_of(p.sizes(parameters, extents)); })
        .def("plan", [](const api::Program& p, const api::Machine& machine, const api::Sizes& sizes, bool keep_all) {
            api::Made<api::Plans> made;
            {
                const gil_scoped_release release;
                made = p.plan(machine, sizes, keep_all);
            }
            return tuple_of(std::move(made));
        });
    nb::class_<api::Timed>(m, "Timed")
        .def(nb::init<std::size_t, double, double, double>(), "plan"_a, "median_ns"_a, "low_ns"_a, "high_ns"_a);
    nb::class_<api::Plans>(m, "Plans")
        .def("__len__", &api::Plans::size)
        .def("predicted_ns", &api::Plans::predicted_ns)
        .def("text", &api::Plans::text)
        .def("report", &api::Plans::report)
        .def("files",
             [](const api::Plans& plans, std::size_t plan) {
                 api::Made<std::vector<api::File>> files = plans.files(plan);
                 api::Made<std::map<std::string, std::string>> named{std::nullopt, std::move(files.diagnostics),
                                                                     std::move(files.diagnostics_json)};
                 if (files.value) {
                     named.value.emplace();
                     for (api::File& file : *files.value) named.value->emplace(file.name, std::move(file.text));
                 }
                 return tuple_of(std::move(named));
             })
        .def("explanation", &api::Plans::explanation)
        .def("explanation_json", &api::Plans::explanation_json)
        .def("page",
             [](const api::Plans& plans, const std::vector<api::Timed>& timed) { return tuple_of(plans.page(timed)); })
        .def("space_json", &api::Plans::space_json)
        .def(
            "build",
            [](const api::Plans& plans, std::size_t plan) {
                api::Made<api::Code> made;
                {
                    const gil_scoped_release release;
                    made = plans.build(plan);
                }
                return tuple_of(std::move(made));
            },
            "plan"_a);
    nb::class_<api::Code>(m, "Code");
    nb::class_<Caller>(m, "Caller")
        .def(nb::init<api::Code, std::vector<Expected>, std::vector<Expected>>())
        .def("call", &Caller::call);
}

}  // namespace

NB_MODULE(_kasc, m) {
    m.def("version", &api::version);
    m.def("strategies", [] {
        std::vector<std::string> names;
        for (const api::StrategyInfo& strategy : api::strategies()) names.push_back(strategy.name);
        return names;
    });
    m.def("find_machine", [](const std::string& target) { return tuple_of(api::find_machine(target)); });
    m.def("read", [](const std::string& source, const std::string& name, const api::Options& options) {
        return tuple_of(api::Program::read(source, name, options));
    });
    bind_descriptions(m);
    bind_steps(m);
}
