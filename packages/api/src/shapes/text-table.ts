/**
 * Decodes text and shares equal short texts: most texts of Kubernetes objects ("Always", "ClusterFirst", keys of labels, images) were in
 * the object before, and finding one costs less than making it again.
 *
 *     bytes → TextTable → text
 */

const slotCount = 2048;
/** Longer texts are rarely equal. */
const sharedBytesMax = 40;

/** Guarantees: keeps at most `slotCount` texts of at most `sharedBytesMax` characters. Invalid UTF-8 becomes U+FFFD. */
export class TextTable {
  readonly #texts: (string | undefined)[] = Array.from({ length: slotCount }, () => undefined);

  /** Returns the text of the bytes from `from` to `to`. */
  text(bytes: Uint8Array, from: number, to: number): string {
    const length = to - from;
    if (length === 0) return "";
    if (length > sharedBytesMax) return decodedText(bytes, from, to);
    const slot = slotOf(bytes, from, length);
    const known = this.#texts[slot];
    if (known !== undefined && isSame(known, bytes, from, length)) return known;
    const made = decodedText(bytes, from, to);
    // Text beyond ASCII has fewer characters than bytes, and is not compared byte by byte.
    if (made.length === length) this.#texts[slot] = made;
    return made;
  }
}

/** A few bytes tell most texts apart. */
function slotOf(bytes: Uint8Array, from: number, length: number): number {
  const quarter = length >> 2;
  let hash = Math.imul(length, 31) + (bytes[from] as number);
  hash = Math.imul(hash, 31) + (bytes[from + quarter] as number);
  hash = Math.imul(hash, 31) + (bytes[from + (length >> 1)] as number);
  hash = Math.imul(hash, 31) + (bytes[from + length - quarter - 1] as number);
  hash = Math.imul(hash, 31) + (bytes[from + length - 1] as number);
  return (hash ^ (hash >>> 11)) & (slotCount - 1);
}

function isSame(text: string, bytes: Uint8Array, from: number, length: number): boolean {
  if (text.length !== length) return false;
  for (let at = 0; at < length; at++) if (text.charCodeAt(at) !== bytes[from + at]) return false;
  return true;
}

/** Node's Buffer, which is decoded much faster. */
interface NodeBuffer extends Uint8Array {
  utf8Slice(from: number, to: number): string;
  base64Slice(from: number, to: number): string;
}

const isNodeBuffer = (bytes: Uint8Array): bytes is NodeBuffer => "utf8Slice" in bytes;

// A byte order mark is an ordinary character. Without streaming, a decoder has no state.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

const decodedText = (bytes: Uint8Array, from: number, to: number): string =>
  isNodeBuffer(bytes) ? bytes.utf8Slice(from, to) : decoder.decode(bytes.subarray(from, to));

/** Returns the bytes from `from` to `to` as base64. */
export function base64Text(bytes: Uint8Array, from: number, to: number): string {
  if (isNodeBuffer(bytes)) return bytes.base64Slice(from, to);
  let text = "";
  for (let at = from; at < to; at++) text += String.fromCharCode(bytes[at] as number);
  return btoa(text);
}
