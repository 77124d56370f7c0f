/** Truncates texts: the server rejects a field that is too long, and a shortened note is better than none. */
import { byteLength } from "@drover/machinery";

/** Returns as much of the text as fits in `bytesMax` bytes of UTF-8, followed by `mark` if it was cut. Never splits a character. */
export function cutText(text: string, bytesMax: number, mark = ""): string {
  // A UTF-16 unit takes at most three bytes, so most texts need not be measured.
  if (text.length * 3 <= bytesMax || byteLength(text) <= bytesMax) return text;
  const room = bytesMax - byteLength(mark);
  let kept = "";
  let used = 0;
  for (const character of text) {
    used += byteLength(character);
    if (used > room) break;
    kept += character;
  }
  return kept + mark;
}
