#include "kernel.h"

#include <linux/auxvec.h>
#include <linux/elf.h>
#include <linux/mman.h>
#include <linux/poll.h>
#include <linux/time.h>

#ifdef PZ_HOSTED

extern long syscall(long number, ...);
extern int *__errno_location(void);
extern void _exit(int status) __attribute__((noreturn));

long kernel(long number, long a, long b, long c, long d, long e, long f) {
  long result = syscall(number, a, b, c, d, e, f);
  return result == -1 ? -(long)*__errno_location() : result;
}

void leave(int status) { _exit(status); }

#ifndef PZ_NO_MAIN
int main(int argc, char **argv, char **environment) { return launcher(argc, argv, environment); }
#endif

#else

#if defined(__x86_64__)

long kernel(long number, long a, long b, long c, long d, long e, long f) {
  long result;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}

__asm__(".globl _start\n"
        ".type _start,@function\n"
        "_start:\n"
        "  xor %ebp, %ebp\n"
        "  mov %rsp, %rdi\n"
        "  and $-16, %rsp\n"
        "  call start\n"
        "  ud2\n");

#elif defined(__aarch64__)

long kernel(long number, long a, long b, long c, long d, long e, long f) {
  register long x8 __asm__("x8") = number;
  register long x0 __asm__("x0") = a;
  register long x1 __asm__("x1") = b;
  register long x2 __asm__("x2") = c;
  register long x3 __asm__("x3") = d;
  register long x4 __asm__("x4") = e;
  register long x5 __asm__("x5") = f;
  __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
  return x0;
}

__asm__(".globl _start\n"
        ".type _start,%function\n"
        "_start:\n"
        "  mov x29, #0\n"
        "  mov x30, #0\n"
        "  mov x0, sp\n"
        "  bl start\n"
        "  brk #1\n");

#else
#error "the launcher knows x86-64 and arm64 only"
#endif

void leave(int status) {
  for (;;) {
    (void)KERNEL1(__NR_exit_group, status);
  }
}

/*
 * The launcher is position independent and nobody loads it, so it puts its own addresses right. Whether there is any to
 * put right is the compiler's choice.
 */
extern const Elf64_Dyn _DYNAMIC[] __attribute__((visibility("hidden")));
extern const char __ehdr_start[] __attribute__((visibility("hidden")));

__attribute__((optimize("no-stack-protector"))) static bool relocate(void) {
#if defined(__x86_64__)
  enum { relative = 8 };
#else
  enum { relative = 1027 };
#endif
  const uintptr_t base = (uintptr_t)__ehdr_start;
  uintptr_t table = 0;
  size_t bytes = 0;
  for (const Elf64_Dyn *entry = _DYNAMIC; entry->d_tag != DT_NULL; entry++) {
    if (entry->d_tag == DT_RELA) {
      table = base + entry->d_un.d_ptr;
    } else if (entry->d_tag == DT_RELASZ) {
      bytes = entry->d_un.d_val;
    }
  }
  const Elf64_Rela *relocation = (const Elf64_Rela *)table;
  for (size_t i = 0; i < bytes / sizeof *relocation; i++) {
    if (ELF64_R_TYPE(relocation[i].r_info) != relative) {
      return false;
    }
    *(uintptr_t *)(base + relocation[i].r_offset) = base + (uintptr_t)relocation[i].r_addend;
  }
  return true;
}

/* The canary of -fstack-protector (built with a global guard); the kernel's random bytes fill it in. */
uintptr_t __stack_chk_guard;
__attribute__((noreturn)) void __stack_chk_fail(void);
void __stack_chk_fail(void) {
  static const char text[] = "poisonzero: fail-closed: the launcher's memory was damaged\n";
  (void)KERNEL3(__NR_write, 2, text, sizeof text - 1);
  leave(2);
}

__attribute__((noreturn, used, optimize("no-stack-protector"))) static void start(uintptr_t *stack) __asm__("start");
static void start(uintptr_t *stack) {
  if (!relocate()) {
    leave(2);
  }
  int argc = (int)stack[0];
  char **argv = (char **)(stack + 1);
  char **environment = argv + argc + 1;
  char **end = environment;
  while (*end != NULL) {
    end++;
  }
  for (const uintptr_t *aux = (const uintptr_t *)(end + 1); aux[0] != AT_NULL; aux += 2) {
    if (aux[0] == AT_RANDOM) {
      memcpy(&__stack_chk_guard, (const void *)aux[1], sizeof __stack_chk_guard);
    }
  }
  leave(launcher(argc, argv, environment));
}

__attribute__((optimize("no-tree-loop-distribute-patterns"))) void *memcpy(void *restrict to, const void *restrict from, size_t count) {
  unsigned char *target = to;
  const unsigned char *source = from;
  while (count-- > 0) {
    *target++ = *source++;
  }
  return to;
}

__attribute__((optimize("no-tree-loop-distribute-patterns"))) void *memset(void *to, int value, size_t count) {
  unsigned char *target = to;
  while (count-- > 0) {
    *target++ = (unsigned char)value;
  }
  return to;
}

#endif

static bool failed(long result) { return result < 0 && result > -4096; }

void *pages(size_t bytes) {
  long result = KERNEL6(__NR_mmap, 0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return failed(result) ? NULL : (void *)result;
}

bool buffer_room(struct buffer *buffer, size_t more, size_t bound) {
  if (more > bound || buffer->length > bound - more) {
    return false;
  }
  size_t wanted = buffer->length + more;
  if (wanted <= buffer->capacity) {
    return true;
  }
  size_t capacity = buffer->capacity == 0 ? 64 * 1024 : buffer->capacity;
  while (capacity < wanted) {
    capacity *= 2;
  }
  if (buffer->data == NULL) {
    buffer->data = pages(capacity);
    if (buffer->data == NULL) {
      return false;
    }
  } else {
    long moved = KERNEL4(__NR_mremap, buffer->data, buffer->capacity, capacity, MREMAP_MAYMOVE);
    if (failed(moved)) {
      return false;
    }
    buffer->data = (unsigned char *)moved;
  }
  buffer->capacity = capacity;
  return true;
}

void buffer_free(struct buffer *buffer) {
  if (buffer->data != NULL) {
    (void)KERNEL2(__NR_munmap, buffer->data, buffer->capacity);
  }
  memset(buffer, 0, sizeof *buffer);
}

bool write_all(int descriptor, const void *data, size_t length) {
  const unsigned char *rest = data;
  while (length > 0) {
    long wrote = KERNEL3(__NR_write, descriptor, rest, length);
    if (wrote == -EAGAIN) {
      struct pollfd wait = {.fd = descriptor, .events = POLLOUT, .revents = 0};
      long ready = KERNEL5(__NR_ppoll, &wait, 1, NULL, NULL, 0);
      if (ready < 0 && ready != -EINTR) {
        return false;
      }
    } else if (wrote > 0) {
      rest += wrote;
      length -= (size_t)wrote;
    } else if (wrote != -EINTR) {
      return false;
    }
  }
  return true;
}

int64_t now_ms(void) {
  struct timespec time = {0, 0};
  (void)KERNEL2(__NR_clock_gettime, CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000 + (int64_t)time.tv_nsec / 1000000;
}

size_t text_length(const char *text) {
  size_t length = 0;
  while (text[length] != 0) {
    length++;
  }
  return length;
}

bool text_equal(const char *a, const char *b) {
  while (*a != 0 && *a == *b) {
    a++;
    b++;
  }
  return *a == *b;
}

bool text_starts(const char *text, const char *prefix) {
  while (*prefix != 0) {
    if (*text++ != *prefix++) {
      return false;
    }
  }
  return true;
}
