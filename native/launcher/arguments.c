#include "arguments.h"

static const char agents[][12] = {"claude", "codex", "cursor", "gemini", "antigravity"};

static bool is_event(const char *text) {
  size_t length = text_length(text);
  for (size_t i = 0; i < length; i++) {
    char c = text[i];
    if (!((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'))) {
      return false;
    }
  }
  return length > 0 && length <= EVENT_CHARS_MAX;
}

static bool too_large(int argc, char *const *argv) {
  if (argc > ARGUMENTS_MAX) {
    return true;
  }
  size_t total = 0;
  for (int i = 0; i < argc; i++) {
    total += text_length(argv[i]) + 1;
    if (total > ARGUMENT_BYTES_MAX) {
      return true;
    }
  }
  return false;
}

struct arguments arguments_read(int argc, char *const *argv) {
  struct arguments read = {.kind = COMMAND_PLAIN, .agent = AGENT_CLAUDE, .event = ""};
  bool hook = false;
  if (argc >= 3 && text_equal(argv[1], "hook")) {
    for (size_t i = 0; i < sizeof agents / sizeof agents[0]; i++) {
      if (text_equal(argv[2], agents[i])) {
        read.agent = (enum agent)i;
        hook = true;
      }
    }
  }
  if (hook) {
    if (argc == 4 && is_event(argv[3])) {
      read.event = argv[3];
    }
    bool help = argc == 4 && (text_equal(argv[3], "--help") || text_equal(argv[3], "-h"));
    read.kind = help ? COMMAND_HOOK_HELP : argc == 3 || read.event[0] != 0 ? COMMAND_HOOK : COMMAND_BAD_HOOK;
  } else if (too_large(argc, argv)) {
    read.kind = COMMAND_TOO_LARGE;
  }
  return read;
}
