/** What a client is told beside the answer, as `Warning` headers. */
import { byteLength, quoteGo } from "@drover/machinery";

/** From here on all warnings together are cut short. */
const totalMax = 4096;
const cutLength = 256;

/** Guarantees: each warning once, in the order they came. */
export class Warnings {
  readonly #texts = new Set<string>();

  add(text: string): void {
    if (text !== "") this.#texts.add(text);
  }

  /** The values of the `Warning` headers. */
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

/** 299 is "miscellaneous persistent warning", "-" an agent that has no name. */
const header = (text: string): string => `299 - ${quoteGo(text.replaceAll(/\p{Cc}/gu, " "))}`;
