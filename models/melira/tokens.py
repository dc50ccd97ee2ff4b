"""The tokeniser of src/melira/tokens.ts in Python: the same ids on every text.

Training reads ids that the TypeScript original wrote (encode.ts). This twin exists so that a second implementation can be held
against it: `python tokens.py golden.jsonl` compares the ids of every golden row and exits 1 on the first that differs.
"""
import json
import sys

TABLE_ROWS, HASHES_FROM = 65536, 64
LOWER, CAPITAL, UPPER, MIXED, WITH_DIGITS, NUMBER, LONG_NUMBER, LONG, FOREIGN_LOWER, FOREIGN_OTHER, PAIR_SHAPE, MARK_ONE, MARKS, MANY_MARKS, ONE_LINE, LINES = range(1, 17)
SEED_WORD, SEED_HEAD, SEED_TAIL, SEED_MARK = 0x811C9DC5, 0x1B873593, 0x68E31DA4, 0x2545F491
SPACE, LINE, MARK, WORD, PAIR = range(5)
MARK_RANGES = [(0x80, 0xA9), (0xAB, 0xB4), (0xB6, 0xB9), (0xBB, 0xBF), (0xD7, 0xD7), (0xF7, 0xF7), (0x2000, 0x206F), (0x20A0, 0x20CF),
               (0x2100, 0x2BFF), (0x3000, 0x3004), (0x3008, 0x3030), (0xD800, 0xF8FF), (0xFE10, 0xFE6F), (0xFF00, 0xFF0F),
               (0xFF1A, 0xFF20), (0xFF3B, 0xFF40), (0xFF5B, 0xFF65), (0xFFF0, 0xFFFF)]
PAIR_RANGES = [(0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x3005, 0x3007), (0x3031, 0x9FFF), (0xF900, 0xFAFF), (0xFF66, 0xFF9D)]


def _classes():
    table = bytearray([WORD]) * 0x10000
    table[0:0x80] = bytes([MARK]) * 0x80
    table[0:0x21] = bytes([SPACE]) * 0x21
    table[0x0A] = LINE
    for start, end in ((0x30, 0x3A), (0x41, 0x5B), (0x61, 0x7B)):
        table[start:end] = bytes([WORD]) * (end - start)
    table[0x7F] = SPACE
    for kind, ranges in ((PAIR, PAIR_RANGES), (MARK, MARK_RANGES)):
        for start, end in ranges:
            table[start:end + 1] = bytes([kind]) * (end + 1 - start)
    for unit in [0xA0, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F, 0x3000]:
        table[unit] = SPACE
    return table


CLASS = _classes()


def finish(h):
    h ^= h >> 15
    h = h * 0x2C1B3C6D & 0xFFFFFFFF
    h ^= h >> 12
    h = h * 0x297A2D39 & 0xFFFFFFFF
    h ^= h >> 15
    return HASHES_FROM + h % (TABLE_ROWS - HASHES_FROM)


def mix(h, *units):
    for unit in units:
        h = (h ^ unit) * 0x01000193 & 0xFFFFFFFF
    return h


def units_of(text):
    raw = text.encode("utf-16-le", "surrogatepass")
    return [raw[i] | raw[i + 1] << 8 for i in range(0, len(raw), 2)]


def text_of(units):
    return b"".join(u.to_bytes(2, "little") for u in units).decode("utf-16-le", "surrogatepass")


def _word(part, glued):
    upper = sum(0x41 <= u < 0x5B for u in part)
    lower = sum(0x61 <= u < 0x7B for u in part)
    digits = sum(u < 0x3A for u in part)
    size = len(part)
    foreign = size - upper - lower - digits
    if size == digits and size > 4:
        i = finish(mix(SEED_WORD, 0x23, min(size, 24)))
        return (i, i, i, LONG_NUMBER * 2 + glued)
    if size > 24 and foreign == 0:
        i = finish(mix(SEED_WORD, 0x40, (digits > 0) + 2 * (upper > 0) + 4 * (lower > 0) + 8 * (size > 64)))
        return (i, i, i, LONG * 2 + glued)
    raw = text_of(part[:24])
    low = units_of(raw.lower())
    if foreign > 0:
        shape = FOREIGN_LOWER if raw == raw.lower() else FOREIGN_OTHER
    elif digits == size:
        shape = NUMBER
    elif digits > 0:
        shape = WITH_DIGITS
    elif upper == 0:
        shape = LOWER
    elif lower == 0 and size > 1:
        shape = UPPER
    else:
        shape = CAPITAL if upper == 1 and part[0] < 0x5B else MIXED
    return (finish(mix(SEED_WORD, *low)), finish(mix(SEED_HEAD, *low[:4])), finish(mix(SEED_TAIL, *low[-3:])), shape * 2 + glued)


def tokenise(text):
    units = units_of(text)
    out, at, glued, n = [], 0, 0, len(units)
    while at < n:
        unit = units[at]
        kind = CLASS[unit]
        start = at
        if kind == SPACE:
            at += 1
            glued = 0
        elif kind == LINE:
            lines = 0
            while at < n and CLASS[units[at]] <= LINE:
                lines += units[at] == 0x0A
                at += 1
            shape = (LINES if lines > 1 else ONE_LINE) * 2
            out.append((shape,) * 4)
            glued = 0
        elif kind == MARK:
            while at < n and units[at] == unit:
                at += 1
            run = at - start
            i = finish(mix(SEED_MARK, unit))
            out.append((i, i, i, (MARK_ONE if run == 1 else MARKS if run < 4 else MANY_MARKS) * 2 + glued))
            glued = 1
        elif kind == PAIR:
            at += 1
            paired = at < n and CLASS[units[at]] == PAIR
            second = units[at] if paired else 0
            out.append((finish(mix(SEED_WORD, unit, second)), finish(mix(SEED_HEAD, unit)), finish(mix(SEED_TAIL, second)), PAIR_SHAPE * 2 + glued))
            if paired and (at + 1 >= n or CLASS[units[at + 1]] != PAIR):
                at += 1
            glued = 1
        else:
            while at < n and CLASS[units[at]] == WORD:
                at += 1
            out.append(_word(units[start:at], glued))
            glued = 1
    return out


if __name__ == "__main__":
    for number, line in enumerate(open(sys.argv[1], encoding="utf-8"), 1):
        row = json.loads(line)
        ids = [i for token in tokenise(row["text"]) for i in token]
        if ids != row["ids"]:
            sys.exit(f"line {number}: the ids differ: {row['text'][:60]!r}")
    print(f"{number} rows, all ids equal")
