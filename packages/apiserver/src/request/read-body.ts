/** Reads request bodies, up to a size limit. */
import { assert, newRequestEntityTooLarge, newUnsupportedMediaType, parseContentType } from "@drover/machinery";
import { protobufMediaType } from "@drover/machinery/protobuf";
import type { HttpBody, HttpHeaders, HttpRequest } from "@drover/machinery";
import type { Codec, Decoded, TextMediaType } from "../codec/codec.ts";
import { firstHeader } from "../plain-request.ts";
import { StatusError } from "../status-error.ts";

/** Returns the body as text. Throws a 413 when it is too large. */
export async function readBody(request: HttpRequest, bytesMax: number): Promise<string> {
  return asText(await readWhole(request, bytesMax));
}

/** Returns the body as text or bytes, whichever it arrived as. Throws a 413 when it is too large. */
export async function readWhole({ body }: HttpRequest, bytesMax: number): Promise<string | Uint8Array> {
  if (body === undefined) return "";
  if (typeof body === "string") {
    // A UTF-16 code unit takes one to three bytes in UTF-8.
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

/** Invalid UTF-8 becomes U+FFFD, as in kube-apiserver. */
const asText = (body: string | Uint8Array): string =>
  typeof body === "string" ? body : new TextDecoder("utf-8", { ignoreBOM: true }).decode(body);

/** The media types accepted for objects, in the order in which kube-apiserver lists them. */
const accepted: readonly string[] = ["application/json", "application/yaml", protobufMediaType];

/** The media types a codec can read. */
export type BodyMediaType = TextMediaType | typeof protobufMediaType;

/** Returns the media type of the body; JSON when the request names none. Throws a 415. */
export function bodyMediaType(headers: HttpHeaders, { messages }: Pick<Codec, "messages">): BodyMediaType {
  const text = firstHeader(headers, "content-type");
  if (text === "") return "application/json";
  const mediaType = parseContentType(text)?.mediaType;
  if (mediaType === "application/json" || mediaType === "application/yaml") return mediaType;
  if (mediaType === protobufMediaType && messages !== undefined) return mediaType;
  throw new StatusError(newUnsupportedMediaType(messages === undefined ? accepted.slice(0, 2) : accepted));
}

/** Decodes a body with the codec of its kind. Throws a `DecodeError`. */
export function decodeBody(body: string | Uint8Array, mediaType: BodyMediaType, codec: Codec): Decoded {
  if (mediaType !== protobufMediaType) return codec.decodeBody(asText(body), mediaType);
  assert(codec.messages !== undefined, "this codec cannot read protobuf");
  return codec.messages.decodeBody(typeof body === "string" ? new TextEncoder().encode(body) : body);
}

const tooLarge = (bytesMax: number): StatusError => new StatusError(newRequestEntityTooLarge(`limit is ${bytesMax}`));
