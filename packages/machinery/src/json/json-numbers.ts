/** Finds numbers that a 64-bit float cannot hold exactly, before `JSON.parse` rounds them. */

// 2^53 has sixteen digits, so a whole number of fifteen digits is always exact.
const digitsMin = 16;

// Sixteen digits in a row, each written out: so the engine looks at every eighth character only. `\d{16}` makes it look at all of them.
const manyDigits = /\d\d\d\d\d\d\d\d\d\d\d\d\d\d\d\d/;

/** Whether the text holds a whole number that may be beyond ±(2^53−1). "No" is certain; "yes" may also be digits inside a string. */
export function mayLoseDigits(text: string): boolean {
  // Behind each run of digits the rest is searched: an expression that remembers its place would be state, and to make one costs more.
  for (let rest = text; ;) {
    const start = rest.search(manyDigits);
    if (start === -1) return false;
    let end = start + digitsMin;
    while (end < rest.length && !isOther(rest.charCodeAt(end))) end++;
    if (isNumberStart(rest, start) && isNumberEnd(rest.charCodeAt(end))) return true;
    // The last digit stays, so that what follows does not look like the beginning of a text.
    rest = rest.slice(end - 1);
  }
}

/** Not a digit: "0" to "9" are the ten codes that differ from 0x30 by less than ten. */
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
