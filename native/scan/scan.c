/*
 * Finds where any of a few hundred literal needles starts in a window of bytes.
 *
 * Trust: the window is hostile, the needles are ours. Nothing is imported and nothing outside this module's own
 * memory can be reached; every write is bounded below. The work is linear in the window for any content, because
 * each position costs one hash look-up and at most a bounded chain of comparisons of bounded length.
 *
 * How: of every needle the rarest three-byte piece is taken ("pat_" is looked for by a piece other than "ing").
 * A 64 Ki-bit map of hashed pieces passes about one position in a hundred of ordinary text; only there a chain of
 * needles is compared. A needle marked as a token prefix must also be followed by TAIL body characters; see
 * src/secrets/filter.ts, which states the rule; src/secrets/filter/hits.ts repeats the check on the text itself.
 *
 * Needles that are only to be known of (`quiet`) are marked once and cost no comparison after that. A second pass,
 * survey(), looks at every twentieth byte for long stretches without a break, where encoded text and keys may stand.
 *
 * Built by native/scan/build.ts: clang, wasm32, no libc, no SIMD (JavaScriptCore refuses it on CPUs without AVX).
 */
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

#define EXPORT(name) __attribute__((export_name(#name)))

/* WINDOW, POOL and HITS are also stated in src/secrets/filter/wasm.ts; load() answers 0 when a list does not fit. */
enum { NEEDLES = 2048, POOL = 32768, WINDOW = 262144, LONGEST = 200, HITS = 4096, TAIL = 8, HEADS = 4096 };

/* survey() reports stretches of at least STRETCH bytes, rows of GROUP bytes and of ROW bytes; see src/secrets/survey.ts. */
enum { JOINED = 1, HEX = 2, GROUPED = 4, GAP = 8 };
enum { STRETCH = 20, GROUP = 20, GROUP_DIGITS = 12, ROW = 32, ROW_SINGLES = 8 };

static u8 map[8192];       /* one bit per 16-bit hash of a piece */
static u16 head[HEADS];    /* hash >> 4 -> 1 + index of the first needle of the chain */
static u16 next[NEEDLES];  /* 1 + index of the next needle of the chain */
static u32 start[NEEDLES]; /* first byte in `pool` */
static u8 size[NEEDLES];
static u8 shift[NEEDLES]; /* where the piece stands in the needle */
static u8 tail[NEEDLES];  /* 1: a body must follow */
static u8 body[256];      /* 1: may stand in a body */
static u8 kind[256];      /* JOINED: letters, digits, `_+/-`; HEX; GROUPED: hex digits, blank, `:`, `,`; GAP: blank, line feed, `,` */
static u8 pool[POOL];     /* the needles, each ended by a newline */
static u8 window[WINDOW + 2 * (LONGEST + TAIL) + 16]; /* 16 zeros follow what was put in, see scan() */
static u32 hits[HITS * 2]; /* pairs: position in the window, index of the needle */
static u32 resume;
static u32 first_quiet;  /* needles from this index on are quiet */
static u8 seen[NEEDLES]; /* 1: the quiet needle stood in a window since the caller cleared it */
static u32 stretches[2 * (WINDOW / STRETCH + 64)]; /* pairs: begin and end in the window */

/* How common a character is in source code, logs and prose: log2 of its share in 2^20, 'a' + 0…20, from space to '~'. */
static const char COMMON[] = 
    "rjokljkknnmmnoooooonnnnmmnomlnlkjmmmmmmmmmmmmmmmmmmmmmmmmmmlklhlmpoooqooopmnpoppomppponnnnmmkmi";

static u32 hash(u32 piece) { return ((piece << 8) * 0x9E3779B1u) >> 16; }

static u32 weight(u8 c) { return c < 32 || c > 126 ? 0 : COMMON[c - 32] - 'a'; }

static int letter_or_digit(u8 c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

EXPORT(pool) u8 *pool_address(void) { return pool; }
EXPORT(window) u8 *window_address(void) { return window; }
EXPORT(hits) u32 *hits_address(void) { return hits; }
EXPORT(seen) u8 *seen_address(void) { return seen; }
EXPORT(stretches) u32 *stretches_address(void) { return stretches; }
/* First position the last scan() did not look at; equal to its `length` when it looked at all. */
EXPORT(resume) u32 resume_at(void) { return resume; }

/* Takes `length` bytes of newline-ended needles from the pool, the first `loud` of them loud. Answers their number, or 0 when they do not fit. */
EXPORT(load) u32 load(u32 length, u32 loud) {
  u32 count = 0;
  if (length > POOL) return 0;
  first_quiet = loud;
  for (u32 i = 0; i < sizeof map; i++) map[i] = 0;
  for (u32 i = 0; i < HEADS; i++) head[i] = 0;
  for (u32 c = 0; c < 256; c++)
    body[c] = letter_or_digit(c) || c == '_' || c == '-' || c == '.' || c == '+' || c == '/' || c == '=' || c == '%' || c == '~' ||
              c == ':' || c == '\\';
  for (u32 c = 0; c < 256; c++) {
    int hex = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    int joined = letter_or_digit(c) || c == '_' || c == '+' || c == '/' || c == '-';
    kind[c] = (joined ? JOINED : 0) | (hex ? HEX : 0) | (hex || c == ' ' || c == ':' || c == ',' ? GROUPED : 0) |
              (c == ' ' || c == '\n' || c == ',' ? GAP : 0);
  }
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
    map[h >> 3] |= 1 << (h & 7);
    next[count] = head[h >> 4];
    head[h >> 4] = ++count;
    from = to + 1;
  }
  return count;
}

/* Compares every needle whose piece may stand at `q`; answers the new number of hits. */
static __attribute__((noinline)) u32 compare(const u8 *q, u32 h, const u8 *from, const u8 *end, u32 found) {
  for (u32 at = head[h >> 4]; at; at = next[at - 1]) {
    u32 k = at - 1, n = size[k];
    const u8 *p = q - shift[k], *needle = pool + start[k];
    if (seen[k] || p < from || p + n > end) continue;
    u32 i = 0;
    while (i < n && p[i] == needle[i]) i++;
    if (i < n) continue;
    if (k >= first_quiet) {
      seen[k] = 1;
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
 * its piece. Answers the number of hits written; when the room for hits ends early, resume() says where to go on.
 */
EXPORT(scan) u32 scan(u32 at, u32 length, u32 end) {
  u32 found = 0;
  resume = 0;
  if (end > WINDOW + 2 * (LONGEST + TAIL) || length > end || at > length) return 0;
  const u8 *from = window, *stop = window + end, *last = window + length, *q = window + at;
  for (u32 i = 0; i < 16; i++) window[end + i] = 0; /* the last groups of positions read behind the end */
  for (; q < last; q += 4) {
    u64 w = *(const u64 *)q;
    u32 h0 = hash(w), h1 = hash(w >> 8), h2 = hash(w >> 16), h3 = hash(w >> 24);
    u32 any = (map[h0 >> 3] >> (h0 & 7)) & 1;
    any |= ((map[h1 >> 3] >> (h1 & 7)) & 1) << 1;
    any |= ((map[h2 >> 3] >> (h2 & 7)) & 1) << 2;
    any |= ((map[h3 >> 3] >> (h3 & 7)) & 1) << 3;
    if (any) {
      u32 before = found;
      if (any & 1) found = compare(q, h0, from, stop, found);
      if (any & 2) found = compare(q + 1, h1, from, stop, found);
      if (any & 4) found = compare(q + 2, h2, from, stop, found);
      if (any & 8) found = compare(q + 3, h3, from, stop, found);
      if (found > HITS) {
        resume = q - window;
        return before;
      }
    }
  }
  resume = length;
  return found;
}

/*
 * Whether bytes of a kind may stand unbroken for 20 places round `at`: then ten of them stand together on one side of it.
 * Three on each side are looked at, which turns most words away. The caller keeps ten places on both sides inside.
 */
static inline __attribute__((always_inline)) u32 may_reach(u32 at, u32 wanted) {
  const u8 *p = window + at;
  u32 before = kind[p[-2]] & kind[p[-5]] & kind[p[-9]], behind = kind[p[2]] & kind[p[5]] & kind[p[9]];
  return kind[*p] & (before | behind) & wanted;
}

/* Collects stretches of JOINED bytes in window[0 … end). Answers their number. */
EXPORT(stretch) u32 stretch(u32 end) {
  u32 count = 0, floor = 0;
  if (end > WINDOW + 2 * (LONGEST + TAIL)) return 0;
  for (u32 at = STRETCH - 1; at < end; at += STRETCH) {
    if (!may_reach(at, JOINED)) continue;
    u32 from = at, to = at + 1;
    while (from > floor && (kind[window[from - 1]] & JOINED)) from--;
    while (to < end && (kind[window[to]] & JOINED)) to++;
    if (to - from >= STRETCH) stretches[count * 2] = from, stretches[count * 2 + 1] = to, count++;
    floor = to;
    if (to > at + STRETCH) at = to;
  }
  return count;
}

/*
 * What else may stand in window[0 … end): 1 a row of hex digits in groups, 2 a row of single characters with gaps between.
 * Both answers may be given without need, never left out.
 */
EXPORT(rows) u32 rows(u32 end) {
  u32 answer = 0;
  if (end > WINDOW + 2 * (LONGEST + TAIL)) return 3;
  for (u32 at = GROUP - 1; at < end && !(answer & 1); at += GROUP) {
    if (!may_reach(at, GROUPED)) continue;
    u32 from = at, to = at + 1, digits = 0;
    while (from > 0 && at - from < GROUP && (kind[window[from - 1]] & GROUPED)) from--;
    while (to < end && (kind[window[to]] & GROUPED)) to++;
    for (u32 i = from; i < to && to - from >= GROUP; i++) digits += (kind[window[i]] & HEX) / HEX;
    if (digits >= GROUP_DIGITS) answer |= 1;
    if (to > at + GROUP) at = to;
  }
  for (u32 at = ROW - 1; at < end && !(answer & 2); at += ROW - 1) {
    if (!((kind[window[at]] | kind[window[at - 1]]) & GAP)) continue;
    u32 from = at - 1, to = at + 1, singles = 0;
    while (from > 0 && at - from < ROW && ((kind[window[from]] | kind[window[from - 1]]) & GAP)) from--;
    while (to < end && ((kind[window[to]] | kind[window[to - 1]]) & GAP)) to++;
    for (u32 i = from; i < to && to - from >= ROW; i++) singles += !(kind[window[i]] & GAP);
    if (singles >= ROW_SINGLES) answer |= 2;
    if (to > at + ROW) at = to;
  }
  return answer;
}
