/** Text as letters and digits that spell no words: no vowels, and no characters that look alike. */

const alphabet = "bcdfghjklmnpqrstvwxz2456789";

/** Maps each character to one of the alphabet. Not reversible: 256 characters become 27. */
export function safeEncode(text: string): string {
  return Array.from(text, (character) => alphabet[(character.codePointAt(0) ?? 0) % alphabet.length]).join("");
}
