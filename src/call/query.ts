/**
 * Programs of jq and yq that choose parts of a document: paths, keys, counts, comparisons, new objects. What is not
 * among them is not worked out. Pure; bounded in the length of the program and the number of values.
 */

/** A document's value. */
type Value = unknown;
/** What a program makes of one value. Throws `Unclear` where the real one would complain, since it quotes what it complains about. */
type Step = (value: Value) => readonly Value[];

class Unclear extends Error {}

/** Longest program that is read, in characters. */
const LONGEST = 400;
/** Values one program may yield. */
const VALUES_MAX = 10_000;
const DEPTH_MAX = 64;

/** The values a program yields for a document; undefined when that cannot be told. */
export function queried(program: string, document: Value): readonly Value[] | undefined {
  try {
    const step = new Parser(program).whole();
    return step === undefined ? undefined : bounded(step(document));
  } catch (problem) {
    if (problem instanceof Unclear || problem instanceof RangeError) return undefined;
    throw problem;
  }
}

/** Whether a program is one that can be worked out. */
export function isReadable(program: string): boolean {
  try {
    return new Parser(program).whole() !== undefined;
  } catch (problem) {
    if (problem instanceof Unclear) return false;
    throw problem;
  }
}

function bounded(values: readonly Value[]): readonly Value[] {
  if (values.length > VALUES_MAX) throw new Unclear();
  return values;
}

const TOKEN = /\s*(?:("(?:[^"\\]|\\["\\/])*")|(\.[A-Za-z_]\w*)|([A-Za-z_]\w*)|(-?\d+(?:\.\d+)?)|(==|!=|<=|>=|\/\/|\.\.|[.,|()[\]{}:?<>]))/y;

class Parser {
  readonly #tokens: string[] = [];
  #at = 0;
  #depth = 0;

  constructor(program: string) {
    if (program.length > LONGEST) throw new Unclear();
    const text = program.trim();
    TOKEN.lastIndex = 0;
    while (TOKEN.lastIndex < text.length) {
      const found = TOKEN.exec(text);
      if (found === null) throw new Unclear();
      this.#tokens.push(found[0].trim());
    }
  }

  whole(): Step | undefined {
    const step = this.#pipe();
    return this.#at === this.#tokens.length ? step : undefined;
  }

  #take(...wanted: readonly string[]): string | undefined {
    const token = this.#tokens[this.#at];
    if (token === undefined || !wanted.includes(token)) return undefined;
    this.#at++;
    return token;
  }

  #need(token: string): void {
    if (this.#take(token) === undefined) throw new Unclear();
  }

  #pipe(): Step {
    if (++this.#depth > DEPTH_MAX) throw new Unclear();
    let left = this.#comma();
    while (this.#take("|") !== undefined) {
      const [first, second] = [left, this.#comma()];
      left = (value) => bounded(first(value).flatMap((one) => [...second(one)]));
    }
    this.#depth--;
    return left;
  }

  #comma(): Step {
    const steps = [this.#either()];
    while (this.#take(",") !== undefined) steps.push(this.#either());
    return steps.length === 1 ? (steps[0] as Step) : (value) => bounded(steps.flatMap((step) => [...step(value)]));
  }

  #either(): Step {
    let left = this.#logic();
    while (this.#take("//") !== undefined) {
      const [first, second] = [left, this.#logic()];
      left = (value) => {
        const found = first(value).filter(isTrue);
        return found.length > 0 ? found : second(value);
      };
    }
    return left;
  }

  #logic(): Step {
    let left = this.#compared();
    for (let word = this.#take("and", "or"); word !== undefined; word = this.#take("and", "or")) {
      const [first, second, every] = [left, this.#compared(), word === "and"];
      left = (value) => [
        every ? isTrue(one(first(value))) && isTrue(one(second(value))) : isTrue(one(first(value))) || isTrue(one(second(value))),
      ];
    }
    return left;
  }

  #compared(): Step {
    const left = this.#postfix();
    const sign = this.#take("==", "!=");
    if (sign === undefined) return left;
    const right = this.#postfix();
    return (value) => [(JSON.stringify(one(left(value))) === JSON.stringify(one(right(value)))) === (sign === "==")];
  }

  #postfix(): Step {
    let step = this.#term();
    for (;;) {
      const token = this.#tokens[this.#at];
      if (token?.startsWith(".") === true && token.length > 1 && token !== "..") {
        this.#at++;
        step = then(step, member(token.slice(1)));
      } else if (token === "." && this.#tokens[this.#at + 1]?.startsWith('"') === true) {
        this.#at += 2;
        step = then(step, member(JSON.parse(this.#tokens[this.#at - 1] ?? '""') as string));
      } else if (token === "[" || (token === "." && this.#tokens[this.#at + 1] === "[")) {
        this.#at += token === "." ? 2 : 1;
        step = then(step, this.#index());
      } else if (this.#take("?") === undefined) return step;
      else {
        const inner = step;
        step = (value) => {
          try {
            return inner(value);
          } catch (problem) {
            if (problem instanceof Unclear) return [];
            throw problem;
          }
        };
      }
    }
  }

  #index(): Step {
    if (this.#take("]") !== undefined) return each;
    const token = this.#tokens[this.#at++] ?? "";
    this.#need("]");
    if (token.startsWith('"')) return member(JSON.parse(token) as string);
    if (/^-?\d+$/.test(token)) return element(Number(token));
    throw new Unclear();
  }

  #term(): Step {
    const token = this.#tokens[this.#at++];
    if (token === undefined) throw new Unclear();
    if (token === ".") {
      const next = this.#tokens[this.#at];
      if (next === "[") {
        this.#at++;
        return this.#index();
      }
      if (next?.startsWith('"') !== true) return (value) => [value];
      this.#at++;
      return member(JSON.parse(next) as string);
    }
    if (token.startsWith(".") && token !== "..") return member(token.slice(1));
    if (/^["\-\d]/.test(token)) {
      const known: unknown = JSON.parse(token);
      return () => [known];
    }
    if (token === "(") {
      const inner = this.#pipe();
      this.#need(")");
      return inner;
    }
    if (token === "[") {
      if (this.#take("]") !== undefined) return () => [[]];
      const inner = this.#pipe();
      this.#need("]");
      return (value) => [inner(value)];
    }
    if (token === "{") return this.#object();
    return this.#named(token);
  }

  #object(): Step {
    const fields: { name: string; step: Step }[] = [];
    while (this.#take("}") === undefined) {
      const token = this.#tokens[this.#at++] ?? "";
      const name = token.startsWith('"') ? (JSON.parse(token) as string) : token;
      if (!token.startsWith('"') && !/^[A-Za-z_]\w*$/.test(token)) throw new Unclear();
      fields.push({ name, step: this.#take(":") === undefined ? member(name) : this.#either() });
      if (this.#take(",") === undefined && this.#tokens[this.#at] !== "}") throw new Unclear();
    }
    return (value) => [Object.fromEntries(fields.map(({ name, step }) => [name, one(step(value))]))];
  }

  #argument(): Step {
    this.#need("(");
    const inner = this.#pipe();
    this.#need(")");
    return inner;
  }

  #named(name: string): Step {
    switch (name) {
      case "true":
      case "false":
      case "null": {
        const known: unknown = JSON.parse(name);
        return () => [known];
      }
      case "empty":
        return () => [];
      case "not":
        return (value) => [!isTrue(value)];
      case "type":
        return (value) => [typeOf(value)];
      case "length":
        return (value) => [lengthOf(value)];
      case "keys":
      case "keys_unsorted":
        return (value) => [Object.keys(container(value)).toSorted()];
      case "to_entries":
        return (value) => [Object.entries(container(value)).map(([key, inner]) => ({ key, value: inner }))];
      case "paths":
        return (value) => pathsOf(value, []);
      case "first":
        return element(0);
      case "last":
        return element(-1);
      case "has": {
        const inner = this.#argument();
        return (value) => [Object.hasOwn(container(value), String(one(inner(value))))];
      }
      case "join": {
        const inner = this.#argument();
        return (value) => [
          list(value)
            .map((item) => (isText(item) ? String(item ?? "") : unclear()))
            .join(String(one(inner(value)))),
        ];
      }
      case "startswith": {
        const inner = this.#argument();
        return (value) => [text(value).startsWith(text(one(inner(value))))];
      }
      case "map": {
        const inner = this.#argument();
        return (value) => [bounded(list(value).flatMap((item) => [...inner(item)]))];
      }
      case "select": {
        const inner = this.#argument();
        return (value) => (isTrue(one(inner(value))) ? [value] : []);
      }
      case "map_values": {
        const inner = this.#argument();
        return (value) => [Object.fromEntries(Object.entries(container(value)).map(([key, item]) => [key, one(inner(item))]))];
      }
      case "del":
        return this.#removal();
      default:
        throw new Unclear();
    }
  }

  /** `del(.a, .b)` of members at the top. */
  #removal(): Step {
    this.#need("(");
    const names: string[] = [];
    do {
      const token = this.#tokens[this.#at++] ?? "";
      if (!/^\.\w/.test(token)) throw new Unclear();
      names.push(token.slice(1));
    } while (this.#take(",") !== undefined);
    this.#need(")");
    return (value) => [Object.fromEntries(Object.entries(container(value)).filter(([name]) => !names.includes(name)))];
  }
}

function then(first: Step, second: Step): Step {
  return (value) => bounded(first(value).flatMap((inner) => [...second(inner)]));
}

function unclear(): never {
  throw new Unclear();
}

function one(values: readonly Value[]): Value {
  return values.length === 1 ? values[0] : unclear();
}

function member(name: string): Step {
  return (value) => {
    if (value === null || value === undefined) return [null];
    if (typeof value !== "object" || Array.isArray(value)) return unclear();
    return [Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : null];
  };
}

function element(index: number): Step {
  return (value) => (value === null ? [null] : [list(value).at(index) ?? null]);
}

const each: Step = (value) => Object.values(container(value));

function container(value: Value): object {
  return typeof value === "object" && value !== null ? value : unclear();
}

function list(value: Value): readonly Value[] {
  return Array.isArray(value) ? value : unclear();
}

function text(value: Value): string {
  return typeof value === "string" ? value : unclear();
}

function isText(value: Value): boolean {
  return value === null || typeof value !== "object";
}

function isTrue(value: Value): boolean {
  return value !== false && value !== null && value !== undefined;
}

function typeOf(value: Value): string {
  if (value === null || value === undefined) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function lengthOf(value: Value): number {
  if (value === null) return 0;
  if (typeof value === "string") return [...value].length;
  return typeof value === "number" ? Math.abs(value) : Object.keys(container(value)).length;
}

function pathsOf(value: Value, path: readonly (string | number)[]): readonly (readonly (string | number)[])[] {
  if (typeof value !== "object" || value === null) return [];
  if (path.length > DEPTH_MAX) return unclear();
  return bounded(
    Object.entries(value).flatMap(([key, inner]) => {
      const here = [...path, Array.isArray(value) ? Number(key) : key];
      return [here, ...pathsOf(inner, here)];
    }),
  ) as readonly (readonly (string | number)[])[];
}
