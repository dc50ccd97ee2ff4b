#include "environment.h"

#include <linux/fcntl.h>

#include "sealed.h"

#ifndef PZ_ENVIRONMENT_BYTES
#error "build with targets/build.ts"
#endif

/* Whole names, and beginnings of names that end in "_". */
static const char kept[][28] = {
    "HOME", "PATH", "PWD", "USER", "LOGNAME", "SHELL", "LANG", "TMPDIR", "TERM", "NO_COLOR", "DISPLAY",
    "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "KUBECONFIG", "DOCKER_CONFIG", "GNUPGHOME", "PGPASSFILE", "NETRC",
    "CODEX_HOME", "CARGO_HOME", "VAULT_ADDR", "GIT_", "XDG_", "AWS_", "CLAUDE_", "CODEX_", "CURSOR_", "GEMINI_",
    "AZURE_", "CLOUDSDK_", "GOOGLE_", "GH_", "GLAB_", "LC_", "NPM_CONFIG_", "npm_config_",
};

static bool is_kept(const char *entry) {
  for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++) {
    size_t length = text_length(kept[i]);
    if (text_starts(entry, kept[i]) && (kept[i][length - 1] == '_' || entry[length] == '=')) {
      return true;
    }
  }
  return false;
}

/* Bytes of an entry with its NUL; 0 for what has no name. */
static size_t entry_size(const char *entry) {
  size_t equals = 0;
  while (entry[equals] != 0 && entry[equals] != '=') {
    equals++;
  }
  return equals == 0 || entry[equals] == 0 ? 0 : text_length(entry) + 1;
}

static size_t size_with(char *const *environment, size_t largest) {
  size_t total = 0;
  for (; *environment != NULL; environment++) {
    size_t size = entry_size(*environment);
    if (size <= largest || is_kept(*environment)) {
      total += size;
    }
  }
  return total;
}

/* The largest entry that may stay so that everything fits; found by halving, so that no environment is slow. */
static size_t largest_entry(char *const *environment, size_t bound) {
  size_t all = (size_t)-1 / 2;
  if (size_with(environment, all) <= bound) {
    return all;
  }
  size_t fits = 0;
  size_t over = bound + 1;
  while (over - fits > 1) {
    size_t middle = fits + (over - fits) / 2;
    if (size_with(environment, middle) <= bound) {
      fits = middle;
    } else {
      over = middle;
    }
  }
  return fits;
}

size_t environment_size(char *const *environment, size_t bound) {
  return size_with(environment, largest_entry(environment, bound));
}

void environment_fill(char *const *environment, size_t bound, char *block) {
  size_t largest = largest_entry(environment, bound);
  for (; *environment != NULL; environment++) {
    size_t size = entry_size(*environment);
    if (size > 0 && (size <= largest || is_kept(*environment))) {
      memcpy(block, *environment, size);
      block += size;
    }
  }
}

bool environment_hand_over(char *const *environment) {
  long file = sealed_create("poisonzero-environment");
  if (file < 0) {
    return false;
  }
  size_t size = environment_size(environment, PZ_ENVIRONMENT_BYTES);
  if (size > 0) {
    char *block = pages(size);
    if (block == NULL) {
      return false;
    }
    environment_fill(environment, PZ_ENVIRONMENT_BYTES, block);
    if (!write_all((int)file, block, size)) {
      return false;
    }
  }
  if (!sealed_finish(file)) {
    return false;
  }
  if (file == ENVIRONMENT_DESCRIPTOR) {
    return KERNEL3(__NR_fcntl, file, F_SETFD, 0) >= 0;
  }
  return KERNEL3(__NR_dup3, file, ENVIRONMENT_DESCRIPTOR, 0) >= 0;
}
