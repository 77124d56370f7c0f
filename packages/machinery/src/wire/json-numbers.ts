/** Finds numbers that a 64-bit float cannot hold exactly, before `JSON.parse` rounds them. */

// 2^53 has sixteen digits, so a whole number of fifteen digits is always exact.
const digitsMin = 16;

/**
 * Whether the text, or a part of it, may hold a whole number beyond ±(2^53−1). "No" is certain; "yes" may also be digits inside a string.
 * Looks at every sixteenth character only: a run of sixteen digits cannot hide between two of them.
 */
export function mayLoseDigits(text: string, from = 0, to: number = text.length): boolean {
  // Sixteen digits around a place reach eight characters to one side of it or the other.
  const last = to - 8;
  let at = from + digitsMin - 1;
  for (; at < last; at += digitsMin) {
    if (isOther(text.charCodeAt(at))) continue;
    const before = !isOther(text.charCodeAt(at - 8)) && !isOther(text.charCodeAt(at - 5));
    if ((before || (!isOther(text.charCodeAt(at + 8)) && !isOther(text.charCodeAt(at + 5)))) && isLongNumber(text, at)) return true;
  }
  return at < to && isLongNumber(text, at);
}

/** Whether sixteen digits or more stand around a place, where JSON may have a number. */
function isLongNumber(text: string, at: number): boolean {
  let start = at + 1;
  // Digits that begin further away are around an earlier one of the places looked at. So a long run is walked only once.
  while (start > 0 && at - start < digitsMin && !isOther(text.charCodeAt(start - 1))) start--;
  if (!isNumberStart(text, start)) return false;
  let end = start;
  while (end < text.length && !isOther(text.charCodeAt(end))) end++;
  return end - start >= digitsMin && isNumberEnd(text.charCodeAt(end));
}

/** Not a digit: "0" to "9" are the ten codes that differ from 0x30 by less than ten. */
const isOther = (code: number): boolean => (code ^ 0x30) >= 10;

function isNumberStart(text: string, start: number): boolean {
  const before = text.charCodeAt(text.charCodeAt(start - 1) === 0x2d ? start - 2 : start - 1);
  return Number.isNaN(before) || before === 0x3a || before === 0x2c || before === 0x5b || isSpace(before);
}

function isNumberEnd(after: number): boolean {
  return Number.isNaN(after) || after === 0x2c || after === 0x7d || after === 0x5d || after === 0x2e || (after | 0x20) === 0x65 || isSpace(after);
}

const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
