/** Texts that fit: the server refuses a field that is too long, and a note that is a little shorter is better than none. */
import { byteLength } from "@drover/machinery";

/**
 * As much of the text as fits in `bytesMax` bytes of UTF-8, with `mark` behind it if something had to go. Never cuts a
 * character in two.
 */
export function cutText(text: string, bytesMax: number, mark = ""): string {
  // No UTF-16 unit is more than three bytes, so most texts need not be measured.
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
