/*
 * poisonzero on PATH: the small program in front of the big one (D-28).
 *
 * Privilege: none; it runs as whoever calls it. It exists because the JavaScript runtime obeys environment variables
 * (LD_PRELOAD, BUN_*) before its first line runs, and because a hook that crashes, hangs or prints garbage must not
 * count as "carry on".
 *
 * Trust: arguments, environment, standard input, working directory and inherited descriptors are hostile. The program
 * is `libexec/poisonzero` beside this file as the kernel names it, not as PATH or argv[0] do. It gets a fixed
 * environment, the caller's one as data on descriptor 3, in the guarded mode the event as a file, and nothing else. In the guarded mode its answer is passed on
 * only when it ended by itself in time with exit 0 and one JSON value or nothing, or with exit 2.
 */
#include <asm/ioctls.h>
#include <asm/siginfo.h>
#include <asm/signal.h>
#include <linux/close_range.h>
#include <linux/fcntl.h>
#include <linux/fs.h>
#include <linux/poll.h>
#include <linux/prctl.h>
#include <linux/resource.h>
#include <linux/signalfd.h>
#include <linux/time.h>
#include <linux/wait.h>

#include "arguments.h"
#include "environment.h"
#include "event.h"
#include "json.h"
#include "kernel.h"
#include "modes.h"

/*
 * Given by the build: the time limit in milliseconds (D-27), the largest answer and the largest text on standard error
 * that is kept, in bytes, and the data directory (L-140).
 */
#if !defined(PZ_DATA) || !defined(PZ_TIME_MS) || !defined(PZ_ANSWER_BYTES) || !defined(PZ_REASON_BYTES)
#error "build with targets/build.ts"
#endif

/* Bytes taken from a pipe at once. */
#define PIECE_BYTES ((size_t)64 * 1024)
#define PATH_BYTES_MAX 4096
/* How long the rest of standard input is read after a failure, in milliseconds: without a byte, and in all. */
#define LEFTOVER_IDLE_MS 100
#define LEFTOVER_MS 1000
/* Exit codes: blocked, as agents understand it; and a child that could not become the program. */
#define EXIT_BLOCK 2
#define EXIT_NOT_STARTED 126
#define SIGNALS 64
#define SIGNAL_SET_BYTES 8

typedef uint64_t signals;
#define SIGNAL_BIT(n) ((signals)1 << ((n) - 1))
/* An agent that gives up sends one of these; the answer is then the fail rule's, not the signal's. */
#define STOPPING (SIGNAL_BIT(SIGTERM) | SIGNAL_BIT(SIGINT) | SIGNAL_BIT(SIGHUP) | SIGNAL_BIT(SIGQUIT))

struct hook {
  enum agent agent;
  const char *event;
  struct modes modes;
  int64_t deadline;
};

static unsigned char piece[PIECE_BYTES];

/* Default or ignored only: there is no handler anywhere in this program. */
static void on_signal(int number, __sighandler_t what) {
  struct {
    __sighandler_t handler;
    unsigned long flags;
    void *restorer;
    signals mask;
  } action = {what, 0, NULL, 0};
  (void)KERNEL4(__NR_rt_sigaction, number, &action, NULL, SIGNAL_SET_BYTES);
}

static void say(const char *text) { (void)write_all(2, text, text_length(text)); }

/* ---------------------------------------------------------------- descriptors */

/* Descriptors 0 to 2 are open afterwards, and no other. */
static bool tidy_descriptors(void) {
  for (int i = 0; i < 3; i++) {
    if (KERNEL2(__NR_fcntl, i, F_GETFD) == -EBADF) {
      long file = KERNEL4(__NR_openat, AT_FDCWD, "/dev/null", O_RDWR, 0);
      if (file != i) {
        return false;
      }
    }
  }
  if (KERNEL3(__NR_close_range, 3, ~0U, 0) == 0) {
    return true;
  }
  struct rlimit limit = {0, 0}; /* kernels before 5.9 */
  if (KERNEL4(__NR_prlimit64, 0, RLIMIT_NOFILE, NULL, &limit) < 0) {
    return false;
  }
  for (unsigned long i = 3; i < limit.rlim_cur && i < 65536; i++) {
    (void)KERNEL1(__NR_close, i);
  }
  return true;
}

/*
 * No core dump may hold a secret: 1 byte is less than any dump to a file, and the kernel's mark for "not to a pipe".
 * Where the caller's own limit is already 0, 0 is all that can be had.
 */
static void no_core_dumps(void) {
  struct rlimit limit = {1, 1};
  if (KERNEL4(__NR_prlimit64, 0, RLIMIT_CORE, &limit, NULL) < 0) {
    limit.rlim_cur = 0;
    limit.rlim_max = 0;
    (void)KERNEL4(__NR_prlimit64, 0, RLIMIT_CORE, &limit, NULL);
  }
}

/* ---------------------------------------------------------------- standard input */

/*
 * Reads the event away when nobody else does, so that the agent's write does not fail. Ends with the input, with one
 * complete JSON value (D-27), at the deadline, or after `idle_ms` without a byte.
 */
static void drain_input(int64_t deadline, int64_t idle_ms) {
  struct json json;
  memset(&json, 0, sizeof json);
  bool readable_json = true;
  for (;;) {
    int64_t left = deadline - now_ms();
    int64_t wait_ms = readable_json && json_whole(&json, false) ? 0 : left < idle_ms ? left : idle_ms;
    struct timespec wait = {wait_ms < 0 ? 0 : wait_ms / 1000, wait_ms < 0 ? 0 : (wait_ms % 1000) * 1000000};
    struct pollfd input = {.fd = 0, .events = POLLIN, .revents = 0};
    long ready = KERNEL5(__NR_ppoll, &input, 1, &wait, NULL, 0);
    if (ready == -EINTR) {
      continue;
    }
    if (ready <= 0) {
      return;
    }
    long got = KERNEL3(__NR_read, 0, piece, sizeof piece);
    if (got == -EINTR || got == -EAGAIN) {
      continue;
    }
    if (got <= 0) {
      return;
    }
    readable_json = readable_json && json_take(&json, piece, (size_t)got);
  }
}

/*
 * Whether somebody hands over an event, which is left where it is: nobody does at a terminal, or where the input ends
 * without a byte. An input that says nothing until the deadline is taken for one.
 */
static bool has_event(int64_t deadline) {
  unsigned char settings[64]; /* a terminal's, for which the kernel needs less */
  if (KERNEL3(__NR_ioctl, 0, TCGETS, settings) == 0) {
    return false;
  }
  for (;;) {
    int64_t left = deadline - now_ms();
    if (left <= 0) {
      return true;
    }
    struct timespec wait = {left / 1000, (left % 1000) * 1000000};
    struct pollfd input = {.fd = 0, .events = POLLIN, .revents = 0};
    long ready = KERNEL5(__NR_ppoll, &input, 1, &wait, NULL, 0);
    if (ready == 0 || ready == -EINTR) {
      continue;
    }
    int waiting = 0;
    return ready < 0 || (KERNEL3(__NR_ioctl, 0, FIONREAD, &waiting) == 0 && waiting > 0);
  }
}

/* ---------------------------------------------------------------- answers */

/* D-23: "nothing to say" in the agent's own words. */
static const char *neutral(const struct hook *hook) {
  switch (hook->agent) {
    case AGENT_CURSOR: return "{}\n";
    case AGENT_ANTIGRAVITY: return hook->event[0] == 0 || text_equal(hook->event, "PreToolUse") ? "{\"decision\":\"\"}\n" : "{}\n";
    default: return "";
  }
}

static int answer_neutral(const struct hook *hook) {
  const char *text = neutral(hook);
  return write_all(1, text, text_length(text)) ? 0 : 1;
}

/*
 * The fail rule (L-153, L-154): under enforce Claude Code gets exit 2 with a text: a block of a call or a prompt. A
 * result that already happened stays visible (the program withholds what it cannot check in time); everybody else carries on.
 */
static int fail(const struct hook *hook, const char *why) {
  drain_input(now_ms() + LEFTOVER_MS, LEFTOVER_IDLE_MS);
  bool leak0 = hook->modes.leak0 == MODE_ENFORCE;
  if (hook->agent != AGENT_CLAUDE || (!leak0 && hook->modes.exec0 != MODE_ENFORCE)) {
    return answer_neutral(hook);
  }
  say(leak0 ? "poisonzero leak0: blocked (fail-closed): the check " : "poisonzero exec0: blocked (fail-closed): the check ");
  say(why);
  say(". Try again; if it stays, a person should run `poisonzero status`.\n");
  return EXIT_BLOCK;
}

/* ---------------------------------------------------------------- the program */

/* The folder this file lies in, by the kernel's word, and the program in it. */
static bool find_program(char *path) {
  static const char name[] = "/libexec/poisonzero";
  long length = KERNEL4(__NR_readlinkat, AT_FDCWD, "/proc/self/exe", path, PATH_BYTES_MAX - sizeof name);
  if (length <= 0 || (size_t)length >= PATH_BYTES_MAX - sizeof name || path[0] != '/') {
    return false;
  }
  while (length > 0 && path[length - 1] != '/') {
    length--;
  }
  memcpy(path + length - 1, name, sizeof name);
  return true;
}

/* How long the program is going to run, as far as it can be told beforehand. */
enum run { LONG_RUN, HOOK_RUN, SHORT_HOOK_RUN };

/*
 * Replaces this process; returns only when that failed, with the reason as a negative number. A hook is over before the
 * runtime's slow compilers have paid for themselves (measured: a third of the processor time for 1 MiB of output), and
 * the slowest of them does not pay even for a hundred megabytes of sources.
 */
static long become(const char *program, char **argv, enum run run) {
  static char path[] = "PATH=/usr/bin:/bin";
  static char lang[] = "LANG=C.UTF-8";
  static char lc_all[] = "LC_ALL=C.UTF-8";
  static char block[] = "PZ_ENVIRONMENT_FD=3";
  static char no_slow_code[] = "BUN_JSC_useFTLJIT=0";
  static char no_wasm_interpreter[] = "BUN_JSC_useWasmIPInt=0";
  static char no_slow_wasm[] = "BUN_JSC_useOMGJIT=0";
  char *environment[] = {path, lang, lc_all, block, no_slow_code, NULL, NULL, NULL};
  if (run != LONG_RUN) {
    environment[5] = no_wasm_interpreter;
    environment[6] = run == SHORT_HOOK_RUN ? no_slow_wasm : NULL;
  }
  return KERNEL3(__NR_execve, program, argv, environment);
}

/* ---------------------------------------------------------------- the guarded mode */

struct child {
  int pid;
  int answer; /* read ends; -1 once closed by the other side */
  int reason;
  int signals;
  struct buffer answer_text;
  struct buffer reason_text;
};

enum { END_EXITED, END_LATE, END_STOPPED, END_TOO_LARGE, END_BROKEN };

/* The new process's side; nothing is shared with the parent but the event and the two pipes. */
static __attribute__((noreturn)) void start_child(const char *program, char **argv, long parent, long event, int answer, int reason) {
  for (int number = 1; number <= SIGNALS; number++) {
    on_signal(number, SIG_DFL);
  }
  on_signal(SIGXFSZ, SIG_IGN); /* a record that cannot be written must not end the check */
  signals none = 0;
  (void)KERNEL4(__NR_rt_sigprocmask, SIG_SETMASK, &none, NULL, SIGNAL_SET_BYTES);
  /* Its own session: the whole group can be ended, and nothing in it can ask on the agent's terminal. */
  if (KERNEL0(__NR_setsid) >= 0 && KERNEL5(__NR_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == 0 && KERNEL0(__NR_getppid) == parent &&
      KERNEL3(__NR_dup3, event, 0, 0) == 0 && KERNEL3(__NR_dup3, answer, 1, 0) == 1 && KERNEL3(__NR_dup3, reason, 2, 0) == 2) {
    bool brief = KERNEL3(__NR_lseek, 0, 0, SEEK_END) <= PZ_EVENT_BRIEF_BYTES;
    (void)KERNEL3(__NR_lseek, 0, 0, SEEK_SET);
    (void)become(program, argv, brief ? SHORT_HOOK_RUN : HOOK_RUN);
  }
  leave(EXIT_NOT_STARTED);
}

/* Holds these signals back and makes them readable: a new descriptor for `old` -1, else the same one. Negative on failure. */
static int hold_signals(int old, signals held) {
  if (KERNEL4(__NR_rt_sigprocmask, SIG_SETMASK, &held, NULL, SIGNAL_SET_BYTES) < 0) {
    return -1;
  }
  return (int)KERNEL4(__NR_signalfd4, old, &held, SIGNAL_SET_BYTES, SFD_CLOEXEC | SFD_NONBLOCK);
}

static bool start_guarded(struct child *child, const char *program, char **argv, long event) {
  int answer[2];
  int reason[2];
  if (hold_signals(child->signals, STOPPING | SIGNAL_BIT(SIGCHLD)) < 0 || KERNEL2(__NR_pipe2, answer, O_CLOEXEC) < 0 || KERNEL2(__NR_pipe2, reason, O_CLOEXEC) < 0) {
    return false;
  }
  /* Large answers arrive in fewer turns; refused where the user's pipe allowance is used up, which does not matter. */
  (void)KERNEL3(__NR_fcntl, answer[1], F_SETPIPE_SZ, 1024 * 1024);
  (void)KERNEL3(__NR_fcntl, answer[0], F_SETFL, O_NONBLOCK);
  (void)KERNEL3(__NR_fcntl, reason[0], F_SETFL, O_NONBLOCK);
  long parent = KERNEL0(__NR_getpid);
  long pid = KERNEL5(__NR_clone, SIGCHLD, 0, 0, 0, 0);
  if (pid < 0) {
    return false;
  }
  if (pid == 0) {
    start_child(program, argv, parent, event, answer[1], reason[1]);
  }
  (void)KERNEL1(__NR_close, answer[1]);
  (void)KERNEL1(__NR_close, reason[1]);
  child->pid = (int)pid;
  child->answer = answer[0];
  child->reason = reason[0];
  return true;
}

/* Takes what is there. What is past `bound` is thrown away where `cut` says so, and otherwise answered with false. */
static bool collect(int *descriptor, struct buffer *text, size_t bound, bool cut) {
  while (*descriptor >= 0) {
    bool room = text->length < bound && buffer_room(text, 1, bound);
    unsigned char *to = room ? text->data + text->length : piece;
    size_t space = sizeof piece;
    if (room) {
      space = (text->capacity < bound ? text->capacity : bound) - text->length;
    }
    long got = KERNEL3(__NR_read, *descriptor, to, space);
    if (got == -EAGAIN) {
      return true;
    }
    if (got == -EINTR) {
      continue;
    }
    if (got <= 0) {
      (void)KERNEL1(__NR_close, *descriptor);
      *descriptor = -1;
    } else if (room) {
      text->length += (size_t)got;
    } else if (!cut) {
      return false;
    }
  }
  return true;
}

/* Whether the child has ended; it is not reaped, so that its number cannot be given away yet. */
static bool has_ended(const struct child *child, siginfo_t *info) {
  long result;
  do {
    memset(info, 0, sizeof *info);
    result = KERNEL5(__NR_waitid, P_PID, child->pid, info, WEXITED | WNOHANG | WNOWAIT, NULL);
  } while (result == -EINTR);
  return result == 0 && info->si_pid == child->pid;
}

static bool ends_by_signal(const struct child *child) {
  struct signalfd_siginfo signal;
  while (KERNEL3(__NR_read, child->signals, &signal, sizeof signal) == (long)sizeof signal) {
    if (signal.ssi_signo != SIGCHLD) {
      return true;
    }
  }
  return false;
}

/* Waits until the child has ended or must be; its status stands in `info` for END_EXITED. */
static int watch(struct child *child, int64_t deadline, siginfo_t *info) {
  for (;;) {
    int64_t left = deadline - now_ms();
    if (left <= 0) {
      return END_LATE;
    }
    struct timespec wait = {left / 1000, (left % 1000) * 1000000};
    struct pollfd watched[] = {
        {.fd = child->signals, .events = POLLIN, .revents = 0},
        {.fd = child->answer, .events = POLLIN, .revents = 0},
        {.fd = child->reason, .events = POLLIN, .revents = 0},
    };
    long ready = KERNEL5(__NR_ppoll, watched, 3, &wait, NULL, 0);
    if (ready < 0 && ready != -EINTR) {
      return END_BROKEN;
    }
    if (ends_by_signal(child)) {
      return END_STOPPED;
    }
    /* Looked at before the pipes are read: what a child wrote before its end is in them by then. */
    bool ended = has_ended(child, info);
    if (!collect(&child->answer, &child->answer_text, PZ_ANSWER_BYTES, false)) {
      return END_TOO_LARGE;
    }
    (void)collect(&child->reason, &child->reason_text, PZ_REASON_BYTES, true);
    if (ended) {
      return END_EXITED;
    }
  }
}

/* Ends the whole group, also when only a grandchild is left of it, and only then lets go of the child's number. */
static void sweep(const struct child *child) {
  siginfo_t info;
  (void)KERNEL2(__NR_kill, -child->pid, SIGKILL);
  (void)KERNEL2(__NR_kill, child->pid, SIGKILL);
  (void)KERNEL5(__NR_waitid, P_PID, child->pid, &info, WEXITED | WNOHANG, NULL);
}

static bool is_empty(const struct buffer *text) {
  for (size_t i = 0; i < text->length; i++) {
    if (text->data[i] != ' ' && text->data[i] != '\t' && text->data[i] != '\n' && text->data[i] != '\r') {
      return false;
    }
  }
  return true;
}

static bool is_json(const struct buffer *text) {
  struct json json;
  memset(&json, 0, sizeof json);
  bool valid = json_take(&json, text->data, text->length) && json_whole(&json, true);
  json_free(&json);
  return valid;
}

static int pass_on(const struct hook *hook, const struct child *child, const siginfo_t *info) {
  if (info->si_code != CLD_EXITED) {
    return fail(hook, "ended abnormally");
  }
  if (info->si_status == EXIT_BLOCK) {
    if (child->reason_text.length == 0) {
      say("poisonzero: blocked\n");
    }
    (void)write_all(2, child->reason_text.data, child->reason_text.length);
    return EXIT_BLOCK;
  }
  if (info->si_status == EXIT_NOT_STARTED) {
    return fail(hook, "could not be started");
  }
  if (info->si_status != 0) {
    return fail(hook, "ended with an error");
  }
  if (is_empty(&child->answer_text)) {
    return answer_neutral(hook);
  }
  if (!is_json(&child->answer_text)) {
    return fail(hook, "gave no valid answer");
  }
  return write_all(1, child->answer_text.data, child->answer_text.length) ? 0 : 1;
}

static int guarded(const struct hook *hook, const char *program, char **argv) {
  struct child child;
  memset(&child, 0, sizeof child);
  child.signals = hold_signals(-1, STOPPING);
  if (child.signals < 0) {
    return fail(hook, "could not be prepared");
  }
  long event;
  switch (event_take(hook->deadline, child.signals, &event)) {
    case EVENT_WHOLE: break;
    case EVENT_LATE: return fail(hook, "did not get the whole event in time");
    case EVENT_STOPPED: return fail(hook, "was stopped from outside");
    default: return fail(hook, "could not read the event");
  }
  if (!start_guarded(&child, program, argv, event)) {
    return fail(hook, "could not be started");
  }
  siginfo_t info;
  memset(&info, 0, sizeof info);
  int end = watch(&child, hook->deadline, &info);
  sweep(&child);
  switch (end) {
    case END_EXITED: return pass_on(hook, &child, &info);
    case END_LATE: return fail(hook, "did not finish in time");
    case END_STOPPED: return fail(hook, "was stopped from outside");
    case END_TOO_LARGE: return fail(hook, "gave a too large answer");
    default: return fail(hook, "could not be watched");
  }
}

/* ---------------------------------------------------------------- start */

/* A command of a person that cannot run: what is wrong, and the way back, which the program itself cannot show then. */
static void say_not_started(const char *program, long why) {
  say("poisonzero: ");
  say(program[0] == '/' ? program : "the program libexec/poisonzero beside this file");
  /* The kernel says the same of a program whose loader is missing; reading it as a link tells the two apart. */
  bool missing = why == -ENOENT && KERNEL4(__NR_readlinkat, AT_FDCWD, program, piece, 1) == -ENOENT;
  say(missing ? " is missing\n" : why == -EACCES ? " is not executable\n" : " cannot be started\n");
  say("  Next: install poisonzero again\n");
  if (modes_read().leak0 == MODE_ENFORCE) {
    say("  Until then Claude Code blocks every call and prompt. To let it go on unprotected: sudo rm " PZ_DATA "/leak0mode\n");
  }
}

/* Signal settings and limits that a caller may have left and that would hide a child's end or kill a write. */
static void settle_signals(void) {
  on_signal(SIGCHLD, SIG_DFL);
  on_signal(SIGPIPE, SIG_IGN);
  on_signal(SIGXFSZ, SIG_IGN);
}

int launcher(int argc, char **argv, char **environment) {
  static char program[PATH_BYTES_MAX];
  struct arguments arguments = arguments_read(argc, argv);
  struct hook hook = {.agent = arguments.agent, .event = arguments.event, .modes = {MODE_NOT_SET, MODE_NOT_SET}, .deadline = now_ms() + PZ_TIME_MS};
  bool tidy = tidy_descriptors();
  no_core_dumps();
  if (arguments.kind == COMMAND_HOOK_HELP) {
    if (has_event(hook.deadline)) {
      arguments.kind = COMMAND_BAD_HOOK; /* no argument in an agent's settings switches its hook off */
    } else {
      arguments.kind = COMMAND_PLAIN;
      argv[2] = argv[3];
      argv[3] = NULL;
    }
  }
  bool guard = arguments.kind == COMMAND_HOOK || arguments.kind == COMMAND_BAD_HOOK;
  if (guard) {
    settle_signals();
    hook.modes = modes_read();
    if (hook.modes.leak0 == MODE_OFF && hook.modes.exec0 == MODE_OFF) {
      drain_input(hook.deadline, PZ_TIME_MS);
      return answer_neutral(&hook);
    }
    if (arguments.kind == COMMAND_BAD_HOOK) {
      return fail(&hook, "was started with arguments it does not know");
    }
  }
  if (arguments.kind == COMMAND_TOO_LARGE) {
    say("poisonzero: too many arguments; name fewer files at once\n");
    return 1;
  }
  bool ready = tidy && argc > 0 && find_program(program) && environment_hand_over(environment);
  if (guard) {
    argv[0] = program;
    return ready ? guarded(&hook, program, argv) : fail(&hook, "could not be prepared");
  }
  long why = 0;
  if (ready) {
    argv[0] = program;
    why = become(program, argv, LONG_RUN);
  }
  say_not_started(program, why);
  return 1;
}
