/* The launcher's own look at its command line. Trust: argv may come from an agent's settings file. */
#ifndef PZ_ARGUMENTS_H
#define PZ_ARGUMENTS_H

#include "kernel.h"

enum agent { AGENT_CLAUDE, AGENT_CODEX, AGENT_CURSOR, AGENT_GEMINI, AGENT_ANTIGRAVITY };

enum command_line {
  COMMAND_PLAIN,     /* anything but a hook call of a known agent: started without a guard */
  COMMAND_HOOK,      /* hook <agent> [EVENT] */
  COMMAND_BAD_HOOK,  /* a hook call of a known agent with something else behind it */
  COMMAND_HOOK_HELP, /* hook <agent> --help: a person's, unless an event comes with it */
  COMMAND_TOO_LARGE, /* too many or too long arguments */
};

/* An event's name is letters only. */
#define EVENT_CHARS_MAX 64
/* Arguments of one command line (`scan` may name many files), and their bytes together. */
#define ARGUMENTS_MAX 100000
#define ARGUMENT_BYTES_MAX ((size_t)2 * 1024 * 1024)

struct arguments {
  enum command_line kind;
  enum agent agent;
  const char *event; /* "" when the entry names none */
};

struct arguments arguments_read(int argc, char *const *argv);

#endif
