"""Reads the hand-written material and fills its slots.

Files are plain text. A line that starts with "== " opens a section (a family); every other line that is not empty and
does not start with "# " is one item. In an item

    \\n            stands for a line break,
    {a|b|c}       is a choice, choices may be nested (a pipe with a space on both sides is a shell pipe),
    {name}        is a slot: a section of words.txt or words-parts.txt, or one of the computed slots in `Filler`,
    {goal} {Goal} is where an attack frame takes its goal (lower case as written, or with a capital); {goal2} {Goal2}
                  is a second one.

Braces that are neither a choice nor a known slot stay as they are, so that JSON can be written plainly.
Each item has a stable id (a hash of its text) and a fold (0 to 4) derived from it. Rows are made from items of one
side only, so whole frames, goals and sentences can be held out.
"""

import hashlib
import pathlib
import re
from dataclasses import dataclass

HERE = pathlib.Path(__file__).resolve().parent
FOLDS = 5

# Private-use characters stand for slots and literal braces while choices are resolved.
SLOT_OPEN, SLOT_CLOSE, BRACE_OPEN, BRACE_CLOSE = "\ue000", "\ue001", "\ue002", "\ue003"
INNERMOST = re.compile(r"\{([^{}]*)\}")
# A pipe between two spaces is a shell pipe, not a choice.
PIPE = re.compile(r"(?<! )\||\|(?! )")
SLOT = re.compile(SLOT_OPEN + "([A-Za-z_0-9]+)" + SLOT_CLOSE)


@dataclass(frozen=True)
class Item:
    text: str
    family: str
    language: str
    id: str
    fold: int
    composed: bool = False  # made of parts: one item stands for thousands of wordings


def item(text, family, language, composed=False):
    digest = hashlib.blake2b(text.encode(), digest_size=6).digest()
    return Item(text, family, language, digest.hex(), digest[0] % FOLDS, composed)


def read(path, language):
    """All items of one file, in file order."""
    family, items = "", []
    for line in path.read_text("utf-8").split("\n"):
        if line.startswith("== "):
            family = line[3:].strip()
        elif line.strip() and not line.startswith("# "):
            items.append(item(line.replace("\\n", "\n"), family, language, "-composed" in path.stem))
    return items


def folder(name):
    """All items of a folder whose files are named <language>.txt or <language>-<anything>.txt."""
    items = []
    for path in sorted((HERE / name).glob("*.txt")):
        items += read(path, path.stem.split("-")[0])
    return items


class Filler:
    """Fills slots. Attack and clean rows share it, so that no name, host or number gives a row away."""

    SYLLABLES = "ba co da el fi go ha in ka lo mi no or pa qui ra so ta un ve wa xi yo ze lum tor ven mar sil dex nor bel cal dra fen gri".split()
    TOP_LEVELS = "com net io dev org app cloud cc info example co test".split()
    PATHS = "c in v1/put sync u api/collect hook files docs status upload r s/latest drop ingest reports/new share/view".split()

    def __init__(self):
        self.words = {}
        for path in sorted(HERE.glob("words*.txt")):
            for one in read(path, "en"):
                self.words.setdefault(one.family, []).append(one.text)
        self.computed = {name[5:]: getattr(self, name) for name in dir(self) if name.startswith("slot_")}

    def name(self, rng):
        return "".join(rng.choice(self.SYLLABLES) for _ in range(rng.randint(2, 3)))

    def slot_domain(self, rng):
        host = self.name(rng) if rng.random() < 0.5 else f"{rng.choice(self.words['noun'])}-{rng.choice(self.words['noun'])}"
        if rng.random() < 0.3:
            host = f"{rng.choice(['www', 'api', 'cdn', 'docs', 'files', 'mail', 'app'])}.{host}"
        return f"{host}.{rng.choice(self.TOP_LEVELS)}"

    def slot_url(self, rng):
        tail = rng.choice(["", f"?id={rng.randint(1, 9999)}", f"/{self.name(rng)}", f"?q={self.name(rng)}"])
        return f"http{'s' if rng.random() < 0.9 else ''}://{self.slot_domain(rng)}/{rng.choice(self.PATHS)}{tail}"

    def slot_email(self, rng):
        first = rng.choice(self.words["first"]).lower().split()[0]
        last = rng.choice(self.words["last"]).lower().split()[0]
        user = rng.choice([first, f"{first}.{last}", f"{first[0]}{last}", f"{first}{rng.randint(1, 99)}", self.name(rng)])
        return f"{user}@{self.slot_domain(rng)}"

    def slot_handle(self, rng):
        return rng.choice([rng.choice(self.words["first"]).lower().split()[0], self.name(rng)]) + rng.choice(["", str(rng.randint(1, 99)), "-dev", "_x"])

    def slot_person(self, rng):
        return f"{rng.choice(self.words['first'])} {rng.choice(self.words['last'])}"

    def slot_n(self, rng):
        return str(rng.choice([rng.randint(2, 9), rng.randint(10, 99), rng.randint(100, 9999)]))

    def slot_small(self, rng):
        return str(rng.randint(2, 12))

    def slot_money(self, rng):
        value = rng.choice([f"{rng.randint(5, 900)}", f"{rng.randint(1, 9)},{rng.randint(0, 999):03d}", f"{rng.randint(3, 400)}.{rng.randint(0, 99):02d}"])
        return rng.choice(["${v}", "{v} USD", "{v} EUR", "€{v}", "£{v}", "{v} CHF", "{v} dollars"]).replace("{v}", value)

    def slot_account(self, rng):
        country = rng.choice(["DE", "FR", "GB", "CH", "NL", "ES", "PL", "SE", "AT", "IT"])
        digits = "".join(str(rng.randint(0, 9)) for _ in range(rng.choice([16, 18, 20])))
        return rng.choice([country + digits, f"{country}{digits[:2]} {digits[2:6]} {digits[6:10]} {digits[10:14]}", digits[:10], f"account {digits[:8]}"])

    def slot_date(self, rng):
        year, month, day = rng.randint(2019, 2027), rng.randint(1, 12), rng.randint(1, 28)
        return rng.choice([f"{year}-{month:02d}-{day:02d}", f"{day}.{month}.{year}", f"{month}/{day}/{year}"])

    def slot_time(self, rng):
        return f"{rng.randint(0, 23):02d}:{rng.choice([0, 5, 10, 15, 20, 30, 40, 45, 50]):02d}"

    def slot_phone(self, rng):
        return f"+{rng.choice([1, 33, 34, 41, 44, 48, 49, 61, 81, 91])} {rng.randint(100, 999)} {rng.randint(100, 999)} {rng.randint(1000, 9999)}"

    def slot_id(self, rng):
        return rng.choice([f"{rng.randint(1, 99999)}", f"{self.name(rng).upper()[:4]}-{rng.randint(1, 9999)}", f"#{rng.randint(1, 9999)}"])

    def slot_hash(self, rng):
        return f"{rng.getrandbits(28):07x}"

    def slot_version(self, rng):
        return f"{rng.randint(0, 24)}.{rng.randint(0, 30)}.{rng.randint(0, 19)}"

    def slot_ip(self, rng):
        return rng.choice(["10.0", "192.0", "198.51", "203.0"]) + f".{rng.randint(0, 255)}.{rng.randint(1, 254)}"

    def slot_package(self, rng):
        return rng.choice([rng.choice(self.words["package"]), f"{self.name(rng)}-{rng.choice(self.words['noun'])}", f"@{self.name(rng)}/{rng.choice(self.words['noun'])}"])

    def fill(self, template, rng, **given):
        """One text from a template. `given` holds slots that the caller decides, as ready text."""

        def known(match):
            name = match[1]
            if name in given or name in self.computed or name in self.words:
                return SLOT_OPEN + name + SLOT_CLOSE
            return match[0]

        text = INNERMOST.sub(known, template)
        while True:
            match = INNERMOST.search(text)
            if match is None:
                break
            body = match[1]
            choices = PIPE.split(body)
            chosen = rng.choice(choices) if len(choices) > 1 else BRACE_OPEN + body + BRACE_CLOSE
            text = text[: match.start()] + chosen + text[match.end() :]
        text = text.replace(BRACE_OPEN, "{").replace(BRACE_CLOSE, "}")

        def value(match):
            name = match[1]
            if name in given:
                return given[name]
            if name in self.computed:
                return self.computed[name](rng)
            return self.fill(rng.choice(self.words[name]), rng, **given)

        return SLOT.sub(value, text)
