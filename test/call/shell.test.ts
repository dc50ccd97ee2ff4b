import { describe, expect, test } from "bun:test";
import { bash, effect, tell } from "./notation.ts";
import { SECTIONS } from "./shell.cases.ts";

for (const section of SECTIONS) {
  describe(section.title, () => {
    for (const [command, ...effects] of section.rows) {
      test(command, () => {
        expect(tell(command)).toEqual([...effects]);
      });
    }
  });
}

describe("the samples are real shell", () => {
  test("bash -n accepts every one", () => {
    // One process: each command stands alone in a child that only parses it.
    const commands = SECTIONS.flatMap((section) => section.rows.map(([command]) => command));
    const script = 'while IFS= read -r -d "" c; do bash -n <<< "$c" || printf "%s\\0" "$c"; done';
    const done = Bun.spawnSync(["bash", "-c", script], {
      stdin: new TextEncoder().encode(commands.map((command) => `${command}\0`).join("")),
    });
    expect(done.stdout.toString()).toBe("");
  });
});

describe("L-023 programs that would start", () => {
  const started = (command: string): string[] => bash(command).flatMap((one) => (one.kind === "run" ? [effect(one).slice(4)] : []));

  test("self-protection sees the command behind wrappers, quotes and paths", () => {
    for (const command of [
      "poisonzero leak0 off",
      "sudo poisonzero leak0 off",
      'poisonzero "leak0" off',
      "/usr/local/bin/poisonzero leak0 off",
      "command poisonzero leak0 off",
      "bash -c 'poisonzero leak0 off'",
      "env X=1 nohup poisonzero leak0 off &",
      "echo leak0 off | xargs poisonzero",
      "P=poisonzero; $P leak0 off",
      "cd /tmp && { poisonzero leak0 off; }",
      "ssh localhost poisonzero leak0 off",
      "ssh $(hostname) poisonzero leak0 off",
      "docker run -v /:/h img chroot /h poisonzero leak0 off",
      "xterm -e poisonzero leak0 off",
      "echo poisonzero leak0 off | sudo -i",
      "echo poisonzero leak0 off | su",
      "parallel ::: 'poisonzero leak0 off'",
      "systemd-run -t poisonzero leak0 off",
      "machinectl shell root@ poisonzero leak0 off",
      "(crontab -l; echo '@daily poisonzero leak0 off') | crontab -",
    ]) {
      expect(started(command)).toContain("poisonzero leak0 off");
    }
  });

  test("text about it is no command", () => {
    for (const command of [
      'git commit --allow-empty -m "docs: explain poisonzero leak0 off"',
      "echo poisonzero leak0 off",
      "cat <<'E'\npoisonzero leak0 off\nE",
      "# poisonzero leak0 off",
      "grep 'poisonzero leak0 off' README.md",
      "ssh -p 2222 localhost poisonzero leak0 off",
      "ssh host poisonzero leak0 off",
      "docker run img poisonzero leak0 off",
    ]) {
      expect(started(command).filter((line) => line.startsWith("poisonzero"))).toEqual([]);
    }
  });

  test("arguments are resolved", () => {
    expect(started("sudo systemctl stop poisonzero")).toContain("systemctl stop poisonzero");
    expect(started("x=stop; systemctl $x 'poison'zero")).toEqual(["systemctl stop poisonzero"]);
  });
});

describe("git invocations", () => {
  const git = (command: string) => bash(command).flatMap((one) => (one.kind === "git" ? [one.invocation] : []));

  test("L-045 GIT_* set in the command itself are handed on", () => {
    expect(git("GIT_DIR=/x/.git GIT_WORK_TREE=/x git add .env")[0]?.environment).toEqual({ GIT_DIR: "/x/.git", GIT_WORK_TREE: "/x" });
    expect(git("export GIT_DIR=/x/.git; git add .env")[0]?.environment).toEqual({ GIT_DIR: "/x/.git" });
    expect(git("GIT_DIR=/x; git add .env")[0]?.environment).toEqual({});
  });

  test("standard input is handed on", () => {
    expect(git("echo 'a msg' | git commit -F -")[0]?.stdin).toEqual([{ from: "text", text: "a msg\n", plain: true }]);
  });

  test("a message built by a here-document keeps its text", () => {
    const [invocation] = git("git commit -m \"$(cat <<'EOF'\nfix: x\nEOF\n)\"");
    expect(invocation?.args[1]).toEqual({ text: "fix: x", exact: true, sources: [] });
  });
});
