/** Finds numbers that a 64-bit float cannot hold exactly, before `JSON.parse` rounds them. */

// 2^53 has sixteen digits, so a whole number of fifteen digits is always exact.
const digitsMin = 16;

// Sixteen digits in a row, each written out: so the engine looks at every eighth character only. `\d{16}` makes it look at all of them.
const manyDigits = /\d\d\d\d\d\d\d\d\d\d\d\d\d\d\d\d/;

/** Whether the text holds a whole number that may be beyond ±(2^53−1). "No" is certain; "yes" may also be digits inside a string. */
export function mayLoseDigits(text: string): boolean {
  return manyDigits.test(text) && hasLongNumber(text);
}

/** Looks at every sixteenth character only: a run of sixteen digits cannot hide between two of them. */
function hasLongNumber(text: string): boolean {
  for (let at = digitsMin - 1; at < text.length; at += digitsMin) if (isLongNumber(text, at)) return true;
  return false;
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
