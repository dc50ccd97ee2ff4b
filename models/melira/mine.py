#!/usr/bin/env python3
"""Turns a folder of files (a checked-out repository) into harmless rows (label 0), as JSON lines on standard output.

    mine.py FOLDER --source owner/name --limit 500 --seed 1 > rows.jsonl
    mine.py FOLDER --source owner/name --history 300 >> rows.jsonl     (commit messages and diffs, if FOLDER is a git repository)

For hard negatives: documentation, code, changelogs, build recipes, security documents, agent instruction files, and
their diffs. Use only repositories whose licence allows it. A text that carries an attack on purpose (a test set, a payload
list) is not for this tool. Addresses of people are replaced. Python standard library only.
"""

import argparse
import hashlib
import json
import pathlib
import random
import re
import subprocess
import sys

EMAIL = re.compile(r"[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+")
PEOPLE = re.compile(r"(?m)^((?:Author|Committer|Signed-off-by|Co-authored-by|Reviewed-by|Acked-by)\s*:\s*).*$")
AGENT_FILE = re.compile(r"(^|/)(CLAUDE|AGENTS|GEMINI|SKILL|MEMORY|CONVENTIONS)\.md$|\.cursorrules$|\.mdc$|copilot-instructions|(^|/)\.?(skills|microagents|agents|prompts|rules|clinerules|windsurf|claude)/.*\.(md|txt|yml|yaml)$")
SECURITY = re.compile(r"secur|threat|vuln|attack|inject|owasp|asvs|LLM\d\d|A\d\d_|hardening", re.I)
MENTION = re.compile(r"prompt injection|jailbreak|ignore (all |any )?(previous|prior) instructions|system prompt", re.I)
KINDS = [
    (re.compile(r"(^|/)(CHANGELOG|CHANGES|HISTORY|RELEASES?|NEWS|release-notes)[^/]*$", re.I), "changelog"),
    (re.compile(r"(^|/)\.(github|gitlab|circleci)/|Dockerfile|Makefile|Jenkinsfile|\.(tf|toml|ini|cfg|sh|bash|zsh|fish|ps1)$"), "build"),
    (re.compile(r"\.(md|mdx|rst|txt|adoc|1)$"), "docs"),
    (re.compile(r"\.(html?|vue|svelte|astro)$"), "html"),
    (re.compile(r"\.(json|ya?ml|csv|po)$"), "data"),
    (re.compile(r"\.(py|pyi|ts|tsx|js|jsx|mjs|go|rs|java|kt|rb|php|c|h|cc|cpp|cs|swift|lua|sql|vim|proto)$"), "code"),
]
SKIP = re.compile(r"(^|/)(node_modules|vendor|dist|\.git)/|\.min\.|(package-lock|pnpm-lock|yarn\.lock|go\.sum|uv\.lock|poetry\.lock)|fixtures?/|testdata/|\.(png|jpe?g|gif|svg|ico|pdf|woff2?|zip|gz|jar|snap)$")
# An attack outside of prose is a payload, not a mention of one.
PAYLOAD = re.compile(r"(ignore|disregard|forget) (all |any |the )*(previous|prior|above|earlier) (instruction|direction|prompt)", re.I)
LANGUAGE = re.compile(r"(?:^|/)(de|fr|es|pt|pt-br|it|nl|pl|ru|uk|tr|ar|hi|zh|zh-cn|zh-tw|zh-hans|zh-hant|ja|ko|vi|id|sv|cs|fa|bn|he|hu|ro|el|th|az|ur|yo|ta|da|nb|fi)(?:/|\.)", re.I)


def scrub(text):
    def one(match):
        host = match[0].split("@")[1].lower()
        if host.endswith(("example.com", "example.org", "example.net", "users.noreply.github.com")) or match[0].startswith("git@"):
            return match[0]
        return "user%d@example.com" % (int(hashlib.md5(match[0].lower().encode()).hexdigest(), 16) % 900 + 100)

    return PEOPLE.sub(r"\1Dev One <dev@example.com>", EMAIL.sub(one, text.replace("\r\n", "\n").replace("\x00", "")))


def kind_of(path):
    if AGENT_FILE.search(path):
        return "agent-instructions"
    for pattern, kind in KINDS:
        if pattern.search(path):
            return "security-doc" if kind == "docs" and SECURITY.search(path) else kind
    return None


def windows(text, rng, most):
    """Windows of whole lines; short, middle and long ones."""
    out, current, target = [], "", rng.choice([250, 700, 1500, 2600])
    for line in text.split("\n"):
        current += line[:3000] + "\n"
        if len(current) >= target:
            out.append(current.strip("\n"))
            current, target = "", rng.choice([250, 700, 1500, 2600])
    if len(current.strip()) > 100:
        out.append(current.strip("\n"))
    return rng.sample(out, most) if len(out) > most else out


def row(text, source, form, language, group):
    kind = "memory" if form == "agent-instructions-diff" else "file" if form in ("code", "agent-instructions", "docs", "data", "build") else "tool"
    if form in ("docs", "security-doc") and MENTION.search(text):
        form = "security-doc-mention"
    return {"text": text, "label": 0, "source": f"mined/{source}", "kind": kind, "form": f"mined:{form}", "language": language, "group": f"mined:{group}"}


def files(folder, source, limit, seed):
    rng = random.Random(f"{seed}/{source}")
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if not path.is_file() or path.is_symlink() or SKIP.search(name) or path.stat().st_size > 600_000:
            continue
        kind = kind_of(name)
        if kind:
            match = LANGUAGE.search(name) if kind in ("docs", "data", "changelog") else None
            language = match[1].lower().split("-")[0] if match else "en"
            found.setdefault((kind, language), []).append(path)
    # Every kind and language gets its turn, so that a repository full of code still gives its documents.
    made, seen = 0, set()
    queues = {key: rng.sample(paths, len(paths)) for key, paths in sorted(found.items())}
    while made < limit and queues:
        for key in list(queues):
            if not queues[key]:
                del queues[key]
                continue
            path = queues[key].pop()
            try:
                text = scrub(path.read_text("utf-8"))
            except (UnicodeDecodeError, OSError):
                continue
            for window in windows(text, rng, 12 if key[0] in ("changelog", "security-doc") else 3):
                if key[0] in ("data", "code", "build", "html") and PAYLOAD.search(window):
                    continue
                if made < limit and window not in seen and len(window) > 60:
                    seen.add(window)
                    made += 1
                    yield row(window, source, key[0], key[1], f"{source}:{path.relative_to(folder).as_posix()}")


def git(folder, *words):
    return subprocess.run(["git", "-C", str(folder), *words], capture_output=True).stdout.decode("utf-8", "replace")


def history(folder, source, limit, seed):
    """Commit messages in groups, commits with their diffs, and diffs of agent instruction files."""
    rng = random.Random(f"{seed}/{source}/history")
    hashes = git(folder, "log", "--no-merges", "-n", "4000", "--format=%H").split()
    rng.shuffle(hashes)
    for i in range(0, min(limit // 3 * 5, len(hashes)), 5):
        text = scrub(git(folder, "log", "--no-walk", "--format=commit %H%nAuthor: x <x@example.com>%nDate: %ad%n%n%w(0,4,4)%B", *hashes[i : i + 5]))
        yield row(text[:3000].strip(), source, "git-log", "en", f"{source}:log")
    for one in hashes[: limit // 3]:
        text = scrub(git(folder, "show", "--format=commit %h%n%n%w(0,4,4)%B", "--unified=3", one))
        if "\ndiff --git" in text and "\x00" not in text:
            yield row(text[: rng.choice([800, 2000, 4000])].strip(), source, "git-diff", "en", f"{source}:diff")
    wanted = ["*CLAUDE.md", "*AGENTS.md", "*GEMINI.md", "*SKILL.md", "*.mdc", "*.clinerules*", "*microagents*", "*copilot-instructions.md", "*.cursorrules", "*.claude/*"]
    for one in git(folder, "log", "--no-merges", "-n", str(limit), "--format=%H", "--", *wanted).split()[: limit // 2]:
        text = git(folder, "show", "--format=", "--unified=3", one, "--", *wanted)
        for part in re.split(r"(?m)^(?=diff --git )", scrub(text))[1:4]:
            if len(part) > 120 and "Binary files" not in part:
                yield row(part[:3000].strip(), source, "agent-instructions-diff", "en", f"{source}:agent-diff")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--source", required=True, help="owner/name, for the model card")
    parser.add_argument("--limit", type=int, default=500, help="most rows from files")
    parser.add_argument("--history", type=int, default=0, help="about this many rows from the git history instead of the files")
    parser.add_argument("--seed", default="1")
    arguments = parser.parse_args()
    rows = history if arguments.history else files
    for one in rows(arguments.folder, arguments.source, arguments.history or arguments.limit, arguments.seed):
        sys.stdout.write(json.dumps(one, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
