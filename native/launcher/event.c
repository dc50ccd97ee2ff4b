#include "event.h"

#include <linux/fcntl.h>
#include <linux/poll.h>
#include <linux/time.h>

#include "json.h"
#include "sealed.h"

/*
 * Given by the build: the largest event; up to which size an event is followed as it arrives; and the silence, in
 * milliseconds, after which a larger one is.
 */
#if !defined(PZ_EVENT_BYTES) || !defined(PZ_EVENT_FOLLOWED_BYTES) || !defined(PZ_EVENT_SILENCE_MS)
#error "build with targets/build.ts"
#endif

/* Bytes taken from the pipe at once, and kept of an event that is too large. */
#define PIECE_BYTES ((size_t)64 * 1024)
#define MARK_BYTES 3

static unsigned char piece[PIECE_BYTES];

/* How far the bytes were followed as JSON. */
struct follower {
  struct json json;
  size_t at;
};

/* Follows the file up to `total`; true when waiting for more is of no use. */
static bool has_ended(struct follower *follower, long file, size_t total) {
  static unsigned char bytes[PIECE_BYTES];
  while (follower->at < total) {
    long got = KERNEL4(__NR_pread64, file, bytes, sizeof bytes, follower->at);
    if (got <= 0) {
      return false;
    }
    size_t skip = 0;
    if (follower->at == 0 && bytes[0] == 0xef) { /* a byte order mark, perhaps still on its way */
      if (total < MARK_BYTES) {
        return false;
      }
      skip = bytes[1] == 0xbb && bytes[2] == 0xbf ? MARK_BYTES : 0;
    }
    follower->at += (size_t)got;
    if (!json_take(&follower->json, bytes + skip, (size_t)got - skip)) {
      return true;
    }
  }
  return json_whole(&follower->json, false);
}

/* Reads the rest away, so that the agent's write does not fail: to the end, or to a silence. */
static void discard(int64_t deadline, int signals) {
  for (;;) {
    int64_t left = deadline - now_ms();
    if (left > PZ_EVENT_SILENCE_MS) {
      left = PZ_EVENT_SILENCE_MS;
    }
    struct timespec wait = {left < 0 ? 0 : left / 1000, left < 0 ? 0 : (left % 1000) * 1000000};
    struct pollfd watched[] = {{.fd = 0, .events = POLLIN, .revents = 0}, {.fd = signals, .events = POLLIN, .revents = 0}};
    long ready = KERNEL5(__NR_ppoll, watched, 2, &wait, NULL, 0);
    if (ready == -EINTR) {
      continue;
    }
    if (ready <= 0 || watched[1].revents != 0) {
      return;
    }
    long got = KERNEL3(__NR_read, 0, piece, sizeof piece);
    if (got <= 0 && got != -EINTR && got != -EAGAIN) {
      return;
    }
  }
}

/* Only a beginning stays, and a NUL behind it. */
static bool cut(long file) {
  const char nul = 0;
  return KERNEL2(__NR_ftruncate, file, PIECE_BYTES) >= 0 && KERNEL3(__NR_lseek, file, PIECE_BYTES, 0) >= 0 && write_all((int)file, &nul, 1);
}

static enum event_end take(int64_t deadline, int signals, long file, struct follower *follower) {
  size_t total = 0;
  for (;;) {
    /* Following a large event would cost milliseconds for nothing, since nearly every agent closes the pipe. */
    bool followed = follower->at == total;
    if (!followed && total <= PZ_EVENT_FOLLOWED_BYTES) {
      if (has_ended(follower, file, total)) {
        return EVENT_WHOLE;
      }
      followed = true;
    }
    int64_t left = deadline - now_ms();
    if (left <= 0) {
      return EVENT_LATE;
    }
    if (!followed && left > PZ_EVENT_SILENCE_MS) {
      left = PZ_EVENT_SILENCE_MS;
    }
    struct timespec wait = {left / 1000, (left % 1000) * 1000000};
    struct pollfd watched[] = {{.fd = 0, .events = POLLIN, .revents = 0}, {.fd = signals, .events = POLLIN, .revents = 0}};
    long ready = KERNEL5(__NR_ppoll, watched, 2, &wait, NULL, 0);
    if (ready > 0 && watched[1].revents != 0) {
      return EVENT_STOPPED;
    }
    if (ready == 0 && !followed && has_ended(follower, file, total)) {
      return EVENT_WHOLE;
    }
    if (ready == 0 || ready == -EINTR) {
      continue;
    }
    long got = ready < 0 ? ready : KERNEL3(__NR_read, 0, piece, sizeof piece);
    if (got == -EINTR || got == -EAGAIN) {
      continue;
    }
    if (got < 0) {
      return EVENT_BROKEN;
    }
    if (got == 0) {
      return EVENT_WHOLE;
    }
    if (!write_all((int)file, piece, (size_t)got)) {
      return EVENT_BROKEN;
    }
    total += (size_t)got;
    if (total > PZ_EVENT_BYTES) {
      discard(deadline, signals);
      return cut(file) ? EVENT_WHOLE : EVENT_BROKEN;
    }
  }
}

enum event_end event_take(int64_t deadline, int signals, long *file) {
  struct follower follower;
  memset(&follower, 0, sizeof follower);
  *file = sealed_create("poisonzero-event");
  if (*file < 0) {
    return EVENT_BROKEN;
  }
  enum event_end end = take(deadline, signals, *file, &follower);
  json_free(&follower.json);
  return end == EVENT_WHOLE && !sealed_finish(*file) ? EVENT_BROKEN : end;
}
