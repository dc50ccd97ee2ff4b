/*
 * Finds where any of a few hundred literal needles starts in a window of bytes.
 *
 * Trust: the window is hostile, the needles are ours. Nothing is imported and nothing outside this module's own
 * memory can be reached; every write is bounded below. The work is linear in the window for any content, because
 * each position costs one hash look-up and at most a bounded chain of comparisons of bounded length.
 *
 * How: of every needle the rarest three-byte piece is taken ("pat_" is looked for by a piece other than "ing").
 * A map of hashed pieces passes about two positions in a hundred of ordinary text, a second one of the same pieces with
 * the byte beside them a few in a thousand; only there a chain of needles is compared. A needle marked as a token prefix
 * must also be followed by TAIL body characters; see src/secrets/filter.ts, which states the rule;
 * src/secrets/filter/hits.ts repeats the check on the text itself.
 *
 * Needles that are only to be known of (`quiet`) are marked once and cost no comparison after that. A second pass,
 * survey(), looks for long stretches without a break in which encoded text or a key may stand.
 *
 * Built by native/scan/build.ts: clang, wasm32, no libc; twice, with and without SIMD, since JavaScriptCore refuses that on
 * CPUs without AVX.
 */
#ifdef __wasm_simd128__
#include <wasm_simd128.h>
#endif

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

#define EXPORT(name) __attribute__((export_name(#name)))

/* WINDOW, POOL and HITS are also stated in src/secrets/filter/wasm.ts; load() answers 0 when a list does not fit. */
enum { NEEDLES = 2048, POOL = 32768, WINDOW = 262144, LONGEST = 200, HITS = 4096, TAIL = 8, HEADS = 4096 };

/*
 * survey() reports stretches of JOINED bytes with what may stand in them, and whether there are rows of GROUP, ROW and LIST
 * bytes; see src/secrets/survey.ts. The marks are stated in src/secrets/filter/wasm.ts too.
 */
enum { JOINED = 1, HEX = 2, GROUPED = 4, GAP = 8, LISTED = 16, FOLDED = 32, PADDING = 64 };
enum { BASE64_MARK = 1, HEX_MARK = 2, SHAPE_MARK = 4, BASE32_MARK = 8, BACKWARDS_MARK = 16, MARKS_SHIFT = 24 };
enum { STRETCH = 24, GROUP = 20, GROUP_DIGITS = 12, ROW = 32, ROW_SINGLES = 8, LIST = 32, LIST_DIGITS = 8 };

static u8 map[65536];      /* by the hash of a piece: which of the bytes beside it is known, as BEHIND, AHEAD, NEITHER */
static u8 beside[8192];    /* one bit per hash of a piece with that byte */
static u16 head[HEADS];    /* hash >> 4 -> 1 + index of the first needle of the chain */
static u16 next[NEEDLES];  /* 1 + index of the next needle of the chain */
static u32 start[NEEDLES]; /* first byte in `pool` */
static u8 size[NEEDLES];
static u8 shift[NEEDLES]; /* where the piece stands in the needle */
static u8 tail[NEEDLES];  /* 1: a body must follow */
static u8 body[256];      /* 1: may stand in a body */
static u8 kind[256];      /* JOINED: letters, digits, `_+/-`; HEX; GROUPED: hex digits, blank, `:`, `,`; GAP: blank, line feed, `,`; LISTED: those, digits, tab, carriage return; FOLDED, PADDING: see goes_on() */
static u8 readable[256];  /* QUAD_FIRST, QUAD_THIRD: may stand there in base64 of printable ASCII; ALPHANUMERIC; of base32 in CAPITALS, in SMALL letters */
static u8 pool[POOL];     /* the needles, each ended by a newline */
static u8 around[8 + WINDOW + 2 * (LONGEST + TAIL) + 128]; /* the window, and what is read beside it */
static u8 *const window = around + 8; /* zeros follow what was put in, see scan() and survey() */
static u32 hits[HITS * 2]; /* pairs: position in the window, index of the needle */
static u32 resume;
static u32 first_quiet;  /* needles from this index on are quiet */
static u32 seen[NEEDLES]; /* of a quiet needle that stood in a window since the caller cleared it: 1 + the place in the text */
static u32 text_at;      /* where the window begins in the text */
static u32 stretches[2 * (WINDOW / STRETCH + 64)]; /* pairs: begin in the window; end in it and, above MARKS_SHIFT, marks */
static u32 count; /* of stretches */
static u32 rows;

/* How common a character is in source code, logs and prose: log2 of its share in 2^20, 'a' + 0…20, from space to '~'. */
static const char COMMON[] = 
    "rjokljkknnmmnoooooonnnnmmnomlnlkjmmmmmmmmmmmmmmmmmmmmmmmmmmlklhlmpoooqooopmnpoppomppponnnnmmkmi";

enum { BEHIND = 1, AHEAD = 2, NEITHER = 4 };
enum { QUAD_FIRST = 1, QUAD_THIRD = 2, ALPHANUMERIC = 4, CAPITALS = 8, SMALL = 16, CLASSES = 5 };

/* Of the first three bytes, and of all four. */
static u32 hash(u32 piece) { return ((piece << 8) * 0x9E3779B1u) >> 16; }
static u32 hash_of_four(u32 piece) { return (piece * 0x9E3779B1u) >> 16; }

static u32 weight(u8 c) { return c < 32 || c > 126 ? 0 : COMMON[c - 32] - 'a'; }

static int letter_or_digit(u8 c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

#ifdef __wasm_simd128__
/* For each class of `readable`: by the lower half of a byte, a bit for each upper half. */
static u8 halves[CLASSES][16];

static void tables(void) {
  for (u32 k = 0; k < CLASSES; k++) {
    for (u32 i = 0; i < 16; i++) halves[k][i] = 0;
    for (u32 c = 0; c < 128; c++) halves[k][c & 15] |= ((readable[c] >> k) & 1) << (c >> 4);
  }
}
#else
static void tables(void) {}
#endif

EXPORT(pool) u8 *pool_address(void) { return pool; }
EXPORT(window) u8 *window_address(void) { return window; }
EXPORT(hits) u32 *hits_address(void) { return hits; }
EXPORT(seen) u32 *seen_address(void) { return seen; }
EXPORT(stretches) u32 *stretches_address(void) { return stretches; }
/* First position the last scan() did not look at; equal to its `length` when it looked at all. */
EXPORT(resume) u32 resume_at(void) { return resume; }

/* Takes `length` bytes of newline-ended needles from the pool, the first `loud` of them loud. Answers their number, or 0 when they do not fit. */
EXPORT(load) u32 load(u32 length, u32 loud) {
  u32 count = 0;
  if (length > POOL) return 0;
  first_quiet = loud;
  for (u32 i = 0; i < sizeof map; i++) map[i] = 0;
  for (u32 i = 0; i < sizeof beside; i++) beside[i] = 0;
  for (u32 i = 0; i < HEADS; i++) head[i] = 0;
  for (u32 c = 0; c < 256; c++)
    body[c] = letter_or_digit(c) || c == '_' || c == '-' || c == '.' || c == '+' || c == '/' || c == '=' || c == '%' || c == '~' ||
              c == ':' || c == '\\';
  for (u32 c = 0; c < 256; c++) {
    int hex = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    int joined = letter_or_digit(c) || c == '_' || c == '+' || c == '/' || c == '-';
    kind[c] = (joined ? JOINED : 0) | (hex ? HEX : 0) | (hex || c == ' ' || c == ':' || c == ',' ? GROUPED : 0) |
              (c == ' ' || c == '\n' || c == ',' ? GAP : 0) |
              (c == ' ' || c == '\n' || c == ',' || c == '\t' || c == '\r' || (c >= '0' && c <= '9') ? LISTED : 0) |
              (joined || c == '=' || c == '.' || c == '~' || c == ':' ? FOLDED : 0) |
              (c == ' ' || c == '\t' || c == '\r' || c == '|' || c == '\\' || c == 2 || c == 3 ? PADDING : 0);
    int of_32 = c >= '2' && c <= '7';
    readable[c] = (letter_or_digit(c) ? ALPHANUMERIC : 0) | (of_32 || (c >= 'A' && c <= 'Z') ? CAPITALS : 0) |
                  (of_32 || (c >= 'a' && c <= 'z') ? SMALL : 0);
  }
  /* Printable ASCII and line feeds in base64: of every four characters the first and the third are of these. */
  for (const char *c = "CDIJKLMNOPQRSTUVWXYZabcdef"; *c; c++) readable[(u8)*c] |= QUAD_FIRST;
  for (const char *c = "ABEFIJMNQRUVYZcdghklopstwx014589"; *c; c++) readable[(u8)*c] |= QUAD_THIRD;
  tables();
  for (u32 from = 0; from < length;) {
    u32 to = from, best = 0, least = ~0u;
    int word = 1;
    while (to < length && pool[to] != '\n') to++;
    u32 n = to - from;
    if (n < 3 || n > LONGEST || count == NEEDLES) return 0;
    const u8 *p = pool + from;
    for (u32 i = 0; i + 3 <= n; i++) {
      u32 w = weight(p[i]) + weight(p[i + 1]) + weight(p[i + 2]);
      if (w < least) least = w, best = i;
    }
    for (u32 i = 0; i < n; i++) word &= letter_or_digit(p[i]) || p[i] == '_' || p[i] == '-';
    start[count] = from;
    size[count] = n;
    shift[count] = best;
    tail[count] = word && letter_or_digit(p[0]) && (p[n - 1] == '_' || p[n - 1] == '-');
    u32 h = hash(p[best] | p[best + 1] << 8 | (u32)p[best + 2] << 16);
    u32 known = n == 3 ? NEITHER : best + 3 < n ? BEHIND : AHEAD;
    map[h] |= known;
    if (known != NEITHER) {
      u32 four = hash_of_four(*(const u32 *)(p + best - (known == AHEAD)));
      beside[four >> 3] |= 1 << (four & 7);
    }
    next[count] = head[h >> 4];
    head[h >> 4] = ++count;
    from = to + 1;
  }
  return count;
}

/* Whether the byte beside the piece at `q` is one of a needle's too; `known` is what the map says of the piece. */
static inline __attribute__((always_inline)) u32 may_stand(u32 known, const u8 *q) {
  u32 behind = hash_of_four(*(const u32 *)q), ahead = hash_of_four(*(const u32 *)(q - 1));
  return (known & NEITHER) | ((known / BEHIND) & 1 & (beside[behind >> 3] >> (behind & 7))) |
         ((known / AHEAD) & 1 & (beside[ahead >> 3] >> (ahead & 7)));
}

/* Compares every needle whose piece may stand at `q`; answers the new number of hits. */
static __attribute__((noinline)) u32 compare(const u8 *q, const u8 *from, const u8 *end, u32 found) {
  for (u32 at = head[hash(*(const u32 *)q) >> 4]; at; at = next[at - 1]) {
    u32 k = at - 1, n = size[k];
    const u8 *p = q - shift[k], *needle = pool + start[k];
    if (seen[k] || p < from || p + n > end) continue;
    u32 i = 0;
    while (i < n && p[i] == needle[i]) i++;
    if (i < n) continue;
    if (k >= first_quiet) {
      seen[k] = 1 + text_at + (u32)(p - window);
      continue;
    }
    if (tail[k]) {
      const u8 *t = p + n;
      if (t + TAIL > end) continue;
      for (i = 0; i < TAIL && body[t[i]]; i++) {}
      if (i < TAIL) continue;
    }
    if (found < HITS) hits[found * 2] = p - window, hits[found * 2 + 1] = k;
    found++;
  }
  return found;
}

/*
 * Looks for needles in window[0 … end) whose piece begins at a position in [at, length). The caller lets windows
 * overlap by LONGEST + TAIL bytes on both sides, so that a needle and its tail stand whole in the window that holds
 * its piece. `left` is where the window begins in the text. Answers the number of hits written; when the room for hits ends
 * early, resume() says where to go on.
 */
EXPORT(scan) u32 scan(u32 at, u32 length, u32 end, u32 left) {
  u32 found = 0;
  resume = 0;
  text_at = left;
  if (end > WINDOW + 2 * (LONGEST + TAIL) || length > end || at > length) return 0;
  const u8 *from = window, *stop = window + end, *last = window + length, *q = window + at;
  for (u32 i = 0; i < 16; i++) window[end + i] = 0; /* the last groups of positions read behind the end */
  for (; q < last; q += 4) {
    u64 w = *(const u64 *)q;
    u32 m0 = map[hash(w)], m1 = map[hash(w >> 8)], m2 = map[hash(w >> 16)], m3 = map[hash(w >> 24)];
    if (m0 | m1 | m2 | m3) {
      u32 before = found;
      if (m0 && may_stand(m0, q)) found = compare(q, from, stop, found);
      if (m1 && may_stand(m1, q + 1)) found = compare(q + 1, from, stop, found);
      if (m2 && may_stand(m2, q + 2)) found = compare(q + 2, from, stop, found);
      if (m3 && may_stand(m3, q + 3)) found = compare(q + 3, from, stop, found);
      if (found > HITS) {
        resume = q - window;
        return before;
      }
    }
  }
  resume = length;
  return found;
}

/* ---- what else stands in the window ---- */

/* A bit for each of 64 bytes: the kind it is of. */
struct kinds {
  u64 joined, hex, grouped, gap, digit, listed, feed;
};

/* A bit for each of 64 bytes of a stretch: may be the first or the third of four in base64 of printable ASCII, letter or digit, of base32 in capitals or in small letters, 2 to 7. */
struct classes {
  u64 first, third, alphanumeric, capitals, small, digit;
};

#ifdef __wasm_simd128__

/* A byte is of a kind when the sets of its upper and its lower half have one of the kind's bits in common. */
enum { IN_2 = 1, DIGIT = 2, LETTER = 4, IN_5 = 8, IN_7 = 16, BLANK = 32, COLON = 64, HEX_LETTER = 128 };
enum { IS_JOINED = IN_2 | DIGIT | LETTER | IN_5 | IN_7, IS_HEX = DIGIT | HEX_LETTER, IS_GROUPED = IS_HEX | BLANK | COLON };

static inline __attribute__((always_inline)) struct kinds kinds_at(const u8 *p) {
  const v128_t upper = wasm_u8x16_make(0, 0, IN_2 | BLANK, DIGIT | COLON, LETTER | HEX_LETTER, IN_5, LETTER | HEX_LETTER, IN_7, 0, 0, 0, 0, 0, 0, 0, 0);
  enum { TO_6 = DIGIT | LETTER | IN_5 | IN_7 | HEX_LETTER, TO_9 = DIGIT | LETTER | IN_5 | IN_7 };
  const v128_t lower = wasm_u8x16_make(DIGIT | IN_5 | IN_7 | BLANK, TO_6, TO_6, TO_6, TO_6, TO_6, TO_6, TO_9, TO_9, TO_9, LETTER | IN_5 | IN_7 | COLON,
                                       IN_2 | LETTER, LETTER | BLANK, IN_2 | LETTER, LETTER, IN_2 | LETTER | IN_5);
  struct kinds found = {0, 0, 0, 0, 0, 0, 0};
  for (u32 i = 0; i < 64; i += 16) {
    v128_t bytes = wasm_v128_load(p + i);
    v128_t sets = wasm_i8x16_swizzle(lower, bytes & wasm_u8x16_const_splat(15)) & wasm_i8x16_swizzle(upper, wasm_u8x16_shr(bytes, 4));
    v128_t none = wasm_u8x16_const_splat(0);
    found.joined |= (u64)wasm_i8x16_bitmask(wasm_i8x16_ne(sets & wasm_u8x16_const_splat(IS_JOINED), none)) << i;
    found.hex |= (u64)wasm_i8x16_bitmask(wasm_i8x16_ne(sets & wasm_u8x16_const_splat(IS_HEX), none)) << i;
    found.grouped |= (u64)wasm_i8x16_bitmask(wasm_i8x16_ne(sets & wasm_u8x16_const_splat(IS_GROUPED), none)) << i;
    found.digit |= (u64)wasm_i8x16_bitmask(wasm_i8x16_ne(sets & wasm_u8x16_const_splat(DIGIT), none)) << i;
    u64 feeds = (u64)wasm_i8x16_bitmask(wasm_i8x16_eq(bytes, wasm_u8x16_const_splat('\n'))) << i;
    found.feed |= feeds;
    found.gap |= feeds | (u64)wasm_i8x16_bitmask(wasm_i8x16_ne(sets & wasm_u8x16_const_splat(BLANK), none)) << i;
    v128_t tab = wasm_i8x16_eq(bytes, wasm_u8x16_const_splat('\t')), back = wasm_i8x16_eq(bytes, wasm_u8x16_const_splat('\r'));
    found.listed |= (u64)wasm_i8x16_bitmask(tab | back) << i;
  }
  found.listed |= found.gap | found.digit;
  return found;
}

static inline __attribute__((always_inline)) struct classes classes_at(const u8 *p) {
  const v128_t bits = wasm_u8x16_const(1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0), none = wasm_u8x16_const_splat(0);
  const v128_t first = wasm_v128_load(halves[0]), third = wasm_v128_load(halves[1]), alphanumeric = wasm_v128_load(halves[2]);
  const v128_t capitals = wasm_v128_load(halves[3]), small = wasm_v128_load(halves[4]);
  struct classes found = {0, 0, 0, 0, 0, 0};
  for (u32 i = 0; i < 64; i += 16) {
    v128_t bytes = wasm_v128_load(p + i), lower = bytes & wasm_u8x16_const_splat(15);
    v128_t bit = wasm_i8x16_swizzle(bits, wasm_u8x16_shr(bytes, 4));
    found.first |= (u64)wasm_i8x16_bitmask(wasm_i8x16_ne(wasm_i8x16_swizzle(first, lower) & bit, none)) << i;
    found.third |= (u64)wasm_i8x16_bitmask(wasm_i8x16_ne(wasm_i8x16_swizzle(third, lower) & bit, none)) << i;
    found.alphanumeric |= (u64)wasm_i8x16_bitmask(wasm_i8x16_ne(wasm_i8x16_swizzle(alphanumeric, lower) & bit, none)) << i;
    found.capitals |= (u64)wasm_i8x16_bitmask(wasm_i8x16_ne(wasm_i8x16_swizzle(capitals, lower) & bit, none)) << i;
    found.small |= (u64)wasm_i8x16_bitmask(wasm_i8x16_ne(wasm_i8x16_swizzle(small, lower) & bit, none)) << i;
    found.digit |= (u64)wasm_i8x16_bitmask(wasm_u8x16_le(bytes - wasm_u8x16_const_splat('2'), wasm_u8x16_const_splat(5))) << i;
  }
  return found;
}

#else

static inline struct kinds kinds_at(const u8 *p) {
  struct kinds found = {0, 0, 0, 0, 0, 0, 0};
  for (u32 i = 0; i < 64; i++) {
    u64 k = kind[p[i]];
    found.joined |= (k & JOINED) / JOINED << i;
    found.hex |= (k & HEX) / HEX << i;
    found.grouped |= (k & GROUPED) / GROUPED << i;
    found.gap |= (k & GAP) / GAP << i;
    found.listed |= (k & LISTED) / LISTED << i;
    found.feed |= (u64)(p[i] == '\n') << i;
  }
  found.digit = found.listed & found.hex;
  return found;
}

static inline struct classes classes_at(const u8 *p) {
  struct classes found = {0, 0, 0, 0, 0, 0};
  for (u32 i = 0; i < 64; i++) {
    u64 k = readable[p[i]];
    found.first |= (k & QUAD_FIRST) / QUAD_FIRST << i;
    found.third |= (k & QUAD_THIRD) / QUAD_THIRD << i;
    found.alphanumeric |= (k & ALPHANUMERIC) / ALPHANUMERIC << i;
    found.capitals |= (k & CAPITALS) / CAPITALS << i;
    found.small |= (k & SMALL) / SMALL << i;
    found.digit |= (u64)(p[i] >= '2' && p[i] <= '7') << i;
  }
  return found;
}

#endif

/* Bits where `least` ones or more begin, 17 to 32 of them, all within the word. */
static inline u64 long_ones(u64 ones, u32 least) {
  u64 r = ones & (ones >> 1);
  r &= r >> 2;
  r &= r >> 4;
  r &= r >> 8;
  return r & (r >> (least - 16));
}

static inline u32 ones_at_end(u64 word) { return ~word ? __builtin_ctzll(~word) : 64; }
static inline u64 low_bits(u32 count) { return count < 64 ? ((u64)1 << count) - 1 : ~(u64)0; }

/* A row that reaches to the end of what was looked at: how many bytes of it, and how many of those count. */
struct row {
  u32 length, counted;
};

/* Whether a row of `least` ones or more, of which `wanted` or more are counted, ends or begins in this word; goes on with the row that reaches over its end. */
static inline u32 rows_in(struct row *row, u64 ones, u64 counted, u32 least, u32 wanted) {
  u32 lead = ones_at_end(ones);
  u32 length = row->length + lead, count = row->counted + (u32)__builtin_popcountll(counted & low_bits(lead));
  u32 found = length >= least && count >= wanted;
  if (lead == 64) {
    row->length = length, row->counted = count;
    return found;
  }
  for (u64 r = long_ones(ones, least) & ~low_bits(lead); r && !found;) {
    u32 from = __builtin_ctzll(r), to = from + ones_at_end(ones >> from);
    found = (u32)__builtin_popcountll(counted & low_bits(to) & ~low_bits(from)) >= wanted;
    r &= ~low_bits(to);
  }
  row->length = (u32)__builtin_clzll(~ones);
  row->counted = row->length ? (u32)__builtin_popcountll(counted >> (64 - row->length)) : 0;
  return found;
}

/* Which rows the last survey() found: 1 of hex digits in groups, 2 of single characters with gaps between, 4 of decimal numbers, 8 what may go on over a line end. */
EXPORT(rows) u32 rows_seen(void) { return rows; }

/* Lengths of keys that are known by it alone, and of what is as long as a digest but has a dot in front; see src/secrets/shapes.ts. */
static int is_key_length(u32 n, u8 before) {
  return (n >= 29 && n <= 31) || n == 35 || n == 51 || n == 52 || n == 56 || n == 58 || (n >= 86 && n <= 88) || (n == 64 && before == '.');
}

/* A run of letters and digits; the letters of an escape in front (`\n`, `%3D`) may be none of it. */
static int is_key_run(u32 from, u32 to) {
  u32 n = to - from;
  u8 before = from ? window[from - 1] : 0;
  return is_key_length(n, before) || (before == '\\' && is_key_length(n - 1, 0)) || (before == '%' && is_key_length(n - 2, 0));
}

/*
 * Notes the stretch window[from … to) when something may stand in it. Of base64 every fourth character from some place on is looked
 * at and the second behind it, of hex every second: six times four, and twelve times two characters that stand for printable
 * ASCII; of base64 backwards the same the other way round; of base32 as many of one case. `plain`: the window holds ASCII and nothing that only looks so, so that a run's length is what it seems to be.
 */
static void note(u32 from, u32 to, u32 plain) {
  enum { NEEDED = 24, OVERLAP = NEEDED - 1 };
  u32 marks = plain || to - from < 29 ? 0 : SHAPE_MARK, run = from;
  if (to - from < STRETCH) return;
  for (u32 at = from; at + NEEDED <= to; at += 64 - OVERLAP) {
    struct classes c = classes_at(window + at);
    u64 inside = low_bits(to - at);
    u64 quads = c.first & (c.third >> 2) & inside;
    quads &= quads >> 4;
    quads &= (quads >> 8) & (quads >> 16);
    u64 pairs = c.digit & inside;
    pairs &= pairs >> 2;
    pairs &= pairs >> 4;
    pairs &= (pairs >> 8) & (pairs >> 16);
    u64 back = c.third & (c.first >> 2) & inside;
    back &= back >> 4;
    back &= (back >> 8) & (back >> 16);
    u64 of_32 = long_ones(c.capitals & inside, NEEDED) | long_ones(c.small & inside, NEEDED);
    marks |= (quads ? BASE64_MARK : 0) | (pairs ? HEX_MARK : 0) | (of_32 ? BASE32_MARK : 0) | (back ? BACKWARDS_MARK : 0);
  }
  if (plain) {
    for (u32 at = from; at < to && !(marks & SHAPE_MARK); at += 64) {
      u64 breaks = ~classes_at(window + at).alphanumeric & low_bits(to - at);
      for (; breaks; breaks &= breaks - 1) {
        u32 stop = at + (u32)__builtin_ctzll(breaks);
        if (is_key_run(run, stop)) marks |= SHAPE_MARK;
        run = stop + 1;
      }
    }
    if (is_key_run(run, to)) marks |= SHAPE_MARK;
  }
  if (marks) stretches[count * 2] = from, stretches[count * 2 + 1] = to | marks << MARKS_SHIFT, count++;
}

static u32 is_digit(u8 c) { return c >= '0' && c <= '9'; }
static u32 is_telling(u8 c) { return is_digit(c) || (c >= 'A' && c <= 'Z'); }
static u32 blanks_end(u32 at) {
  while (window[at] == ' ' || window[at] == '\t') at++;
  return at;
}

/*
 * Whether a run of a token's characters may go on over the line feed at `feed` (src/secrets/folds.ts): long enough or filling
 * its line, with digits or capitals. A box's sides are bytes 2 and 3 here, an arrow behind a line number is 0x92.
 */
static u32 goes_on(u32 feed, u32 plain) {
  enum { LEAST = 20, SHARE = 5, DIGITS_MOST = 7 };
  u32 stop = feed, left = 0, telling = 0;
  while (stop > 0 && kind[window[stop - 1]] & PADDING) stop--;
  for (; stop > left && kind[window[stop - 1 - left]] & FOLDED; left++) telling += is_telling(window[stop - 1 - left]);
  if (left == 0) return 0;
  u32 begin = stop - left;
  while (begin > 0 && (kind[window[begin - 1]] & PADDING || window[begin - 1] == '>')) begin--;
  u32 fills = begin == 0 || window[begin - 1] == '\n';
  u32 first = blanks_end(feed + 1), digits = 0, from[2] = {first, first};
  while (digits < DIGITS_MOST && is_digit(window[first + digits])) digits++;
  u8 sign = window[first + digits], pair = window[first + digits + 1];
  /* A date or a time of day begins a line of a log. */
  if ((digits == 2 || digits == 4) && (sign == '-' || sign == ':' || sign == '/') && is_digit(pair)) return 0;
  if (digits) {
    u32 at = first + digits;
    if (sign == ' ' || sign == '\t') at = blanks_end(at);
    u8 side = window[at];
    if (sign == '\t' || sign == ':' || sign == 0x92) from[1] = blanks_end(first + digits + 1);
    else if (side == '|' || side == 2 || side == 3) from[1] = blanks_end(at + 1);
  } else if (sign == '+' || sign == '>' || sign == '|' || sign == '#' || sign == 2 || sign == 3) from[1] = blanks_end(first + 1);
  for (u32 i = 0; i < 2; i++) {
    u32 right = 0, told = 0;
    for (const u8 *p = window + from[i]; kind[p[right]] & FOLDED; right++) told += is_telling(p[right]);
    u8 behind = window[from[i] + right];
    if (right == 0 || (!fills && left + right < LEAST && behind != '\n' && !(kind[behind] & PADDING))) continue;
    if (!plain || telling * SHARE >= left || told * SHARE >= right) return 1;
  }
  return 0;
}

/* Collects stretches of JOINED bytes in window[0 … end), and what rows() answers; `plain` as for note(). Answers the number of stretches. */
EXPORT(survey) u32 survey(u32 end, u32 plain) {
  u32 from = 0;
  struct row groups = {0, 0}, singles = {0, 0}, numbers = {0, 0};
  u64 gap_before = 0;
  count = 0;
  rows = 0;
  if (end > WINDOW + 2 * (LONGEST + TAIL)) return 0;
  for (u32 i = 0; i < 64; i++) window[end + i] = 0; /* a byte of no kind ends every row */
  /* `from` is where the stretch began that reaches to `at`; equal to `at` when none does. */
  for (u32 at = 0; at <= end; at += 64) {
    struct kinds k = kinds_at(window + at);
    u32 lead = ones_at_end(k.joined);
    if (lead < 64) {
      note(from, at + lead, plain);
      for (u64 r = long_ones(k.joined, STRETCH) & ~low_bits(lead); r;) {
        u32 begin = __builtin_ctzll(r), stop = begin + ones_at_end(k.joined >> begin);
        if (stop == 64) break;
        note(at + begin, at + stop, plain);
        r &= ~low_bits(stop);
      }
      from = at + 64 - (u32)__builtin_clzll(~k.joined);
    }
    rows |= rows_in(&groups, k.grouped, k.hex, GROUP, GROUP_DIGITS);
    u64 spaced = k.gap | k.gap << 1 | gap_before;
    gap_before = k.gap >> 63;
    rows |= rows_in(&singles, spaced, ~k.gap, ROW, ROW_SINGLES) << 1;
    rows |= rows_in(&numbers, k.listed, k.digit, LIST, LIST_DIGITS) << 2;
    for (u64 feeds = k.feed; feeds && !(rows & 8); feeds &= feeds - 1) rows |= goes_on(at + (u32)__builtin_ctzll(feeds), plain) << 3;
  }
  return count;
}
