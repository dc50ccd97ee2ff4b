/*
 * Finds where the windows of remembered values may stand in a text: one pass over the bytes for all streams of it
 * (src/session/spellings.ts says what windows and streams are, src/session/fingerprints.ts what a record holds).
 *
 * Trust: the text is hostile, the records may be forged. Nothing is imported and nothing outside this module's own memory can
 * be reached; every write is bounded below. Work is linear in the text and in the records; a place that agrees is confirmed
 * by a keyed hash outside.
 *
 * Built by native/recall/build.ts: clang, wasm32, no libc, no SIMD (JavaScriptCore refuses it on CPUs without AVX).
 */
typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;

#define EXPORT(name) __attribute__((export_name(#name)))

/* The streams in the order of src/session/spellings.ts, and the bytes of a window. */
enum { LETTERS, BASE64, ALL, STREAMS, WINDOW = 8 };
/* Hits reported at once, and hits at one place: values with the same window. */
enum { HITS = 65536, CHAIN = 8192, SPELLINGS_MOST = 16 };

static u8 kept[STREAMS][256]; /* what a stream makes of a byte; 0: nothing */
static u8 stream_of[SPELLINGS_MOST];
static u32 added[4], inverses[4]; /* the keyed permutation that hides the numbers */
static u64 factor;
static u32 hits[HITS * 2]; /* pairs: place of the window's last byte in the text, entry */
static u32 resume, first, last;

/* An open hash table of the numbers of all streams, behind a filter of single bits. */
typedef struct {
  u32 number, entry; /* entry 0: an empty slot */
} Slot;
static Slot *slots;
static u32 *filter;
static u32 mask, shift;
static u32 anything; /* whether a value is looked for in the stream of all characters */

extern u8 __heap_base;
static u32 top;

/* Zeroed memory, eight bytes aligned; 0 when there is none. */
EXPORT(reserve) u32 reserve(u32 size) {
  if (top == 0) top = ((u32)&__heap_base + 7) & ~7u;
  u32 from = top, have = __builtin_wasm_memory_size(0) << 16;
  if (size > 0x20000000u || top > 0x40000000u) return 0;
  top += (size + 7) & ~7u;
  if (top > have && __builtin_wasm_memory_grow(0, (top - have + 65535) >> 16) == (__SIZE_TYPE__)-1) return 0;
  return from;
}

EXPORT(streams) u8 *streams_address(void) { return stream_of; }
EXPORT(veil) u32 *veil_address(void) { return added; }
EXPORT(inverses) u32 *inverses_address(void) { return inverses; }
EXPORT(factor) u64 *factor_address(void) { return &factor; }
EXPORT(hits) u32 *hits_address(void) { return hits; }
EXPORT(resume) u32 resume_at(void) { return resume; }
EXPORT(first) u32 first_at(void) { return first; }
EXPORT(last) u32 last_at(void) { return last; }

/* Neighbouring numbers (a window's last byte differs) go to slots far apart. */
static u32 slot_of(u32 number) { return (number * 0x9E3779B1u) >> 7 & mask; }

static u32 shown(u32 hidden, u32 tweak) {
  u32 x = hidden;
  for (int round = 3; round >= 0; round--) {
    x ^= x >> 16;
    x = x * inverses[round] - added[round];
  }
  return x ^ tweak;
}

static void streams(void) {
  for (u32 c = 0; c < 256; c++) {
    int letter = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    kept[LETTERS][c] = letter ? c : 0;
    kept[BASE64][c] = letter ? c : c == '+' || c == '-' ? '+' : c == '/' || c == '_' ? '/' : 0;
    kept[ALL][c] = c;
  }
}

/* Takes the hidden numbers of one record. A function of its own: called often, it is compiled soon. */
static __attribute__((noinline)) void take(const u8 *record, const u32 *hidden, u32 entry, u32 spellings) {
  u32 seed = (u32)record[0] << 24 | (u32)record[1] << 16 | (u32)record[2] << 8 | record[3];
  for (u32 s = 0; s < spellings; s++) {
    if (hidden[s] == 0) continue;
    u32 number = shown(hidden[s], seed + s * 0x9E3779B9u), bit = number >> shift;
    filter[bit >> 5] |= 1u << (bit & 31);
    anything |= stream_of[s] == ALL;
    u32 slot = slot_of(number);
    while (slots[slot].entry) slot = (slot + 1) & mask;
    slots[slot] = (Slot){number, 1 + entry + s};
  }
}

/*
 * Takes `count` records of `stride` bytes: a big-endian tweak first, `spellings` hidden numbers at `windows`, 0 where there is
 * none. Answers 0 when memory ends.
 */
EXPORT(load) u32 load(const u8 *records, u32 count, u32 stride, u32 windows, u32 spellings) {
  u32 bits = 8;
  streams();
  if (spellings > SPELLINGS_MOST || count > 0x1000000u / SPELLINGS_MOST) return 0;
  for (u32 s = 0; s < spellings; s++)
    if (stream_of[s] >= STREAMS) return 0;
  /* Two slots of three are taken at most; thirty-two bits of the filter to each, so that few places get past it. */
  while ((1u << bits) < count * spellings + count * spellings / 2) bits++;
  u32 filter_bits = bits + 5 > 22 ? 22 : bits + 5;
  slots = (Slot *)reserve(sizeof(Slot) << bits);
  filter = (u32 *)reserve(1u << (filter_bits - 3));
  if (!slots || !filter) return 0;
  mask = (1u << bits) - 1;
  shift = 32 - filter_bits;
  anything = 0;
  for (u32 r = 0; r < count; r++) take(records + r * stride, (const u32 *)(records + r * stride + windows), r * spellings, spellings);
  return 1;
}

/* Puts down every entry with this number; answers the number of hits. */
static __attribute__((noinline)) u32 look(u32 number, u32 at, u32 count) {
  u32 most = count + CHAIN < HITS ? count + CHAIN : HITS;
  for (u32 slot = slot_of(number); slots[slot].entry && count < most; slot = (slot + 1) & mask) {
    if (slots[slot].number != number) continue;
    hits[2 * count] = at;
    hits[2 * count + 1] = slots[slot].entry - 1;
    count++;
  }
  return count;
}

/* The last eight bytes of each stream. */
static u64 rolls[STREAMS];

#define LOOK(eight, new)                                                                 \
  {                                                                                      \
    u32 number = (u32)((eight) * by >> 32), bit = number >> right;                       \
    if (bits[bit >> 5] >> (bit & 31) & 1 && (new)) count = look(number, at, count);      \
  }

/*
 * Looks at the windows of all streams and answers the number of hits. resume() is where to go on, equal to `length` when all
 * was looked at. `from` is 0 or what resume() said.
 *
 * Where the streams of letters and of base64 have the same window, which is nearly everywhere, one look serves both. A byte
 * that a stream does not keep leaves its window as it is, which is looked at once more: to turn off there would be guessed
 * wrong at every word's end.
 */
EXPORT(find) u32 find(const u8 *text, u32 length, u32 from) {
  u64 letters = from ? rolls[LETTERS] : 0, base64 = from ? rolls[BASE64] : 0, all = from ? rolls[ALL] : 0;
  /* The first compiler keeps what is local in registers, and nothing else. */
  const u32 *bits = filter;
  u64 by = factor;
  u32 count = 0, at = from, right = shift, whole = anything;
  for (; at < length && count <= HITS - STREAMS * CHAIN; at++) {
    u32 c = text[at], letter = kept[LETTERS][c], other = kept[BASE64][c];
    letters = letters << ((letter != 0) << 3) | letter;
    base64 = base64 << ((other != 0) << 3) | other;
    LOOK(base64, other)
    if (letters != base64) LOOK(letters, letter)
    if (whole) {
      all = all << 8 | c;
      if (all != base64) LOOK(all, 1)
    }
  }
  rolls[LETTERS] = letters, rolls[BASE64] = base64, rolls[ALL] = all;
  resume = at;
  return count;
}

/*
 * Writes `size` bytes of a stream into `out`, from the kept byte that stands `before` kept bytes in front of the one at `at`.
 * Answers how many there are; first() and last() are the places of the first and the last one in the text.
 */
EXPORT(stretch) u32 stretch(const u8 *text, u32 length, u32 at, u32 before, u32 size, u32 stream, u8 *out) {
  const u8 *keep = kept[stream];
  u32 count = 0;
  while (before > 0 && at > 0) {
    at--;
    if (stream == ALL || keep[text[at]]) before--;
  }
  first = at;
  if (before > 0) return 0;
  for (; at < length && count < size; at++) {
    u8 c = keep[text[at]];
    if (c == 0 && stream != ALL) continue;
    out[count++] = c;
    last = at;
  }
  return count;
}
