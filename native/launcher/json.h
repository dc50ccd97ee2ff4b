/*
 * A strict JSON checker (RFC 8259, the language of JSON.parse) that takes its input in pieces, keeps one bit per
 * open bracket and never recurses. Bytes above 0x7f are accepted inside strings without a look at UTF-8.
 */
#ifndef PZ_JSON_H
#define PZ_JSON_H

#include "kernel.h"

enum json_state {
  JSON_VALUE,         /* a value must come */
  JSON_FIRST_ELEMENT, /* after "[" */
  JSON_FIRST_MEMBER,  /* after "{" */
  JSON_MEMBER,        /* after "," in an object */
  JSON_COLON,
  JSON_AFTER, /* a value inside a bracket has ended */
  JSON_STRING,
  JSON_ESCAPE,
  JSON_HEX,
  JSON_WORD, /* inside true, false, null */
  JSON_MINUS,
  JSON_ZERO,
  JSON_DIGITS,
  JSON_POINT,
  JSON_FRACTION,
  JSON_EXPONENT,
  JSON_EXPONENT_SIGN,
  JSON_EXPONENT_DIGITS,
  JSON_DONE, /* one whole value; only white space may follow */
  JSON_BAD,
};

struct json {
  enum json_state state;
  bool key;           /* the string being read is a member's name */
  unsigned hex;       /* hex digits still to come */
  const char *word;   /* letters still to come */
  size_t depth;       /* open brackets */
  struct buffer open; /* one bit each: 1 object, 0 array */
};

/* Brackets that may be open at once; each costs a bit. */
#define JSON_DEPTH_MAX ((size_t)1 << 30)

/* Takes the next bytes; false once the text cannot be JSON any more. `json` starts zeroed. */
bool json_take(struct json *json, const unsigned char *bytes, size_t count);

/* One whole value has arrived and nothing but white space behind it. A bare number counts only at the end of input. */
bool json_whole(const struct json *json, bool at_end);

/* Gives the memory back; `json` may start again afterwards. */
void json_free(struct json *json);

/*
 * The text of the top-level string member `name` in a text that json_take has accepted as a whole; the last one
 * wins as in JSON.parse. Names and values written with escapes are not recognised. Returns false when there is none.
 */
bool json_member(const unsigned char *bytes, size_t count, const char *name, const unsigned char **value, size_t *length);

#endif
