#include "modes.h"

#include <asm/stat.h>
#include <linux/fcntl.h>

#include "json.h"

/*
 * Given by the build: the data directory (L-140), who besides root may own its files in a test build, and the largest
 * settings file in bytes.
 */
#if !defined(PZ_DATA) || !defined(PZ_OWNER) || !defined(PZ_SETTINGS_BYTES)
#error "build with targets/build.ts"
#endif

static unsigned char settings[PZ_SETTINGS_BYTES + 1];

enum { FILE_NOT_SET = -1, FILE_UNKNOWN = -2 };

/* What a mode says about the kind of a file; <linux/stat.h> keeps these from programs that see the C library. */
enum { KIND_MASK = 0170000, KIND_FILE = 0100000, KIND_FOLDER = 0040000 };

#ifdef __NR_newfstatat
#define NR_STAT_AT __NR_newfstatat
#else
#define NR_STAT_AT __NR_fstatat
#endif

/* Only the administrator can have written it. */
static bool owned(const struct stat *info) {
  return (info->st_uid == 0 || info->st_uid == PZ_OWNER) && (info->st_mode & 022) == 0;
}

static bool look(const char *path, struct stat *info) {
  memset(info, 0, sizeof *info);
  return KERNEL4(NR_STAT_AT, AT_FDCWD, path, info, AT_SYMLINK_NOFOLLOW) >= 0;
}

static bool counts(long file) {
  struct stat info;
  memset(&info, 0, sizeof info);
  return KERNEL2(__NR_fstat, file, &info) >= 0 && (info.st_mode & KIND_MASK) == KIND_FILE && owned(&info);
}

static long read_open(long file) {
  size_t length = 0;
  while (length < sizeof settings) {
    long got = KERNEL3(__NR_read, file, settings + length, sizeof settings - length);
    if (got == 0) {
      return (long)length;
    }
    if (got > 0) {
      length += (size_t)got;
    } else if (got != -EINTR) {
      return FILE_NOT_SET;
    }
  }
  return FILE_NOT_SET;
}

/* The length of what `settings` holds now, or why there is nothing. */
static long read_settings(const char *path) {
  long file = KERNEL4(__NR_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0);
  if (file == -EMFILE || file == -ENFILE || file == -ENOMEM) {
    return FILE_UNKNOWN;
  }
  if (file < 0) {
    return FILE_NOT_SET;
  }
  long length = counts(file) ? read_open(file) : FILE_NOT_SET;
  (void)KERNEL1(__NR_close, file);
  return length;
}

static bool is_word(const unsigned char *text, size_t length, const char *word) {
  if (length != text_length(word)) {
    return false;
  }
  for (size_t i = 0; i < length; i++) {
    if (text[i] != (unsigned char)word[i]) {
      return false;
    }
  }
  return true;
}

static bool is_blank(unsigned char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static enum mode exact_mode(const unsigned char *text, size_t length) {
  if (is_word(text, length, "enforce")) {
    return MODE_ENFORCE;
  }
  if (is_word(text, length, "observe")) {
    return MODE_OBSERVE;
  }
  return is_word(text, length, "off") ? MODE_OFF : MODE_NOT_SET;
}

enum mode mode_of_word(const unsigned char *text, size_t length) {
  while (length > 0 && is_blank(text[length - 1])) {
    length--;
  }
  while (length > 0 && is_blank(*text)) {
    text++;
    length--;
  }
  return exact_mode(text, length);
}

enum mode mode_of_profile(const unsigned char *text, size_t length) {
  struct json json;
  memset(&json, 0, sizeof json);
  const unsigned char *value = NULL;
  size_t value_length = 0;
  bool found = json_take(&json, text, length) && json_whole(&json, true) && json_member(text, length, "mode", &value, &value_length);
  json_free(&json);
  return found ? exact_mode(value, value_length) : MODE_NOT_SET;
}

static enum mode mode_in(const char *file, enum mode (*read)(const unsigned char *, size_t)) {
  long length = read_settings(file);
  if (length == FILE_UNKNOWN) {
    return MODE_ENFORCE; /* a caller that leaves no descriptor to open files with does not switch anything off */
  }
  return length < 0 ? MODE_NOT_SET : read(settings, (size_t)length);
}

/* L-121, L-133: a private device has the local switch only, a Cloud device the profile only. */
static enum mode resolve(const char *local_file, const char *profile_file, bool cloud) {
  enum mode mode = cloud ? mode_in(profile_file, mode_of_profile) : mode_in(local_file, mode_of_word);
  return mode == MODE_NOT_SET ? MODE_OFF : mode;
}

struct modes modes_read(void) {
  struct stat info;
  if (!look(PZ_DATA, &info) || (info.st_mode & KIND_MASK) != KIND_FOLDER || !owned(&info)) {
    struct modes off = {MODE_OFF, MODE_OFF};
    return off;
  }
  bool cloud = look(PZ_DATA "/cloud", &info) && (info.st_mode & KIND_MASK) == KIND_FILE;
  struct modes modes = {
      .leak0 = resolve(PZ_DATA "/leak0mode", PZ_DATA "/leak0.profile", cloud),
      .exec0 = resolve(PZ_DATA "/exec0mode", PZ_DATA "/exec0.profile", cloud),
  };
  return modes;
}
