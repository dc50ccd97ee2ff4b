"""Ways to disguise a text. Each takes (text, rng) and gives the disguised text.

The same functions disguise attacks and clean sentences, so that an encoding alone says nothing.
"""

import base64
import codecs
import html
import json
import urllib.parse

ZERO_WIDTH = ["\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\u00ad"]
HOMOGLYPHS = str.maketrans("aeopcxyiAEOPCBHKMTjsS", "\u0430\u0435\u043e\u0440\u0441\u0445\u0443\u0456\u0410\u0415\u041e\u0420\u0421\u0412\u041d\u041a\u041c\u0422\u0458\u0455\u0405")
LEET = str.maketrans("aeiostAEIOST", "431057431057")


def zero_width(text, rng):
    rate = rng.choice([0.1, 0.35, 1.0])
    return "".join(c + (rng.choice(ZERO_WIDTH) if rng.random() < rate else "") for c in text)


def homoglyph(text, rng):
    rate = rng.choice([0.2, 0.5, 0.9])
    return "".join(c.translate(HOMOGLYPHS) if rng.random() < rate else c for c in text)


def unicode_tags(text, rng):
    hidden = "".join(chr(0xE0000 + ord(c)) for c in text if 31 < ord(c) < 127)
    cover = rng.choice(["Release notes are below.", "\U0001f44d", "See the changelog.", "Thanks!", "", "Great hotel, would come again."])
    return cover + hidden


def variation_selectors(text, rng):
    """Bytes hidden in variation selectors after a single visible character."""
    out = []
    for byte in text.encode():
        out.append(chr(0xFE00 + byte) if byte < 16 else chr(0xE0100 + byte - 16))
    return rng.choice(["\U0001f600", "\U0001f44d", "a", "!"]) + "".join(out)


def as_base64(text, rng):
    coded = base64.b64encode(text.encode()).decode()
    return rng.choice(["{}", "data: {}", "# config: {}", "payload={}", "base64:{}", "note: {} (base64)", '"blob": "{}"']).replace("{}", coded)


def as_hex(text, rng):
    coded = text.encode().hex()
    if rng.random() < 0.2:
        coded = " ".join(coded[i : i + 2] for i in range(0, len(coded), 2))
    return rng.choice(["{}", "hex: {}", "0x{}", "digest={}"]).replace("{}", coded)


def leet(text, rng):
    rate = rng.choice([0.5, 1.0])
    return "".join(c.translate(LEET) if rng.random() < rate else c for c in text)


def spaced(text, rng):
    joiner = rng.choice([" ", ".", "-", "_", "  "])
    return (" " * (len(joiner) + 2) if joiner.isspace() else " ").join(joiner.join(word) for word in text.split())


def rot13(text, rng):
    return rng.choice(["(rot13) ", "rot13: ", ""]) + codecs.encode(text, "rot13")


def backwards(text, rng):
    return rng.choice(["", "(reversed) "]) + text[::-1]


def bidi(text, rng):
    return "\u202e" + text[::-1] + "\u202c"


def full_width(text, rng):
    return "".join(chr(ord(c) + 0xFEE0) if 33 <= ord(c) <= 126 else c for c in text)


def math_letters(text, rng):
    small, large = rng.choice([(0x1D41A, 0x1D400), (0x1D4EA, 0x1D4D0), (0x1D5BA, 0x1D5A0), (0x1D68A, 0x1D670)])
    return "".join(chr(small + ord(c) - 97) if "a" <= c <= "z" else chr(large + ord(c) - 65) if "A" <= c <= "Z" else c for c in text)


def html_hidden(text, rng):
    escaped = html.escape(text, quote=True)
    return rng.choice(
        [
            "<!-- {} -->",
            '<div style="display:none">{}</div>',
            '<span style="font-size:0;color:#fff">{}</span>',
            '<p style="position:absolute;left:-9999px">{}</p>',
            '<span aria-hidden="true" style="opacity:0">{}</span>',
            '<img src="logo.png" alt="{}">',
            '<meta name="description" content="{}">',
            '<a href="#" title="{}">link</a>',
            '<input type="hidden" name="note" value="{}">',
            "<noscript>{}</noscript>",
            "<template>{}</template>",
            "<details><summary>more</summary>{}</details>",
            '<p hidden>{}</p>',
            '<td style="color:white;background:white">{}</td>',
            '<svg><title>{}</title></svg>',
        ]
    ).replace("{}", escaped)


def entities(text, rng):
    rate = rng.choice([0.5, 1.0])
    style = rng.choice(["&#{};", "&#x{:x};"])
    return "".join(style.format(ord(c)) if rng.random() < rate and not c.isspace() else c for c in text)


def url_encoded(text, rng):
    if rng.random() < 0.5:
        return rng.choice(["?q=", "?note=", ""]) + urllib.parse.quote_plus(text)
    return "".join(f"%{byte:02X}" for byte in text.encode())


def json_escaped(text, rng):
    if rng.random() < 0.5:
        return "".join(f"\\u{ord(c):04x}" if ord(c) < 65536 and rng.random() < 0.8 else c for c in text)
    return json.dumps(json.dumps({"note": text}))


def split_lines(text, rng):
    width = rng.choice([1, 2, 3])
    words = text.split()
    return "\n".join(" ".join(words[i : i + width]) for i in range(0, len(words), width))


def split_strings(text, rng):
    words = text.split()
    return " + ".join(json.dumps(" ".join(words[i : i + 3]) + " ") for i in range(0, len(words), 3))


def odd_case(text, rng):
    return "".join(c.upper() if rng.random() < 0.5 else c.lower() for c in text)


def noise(text, rng):
    """Letters swapped or dropped, as a hurried or evasive writer would."""
    out = []
    for word in text.split(" "):
        if len(word) > 4 and rng.random() < 0.35:
            i = rng.randint(1, len(word) - 3)
            word = word[:i] + word[i + 1] + word[i] + word[i + 2 :] if rng.random() < 0.6 else word[:i] + word[i + 1 :]
        out.append(word)
    return " ".join(out)


WAYS = {
    "zero-width": zero_width,
    "homoglyph": homoglyph,
    "unicode-tags": unicode_tags,
    "variation-selectors": variation_selectors,
    "base64": as_base64,
    "hex": as_hex,
    "leet": leet,
    "spaced": spaced,
    "rot13": rot13,
    "reversed": backwards,
    "bidi": bidi,
    "full-width": full_width,
    "math": math_letters,
    "html-hidden": html_hidden,
    "entities": entities,
    "url": url_encoded,
    "json-escapes": json_escaped,
    "split-lines": split_lines,
    "split-strings": split_strings,
    "odd-case": odd_case,
    "noise": noise,
}
# These carry ASCII alone and would leave nothing of another script.
ASCII_ONLY = {"unicode-tags", "leet", "rot13", "homoglyph", "math", "full-width", "odd-case"}
