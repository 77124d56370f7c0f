/** The beginning of a body, for messages about bodies that cannot be read. */

const bytesMax = 30;

/** As text if it looks like an object, otherwise its bytes in hexadecimal. */
export function summarize(body: string): string {
  if (body === "") return "<empty>";
  const bytes = new TextEncoder().encode(body.slice(0, bytesMax + 1));
  const shown = bytes.subarray(0, bytesMax);
  const summary = body.startsWith("{") ? new TextDecoder().decode(shown) : Array.from(shown, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return bytes.length > bytesMax ? `${summary} ...` : summary;
}
