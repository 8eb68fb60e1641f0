# kasc with CUDA's compiler, NVRTC and cuFFT, for a GPU (and NVIDIA's container toolkit on the host):
#     docker build -f containers/cuda.Dockerfile -t kasc-cuda .
#     docker run --rm --gpus all -v "$PWD:/work" kasc-cuda run heat.kas --in in.h5 --out out.h5
# kasc is built on Debian 12 and goes as a bundle, one folder with its libraries, into an image with an equal or newer glibc.
ARG CUDA_IMAGE=nvidia/cuda:12.8.1-devel-ubuntu24.04

FROM debian:12 AS build
COPY . /kasc
WORKDIR /kasc
RUN KASC_EXTRA_PACKAGES=patchelf bash -c 'source examples/setup.sh && \
    cmake --preset bundle -DCMAKE_INSTALL_PREFIX=/opt/kasc && cmake --build --preset bundle'

FROM ${CUDA_IMAGE}
COPY --from=build /opt/kasc /opt/kasc
# What emitted code for a CPU is built with.
RUN apt-get update && apt-get install -y --no-install-recommends g++ cmake libfftw3-dev && rm -rf /var/lib/apt/lists/*
ENV PATH=/opt/kasc/bin:$PATH
WORKDIR /work
ENTRYPOINT ["kasc"]
