/** The start of a body, for messages about malformed bodies. */

const bytesMax = 30;
const openingBrace = 0x7b;

/** Returns text if the body looks like an object, otherwise its bytes in hexadecimal. */
export function summarize(body: string | Uint8Array): string {
  if (body.length === 0) return "<empty>";
  const bytes = typeof body === "string" ? new TextEncoder().encode(body.slice(0, bytesMax + 1)) : body;
  const shown = bytes.subarray(0, bytesMax);
  const summary =
    shown[0] === openingBrace ? new TextDecoder().decode(shown) : Array.from(shown, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return bytes.length > bytesMax ? `${summary} ...` : summary;
}
