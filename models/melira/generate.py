#!/usr/bin/env python3
"""Writes training rows for Melira from the hand-written material in corpus/, as JSON lines on standard output.

    generate.py --seed 1 --rows 60000 --data DATA_DIR > rows.jsonl
    generate.py --seed 1 --rows 8000 --side held > held.jsonl      (frames, goals and sentences that "train" never uses)
    generate.py --seed 1 --rows 60000 --stats > /dev/null          (counts on standard error)

A row: text, label (1 = gives an agent instructions nobody asked for, or poisons its memory), source, kind (tool, file,
memory, command), form (how the row was made), language, group (side and templates; rows of one group belong together).
The same seed, count, side and data give the same bytes. Python standard library only.
"""

import argparse
import collections
import dataclasses
import hashlib
import json
import pathlib
import random
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "corpus"))

import documents  # noqa: E402
import material  # noqa: E402
import obfuscate  # noqa: E402

ENGLISH_SHARE = 0.6
# How many rows of each form are made, relative to each other. Attack documents bring their twin along.
FORMS = {
    "wrapped": 16,
    "wrapped-bare": 5,
    "plain": 8,
    "obfuscated": 7,
    "memory-bad": 8,
    "agent-file-bad": 3,
    "command-bad": 3,
    "object": 14,
    "page": 5,
    "trigger": 11,
    "real": 5,
    "memory-good": 9,
    "agent-file-good": 4,
    "command-good": 3,
    "mention": 4,
    "obfuscated-clean": 4,
}
# Ways that no harmless text uses; the rest is used for clean rows too.
ATTACK_ONLY_WAYS = {"unicode-tags", "variation-selectors", "bidi", "reversed"}
AGENT_FILES = ["CLAUDE.md", "AGENTS.md", "GEMINI.md", ".cursorrules", ".github/copilot-instructions.md", "MEMORY.md", "SKILL.md", ".windsurfrules", ".claude/commands/ship.md", "docs/agents.md"]
SETTINGS_FILES = [".claude/settings.json", ".claude/settings.local.json", ".mcp.json", ".codex/config.toml", ".cursor/mcp.json", ".gemini/settings.json", ".claude/agents/reviewer.md", ".cursor/rules/base.mdc"]


# How often an item made of parts is taken where there are any.
COMPOSED_SHARE = 0.4
# Sections that real sentences may fill, and how often they do when there are any.
REAL_SECTIONS = {"doc", "notice", "prose", "trigger", "review", "error", "tooldesc", "ticket", "commit", "log", "minutes", "contract", "job"}
REAL_SHARE = 0.45
SENTENCE = re.compile(r"[^\n.!?。！？।]{15,180}[.!?。！？।](?=\s|$)")
# Code and links are no sentences.
ODD = re.compile(r"[{}<>|=\\\[\]#*_`~]|https?:")


ENGLISH = re.compile(r"\b(the|of|and|to|is|are|with|this|that|for|you)\b")


def fits(sentence, language):
    """Whether a real sentence is in the language that its row is said to have: translations are full of English."""
    english = sentence.isascii() and ENGLISH.search(sentence) is not None
    return english and sentence[0].isupper() if language == "en" else not english and not sentence[0].islower()


class Nothing(Exception):
    """The chosen side has no item for this row; another row is made instead."""


class Generator:
    def __init__(self, seed, side, held_fold, carriers):
        self.seed, self.side = seed, side
        self.filler = material.Filler()

        def mine(items):
            return [one for one in items if side == "all" or (one.fold == held_fold) == (side == "held")]

        self.frames = self.by_language(mine(material.folder("frames")))
        self.goals = self.by_language(mine(material.folder("goals")))
        self.plain = self.by_language(mine(material.folder("plain")))
        self.clean = self.by_language(mine(material.folder("clean")))
        memory = pathlib.Path(material.HERE / "memory")
        self.memory = {}
        for tone in ("bad", "good", "pairs"):
            items = []
            for path in sorted(memory.glob(f"*-{tone}.txt")):
                items += material.read(path, path.stem.split("-")[0])
            self.memory[tone] = self.by_language(mine(items))
        # Each half of a pair is also a rule of its own; both halves stay on the side of the pair.
        for language, pairs in self.memory["pairs"].items():
            for one in pairs:
                for tone, text in zip(("good", "bad"), one.text.split(" => ")):
                    self.memory[tone][language].append(dataclasses.replace(one, text=text, family=f"{one.family}-pair"))
        self.sections = {language: self.by_family(items) for language, items in self.clean.items()}
        self.documents = documents.Documents(self.filler, self.sentence)
        self.carriers = [text for text, _ in carriers]
        self.real = {}
        for text, language in carriers:
            for sentence in SENTENCE.findall(text)[:12]:
                sentence = sentence.strip(" -\t\"'")
                if len(sentence) > 15 and not ODD.search(sentence) and sentence[:1].isalpha() and fits(sentence, language):
                    self.real.setdefault(language, []).append(sentence)
        self.languages = sorted(language for language in self.frames if language != "en")

    @staticmethod
    def by_language(items):
        out = {}
        for one in items:
            out.setdefault(one.language, []).append(one)
        return out

    @staticmethod
    def by_family(items):
        out = {}
        for one in items:
            out.setdefault(one.family, []).append(one)
        return out

    # Pieces

    def pick(self, table, language):
        """One item, families first, so that a long family does not drown a short one."""
        items = table.get(language)
        if not items:
            raise Nothing
        items = self.share(items, self.r)
        families = self.by_family(items)
        weights = [len(families[name]) ** 0.5 for name in families]
        return self.r.choice(families[self.r.choices(list(families), weights)[0]])

    def share(self, items, rng):
        """The composed items or the others: there are few composed ones, but each has many wordings."""
        composed = [one for one in items if one.composed]
        if composed and rng.random() < COMPOSED_SHARE:
            return composed
        return [one for one in items if not one.composed] or items

    def sentence(self, rng, language, section):
        if section in REAL_SECTIONS and len(self.real.get(language, ())) >= 50 and rng.random() < REAL_SHARE:
            return rng.choice(self.real[language])
        sections = self.sections.get(language) or self.sections["en"]
        if section not in sections:
            names = [name for name in sections if name not in ("mention", "agentrule", "command", "request", "chat", "question")] or list(sections)
            section = rng.choice(names)
        one = rng.choice(self.share(sections[section], rng))
        text = self.filler.fill(one.text, rng)
        return text[:1].upper() + text[1:] if one.composed and section not in ("chat", "commit") else text

    def language(self):
        if self.r.random() < ENGLISH_SHARE or not self.languages:
            return "en"
        return self.r.choice(self.languages)

    def goal(self, language, framed=False):
        """A goal. Those that are harmless by themselves need a frame."""
        one = self.pick(self.goals, language)
        while one.family == "offtask" and not framed:
            one = self.pick(self.goals, language)
        return one, self.filler.fill(one.text, self.r)

    def attack(self, language, table=None):
        """A frame with a goal: (text, family, group)."""
        table = self.frames if table is None else table
        frame = self.pick(table, language)
        goal, text = self.goal(language, framed=frame.family != "plain")
        given = {"goal": text, "Goal": text[:1].upper() + text[1:]}
        if "goal2}" in frame.text.lower():
            other = self.goal(language, framed=True)[1]
            given |= {"goal2": other, "Goal2": other[:1].upper() + other[1:]}
        filled = self.filler.fill(frame.text, self.r, **given)
        style = self.r.random()
        if style < 0.04:
            filled = filled.upper()
        elif style < 0.08:
            filled = filled.lower()
        elif style < 0.12:
            filled = filled.rstrip(".") + self.r.choice(["!", "!!", "...", ""])
        used = goal.family if "{goal}" in frame.text.lower() else "-"
        return filled, f"{frame.family}/{used}", f"{self.side}:{frame.id}+{goal.id}"

    def document(self, language, insert, page=None, attempt=0):
        """A document with the insert: (text, kind, name). The same row and attempt give the same document."""
        return self.documents.make(f"{self.seed}/{self.side}/{self.number}/{attempt}", language, insert, page)

    def in_carrier(self, insert, wrap="{}"):
        """The insert as a line of a text that the caller brought along."""
        lines = self.r.choice(self.carriers).split("\n")
        start = self.r.randint(0, max(0, len(lines) - 30))
        lines = lines[start : start + self.r.randint(6, 60)]
        position = self.r.randint(0, len(lines))
        before, after = "\n".join(lines[:position]), "\n".join(lines[position:])
        return "\n".join([before, wrap.replace("{}", insert), after]), "\n".join([before, after])

    def row(self, text, label, form, kind, language, source, group):
        return {"text": text, "label": label, "source": f"corpus/{source}", "kind": kind, "form": form, "language": language, "group": group}

    def benign(self, language, section=None):
        """A harmless text of the kind that stands where an attack would stand: usually what belongs to the section."""
        if section is None or self.r.random() < 0.3:
            section = self.r.choice(["doc", "error", "tooldesc", "trigger", "notice", "prose"])
        return " ".join(self.sentence(self.r, language, section) for _ in range(self.r.randint(1, 2)))

    # Forms. Each gives a list of rows.

    def form_wrapped(self):
        language = self.language()
        carrier_language = language if self.r.random() < 0.7 else "en"
        text, family, group = self.attack(language)
        if self.carriers and self.r.random() < 0.35:
            wrap = self.r.choice(["{}", "{}", "# {}", "// {}", "<!-- {} -->", "> {}", "* {}", '"note": "{}",', "/* {} */"])
            attacked, clean = self.in_carrier(text, wrap)
            rows = [self.row(attacked, 1, "wrapped", self.r.choice(["tool", "file"]), language, family, group)]
            return rows + [self.row(clean, 0, "twin", rows[0]["kind"], carrier_language, "twin/carrier", group)]
        attacked, kind, name = self.document(carrier_language, text)
        rows = [self.row(attacked, 1, "wrapped", kind, language, family, group)]
        if self.r.random() < 0.6:
            insert = (lambda section: self.benign(language, section)) if self.r.random() < 0.7 else ""
            twin, kind, name = self.document(carrier_language, insert)
            rows.append(self.row(twin, 0, "twin", kind, language, f"twin/{name}", group))
        return rows

    def form_wrapped_bare(self):
        language = self.language()
        text, family, group = self.attack(language)
        return [self.row(text, 1, "wrapped-bare", self.r.choice(["tool", "tool", "file"]), language, family, group)]

    def form_plain(self):
        language = self.language()
        table = self.plain if language in self.plain else {language: [material.item(one, "plain", language) for one in ("{Goal}.", "{goal}", "{Goal}!")]}
        text, family, group = self.attack(language, table)
        carrier_language, page = language if self.r.random() < 0.7 else "en", self.r.random() < 0.15
        # A bare wish in a letter between people is what people write; most stand where nobody asks for anything.
        attempt, strict = 0, self.r.random() < 0.8
        attacked, kind, name = self.document(carrier_language, text, page)
        while strict and name in documents.BETWEEN_PEOPLE and attempt < 8:
            attempt += 1
            attacked, kind, name = self.document(carrier_language, text, page, attempt)
        rows = [self.row(attacked, 1, "plain", kind, language, family, group)]
        if self.r.random() < 0.7:
            twin, kind, name = self.document(carrier_language, lambda section: self.sentence(self.r, language, section), page, attempt)
            rows.append(self.row(twin, 0, "twin", kind, language, f"twin/{name}", group))
        return rows

    def form_obfuscated(self):
        language = self.language()
        ways = [way for way in obfuscate.WAYS if language == "en" or way not in obfuscate.ASCII_ONLY]
        text, family, group = self.attack(language)
        way = self.r.choice(ways)
        hidden = obfuscate.WAYS[way](text, self.r)
        kind = "tool"
        if self.r.random() < 0.75:
            hidden, kind, _ = self.document(language if self.r.random() < 0.5 else "en", hidden)
        return [self.row(hidden, 1, f"obfuscated:{way}", kind, language, family, group)]

    def form_obfuscated_clean(self):
        language = self.language()
        ways = [way for way in obfuscate.WAYS if way not in ATTACK_ONLY_WAYS and (language == "en" or way not in obfuscate.ASCII_ONLY)]
        way = self.r.choice(ways)
        hidden = obfuscate.WAYS[way](self.benign(language), self.r)
        kind = "tool"
        if self.r.random() < 0.75:
            hidden, kind, _ = self.document(language, hidden)
        return [self.row(hidden, 0, f"obfuscated-clean:{way}", kind, language, "clean/obfuscated", f"{self.side}:obfuscated-clean:{way}")]

    def form_object(self):
        language = self.language()
        text, kind, name = self.document(language, "", page=False)
        return [self.row(text, 0, "object", kind, language, f"clean/{name}", f"{self.side}:object:{name}")]

    def form_page(self):
        language = self.language()
        insert = (lambda section: self.benign(language, section)) if self.r.random() < 0.6 else ""
        text, kind, name = self.document(language, insert, page=True)
        return [self.row(text, 0, "page", kind, language, f"clean/{name}", f"{self.side}:page:{name}")]

    def form_trigger(self):
        language = self.language()
        sections = [name for name in self.sections[language] if name not in ("mention", "agentrule", "commit", "log", "command")] if language in self.sections else []
        if not sections:
            raise Nothing
        section = "trigger" if "trigger" in sections and self.r.random() < 0.6 else self.r.choice(sections)
        count = self.r.choice([1, 1, 1, 2, 2, 3, 5])
        one = self.r.choice(self.sections[language][section])
        texts = [self.filler.fill(one.text, self.r)] + [self.sentence(self.r, language, section) for _ in range(count - 1)]
        text = self.r.choice([" ", " ", "\n", "\n- "]).join(texts)
        if self.r.random() < 0.08:
            text = self.r.choice([text.upper(), text.lower()])
        return [self.row(text, 0, "trigger", "tool", language, f"clean/{section}", f"{self.side}:{one.id}")]

    def form_real(self):
        """Real sentences by themselves: short harmless text that nobody of us wrote."""
        language = self.language()
        if len(self.real.get(language, ())) < 50:
            raise Nothing
        count = self.r.choice([1, 1, 2, 3, 5])
        text = self.r.choice([" ", "\n", "\n- "]).join(self.r.choice(self.real[language]) for _ in range(count))
        return [self.row(text, 0, "trigger", "tool", language, "clean/real", f"{self.side}:real:{self.number % 100}")]

    def form_mention(self):
        language = self.language()
        frames = self.sections.get(language, {}).get("mention") or self.sections["en"].get("mention")
        if not frames:
            raise Nothing
        text, family, group = self.attack(language)
        mention = self.filler.fill(self.r.choice(frames).text, self.r, attack=text)
        kind = "tool"
        if self.r.random() < 0.5:
            mention, kind, _ = self.document(language, mention, page=True)
        return [self.row(mention, 0, "mention", kind, language, "clean/mention", group)]

    # Memory: rules in agent files, and diffs of them

    def rule(self, tone, language):
        table = self.memory[tone]
        if language not in table:
            language = "en"
        one = self.pick(table, language)
        _, goal = self.goal(language)
        text = self.filler.fill(one.text, self.r, goal=goal, Goal=goal[:1].upper() + goal[1:])
        if one.composed and self.r.random() < 0.7:
            text = text[:1].upper() + text[1:]
        return one, text

    def pair(self, one, language):
        _, goal = self.goal(language)
        return self.filler.fill(one.text, self.r, goal=goal).split(" => ")

    def bullet(self):
        return self.r.choice(["- ", "- ", "- ", "* ", "", "1. ", "- [ ] "])

    def rules(self, tone, language, low, high, settings):
        bullet, found, out = self.bullet(), [], []
        for _ in range(40):
            # Agent files of other languages have English lines, too.
            one, text = self.rule(tone, "en" if tone == "good" and self.r.random() < 0.15 else language)
            text = text if settings else bullet + text
            if (one.family == "settings") == settings and text not in out:
                found.append(one)
                out.append(text)
            if len(out) >= high or (len(out) >= low and self.r.random() < 0.5):
                break
        if not out:
            raise Nothing
        return found, out

    def diff(self, added, removed, context, settings):
        path = self.r.choice(SETTINGS_FILES if settings else AGENT_FILES)
        if self.r.random() < 0.25:
            return "\n".join(added), "added"
        if self.r.random() < 0.3:
            context = [f"## {self.r.choice(['Rules', 'Workflow', 'Notes', 'Conventions', 'Testing', 'Memory', 'Agent instructions'])}", ""] + context
        at = self.r.randint(0, len(context))
        body = [" " + line for line in context[:at]] + ["-" + line for line in removed] + ["+" + line for line in added] + [" " + line for line in context[at:]]
        start = self.r.randint(1, 120)
        head = [f"--- a/{path}", f"+++ b/{path}"] if self.r.random() < 0.8 else []
        if head and self.r.random() < 0.4:
            head.insert(0, f"diff --git a/{path} b/{path}")
        hunk = f"@@ -{start},{len(context) + len(removed)} +{start},{len(context) + len(added)} @@"
        return "\n".join(head + [hunk] + body), "diff"

    def form_memory_bad(self):
        language = self.language()
        settings = self.r.random() < 0.12
        style = self.r.random()
        removed = []
        _, context = self.rules("good", language, 2, 8, settings)
        if style < 0.15 and not settings and self.memory["pairs"].get(language):
            one = self.pick(self.memory["pairs"], language)
            good, bad = self.pair(one, language)
            bullet = self.bullet()
            removed, added, source, group = [bullet + good], [bullet + bad], "memory/weakened", f"{self.side}:{one.id}"
        elif style < 0.27 and not settings:
            text, family, group = self.attack(language)
            added, source = (self.bullet() + text).split("\n"), f"memory/{family}"
        else:
            found, added = self.rules("bad", language, 1, 2, settings)
            source, group = f"memory/{found[0].family}", f"{self.side}:{found[0].id}"
        if self.r.random() < 0.35:
            _, more = self.rules("good", language, 1, 2, settings)
            added = added + more if self.r.random() < 0.5 else more + added
        text, form = self.diff(added, removed, context, settings)
        return [self.row(text, 1, f"memory:{form}", "memory", language, source, group)]

    def form_memory_good(self):
        language = self.language()
        settings = self.r.random() < 0.15
        removed = []
        _, context = self.rules("good", language, 2, 8, settings)
        found, added = self.rules("good", language, 1, 4, settings)
        source, group = f"clean/memory/{found[0].family}", f"{self.side}:{found[0].id}"
        style = self.r.random()
        if style < 0.1 and not settings and self.memory["pairs"].get(language):
            one = self.pick(self.memory["pairs"], language)
            good, bad = self.pair(one, language)
            removed, added, group = [self.bullet() + bad], [self.bullet() + good], f"{self.side}:{one.id}"
        elif style < 0.3:
            _, removed = self.rules("good", language, 1, 2, settings)
        elif style < 0.5 and not settings:
            added.append(self.bullet() + self.sentence(self.r, "en", "agentrule"))
        text, form = self.diff(added, removed, context, settings)
        return [self.row(text, 0, f"memory-clean:{form}", "memory", language, source, group)]

    def agent_file(self, language, extra):
        title = f"# {self.filler.fill(self.r.choice(['{project}', '{noun}', 'Instructions', 'Project rules', 'Working on {project}']), self.r)}"
        parts = [title, ""]
        if self.r.random() < 0.3:
            parts = ["---", f"name: {self.filler.fill('{noun}', self.r)}", f"description: {self.sentence(self.r, language, 'doc')}", "---", ""] + parts
        sections = []
        for _ in range(self.r.randint(1, 4)):
            _, lines = self.rules("good", language, 2, 6, False)
            if language == "en" and self.r.random() < 0.4:
                lines.append("- " + self.sentence(self.r, "en", "agentrule"))
            sections.append(["## " + self.r.choice(["Build", "Style", "Workflow", "Testing", "Security", "Notes", "Commands", "Review"])] + lines + [""])
        target = self.r.choice(sections)
        if extra:
            target.insert(self.r.randint(1, len(target) - 1), extra)
        return "\n".join(parts + [line for lines in sections for line in lines])

    def form_agent_file_bad(self):
        language = self.language()
        if self.r.random() < 0.5:
            text, family, group = self.attack(language)
        else:
            one, text = self.rule("bad", language)
            family, group = f"memory/{one.family}", f"{self.side}:{one.id}"
        text = self.r.choice(["- {}", "{}", "<!-- {} -->", "> {}", "**Note:** {}"]).replace("{}", text)
        return [self.row(self.agent_file(language, text), 1, "agent-file", "file", language, family, group)]

    def form_agent_file_good(self):
        language = self.language()
        return [self.row(self.agent_file(language, ""), 0, "agent-file-clean", "file", language, "clean/agent-file", f"{self.side}:agent-file:{self.number % 50}")]

    # Commands that the agent is about to run

    def form_command_bad(self):
        language, page = self.language(), "page_command"
        if self.r.random() < 0.35:
            one, text = self.rule("bad", language)
            family, group, page = f"memory/{one.family}", f"{self.side}:{one.id}", "page_rule_command"
        else:
            text, family, group = self.attack(language)
        attacked, kind, _ = self.document(language, text, page)
        rows = [self.row(attacked, 1, "command", kind, language, family, group)]
        if self.r.random() < 0.6:
            text = self.rule("good", language)[1] if page == "page_rule_command" else self.benign(language, "commit")
            twin, kind, _ = self.document(language, text, page)
            rows.append(self.row(twin, 0, "command-clean", kind, language, "twin/command", group))
        return rows

    def form_command_good(self):
        if self.r.random() < 0.7:
            lines = [self.sentence(self.r, "en", "command") for _ in range(self.r.choice([1, 1, 1, 2, 4]))]
            text = self.r.choice(["\n", " && ", "; "]).join(lines)
            return [self.row(text, 0, "command-clean", "command", "en", "clean/command", f"{self.side}:command:{self.number % 100}")]
        language = self.language()
        if self.r.random() < 0.5:
            text, kind, _ = self.document(language, self.rule("good", language)[1], "page_rule_command")
        else:
            text, kind, _ = self.document(language, self.benign(language, "commit"), "page_command")
        return [self.row(text, 0, "command-clean", kind, language, "clean/command", f"{self.side}:command:{self.number % 100}")]

    # All rows

    def rows(self, count):
        forms = list(FORMS)
        weights = list(FORMS.values())
        made, seen, self.number = 0, set(), 0
        while made < count:
            self.number += 1
            self.r = random.Random(f"{self.seed}/{self.side}/{self.number}")
            form = self.r.choices(forms, weights)[0]
            try:
                rows = getattr(self, "form_" + form.replace("-", "_"))()
            except Nothing:
                continue
            for one in rows:
                if one["text"].strip() and one["text"] not in seen and made < count:
                    seen.add(one["text"])
                    made += 1
                    yield one


# Files of a data folder whose harmless texts may carry attacks.
CARRIERS = ["benign-tool-output.jsonl", "public-benign.jsonl", "mined/*.jsonl"]
# The languages of public rows that name them in another way.
KIND_LANGUAGE = re.compile(r"^(?:cli-help|ui-strings):([a-z]{2})")


def read_carriers(path, side):
    """Texts with their language out of a file of harmless rows; of sources on this side of splits.json alone."""
    splits = json.loads((pathlib.Path(__file__).resolve().parent / "splits.json").read_text("utf-8"))

    def trains(source):
        name = source.removeprefix("mined/")
        if name in splits["train"]:
            return True
        if name in splits["test"] or name in splits["calibrate"]:
            return False
        bucket = hashlib.sha256(source.encode()).digest()[0] % splits["rule"]["buckets"]
        return bucket not in splits["rule"]["test"] + splits["rule"]["calibrate"]

    with open(path, encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            kind, form = row.get("kind", ""), row.get("form", "")
            if row["label"] != 0 or not row["text"].strip() or "mention" in kind + form or "multilingual" in kind:
                continue
            if side == "all" or trains(row["source"]) == (side == "train"):
                named = KIND_LANGUAGE.match(kind)
                yield row["text"], row.get("language") or (named[1] if named else "en")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--rows", type=int, default=60000)
    parser.add_argument("--side", choices=["train", "held", "all"], default="train", help="which folds of the material to use")
    parser.add_argument("--held-fold", type=int, default=4, help="the fold (0 to 4) that is held out")
    parser.add_argument("--data", type=pathlib.Path, help="folder with harmless rows (JSON lines): attacks are put into these texts as well, and their sentences fill documents")
    parser.add_argument("--stats", action="store_true", help="print counts on standard error")
    arguments = parser.parse_args()
    paths = [path for name in CARRIERS for path in sorted(arguments.data.glob(name))] if arguments.data else []
    carriers = [one for path in paths for one in read_carriers(path, arguments.side)]
    counts = collections.Counter()
    for one in Generator(arguments.seed, arguments.side, arguments.held_fold, carriers).rows(arguments.rows):
        sys.stdout.write(json.dumps(one, ensure_ascii=False) + "\n")
        counts[f"label {one['label']}"] += 1
        for key in ("form", "language", "kind"):
            counts[f"{key} {one[key]} label {one['label']}"] += 1
    if arguments.stats:
        for name, number in sorted(counts.items()):
            print(number, name, file=sys.stderr)


if __name__ == "__main__":
    main()
