/** Text as letters and digits that spell no words: no vowels, and nothing that looks like another character. */

const alphabet = "bcdfghjklmnpqrstvwxz2456789";

/** Each character as one of the alphabet. Not to be undone: 256 characters become 27. */
export function safeEncode(text: string): string {
  return Array.from(text, (character) => alphabet[(character.codePointAt(0) ?? 0) % alphabet.length]).join("");
}
