/** The format email: one address by RFC 5322, with or without a display name, comments and an enclosing group. */
import { isIPv4, isIPv6 } from "./format-network.ts";

/** Whether the text is exactly one mail address: `a@example.com`, `"A. B." <a@example.com>`, `Team: a@example.com;`. */
export function isEmail(text: string): boolean {
  const reader = new AddressReader(text);
  return reader.address("alone or in a group") === 1 && reader.skipComments() && reader.isAtEnd();
}

/** Words of letters, digits and signs, dots included: all visible characters except brackets, quotes and address delimiters. */
const dottedAtoms = /[!#-'*+\--9=?A-Z^-~\u0080-\uffff]+/y;
const domainLiteral = /\[[!-Z^-~\u0080-\uffff]*\]/y;

class AddressReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  isAtEnd(): boolean {
    return this.#at === this.#text.length;
  }

  /** Parses an address and returns its number of mailboxes, or undefined when it is malformed. */
  address(place: "alone or in a group" | "in a group"): number | undefined {
    this.#skipSpace();
    if (this.isAtEnd()) return undefined;
    const start = this.#at;
    if (this.#mailbox()) {
      this.#skipSpace();
      return !this.#take("(") || this.#commentWords() ? 1 : undefined;
    }
    this.#at = start;
    if (this.#text[this.#at] !== "<" && !this.#phrase()) return undefined;
    this.#skipSpace();
    if (place === "alone or in a group" && this.#take(":")) return this.#group();
    return this.#take("<") && this.#mailbox() && this.#take(">") ? 1 : undefined;
  }

  /** Skips spaces and comments; false for an unterminated comment. */
  skipComments(): boolean {
    this.#skipSpace();
    while (this.#take("(")) {
      if (this.#comment() === undefined) return false;
      this.#skipSpace();
    }
    return true;
  }

  #group(): number | undefined {
    this.#skipSpace();
    if (this.#take(";")) return this.skipComments() ? 0 : undefined;
    for (let count = 0; ;) {
      const found = this.address("in a group");
      if (found === undefined || !this.skipComments()) return undefined;
      count += found;
      if (this.#take(";")) return this.skipComments() ? count : undefined;
      if (!this.#take(",")) return undefined;
    }
  }

  #mailbox(): boolean {
    this.#skipSpace();
    const local = this.#text[this.#at] === '"' ? this.#quoted() : this.#strictAtoms();
    if (local === undefined || local === "" || !this.#take("@")) return false;
    this.#skipSpace();
    return this.#text[this.#at] === "[" ? this.#domainLiteral() : this.#strictAtoms() !== undefined;
  }

  #strictAtoms(): string | undefined {
    const atoms = this.#match(dottedAtoms);
    return atoms === undefined || atoms.startsWith(".") || atoms.endsWith(".") || atoms.includes("..") ? undefined : atoms;
  }

  /** One or more words; the caller judges what follows the last readable word. */
  #phrase(): boolean {
    for (let words = 0; ; words++) {
      if (words > 0 && !this.skipComments()) return false;
      this.#skipSpace();
      if (this.isAtEnd()) return true;
      const before = this.#at;
      const word = this.#text[this.#at] === '"' ? this.#quoted() : this.#word();
      if (word === undefined) {
        if (this.#text[before] === '"') this.#at = before;
        return words > 0;
      }
    }
  }

  #word(): string | undefined {
    const word = this.#match(dottedAtoms);
    return word === undefined || isForeignWord(word) ? undefined : word;
  }

  #quoted(): string | undefined {
    const start = this.#at;
    let content = "";
    for (let at = start + 1; at < this.#text.length; at++) {
      let char = this.#text[at] ?? "";
      if (char === '"') {
        this.#at = at + 1;
        return content;
      }
      if (char === "\\") char = this.#text[++at] ?? "\x00";
      if (char !== " " && char !== "\t" && (char <= " " || char === "\x7f")) return undefined;
      content += char;
    }
    return undefined;
  }

  #domainLiteral(): boolean {
    const literal = this.#match(domainLiteral)?.slice(1, -1);
    return literal !== undefined && (isIPv4(literal, "strict") || isIPv6(literal, "strict"));
  }

  #commentWords(): boolean {
    const comment = this.#comment();
    return comment !== undefined && !comment.split(/[ \t]+/).some(isForeignWord);
  }

  /** The text of a comment after its opening bracket. */
  #comment(): string | undefined {
    let comment = "";
    for (let depth = 1; this.#at < this.#text.length; this.#at++) {
      let char = this.#text[this.#at] ?? "";
      if (char === "\\" && this.#at + 1 < this.#text.length) char = this.#text[++this.#at] ?? "";
      else if (char === "(") depth++;
      else if (char === ")") depth--;
      if (depth === 0) {
        this.#at++;
        return comment;
      }
      comment += char;
    }
    return undefined;
  }

  #match(pattern: RegExp): string | undefined {
    const sticky = new RegExp(pattern);
    sticky.lastIndex = this.#at;
    const found = sticky.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  #skipSpace(): void {
    while (this.#text[this.#at] === " " || this.#text[this.#at] === "\t") this.#at++;
  }

  #take(char: string): boolean {
    if (this.#text[this.#at] !== char) return false;
    this.#at++;
    return true;
  }
}

/** A well-formed encoded word (`=?charset?q?text?=`) in a character set that the server cannot decode; malformed ones are plain text. */
function isForeignWord(word: string): boolean {
  const parts = /^=\?([^?]+)\?([^?])\?([^?]*)\?=$/.exec(word);
  if (word.length < 8 || parts === null) return false;
  const [, charset = "", encoding = "", content = ""] = parts;
  if (["utf-8", "iso-8859-1", "us-ascii"].includes(charset.toLowerCase())) return false;
  if (encoding === "q" || encoding === "Q") return /^(?:=[0-9a-fA-F]{2}|[\t\n\r -<>-~])*$/.test(content);
  return (encoding === "b" || encoding === "B") && content.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(content);
}
