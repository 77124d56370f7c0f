/**
 * Skips JSON values in bytes without parsing them. Assumes valid JSON; returns -1 where it finds that it is not. Skipped bytes are
 * validated only when they are parsed.
 */
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const SPACE = 0x20;

/** Returns where the value at `at` ends; -1 when it does not, or white space comes before it. */
export function skipValue(bytes: Uint8Array, at: number): number {
  const first = bytes[at];
  if (first === QUOTE) return skipString(bytes, at);
  if (first !== OPEN_OBJECT && first !== OPEN_LIST) return skipWord(bytes, at);
  for (let depth = 0; at < bytes.length; at++) {
    const code = bytes[at];
    if (code === QUOTE) {
      const list =
        bytes[at + 8] === 0x46 && bytes[at + 16] === OPEN_LIST && startsWith(bytes, managedKey, at) ? managedListEnd(bytes, at + 16) : -1;
      at = (list === -1 ? skipString(bytes, at) : list) - 1;
      if (at < 0) return -1;
    } else if (code === OPEN_OBJECT || code === OPEN_LIST) depth++;
    else if ((code === CLOSE_OBJECT || code === CLOSE_LIST) && --depth === 0) return at + 1;
  }
  return -1;
}

// Managed fields are a third of an ordinary object, and worth a shortcut.
const managedKey = new TextEncoder().encode('"managedFields":');

/** Whether these bytes are at `at`. */
export function startsWith(bytes: Uint8Array, word: Uint8Array, at: number): boolean {
  for (let index = 0; index < word.length; index++) if (bytes[at + index] !== word[index]) return false;
  return true;
}

/** Returns where the string at `at` ends; -1 when it does not. */
export function skipString(bytes: Uint8Array, at: number): number {
  for (let end = at + 1; end < bytes.length; end++) {
    const code = bytes[end];
    if (code === QUOTE) return end + 1;
    if (code === BACKSLASH) end++;
  }
  return -1;
}

/** A number, true, false or null. White space before an object would make its first member look like the end of a word. */
function skipWord(bytes: Uint8Array, at: number): number {
  for (let end = at; end < bytes.length; end++) {
    const code = bytes[end] as number;
    if (code === COMMA || code === CLOSE_OBJECT || code === CLOSE_LIST) return end > at ? end : -1;
    if (code <= SPACE || code === QUOTE || code === OPEN_OBJECT || code === OPEN_LIST) return -1;
  }
  return -1;
}

/** Returns where the value of the key at `at` starts; -1 for anything but a plain key: no quote, an escape, or white space after it. */
export function skipKey(bytes: Uint8Array, at: number): number {
  const end = plainStringEnd(bytes, at);
  return end !== -1 && bytes[end + 1] === COLON ? end + 2 : -1;
}

/** Returns the closing quote of a string without escapes; -1 for any other value. */
export function plainStringEnd(bytes: Uint8Array, at: number): number {
  if (bytes[at] !== QUOTE) return -1;
  for (let end = at + 1; end < bytes.length; end++) {
    const code = bytes[end];
    if (code === QUOTE) return end;
    if (code === BACKSLASH) return -1;
  }
  return -1;
}

/**
 * Returns the end of a list that opens at `open` without walking through it; -1 when it cannot tell.
 *
 * Why the first "]" is the right one if no "[" precedes it and a comma and a key follow, as in `]},"spec":` and `],"name":`: a
 * quote followed by a letter opens a string, since a closing quote is followed by a comma, a colon or a bracket. So what precedes
 * that quote is outside of strings, and no other open list could be closed by this "]".
 */
export function managedListEnd(bytes: Uint8Array, open: number): number {
  const close = bytes.indexOf(CLOSE_LIST, open);
  if (close === -1) return -1;
  const inner = bytes.indexOf(OPEN_LIST, open + 1);
  if (inner !== -1 && inner < close) return -1;
  const comma = bytes[close + 1] === CLOSE_OBJECT ? close + 2 : close + 1;
  const letter = (bytes[comma + 2] ?? 0) | 0x20;
  return bytes[comma] === COMMA && bytes[comma + 1] === QUOTE && letter >= 0x61 && letter <= 0x7a ? close + 1 : -1;
}
