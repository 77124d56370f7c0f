/**
 * Texts that match a pattern: literals, classes, groups, alternatives and repetitions. Other patterns are tried with common texts.
 *
 *     pattern → patternText → a text, or undefined if none was found
 */
import { isInstanceOf } from "@drover/machinery";
import type { Random } from "@drover/machinery";

/** Texts that many patterns of APIs accept. */
const common: readonly string[] = [
  "",
  "a",
  "web",
  "1",
  "10",
  "10m",
  "1Gi",
  "5s",
  "a.example.com",
  "https://example.com/a",
  "example.com/a",
  "10.0.0.1",
  "10.0.0.0/8",
  "2001:db8::1",
  "2026-01-01T00:00:00Z",
  "2026-01-01",
  "9d8b2c1e-4f3a-4b6c-8d7e-1a2b3c4d5e6f",
  "a@example.com",
  "registry.example.com/web:1",
  "v1",
  "Ready",
];

/** How often `*` and `+` repeat at most beyond what they must. */
const repeatsMax = 3;
/** Texts that are built and checked before the common ones. */
const triesMax = 20;

/** Returns a random text that the pattern matches (RE2, unanchored); undefined if none was found. @param fits - also holds for the text */
export function patternText(pattern: string, random: Random, fits: (text: string) => boolean): string | undefined {
  for (let tries = 0; tries < triesMax; tries++) {
    const text = builtText(pattern, random);
    if (text === undefined) break;
    if (fits(text)) return text;
  }
  const fitting = common.filter(fits);
  return fitting[random.int(Math.max(1, fitting.length))];
}

/** Undefined for syntax that is not supported. */
function builtText(pattern: string, random: Random): string | undefined {
  try {
    const reader = new PatternReader(pattern, random);
    return reader.whole();
  } catch (error) {
    if (isInstanceOf(error, UnsupportedPattern)) return undefined;
    throw error;
  }
}

class UnsupportedPattern extends Error {}

type Text = () => string;

/** Reads a pattern into a function that builds texts. */
class PatternReader {
  readonly #pattern: string;
  readonly #random: Random;
  #at = 0;

  constructor(pattern: string, random: Random) {
    this.#pattern = pattern.replace(/^\(\?i\)/, "");
    this.#random = random;
  }

  whole(): string {
    const text = this.#alternatives();
    if (this.#at < this.#pattern.length) throw new UnsupportedPattern();
    return text();
  }

  #alternatives(): Text {
    const all = [this.#sequence()];
    while (this.#take("|")) all.push(this.#sequence());
    return () => this.#pick(all)();
  }

  #sequence(): Text {
    const parts: Text[] = [];
    while (this.#at < this.#pattern.length && !"|)".includes(this.#peek())) parts.push(this.#repeated(this.#atom()));
    return () => parts.map((part) => part()).join("");
  }

  #atom(): Text {
    const next = this.#next();
    if (next === "^" || next === "$") return () => "";
    if (next === ".") return () => this.#pick(["a", "1", "-"]);
    if (next === "[") return this.#class();
    if (next === "\\") return this.#escape(this.#next());
    if (next === "(") return this.#group();
    if ("*+?{".includes(next)) throw new UnsupportedPattern();
    return () => next;
  }

  #group(): Text {
    if (this.#take("?")) {
      if (this.#take("P<") || this.#take("<")) this.#at = this.#pattern.indexOf(">", this.#at) + 1;
      else if (!this.#take(":")) throw new UnsupportedPattern();
    }
    const text = this.#alternatives();
    if (!this.#take(")")) throw new UnsupportedPattern();
    return text;
  }

  #escape(letter: string): Text {
    if (letter === "d") return () => String(this.#random.int(10));
    if (letter === "w") return () => this.#pick(["a", "z", "A", "0", "_"]);
    if (letter === "s") return () => " ";
    if (letter === "S") return () => "x";
    if (/[bBAzpPQDWCE0-9xntrfv]/.test(letter)) throw new UnsupportedPattern();
    return () => letter;
  }

  #class(): Text {
    const isNegated = this.#take("^");
    const members: string[] = [];
    for (let isFirst = true; isFirst || this.#peek() !== "]"; isFirst = false) {
      const low = this.#member();
      if (low.length === 1 && this.#peek() === "-" && this.#pattern[this.#at + 1] !== "]") {
        this.#at++;
        members.push(...range(low, this.#member()));
      } else members.push(...low.split(""));
    }
    this.#at++;
    const letters = isNegated ? ["a", "Z", "0", "-", "_", ".", " ", "/", ":"].filter((letter) => !members.includes(letter)) : members;
    if (letters.length === 0) throw new UnsupportedPattern();
    return () => this.#pick(letters);
  }

  #member(): string {
    const next = this.#next();
    if (next === "[" && this.#peek() === ":") throw new UnsupportedPattern();
    if (next !== "\\") return next;
    const letter = this.#next();
    if (letter === "d") return "0123456789";
    if (letter === "w") return "abz019AZ_";
    if (letter === "s") return " ";
    if (/[a-zA-Z0-9]/.test(letter)) throw new UnsupportedPattern();
    return letter;
  }

  #repeated(part: Text): Text {
    let [least, most] = [1, 1];
    if (this.#take("*")) [least, most] = [0, repeatsMax];
    else if (this.#take("+")) [least, most] = [1, 1 + repeatsMax];
    else if (this.#take("?")) [least, most] = [0, 1];
    else if (this.#take("{")) {
      const end = this.#pattern.indexOf("}", this.#at);
      const [, low, comma, high] = /^(\d+)(,?)(\d*)$/.exec(this.#pattern.slice(this.#at, end)) ?? [];
      if (end < 0 || low === undefined) throw new UnsupportedPattern();
      this.#at = end + 1;
      least = Number(low);
      most = comma === "" ? least : Math.min(high === "" ? Infinity : Number(high), least + repeatsMax);
    } else return part;
    this.#take("?");
    if (least > 1000) throw new UnsupportedPattern();
    return () => Array.from({ length: least + this.#random.int(most - least + 1) }, part).join("");
  }

  #pick<T>(list: readonly T[]): T {
    return list[this.#random.int(list.length)] as T;
  }

  #peek(): string {
    return this.#pattern[this.#at] ?? "";
  }

  #next(): string {
    const next = this.#pattern[this.#at++];
    if (next === undefined) throw new UnsupportedPattern();
    return next;
  }

  #take(text: string): boolean {
    if (!this.#pattern.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }
}

function range(low: string, high: string): readonly string[] {
  const [from, to] = [low.charCodeAt(0), high.charCodeAt(0)];
  if (high.length !== 1 || to < from || to - from > 200) throw new UnsupportedPattern();
  return Array.from({ length: to - from + 1 }, (_, index) => String.fromCharCode(from + index));
}
