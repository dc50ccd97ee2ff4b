/*
 * The modes of leak0 and exec0, as far as the launcher needs them: to end at once when both are off (L-119), and to
 * know what the fail rule of L-153 asks for. The same resolution with its sources is src/policy/mode.ts.
 * Trust: the data directory and its files count only when they belong to root and nobody else may write them; no link
 * is followed.
 */
#ifndef PZ_MODES_H
#define PZ_MODES_H

#include "kernel.h"

enum mode { MODE_NOT_SET, MODE_OFF, MODE_OBSERVE, MODE_ENFORCE };

struct modes {
  enum mode leak0;
  enum mode exec0;
};

struct modes modes_read(void);

/* The mode in the text of a switch file (`enforce` and a line end); MODE_NOT_SET for anything else. */
enum mode mode_of_word(const unsigned char *text, size_t length);

/* The mode in the text of a profile copy: the JSON field `mode`. */
enum mode mode_of_profile(const unsigned char *text, size_t length);

#endif
