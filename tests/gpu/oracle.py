#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Asks an NVIDIA GPU and its driver what ptxlab says without them.

    oracle.py FOLDER OUT.json

FOLDER is what `ptxlab inspect kernels/*/*.cu --keep FOLDER --format json > FOLDER/facts.json` left.
OUT.json gets the device, for every kernel the driver's registers, static shared memory and resident
blocks per multiprocessor, and for every kernel of wait_forms what happened when it ran: "returned"
although its flag stayed 0, "released" once the flag was set, or "stuck" even then.

A wait runs in a child process that is killed after a deadline: a kernel that spins for ever ends with
its process. Only ctypes and libcuda are used.
"""

import ctypes
import json
import os
import signal
import subprocess
import sys
import time

SIZES = (32, 64, 128, 256, 512, 1024)
SETTLE_S, RELEASE_S, DEADLINE_S = 1.0, 2.0, 30.0
ATTRIBUTES = {"shared_bytes": 1, "local_bytes": 3, "registers": 4}  # CUfunction_attribute


class Driver:
    """The calls of libcuda that are needed, each checked."""

    def __init__(self):
        self.lib = ctypes.CDLL("libcuda.so.1")
        self.call("cuInit", 0)
        device = ctypes.c_int()
        self.call("cuDeviceGet", ctypes.byref(device), 0)
        self.device = device
        self.context = ctypes.c_void_p()
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(self.context), device)
        self.call("cuCtxSetCurrent", self.context)

    def call(self, name, *arguments):
        status = getattr(self.lib, name)(*arguments)
        if status != 0:
            text = ctypes.c_char_p()
            self.lib.cuGetErrorName(status, ctypes.byref(text))
            raise RuntimeError(f"{name}: {text.value.decode() if text.value else status}")

    def name(self):
        text = ctypes.create_string_buffer(128)
        self.call("cuDeviceGetName", text, 128, self.device)
        return text.value.decode()

    def version(self):
        number = ctypes.c_int()
        self.call("cuDriverGetVersion", ctypes.byref(number))
        return number.value

    def load(self, path):
        with open(path, "rb") as file:
            image = file.read()
        module = ctypes.c_void_p()
        self.call("cuModuleLoadData", ctypes.byref(module), image)
        return module

    def function(self, module, name):
        function = ctypes.c_void_p()
        self.call("cuModuleGetFunction", ctypes.byref(function), module, name.encode())
        return function

    def stream(self):
        stream = ctypes.c_void_p()
        self.call("cuStreamCreate", ctypes.byref(stream), 1)  # non-blocking
        return stream

    def finished(self, stream, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            status = self.lib.cuStreamQuery(stream)
            if status == 0:
                return True
            if status != 600:  # CUDA_ERROR_NOT_READY
                self.call("cuStreamQuery", stream)
            time.sleep(0.01)
        return False


def resources(driver, module, kernel):
    function = driver.function(module, kernel)
    value = ctypes.c_int()
    row = {}
    for key, attribute in ATTRIBUTES.items():
        driver.call("cuFuncGetAttribute", ctypes.byref(value), attribute, function)
        row[key] = value.value
    row["blocks_per_sm"] = {}
    for size in SIZES:
        driver.call("cuOccupancyMaxActiveBlocksPerMultiprocessor", ctypes.byref(value), function,
                    size, ctypes.c_size_t(0))
        row["blocks_per_sm"][str(size)] = value.value
    return row


def wait_once(path, kernel):
    """In the child: runs the kernel and prints what became of it. Does not clean up: it is killed."""
    driver = Driver()
    function = driver.function(driver.load(path), kernel)
    flag, one = ctypes.c_uint64(), ctypes.c_void_p()
    driver.call("cuMemAlloc_v2", ctypes.byref(flag), ctypes.c_size_t(256))
    driver.call("cuMemsetD32_v2", flag, 0, ctypes.c_size_t(64))
    driver.call("cuMemAllocHost_v2", ctypes.byref(one), ctypes.c_size_t(4))
    ctypes.cast(one, ctypes.POINTER(ctypes.c_uint32))[0] = 1
    driver.call("cuCtxSynchronize")
    work, release = driver.stream(), driver.stream()
    arguments = (ctypes.c_void_p * 1)(ctypes.cast(ctypes.pointer(flag), ctypes.c_void_p))
    driver.call("cuLaunchKernel", function, 1, 1, 1, 1, 1, 1, 0, work, arguments, None)
    if driver.finished(work, SETTLE_S):
        print("returned", flush=True)
    else:
        driver.call("cuMemcpyHtoDAsync_v2", flag, one, ctypes.c_size_t(4), release)
        print("released" if driver.finished(work, RELEASE_S) else "stuck", flush=True)
    signal.pause()


def watched_wait(path, kernel):
    child = subprocess.Popen([sys.executable, __file__, "--wait", path, kernel],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    killer = subprocess.Popen(["sh", "-c", f"sleep {DEADLINE_S}; kill -9 {child.pid}"])
    try:
        answer = child.stdout.readline().strip()
    finally:
        killer.kill()
        child.kill()
    error = child.stderr.read().strip().splitlines()
    child.wait()
    return answer or f"error: {error[-1] if error else 'no answer'}"


def main(folder, out):
    with open(os.path.join(folder, "facts.json"), encoding="utf-8") as file:
        reports = json.load(file)
    driver = Driver()
    result = {"device": driver.name(), "driver": driver.version(),
              "toolkit": reports[0]["toolkit"], "kernels": {}, "waits": {}}
    for report in reports:
        stem = os.path.splitext(report["input"])[0]
        path = os.path.join(folder, report["arch"], stem + ".cubin")
        module = driver.load(path)
        for kernel in report["kernels"]:
            result["kernels"][f"{stem}/{kernel['name']}"] = resources(driver, module, kernel["name"])
        if stem == "wait_forms":
            for kernel in report["kernels"]:
                result["waits"][kernel["name"]] = watched_wait(path, kernel["name"])
    with open(out, "w", encoding="utf-8") as file:
        json.dump(result, file, indent=1, sort_keys=True)
        file.write("\n")
    print(json.dumps(result["waits"], indent=1))
    print(len(result["kernels"]), "kernels on", result["device"])


if __name__ == "__main__":
    if sys.argv[1] == "--wait":
        wait_once(*sys.argv[2:])
    main(*sys.argv[1:])
