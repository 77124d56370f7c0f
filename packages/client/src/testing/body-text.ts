/**
 * Reads the body of a request.
 */
import type { HttpBody } from "@drover/machinery";

/** Reads a body as text. Rejects with the body's failure, or a `TypeError` if it is not UTF-8. */
export async function bodyText(body: HttpBody): Promise<string> {
  if (typeof body === "string") return body;
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  if (body instanceof Uint8Array) return decoder.decode(body);
  let text = "";
  for await (const chunk of body) text += typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}
