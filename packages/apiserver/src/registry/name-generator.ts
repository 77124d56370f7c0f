/** Names for objects with `generateName`. */
import type { Random } from "@drover/machinery";

/** No vowels and no characters that look alike, so no name forms a word. */
const alphabet = "bcdfghjklmnpqrstvwxz2456789";
const suffixLength = 5;
/** The length of a DNS label, whatever the kind allows. */
const nameMax = 63;

/** Returns the prefix, truncated if need be, with five random characters appended. */
export function generateName(prefix: string, random: Random): string {
  const suffix = Array.from({ length: suffixLength }, () => alphabet[random.int(alphabet.length)]).join("");
  return prefix.slice(0, nameMax - suffixLength) + suffix;
}
