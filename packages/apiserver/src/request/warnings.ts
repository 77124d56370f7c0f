/** `Warning` headers of a response. */
import { byteLength, quoteGo } from "@drover/machinery";

/** Above this total in bytes, every warning is truncated. */
const totalMax = 4096;
const cutLength = 256;
/** A header has at least nine bytes, so this many are always truncated. */
const countMax = Math.ceil(totalMax / 9) + 1;

/** Collects warnings. Guarantees: each text once, in the order of arrival; no more texts than can matter. */
export class Warnings {
  readonly #texts = new Set<string>();

  add(text: string): void {
    if (text !== "" && this.#texts.size < countMax) this.#texts.add(text);
  }

  /** Returns the values of the `Warning` headers. */
  headers(): string[] {
    if (this.#texts.size === 0) return [];
    const all = [...this.#texts].map(header);
    if (all.reduce((sum, text) => sum + byteLength(text), 0) <= totalMax) return all;
    const kept: string[] = [];
    let total = 0;
    for (const text of this.#texts) {
      const short = header(Array.from(text).slice(0, cutLength).join(""));
      total += byteLength(short);
      if (total > totalMax) break;
      kept.push(short);
    }
    return kept;
  }
}

/** 299 is "miscellaneous persistent warning"; "-" is an unnamed agent. */
const header = (text: string): string => `299 - ${quoteGo(text.replaceAll(/\p{Cc}/gu, " "))}`;
