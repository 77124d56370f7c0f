/** `Warning` headers of a response. */
import { quoteGo } from "@drover/machinery";

/** Above this many characters in total, every warning is truncated, and further ones are dropped. */
const totalMax = 4096;
const cutLength = 256;
/** Short texts have many headers; clients read at most a megabyte of them, some less. */
const countMax = 456;

/** Collects warnings. Guarantees: each text once, in the order of arrival; no more texts than can matter. */
export class Warnings {
  readonly #texts = new Set<string>();
  /** Characters of all texts. */
  #total = 0;
  #truncates = false;

  add(text: string): void {
    if (text === "" || this.#texts.size >= countMax || (this.#truncates && this.#total >= totalMax) || this.#texts.has(text)) return;
    this.#texts.add(text);
    const length = lengthOf(text);
    if (this.#truncates) this.#total += Math.min(length, cutLength);
    else if (this.#total + length <= totalMax) this.#total += length;
    else {
      this.#truncates = true;
      this.#total = [...this.#texts].reduce((sum, each) => sum + Math.min(lengthOf(each), cutLength), 0);
    }
  }

  /** Returns the values of the `Warning` headers. */
  headers(): string[] {
    return this.#texts.size === 0 ? [] : [...this.#texts].map((text) => header(this.#truncates ? cut(text) : text));
  }
}

/** Code points. */
const lengthOf = (text: string): number => (text.length <= cutLength ? text.length : Array.from(text).length);

const cut = (text: string): string => (text.length <= cutLength ? text : Array.from(text).slice(0, cutLength).join(""));

/** 299 is "miscellaneous persistent warning"; "-" is an unnamed agent. */
const header = (text: string): string => `299 - ${quoteGo(text.replaceAll(/\p{Cc}/gu, " "))}`;
