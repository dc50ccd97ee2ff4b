#include "json.h"

static bool space(unsigned char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
static bool digit(unsigned char c) { return c >= '0' && c <= '9'; }
static bool hex_digit(unsigned char c) { return digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

static bool in_object(const struct json *json) {
  size_t at = json->depth - 1;
  return (json->open.data[at / 8] >> (at % 8) & 1) != 0;
}

static enum json_state after_value(const struct json *json) { return json->depth == 0 ? JSON_DONE : JSON_AFTER; }

static enum json_state enter(struct json *json, bool object) {
  size_t byte = json->depth / 8;
  if (json->depth >= JSON_DEPTH_MAX || (byte >= json->open.length && !buffer_room(&json->open, 1, JSON_DEPTH_MAX / 8))) {
    return JSON_BAD;
  }
  if (byte >= json->open.length) {
    json->open.length = byte + 1;
  }
  unsigned char bit = (unsigned char)(1u << (json->depth % 8));
  unsigned char old = json->open.data[byte];
  json->open.data[byte] = object ? old | bit : (unsigned char)(old & ~bit);
  json->depth++;
  return object ? JSON_FIRST_MEMBER : JSON_FIRST_ELEMENT;
}

static enum json_state close(struct json *json, bool object) {
  if (in_object(json) != object) {
    return JSON_BAD;
  }
  json->depth--;
  return after_value(json);
}

static enum json_state string(struct json *json, bool key) {
  json->key = key;
  return JSON_STRING;
}

static enum json_state word(struct json *json, const char *rest) {
  json->word = rest;
  return JSON_WORD;
}

static enum json_state value(struct json *json, unsigned char c) {
  switch (c) {
    case '{': return enter(json, true);
    case '[': return enter(json, false);
    case '"': return string(json, false);
    case 't': return word(json, "rue");
    case 'f': return word(json, "alse");
    case 'n': return word(json, "ull");
    case '-': return JSON_MINUS;
    case '0': return JSON_ZERO;
    default: return digit(c) ? JSON_DIGITS : JSON_BAD;
  }
}

static enum json_state between(struct json *json, unsigned char c) {
  switch (c) {
    case ',': return in_object(json) ? JSON_MEMBER : JSON_VALUE;
    case ']': return close(json, false);
    case '}': return close(json, true);
    default: return JSON_BAD;
  }
}

/* The byte behind a number belongs to what surrounds it. */
static enum json_state number_end(struct json *json, unsigned char c) {
  enum json_state next = after_value(json);
  if (space(c)) {
    return next;
  }
  return next == JSON_AFTER ? between(json, c) : JSON_BAD;
}

static enum json_state step(struct json *json, unsigned char c) {
  switch (json->state) {
    case JSON_VALUE: return space(c) ? JSON_VALUE : value(json, c);
    case JSON_FIRST_ELEMENT: return space(c) ? JSON_FIRST_ELEMENT : c == ']' ? close(json, false) : value(json, c);
    case JSON_FIRST_MEMBER:
      if (c == '}') {
        return close(json, true);
      }
      return space(c) ? JSON_FIRST_MEMBER : c == '"' ? string(json, true) : JSON_BAD;
    case JSON_MEMBER: return space(c) ? JSON_MEMBER : c == '"' ? string(json, true) : JSON_BAD;
    case JSON_COLON: return space(c) ? JSON_COLON : c == ':' ? JSON_VALUE : JSON_BAD;
    case JSON_AFTER: return space(c) ? JSON_AFTER : between(json, c);
    case JSON_STRING:
      if (c == '"') {
        return json->key ? JSON_COLON : after_value(json);
      }
      return c == '\\' ? JSON_ESCAPE : c < 0x20 ? JSON_BAD : JSON_STRING;
    case JSON_ESCAPE:
      switch (c) {
        case '"': case '\\': case '/': case 'b': case 'f': case 'n': case 'r': case 't': return JSON_STRING;
        case 'u': json->hex = 4; return JSON_HEX;
        default: return JSON_BAD;
      }
    case JSON_HEX:
      if (!hex_digit(c)) {
        return JSON_BAD;
      }
      json->hex--;
      return json->hex == 0 ? JSON_STRING : JSON_HEX;
    case JSON_WORD:
      if (c != (unsigned char)*json->word) {
        return JSON_BAD;
      }
      json->word++;
      return *json->word == 0 ? after_value(json) : JSON_WORD;
    case JSON_MINUS: return c == '0' ? JSON_ZERO : digit(c) ? JSON_DIGITS : JSON_BAD;
    case JSON_ZERO: return c == '.' ? JSON_POINT : c == 'e' || c == 'E' ? JSON_EXPONENT : number_end(json, c);
    case JSON_DIGITS:
      if (digit(c)) {
        return JSON_DIGITS;
      }
      return c == '.' ? JSON_POINT : c == 'e' || c == 'E' ? JSON_EXPONENT : number_end(json, c);
    case JSON_POINT: return digit(c) ? JSON_FRACTION : JSON_BAD;
    case JSON_FRACTION: return digit(c) ? JSON_FRACTION : c == 'e' || c == 'E' ? JSON_EXPONENT : number_end(json, c);
    case JSON_EXPONENT: return digit(c) ? JSON_EXPONENT_DIGITS : c == '+' || c == '-' ? JSON_EXPONENT_SIGN : JSON_BAD;
    case JSON_EXPONENT_SIGN: return digit(c) ? JSON_EXPONENT_DIGITS : JSON_BAD;
    case JSON_EXPONENT_DIGITS: return digit(c) ? JSON_EXPONENT_DIGITS : number_end(json, c);
    case JSON_DONE: return space(c) ? JSON_DONE : JSON_BAD;
    case JSON_BAD: return JSON_BAD;
  }
  return JSON_BAD;
}

bool json_take(struct json *json, const unsigned char *bytes, size_t count) {
  for (size_t at = 0; at < count; at++) {
    unsigned char c = bytes[at];
    /* Most bytes of a large answer stand inside a string. */
    if (json->state == JSON_STRING && c != '"' && c != '\\' && c >= 0x20) {
      continue;
    }
    json->state = step(json, c);
    if (json->state == JSON_BAD) {
      return false;
    }
  }
  return true;
}

bool json_whole(const struct json *json, bool at_end) {
  switch (json->state) {
    case JSON_DONE: return true;
    case JSON_ZERO: case JSON_DIGITS: case JSON_FRACTION: case JSON_EXPONENT_DIGITS: return at_end && json->depth == 0;
    default: return false;
  }
}

void json_free(struct json *json) {
  buffer_free(&json->open);
  memset(json, 0, sizeof *json);
}

bool json_member(const unsigned char *bytes, size_t count, const char *name, const unsigned char **value, size_t *length) {
  size_t wanted = text_length(name);
  size_t depth = 0;
  bool found = false;
  bool named = false; /* the name was read, its value comes next */
  for (size_t at = 0; at < count; at++) {
    unsigned char c = bytes[at];
    if (c == '{' || c == '[') {
      found = found && !(named && depth == 1);
      named = false;
      depth++;
    } else if (c == '}' || c == ']') {
      depth--;
    } else if (c == '"') {
      size_t start = ++at;
      bool escaped = false;
      while (at < count && bytes[at] != '"') {
        if (bytes[at] == '\\') {
          escaped = true;
          at++;
        }
        at++;
      }
      size_t end = at;
      size_t next = at + 1;
      while (next < count && space(bytes[next])) {
        next++;
      }
      bool is_name = next < count && bytes[next] == ':';
      if (depth == 1 && is_name) {
        named = !escaped && end - start == wanted;
        for (size_t i = 0; named && i < wanted; i++) {
          named = bytes[start + i] == (unsigned char)name[i];
        }
      } else if (depth == 1 && named) {
        named = false;
        found = !escaped;
        *value = bytes + start;
        *length = end - start;
      }
    } else if (depth == 1 && named && !space(c) && c != ':') {
      named = false;
      found = false;
    }
  }
  return found;
}
