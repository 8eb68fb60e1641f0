// CUDA's driver library for GPUs whose memory is the host's: what a process asks of its device to have arrays there and
// to exchange parts of them. Streams do at once what they are asked for; there are no kernels.
#include <cstddef>
#include <cstdlib>
#include <cstring>

namespace {

using Address = unsigned long long;

template <class To>
To* pointer(Address address) {
    return reinterpret_cast<To*>(address);
}
void* some_handle() {
    static int any = 0;
    return &any;
}

}  // namespace

// NOLINTBEGIN(bugprone-macro-parentheses)
#define DOES_NOTHING(name) \
    int name() { return 0; }
// NOLINTEND(bugprone-macro-parentheses)

extern "C" {

DOES_NOTHING(cuInit)
DOES_NOTHING(cuCtxSetCurrent)
DOES_NOTHING(cuCtxPushCurrent_v2)
DOES_NOTHING(cuCtxSynchronize)
DOES_NOTHING(cuCtxGetStreamPriorityRange)
DOES_NOTHING(cuDevicePrimaryCtxRelease_v2)
DOES_NOTHING(cuModuleLoadData)
DOES_NOTHING(cuModuleUnload)
DOES_NOTHING(cuModuleGetFunction)
DOES_NOTHING(cuFuncSetAttribute)
DOES_NOTHING(cuLaunchKernel)
DOES_NOTHING(cuMemRelease)
DOES_NOTHING(cuMemMap)
DOES_NOTHING(cuMemUnmap)
DOES_NOTHING(cuMemSetAccess)
DOES_NOTHING(cuStreamDestroy_v2)
DOES_NOTHING(cuStreamSynchronize)
DOES_NOTHING(cuStreamIsCapturing)
DOES_NOTHING(cuStreamWaitEvent)
DOES_NOTHING(cuStreamBeginCapture_v2)
DOES_NOTHING(cuStreamEndCapture)
DOES_NOTHING(cuEventRecord)
DOES_NOTHING(cuEventSynchronize)
DOES_NOTHING(cuEventDestroy_v2)
DOES_NOTHING(cuGraphInstantiateWithFlags)
DOES_NOTHING(cuGraphLaunch)
DOES_NOTHING(cuGraphDestroy)
DOES_NOTHING(cuGraphExecDestroy)

int cuDeviceGetCount(int* count) {
    *count = 8;
    return 0;
}
int cuDeviceGet(int* device, int number) {
    *device = number;
    return 0;
}
int cuDeviceGetAttribute(int* value, int /*attribute*/, int /*device*/) {
    *value = 9;
    return 0;
}
int cuDeviceCanAccessPeer(int* can, int /*device*/, int /*other*/) {
    *can = 1;
    return 0;
}
int cuDeviceGetUuid(char* uuid, int device) {
    std::memset(uuid, device + 1, 16);
    return 0;
}
int cuDevicePrimaryCtxRetain(void** context, int /*device*/) {
    *context = some_handle();
    return 0;
}
int cuCtxPopCurrent_v2(void** context) {
    *context = some_handle();
    return 0;
}
int cuMemAlloc_v2(Address* address, std::size_t bytes) {
    *address = reinterpret_cast<Address>(std::malloc(bytes));
    return 0;
}
int cuMemFree_v2(Address address) {
    std::free(pointer<void>(address));
    return 0;
}
int cuMemHostAlloc(void** at, std::size_t bytes, unsigned /*flags*/) {
    *at = std::malloc(bytes);
    return 0;
}
int cuMemFreeHost(void* at) {
    std::free(at);
    return 0;
}
int cuMemGetAllocationGranularity(std::size_t* bytes, const void* /*of*/, int /*flags*/) {
    *bytes = std::size_t{2} << 20U;
    return 0;
}
int cuMemAddressReserve(Address* address, std::size_t bytes, std::size_t /*alignment*/, Address /*hint*/,
                        unsigned long long /*flags*/) {
    return cuMemAlloc_v2(address, bytes);
}
int cuMemAddressFree(Address address, std::size_t /*bytes*/) { return cuMemFree_v2(address); }
int cuMemCreate(unsigned long long* handle, std::size_t /*bytes*/, const void* /*of*/, unsigned long long /*flags*/) {
    *handle = 1;
    return 0;
}
int cuMemcpyAsync(Address to, Address from, std::size_t bytes, void* /*stream*/) {
    std::memcpy(pointer<void>(to), pointer<const void>(from), bytes);
    return 0;
}
int cuMemcpyDtoDAsync_v2(Address to, Address from, std::size_t bytes, void* stream) {
    return cuMemcpyAsync(to, from, bytes, stream);
}
int cuMemcpyHtoDAsync_v2(Address to, const void* from, std::size_t bytes, void* /*stream*/) {
    std::memcpy(pointer<void>(to), from, bytes);
    return 0;
}
int cuMemcpyDtoHAsync_v2(void* to, Address from, std::size_t bytes, void* /*stream*/) {
    std::memcpy(to, pointer<const void>(from), bytes);
    return 0;
}
int cuMemsetD8Async(Address to, unsigned char value, std::size_t bytes, void* /*stream*/) {
    std::memset(pointer<void>(to), value, bytes);
    return 0;
}
int cuStreamCreate(void** stream, unsigned /*flags*/) {
    *stream = some_handle();
    return 0;
}
int cuStreamCreateWithPriority(void** stream, unsigned flags, int /*priority*/) {
    return cuStreamCreate(stream, flags);
}
int cuEventCreate(void** event, unsigned /*flags*/) {
    *event = some_handle();
    return 0;
}
int cuEventElapsedTime(float* ms, void* /*begun*/, void* /*ended*/) {
    *ms = 1;
    return 0;
}
int cuGetErrorString(int /*error*/, const char** text) {
    *text = "an error";
    return 0;
}
}
