/** Where the content of an object begins in its JSON: watch events and single objects start with kind and apiVersion, list items do not. */

/** Both members, of realistic length. */
const typeMetaBytesMax = 512;
const typeMeta = /^\{(?:"(?:kind|apiVersion)":"[^"\\]*",){0,2}/;
/** The first letter of "kind" and "apiVersion". */
const [k, a] = [0x6b, 0x61] as const;

/** Returns the position after `{"kind":"…","apiVersion":"…",`, or after the brace. */
export function afterTypeMeta(bytes: Uint8Array): number {
  if (bytes[0] === 0x7b && bytes[2] !== k && bytes[2] !== a) return 1;
  const head = bytes.subarray(0, typeMetaBytesMax);
  // One character per byte, so that positions in the text are positions in the bytes.
  return typeMeta.exec(String.fromCharCode(...head))?.[0].length ?? 0;
}
