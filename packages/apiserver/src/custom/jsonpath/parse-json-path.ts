/**
 * Parses a JSONPath in kubectl's dialect: `.spec.containers[*].name`, `.status.conditions[?(@.type=="Ready")].status`, `..name`,
 * `.a['b\.c']`, `.l[-1:]`.
 *
 *     text → parseJsonPath → JsonPath → findJsonPath
 *
 * Templates of the dialect mix text and several paths in braces; a column is one path, so text after a closing brace is refused.
 */
import { JsonPathError } from "./json-path.ts";
import type { ItemsStep, JsonPath, JsonPathStep } from "./json-path.ts";
import { unquoteText } from "./unquote-text.ts";

/** Parses a path. Throws a {@link JsonPathError}. */
export function parseJsonPath(text: string): JsonPath {
  return new Reader(text).read();
}

/** Characters that end a name. */
const terminators: ReadonlySet<string> = new Set([" ", "\t", "\r", "\n", ".", ",", "[", "]", "$", "@", "{", "}", ""]);
const isWordCharacter = (character: string): boolean => /^[_\p{L}\p{Nd}]$/u.test(character);

class Reader {
  readonly #characters: readonly string[];
  readonly #steps: JsonPathStep[] = [];
  #next = 0;

  constructor(text: string) {
    this.#characters = Array.from(text);
  }

  read(): JsonPath {
    while (this.#next < this.#characters.length) this.#readOne();
    return this.#steps;
  }

  #readOne(): void {
    if (this.#skip("[?(")) return this.#readFilter();
    if (this.#skip("..")) return this.#readDescendants();
    const character = this.#take();
    if (character === " " || character === "@" || character === "$") return;
    if (character === "[") return this.#readBrackets();
    if (character === '"' || character === "'") return this.#readQuoted(character);
    if (character === ".") return this.#readField();
    if (character === "\r" || character === "\n") throw new JsonPathError("unclosed action");
    if (/^[-+\p{Nd}]$/u.test(character)) return this.#readNumber(character);
    if (isWordCharacter(character)) return this.#readWord(character);
    throw new JsonPathError(`unrecognized character in action: ${character}`);
  }

  #readField(): void {
    let name = "";
    for (let character = this.#peek(); !terminators.has(character); character = this.#peek()) {
      this.#take();
      name += character === "\\" ? `\\${this.#take()}` : character;
    }
    this.#steps.push(name === "*" ? { kind: "wildcard" } : { kind: "field", name: name.replaceAll("\\", "") });
  }

  #readDescendants(): void {
    if (this.#steps.at(-1)?.kind === "descendants") throw new JsonPathError("invalid multiple recursive descent");
    this.#steps.push({ kind: "descendants" });
    if (isWordCharacter(this.#peek())) this.#readField();
  }

  #readWord(first: string): void {
    const word = first + this.#takeWhile((character) => !terminators.has(character));
    this.#steps.push(word === "true" || word === "false" ? { kind: "literal", value: word === "true" } : { kind: "word", word });
  }

  #readNumber(first: string): void {
    const text = first + this.#takeWhile((character) => /^[.\p{Nd}]$/u.test(character));
    if (!/^[-+]?(?:\d+\.?\d*|\.\d+)$/.test(text)) throw new JsonPathError(`cannot parse number ${text}`);
    this.#steps.push({ kind: "literal", value: Number(text) });
  }

  #readQuoted(quote: string): void {
    let text = "";
    for (;;) {
      const character = this.#take();
      if (character === "" || character === "\n") throw new JsonPathError("unterminated quoted string");
      if (character === quote && !text.endsWith("\\")) break;
      text += character;
    }
    this.#steps.push({ kind: "literal", value: unquoteText(text, quote) });
  }

  #readBrackets(): void {
    const text = this.#takeWhile((character) => character !== "]" && character !== "\n" && character !== "");
    if (this.#take() !== "]") throw new JsonPathError("unterminated array");
    const parts = text.split(",");
    if (parts.length > 1) {
      this.#steps.push({ kind: "union", paths: parts.map((part) => parseJsonPath(`[${part.replace(/^ +| +$/g, "")}]`)) });
      return;
    }
    const key = /^'([^']*)'$/.exec(text)?.[1];
    // A key is parsed as a field, so its dots need a backslash.
    if (key === undefined) this.#steps.push(itemsStep(text));
    else this.#steps.push(...parseJsonPath(`.${key}`));
  }

  #readFilter(): void {
    const text = this.#takeFilter();
    const comparison = /^([^!<>=]+)([!<>=]+)(.+?)$/.exec(text);
    if (comparison === null) this.#steps.push({ kind: "filter", left: parseJsonPath(text), operator: "exists", right: [] });
    else {
      const [, left = "", operator = "", right = ""] = comparison;
      this.#steps.push({ kind: "filter", left: parseJsonPath(left), operator, right: parseJsonPath(right) });
    }
  }

  /** A filter ends at the first parenthesis outside quotes; it may contain one quoted string. */
  #takeFilter(): string {
    let text = "";
    let quote = "";
    let isQuoteClosed = false;
    for (;;) {
      const character = this.#take();
      if (character === "" || character === "\n") throw new JsonPathError("unterminated filter");
      if (character === ")" && (quote !== "") === isQuoteClosed) break;
      if (character === '"' || character === "'") {
        if (quote === "") quote = character;
        else if (character === quote && !text.endsWith("\\")) isQuoteClosed = true;
      }
      text += character;
    }
    if (this.#take() !== "]") throw new JsonPathError("unclosed array expect ]");
    return text;
  }

  #peek(): string {
    return this.#characters[this.#next] ?? "";
  }

  #take(): string {
    return this.#characters[this.#next++] ?? "";
  }

  #takeWhile(holds: (character: string) => boolean): string {
    let text = "";
    while (this.#next < this.#characters.length && holds(this.#peek())) text += this.#take();
    return text;
  }

  #skip(text: string): boolean {
    if (this.#characters.slice(this.#next, this.#next + text.length).join("") !== text) return false;
    this.#next += text.length;
    return true;
  }
}

function itemsStep(text: string): ItemsStep {
  const parts = /^(-?\d*)(:-?\d*)?(:-?\d*)?$/.exec(text === "*" ? ":" : text);
  if (parts === null) throw new JsonPathError(`invalid array index ${text}`);
  const [from, to, step] = [bound(parts[1]), bound(parts[2]?.slice(1)), bound(parts[3]?.slice(1))];
  const end = parts[2] === undefined ? "next" : to;
  return {
    kind: "items",
    ...(from === undefined ? {} : { from }),
    ...(end === undefined ? {} : { to: end }),
    ...(step === undefined ? {} : { step }),
  };
}

function bound(text: string | undefined): number | undefined {
  if (text === undefined || text === "") return undefined;
  if (text === "-") throw new JsonPathError("array index - is not a number");
  return Number(text);
}
