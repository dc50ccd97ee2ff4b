/** What a Makefile's targets run: hostile files end, and what only make can tell stays unknown. */
import { expect, test } from "bun:test";
import { makeRecipes } from "../../src/call/makefile.ts";
import { CHOSEN } from "../../src/limits.ts";

const run = (content: string, targets: readonly string[] | "all" = [], given: Readonly<Record<string, string>> = {}): string =>
  makeRecipes(content, { targets, given: new Map(Object.entries(given)), include: () => undefined });

test("L-111: variables, functions and automatic names are worked out, a shell's own are left to it", () => {
  expect(run("A := x\nB = $(A)/y\nA += z\nall: b\n\t@run $(B) $@ $< $$HOME $(UNKNOWN)\n")).toBe("(run x z/y all b $HOME ${UNKNOWN}\n)");
  expect(run("V ?= a\nall:\n\tx $(V)\n", [], { V: "b" })).toBe("(x b\n)");
  expect(run("f = put $(1) $(2)\nall:\n\t$(call f,a,$(strip b)) $(if c,d,e) $(shell date) $(patsubst a,b,c)\n")).toBe(
    "(put a b d $(date) $MAKE_VALUE\n)",
  );
  expect(run("define two\nfirst\nsecond\nendef\nall:\n\t$(two)\n")).toBe("(first\n)\n(second\n)");
});

test("L-111: the first target, the ones it needs, patterns and what is joined by a backslash", () => {
  expect(run(".PHONY: all\nall: one two\none:\n\ta \\\n\t  b\ntwo: ; c # d\n")).toBe("(a \\\nb\n)\n(c\n)");
  expect(run("p-%:\n\tput $*\n", ["p-x"])).toBe("(put x\n)");
  expect(run("ifdef A\nall:\n\ta\nelse\nother:\n\tb\nendif\n", "all")).toBe("(a\n)\n(b\n)");
});

test("L-111 D-27: what goes round in circles or grows without end comes to an end", () => {
  expect(run("A = $(A)\nall:\n\tx $(A)\n")).toContain("$MAKE_VALUE");
  const many = Array.from({ length: 40 }, (_, n) => `A${n + 1} = ${`$(A${n})`.repeat(20)}`).join("\n");
  expect(run(`A0 =\n${many}\nall:\n\tx $(A40)\n`).length).toBeLessThan(CHOSEN.word_chars);
  expect(run(`A0 = 0123456789\n${many}\nall:\n\tx $(A40)\n`).length).toBeLessThan(2 * CHOSEN.word_chars);
  let included = 0;
  makeRecipes("include a.mk\n", { targets: [], given: new Map(), include: () => `include a.mk\n#${included++}` });
  expect(included).toBeLessThanOrEqual(CHOSEN.recipe_includes);
});
