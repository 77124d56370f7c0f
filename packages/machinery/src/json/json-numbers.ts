/** Finds numbers that a 64-bit float cannot hold exactly, before `JSON.parse` rounds them. */

// 2^53 has sixteen digits, so an integer of fifteen digits is always exact.
const digitsMin = 16;

// Sixteen digits written out make the engine check only every eighth character; `\d{16}` makes it check all of them.
const manyDigits = /\d\d\d\d\d\d\d\d\d\d\d\d\d\d\d\d/;

/** Whether the text may contain an integer beyond ±(2^53−1). "No" is certain; "yes" may also be digits within a string. */
export function mayLoseDigits(text: string): boolean {
  // Searches the rest after each run of digits: a sticky expression would be state, and creating one costs more.
  for (let rest = text; ;) {
    const start = rest.search(manyDigits);
    if (start === -1) return false;
    let end = start + digitsMin;
    while (end < rest.length && !isOther(rest.charCodeAt(end))) end++;
    if (isNumberStart(rest, start) && isNumberEnd(rest.charCodeAt(end))) return true;
    // Keeps the last digit, so that what follows does not look like the start of the text.
    rest = rest.slice(end - 1);
  }
}

/** Not a digit: the codes of "0" to "9" differ from 0x30 by less than ten. */
const isOther = (code: number): boolean => (code ^ 0x30) >= 10;

function isNumberStart(text: string, start: number): boolean {
  const before = text.charCodeAt(text.charCodeAt(start - 1) === 0x2d ? start - 2 : start - 1);
  return Number.isNaN(before) || before === 0x3a || before === 0x2c || before === 0x5b || isSpace(before);
}

function isNumberEnd(after: number): boolean {
  return (
    Number.isNaN(after) || after === 0x2c || after === 0x7d || after === 0x5d || after === 0x2e || (after | 0x20) === 0x65 || isSpace(after)
  );
}

const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
