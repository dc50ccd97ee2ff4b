#!/usr/bin/env python3
"""Checks the hand-written material: unknown slots, broken pairs, items written twice, attacks without a wish that need one.

Prints one line for each finding and ends with 1 if there was any.
"""

import re
import sys

import material

SLOT_LIKE = re.compile(r"\{([a-z_0-9]{3,20}|Goal2?)\}")
GIVEN = {"frames": {"goal", "Goal", "goal2", "Goal2"}, "plain": {"goal", "Goal", "goal2", "Goal2"}, "memory": {"goal", "Goal"}, "clean": {"attack"}, "goals": set()}


def findings():
    filler = material.Filler()
    known = set(filler.computed) | set(filler.words)
    seen = {}
    for folder, given in GIVEN.items():
        for path in sorted((material.HERE / folder).glob("*.txt")):
            language = path.stem.split("-")[0]
            for one in material.read(path, language):
                where = f"{folder}/{path.name}: {one.text[:60]!r}"
                for name in SLOT_LIKE.findall(one.text):
                    if name not in known | given:
                        yield f"{where}: no slot is called {{{name}}}"
                if path.stem.endswith("pairs") and len(one.text.split(" => ")) != 2:
                    yield f"{where}: a pair has exactly one ' => '"
                if folder == "plain" and "{goal}" not in one.text.lower():
                    yield f"{where}: no {{goal}}"
                if folder == "goals" and (one.text[-1:] in ".。।" or one.text[:1] in " -"):
                    yield f"{where}: a goal has no full stop and starts with a word"
                key = (folder, path.stem.split("-")[-1] in ("good", "bad", "pairs") and path.stem.split("-")[-1], language, one.text)
                if key in seen:
                    yield f"{where}: also in {seen[key]}"
                seen[key] = path.name


if __name__ == "__main__":
    found = list(findings())
    print("\n".join(found) or "corpus: no findings")
    sys.exit(1 if found else 0)
