/*
 * The launcher's pure parts behind one loop, for comparison with an oracle and under the sanitizers.
 * Standard input: frames of one kind byte, a 32-bit little-endian length and as many bytes. Standard output, per frame:
 *   J  text in pieces of growing size      one byte: 1 JSON, 0 not
 *   P  profile text, W switch file         one byte: enum mode
 *   E  32-bit bound, NUL-closed entries    32-bit length and the block
 *   A  NUL-closed arguments                kind, agent, length of the event
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "environment.h"
#include "json.h"
#include "modes.h"

static void put(const void *data, size_t length) {
  if (length > 0 && fwrite(data, 1, length, stdout) != length) {
    exit(1);
  }
}

static void put_byte(unsigned value) {
  unsigned char byte = (unsigned char)value;
  put(&byte, 1);
}

static unsigned is_json(const unsigned char *text, size_t length) {
  struct json json = {0};
  bool good = true;
  size_t at = 0;
  for (size_t step = 1; good && at < length; step = step * 2 + 1) {
    size_t count = step < length - at ? step : length - at;
    good = json_take(&json, text + at, count);
    at += count;
  }
  good = good && json_whole(&json, true);
  json_free(&json);
  return good ? 1 : 0;
}

/* Pointers to the NUL-closed texts in `bytes`, closed by NULL. */
static char **texts(char *bytes, size_t length, int *count) {
  char **list = calloc(length + 1, sizeof *list);
  if (list == NULL) {
    exit(1);
  }
  *count = 0;
  for (size_t at = 0; at < length; at += strlen(bytes + at) + 1) {
    list[(*count)++] = bytes + at;
  }
  return list;
}

int main(void) {
  int kind;
  while ((kind = getchar()) != EOF) {
    uint32_t length;
    if (fread(&length, 1, 4, stdin) != 4) {
      return 1;
    }
    /* Exactly as large as the text, so that a read past its end is seen. */
    unsigned char *bytes = malloc(length == 0 ? 1 : length);
    if (bytes == NULL || fread(bytes, 1, length, stdin) != length) {
      return 1;
    }
    int count = 0;
    if (kind == 'J') {
      put_byte(is_json(bytes, length));
    } else if (kind == 'P') {
      put_byte(mode_of_profile(bytes, length));
    } else if (kind == 'W') {
      put_byte(mode_of_word(bytes, length));
    } else if (kind == 'A') {
      char **argv = texts((char *)bytes, length, &count);
      struct arguments read = arguments_read(count, argv);
      put_byte(read.kind);
      put_byte(read.agent);
      put_byte((unsigned)strlen(read.event));
      free(argv);
    } else if (kind == 'E') {
      uint32_t bound;
      memcpy(&bound, bytes, 4);
      char **environment = texts((char *)bytes + 4, length - 4, &count);
      uint32_t size = (uint32_t)environment_size(environment, bound);
      char *block = malloc(size == 0 ? 1 : size);
      if (block == NULL) {
        return 1;
      }
      environment_fill(environment, bound, block);
      put(&size, 4);
      put(block, size);
      free(block);
      free(environment);
    } else {
      return 1;
    }
    free(bytes);
  }
  return 0;
}
