/** Reads DER elements: tag, length, content. Tags of more than one byte do not occur in certificates and are refused. */

export interface DerElement {
  readonly tag: number;
  readonly content: Uint8Array;
}

/** Reads the one element that fills the bytes. Throws for anything else. */
export function readDer(bytes: Uint8Array): DerElement {
  const [element, ...more] = readDerAll(bytes);
  if (element === undefined || more.length > 0) throw new Error("asn1: syntax error: trailing data");
  return element;
}

/** Reads the elements that follow each other in the bytes. Throws for truncated and indefinite lengths. */
export function readDerAll(bytes: Uint8Array): DerElement[] {
  const elements: DerElement[] = [];
  for (let at = 0; at < bytes.length;) {
    const { tag, start, end } = headAt(bytes, at);
    elements.push({ tag, content: bytes.subarray(start, end) });
    at = end;
  }
  return elements;
}

function headAt(bytes: Uint8Array, at: number): { readonly tag: number; readonly start: number; readonly end: number } {
  const [tag = 0, first] = bytes.subarray(at, at + 2);
  if (first === undefined || (tag & 0x1f) === 0x1f) throw truncated();
  if (first < 0x80) return within(bytes, tag, at + 2, first);
  const count = first & 0x7f;
  if (count === 0 || count > 4 || at + 2 + count > bytes.length) throw truncated();
  const length = bytes.subarray(at + 2, at + 2 + count).reduce((sum, byte) => sum * 0x100 + byte, 0);
  return within(bytes, tag, at + 2 + count, length);
}

function within(bytes: Uint8Array, tag: number, start: number, length: number): ReturnType<typeof headAt> {
  if (start + length > bytes.length) throw truncated();
  return { tag, start, end: start + length };
}

const truncated = (): Error => new Error("asn1: syntax error: data truncated");
