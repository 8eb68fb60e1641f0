// What kasc asks of CUDA's driver library, answered for a machine of PRETENDED_GPUS devices, "Pretended GPU 0" and so
// on. As the driver does, it shows those that CUDA_VISIBLE_DEVICES names, and reads that once.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

std::vector<int>& devices() {
    static std::vector<int> shown;
    return shown;
}

}  // namespace

extern "C" {

int cuInit(unsigned /*flags*/) {
    if (!devices().empty()) return 0;
    const char* count = std::getenv("PRETENDED_GPUS");
    const int all = count == nullptr ? 0 : std::atoi(count);
    const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
    if (visible == nullptr) {
        for (int i = 0; i < all; ++i) devices().push_back(i);
    } else {
        for (const char* at = visible; *at != '\0'; ++at) {
            if (*at >= '0' && *at - '0' < all) devices().push_back(*at - '0');
        }
    }
    return devices().empty() ? 100 : 0;  // CUDA_ERROR_NO_DEVICE
}
int cuDeviceGetCount(int* count) {
    *count = static_cast<int>(devices().size());
    return 0;
}
int cuDeviceGet(int* device, int number) {
    *device = number;
    return 0;
}
int cuDeviceGetName(char* name, int size, int device) {
    std::snprintf(name, static_cast<std::size_t>(size), "Pretended GPU %d",
                  devices().at(static_cast<unsigned>(device)));
    return 0;
}
int cuDeviceGetAttribute(int* value, int attribute, int /*device*/) {
    *value = attribute == 75 ? 9 : 0;  // compute capability 9.0
    return 0;
}
int cuDeviceTotalMem_v2(std::size_t* bytes, int /*device*/) {
    *bytes = std::size_t{80} << 30U;
    return 0;
}
}
