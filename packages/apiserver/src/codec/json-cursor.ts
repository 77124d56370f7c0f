/** Walks a well-formed JSON text value by value and reports how each is written. */

/** The name of a JSON type in Go's messages. */
export type JsonWord = "object" | "array" | "string" | "number" | "bool" | "null";

/** A position in the text: before a value, or after one. */
export class JsonCursor {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the type of the next value. */
  peek(): JsonWord {
    switch (this.#skipSpace()) {
      case "{":
        return "object";
      case "[":
        return "array";
      case '"':
        return "string";
      case "t":
      case "f":
        return "bool";
      case "n":
        return "null";
      default:
        return "number";
    }
  }

  /** Skips the next value and returns its text. */
  raw(): string {
    const word = this.peek();
    const start = this.#at;
    if (word === "object" || word === "array") this.#skipNested();
    else if (word === "string") this.#skipString();
    else while (/[-+.\w]/.test(this.#text.charAt(this.#at))) this.#at++;
    return this.#text.slice(start, this.#at);
  }

  /** Reads the next value, a string. A lone surrogate, which only an escape can produce, becomes U+FFFD. */
  string(): string {
    const raw = this.raw();
    return raw.includes("\\") ? (JSON.parse(raw) as string).replaceAll(/\p{Surrogate}/gu, "\ufffd") : raw.slice(1, -1);
  }

  /** Visits the members of the next value, an object; `visit` is called before each value and must consume it. */
  members(visit: (key: string) => void): void {
    this.#each("}", () => {
      const key = this.string();
      this.#skipSpace();
      this.#at++;
      visit(key);
    });
  }

  /** Visits the items of the next value, a list; `visit` must consume each. */
  items(visit: (index: number) => void): void {
    let index = 0;
    this.#each("]", () => visit(index++));
  }

  #each(end: string, visit: () => void): void {
    this.#skipSpace();
    this.#at++;
    if (this.#skipSpace() === end) {
      this.#at++;
      return;
    }
    for (;;) {
      this.#skipSpace();
      visit();
      const next = this.#skipSpace();
      this.#at++;
      if (next === end) return;
    }
  }

  #skipNested(): void {
    let depth = 0;
    do {
      const character = this.#text.charAt(this.#at);
      if (character === '"') {
        this.#skipString();
        continue;
      }
      if (character === "{" || character === "[") depth++;
      else if (character === "}" || character === "]") depth--;
      this.#at++;
    } while (depth > 0);
  }

  #skipString(): void {
    for (this.#at++; this.#text.charAt(this.#at) !== '"'; this.#at++) if (this.#text.charAt(this.#at) === "\\") this.#at++;
    this.#at++;
  }

  #skipSpace(): string {
    for (;;) {
      const character = this.#text.charAt(this.#at);
      if (character !== " " && character !== "\n" && character !== "\t" && character !== "\r") return character;
      this.#at++;
    }
  }
}
