/** Bodies of requests, whole and bounded. */
import { newRequestEntityTooLarge, newUnsupportedMediaType, parseContentType } from "@drover/machinery";
import type { HttpBody, HttpHeaders, HttpRequest } from "@drover/machinery";
import type { BodyMediaType } from "../codec/codec.ts";
import { StatusError } from "../status-error.ts";

/** The text of a body. Throws a 413 when it is too large. */
export async function readBody({ body }: HttpRequest, bytesMax: number): Promise<string> {
  if (body === undefined) return "";
  if (typeof body === "string") {
    // A UTF-16 unit takes one to three bytes.
    if (body.length > bytesMax || (body.length * 3 > bytesMax && new TextEncoder().encode(body).length > bytesMax)) throw tooLarge(bytesMax);
    return body;
  }
  const bytes = body instanceof Uint8Array ? body : await gather(body, bytesMax);
  if (bytes.length > bytesMax) throw tooLarge(bytesMax);
  return decodeUtf8(bytes);
}

async function gather(body: Exclude<HttpBody, string | Uint8Array>, bytesMax: number): Promise<Uint8Array> {
  const encoder = new TextEncoder();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    const bytes = typeof chunk === "string" ? encoder.encode(chunk) : chunk;
    length += bytes.length;
    if (length > bytesMax) throw tooLarge(bytesMax);
    chunks.push(bytes);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

/** Bytes that are no UTF-8 become U+FFFD, as they do on the real server. */
const decodeUtf8 = (bytes: Uint8Array): string => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);

/** The media types in which objects are read, as the server lists them. */
const accepted: readonly string[] = ["application/json", "application/yaml", "application/vnd.kubernetes.protobuf"];

/** How the body is written; JSON when nothing is said. Throws a 415. */
export function bodyMediaType(headers: HttpHeaders, { isCustom }: { readonly isCustom: boolean }): BodyMediaType {
  const header = headers["content-type"];
  const text = typeof header === "string" ? header : header?.[0];
  if (text === undefined || text === "") return "application/json";
  const mediaType = parseContentType(text)?.mediaType;
  if (mediaType === "application/json" || mediaType === "application/yaml") return mediaType;
  throw new StatusError(newUnsupportedMediaType(isCustom ? accepted.slice(0, 2) : accepted));
}

const tooLarge = (bytesMax: number): StatusError => new StatusError(newRequestEntityTooLarge(`limit is ${bytesMax}`));
