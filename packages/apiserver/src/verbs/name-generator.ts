/** Names for objects that ask for one. */
import type { Random } from "@drover/machinery";

/** Without vowels and without what looks alike: no name becomes a word. */
const alphabet = "bcdfghjklmnpqrstvwxz2456789";
const suffixLength = 5;
/** As long as a DNS label may be, whatever the kind allows. */
const nameMax = 63;

/** The prefix, cut if need be, and five characters. */
export function generateName(prefix: string, random: Random): string {
  const suffix = Array.from({ length: suffixLength }, () => alphabet[random.int(alphabet.length)]).join("");
  return prefix.slice(0, nameMax - suffixLength) + suffix;
}
