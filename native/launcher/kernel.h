/*
 * The Linux system calls the launcher needs, without a C library.
 *
 * Why no libc: a static glibc reads GLIBC_TUNABLES before main() runs, and one value of it
 * (glibc.malloc.top_pad) makes every static program crash there. A crash of the launcher would be "carry on"
 * for most agents, so nothing may look at the environment before the launcher does. It also saves 0.3 ms a call.
 *
 * Every call returns the kernel's own result: negative errno on failure. Tests build the same sources with
 * -DPZ_HOSTED against the C library, so that the sanitizers can watch them.
 */
#ifndef PZ_KERNEL_H
#define PZ_KERNEL_H

#include <asm/unistd.h>
#include <linux/errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

long kernel(long number, long a, long b, long c, long d, long e, long f);
__attribute__((noreturn)) void leave(int status);

#define KERNEL0(n) kernel((n), 0, 0, 0, 0, 0, 0)
#define KERNEL1(n, a) kernel((n), (long)(a), 0, 0, 0, 0, 0)
#define KERNEL2(n, a, b) kernel((n), (long)(a), (long)(b), 0, 0, 0, 0)
#define KERNEL3(n, a, b, c) kernel((n), (long)(a), (long)(b), (long)(c), 0, 0, 0)
#define KERNEL4(n, a, b, c, d) kernel((n), (long)(a), (long)(b), (long)(c), (long)(d), 0, 0)
#define KERNEL5(n, a, b, c, d, e) kernel((n), (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), 0)
#define KERNEL6(n, a, b, c, d, e, f) kernel((n), (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))

/* Pages of zeroes, or NULL. */
void *pages(size_t bytes);

/* A byte buffer that grows up to a bound given at each use. */
struct buffer {
  unsigned char *data;
  size_t length;
  size_t capacity;
};

/* Room for at least `more` bytes behind `length`; false when that would pass `bound` or memory is out. */
bool buffer_room(struct buffer *buffer, size_t more, size_t bound);

/* Gives the memory back; the buffer is empty afterwards. */
void buffer_free(struct buffer *buffer);

/* Writes everything, waiting where the descriptor would block. False when the other end is gone. */
bool write_all(int descriptor, const void *data, size_t length);

/* Milliseconds of a clock that never jumps. */
int64_t now_ms(void);

size_t text_length(const char *text);
bool text_equal(const char *a, const char *b);
bool text_starts(const char *text, const char *prefix);

/* The compiler may call these by itself. */
void *memcpy(void *restrict to, const void *restrict from, size_t count);
void *memset(void *to, int value, size_t count);

/* The launcher proper; the start code calls it with what the kernel handed over. */
int launcher(int argc, char **argv, char **environment);

#endif
