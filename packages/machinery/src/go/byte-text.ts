/** Texts as UTF-8, as the server sees them. Lengths and order differ from JavaScript, which counts UTF-16 units. */

/** Returns the length in UTF-8 bytes. */
export function byteLength(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    length += unit < 0x800 ? 1 : 2;
    // A surrogate pair is four bytes: two more than its two units.
    if (unit >= 0xd800 && unit < 0xdc00 && isLowSurrogate(text.charCodeAt(index + 1))) index++;
  }
  return length;
}

/** Compares two texts by their UTF-8 bytes, as Go's `<` does: negative, zero or positive. */
export function compareBytes(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let index = 0; index < shared; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}

// Code points beyond U+FFFF start with a surrogate and sort last in UTF-8, after U+E000–U+FFFF, which follow the surrogates in
// UTF-16.
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
