/** Linux on x86-64, glibc 2.17 or newer for the program; the launcher needs no libc at all. */
import type { Target } from "./target.ts";

export const linuxX64: Target = {
  name: "linux-x64",
  bunTarget: "bun-linux-x64",
  runtimePackage: "@oven/bun-linux-x64",
  runtimeFile: "bin/bun",
  runtimeNames: {
    BUN_BE_BUN: 1,
    BUN_OPTIONS: 1,
    BUN_INSPECT: 1,
    BUN_INSPECT_PRELOAD: 1,
    BUN_INSPECT_CONNECT_TO: 1,
    BUN_BYTECODE_ORDER_OUT: 1,
    BUN_BYTECODE_ORDER_NAMES_OUT: 1,
    BUN_BYTECODE_DIGEST_OUT: 1,
  },
  patch: "empty",
  native: [
    {
      folder: "launcher",
      output: "poisonzero",
      compiler: "gcc",
      // No C library (kernel.h says why), position independent, stack canary from the kernel's random bytes.
      flags: [
        "-std=gnu11",
        "-O2",
        "-ffreestanding",
        "-nostdlib",
        "-fPIE",
        "-static-pie",
        "-fstack-protector-strong",
        "-mstack-protector-guard=global",
        "-fcf-protection=full",
        "-fno-asynchronous-unwind-tables",
        "-ffile-prefix-map=native/launcher/=",
        "-Wall",
        "-Wextra",
        "-Wconversion",
        "-Wshadow",
        "-Werror",
        "-Wl,-z,relro,-z,now,-z,noexecstack",
        "-Wl,--build-id=none",
        "-s",
      ],
      compilerHint: "apt-get install gcc (Debian, Ubuntu), dnf install gcc (Fedora)",
    },
  ],
  proved: [
    "built and run on Debian 12 (glibc 2.36)",
    "every switch of the runtime that an environment variable or file can throw, tried on the built binary",
  ],
};
