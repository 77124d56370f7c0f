/** Bodies of requests, whole and bounded. */
import { assert, newRequestEntityTooLarge, newUnsupportedMediaType, parseContentType, protobufMediaType } from "@drover/machinery";
import type { HttpBody, HttpHeaders, HttpRequest } from "@drover/machinery";
import type { Codec, Decoded, TextMediaType } from "../codec/codec.ts";
import { firstHeader } from "../plain-request.ts";
import { StatusError } from "../status-error.ts";

/** The text of a body. Throws a 413 when it is too large. */
export async function readBody(request: HttpRequest, bytesMax: number): Promise<string> {
  return asText(await readWhole(request, bytesMax));
}

/** A body, as text or as bytes, whichever it came as. Throws a 413 when it is too large. */
export async function readWhole({ body }: HttpRequest, bytesMax: number): Promise<string | Uint8Array> {
  if (body === undefined) return "";
  if (typeof body === "string") {
    // A UTF-16 unit takes one to three bytes.
    if (body.length > bytesMax || (body.length * 3 > bytesMax && new TextEncoder().encode(body).length > bytesMax))
      throw tooLarge(bytesMax);
    return body;
  }
  const bytes = body instanceof Uint8Array ? body : await gather(body, bytesMax);
  if (bytes.length > bytesMax) throw tooLarge(bytesMax);
  return bytes;
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
const asText = (body: string | Uint8Array): string =>
  typeof body === "string" ? body : new TextDecoder("utf-8", { ignoreBOM: true }).decode(body);

/** The media types in which objects are read, as the server lists them. */
const accepted: readonly string[] = ["application/json", "application/yaml", protobufMediaType];

/** The forms in which a codec reads bodies. */
export type BodyMediaType = TextMediaType | typeof protobufMediaType;

/** How the body is written; JSON when nothing is said. Throws a 415. */
export function bodyMediaType(headers: HttpHeaders, { messages }: Pick<Codec, "messages">): BodyMediaType {
  const text = firstHeader(headers, "content-type");
  if (text === "") return "application/json";
  const mediaType = parseContentType(text)?.mediaType;
  if (mediaType === "application/json" || mediaType === "application/yaml") return mediaType;
  if (mediaType === protobufMediaType && messages !== undefined) return mediaType;
  throw new StatusError(newUnsupportedMediaType(messages === undefined ? accepted.slice(0, 2) : accepted));
}

/** Decodes a body in one of the forms of its codec. Throws a `DecodeError`. */
export function decodeBody(body: string | Uint8Array, mediaType: BodyMediaType, codec: Codec): Decoded {
  if (mediaType !== protobufMediaType) return codec.decodeBody(asText(body), mediaType);
  assert(codec.messages !== undefined, "only who reads protobuf is given it");
  return codec.messages.decodeBody(typeof body === "string" ? new TextEncoder().encode(body) : body);
}

const tooLarge = (bytesMax: number): StatusError => new StatusError(newRequestEntityTooLarge(`limit is ${bytesMax}`));
