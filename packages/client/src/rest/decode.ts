/**
 * Decodes a response to its object or its error.
 *
 *     HttpResponse → decodeResponse → JSON, or ApiError (the server refuses), or ResponseError (no usable response)
 *
 * Does not trust the server: bodies have a size limit, a web page is not parsed as JSON, and a failure sent with status 200
 * is a failure.
 */
import {
  ApiError,
  JsonError,
  byteLength,
  decodeJson,
  definedOnly,
  encodeJson,
  isInstanceOf,
  isJsonObject,
  parseContentType,
  parseStatus,
  retryAfterSeconds,
  statusFromResponse,
} from "@drover/machinery";
import type { DecodeJsonOptions, HttpBody, HttpHeaders, HttpRequest, HttpResponse, JsonValue, Transport } from "@drover/machinery";
import { decodeStatusMessage, isEnvelope, protobufMediaType } from "@drover/machinery/protobuf";
import { isWhole } from "../transport/guarded-body.ts";
import { firstHeader } from "../transport/header-lines.ts";
import { ResponseError, lost, unanswered } from "./response-error.ts";
import type { RequestAbout } from "./response-error.ts";

/** Options for reading a response. */
export interface ReadResponseOptions {
  /** Maximum size of a body, decompressed. @default 256 * 1024 * 1024 */
  readonly maxBodyBytes?: number;
  /** Signal of the request; when it aborts, reading rejects with its reason. @default none */
  readonly signal?: AbortSignal;
}

/** Options for decoding a response. */
export interface DecodeOptions extends ReadResponseOptions, Pick<DecodeJsonOptions, "dropManagedFields"> {}

/** A response whose body has been read. */
export interface ReadResponse {
  readonly status: number;
  readonly headers: HttpHeaders;
  readonly body: string | Uint8Array;
}

// Larger than any Status, and small enough in case a proxy sends many web pages.
const failureBytesMax = 1024 * 1024;
const excerptLength = 200;

/** Reports whether a status code means failure: everything but 200 to 206. */
export const isFailure = (status: number): boolean => status < 200 || status > 206;

/**
 * Reads a response and decodes its JSON. Guarantees that the value is JSON; does not check that it is a `T`. Throws an
 * `ApiError` if the server refuses, also with status 200; otherwise a `ResponseError`, an `UnknownOutcomeError` for a write
 * whose response was truncated, or the signal's reason.
 */
export async function decodeResponse<T = JsonValue>(response: HttpResponse, about: RequestAbout, options: DecodeOptions = {}): Promise<T> {
  if (isFailure(response.status)) throw await responseError(response, about, options);
  return decodeBody(await readResponse(response, about, options), about, options) as T;
}

/** Sends a request and reads its response. Throws an `ApiError` if the server refuses; otherwise as {@link decodeResponse} does. */
export async function readAnswer(
  transport: Transport,
  request: HttpRequest,
  about: RequestAbout,
  options: ReadResponseOptions = {},
): Promise<ReadResponse> {
  const { signal } = options;
  signal?.throwIfAborted();
  const response = await transport(signal === undefined ? request : { ...request, signal }).catch((error: unknown) => {
    throw unanswered(about, error, signal);
  });
  if (isFailure(response.status)) throw await responseError(response, about, options);
  return readResponse(response, about, options);
}

/** Reads the whole body of a response, up to the limit. Throws as {@link decodeResponse} does. */
export async function readResponse(
  response: HttpResponse,
  about: RequestAbout,
  { maxBodyBytes = 256 * 1024 * 1024, signal }: ReadResponseOptions = {},
): Promise<ReadResponse> {
  const { status, headers, body } = response;
  if (isWhole(body)) {
    if (isLonger(body, maxBodyBytes)) throw tooLarge(about, status, maxBodyBytes);
    return { status, headers, body };
  }
  const chunks = await collect(body, maxBodyBytes).catch((error: unknown) => {
    signal?.throwIfAborted();
    throw lost(about, status, error);
  });
  if (chunks.isCut) throw tooLarge(about, status, maxBodyBytes);
  return { status, headers, body: joined(chunks.parts) };
}

const tooLarge = ({ attempt }: RequestAbout, statusCode: number, maxBodyBytes: number): ResponseError =>
  new ResponseError(attempt, "too-large", `the response is larger than ${maxBodyBytes} bytes; request it in pages, or raise maxBodyBytes`, {
    statusCode,
  });

/** Decodes the JSON of a successful response. Throws as {@link decodeResponse} does. */
export function decodeBody(
  { status, headers, body }: ReadResponse,
  about: RequestAbout,
  { dropManagedFields = false }: DecodeOptions = {},
): JsonValue {
  const { attempt } = about;
  const contentType = firstHeader(headers, "content-type");
  if (!isJson(headers)) {
    const excerpt = contentType.startsWith("text/") ? `: ${JSON.stringify(textOf(body).trim().slice(0, excerptLength))}` : "";
    throw new ResponseError(attempt, "content-type", `the server answered ${status} with ${contentType} instead of JSON${excerpt}`, {
      statusCode: status,
    });
  }
  if (body.length === 0)
    throw new ResponseError(attempt, "empty", `0-length response with status code: ${status} and content type: ${contentType}`, {
      statusCode: status,
    });
  let value: JsonValue;
  try {
    value = decodeJson(body, { dropManagedFields });
  } catch (error) {
    if (!isInstanceOf(error, JsonError)) throw error;
    if (error.reason === "truncated") throw lost(about, status, error);
    throw new ResponseError(attempt, "json", `the response is not JSON: ${error.message}`, { statusCode: status, cause: error });
  }
  throwIfStatusFailure(value, status, headers, attempt);
  return value;
}

/**
 * Reads the error of a failed response. If the body is too long or truncated, the error still has the status code and uses
 * the part that arrived.
 */
export async function responseError(
  response: HttpResponse,
  about: RequestAbout,
  { signal }: Pick<ReadResponseOptions, "signal"> = {},
): Promise<ApiError> {
  const parts: (string | Uint8Array)[] = [];
  try {
    await collect(response.body, failureBytesMax, parts);
  } catch {
    signal?.throwIfAborted();
  }
  return readResponseError({ ...response, body: joined(parts) }, about);
}

/** Same for a response that has been read. */
export function readResponseError(response: ReadResponse, { attempt, method, resource, name }: RequestAbout): ApiError {
  const { status: code, headers } = response;
  const retryAfter = retryAfterSeconds(headers);
  const status = statusFromResponse({ code, ...readable(response), method, ...definedOnly({ resource, name }) });
  return new ApiError(status, {
    code,
    attempt,
    ...definedOnly({ retryAfterSeconds: retryAfter }),
    ...(code === 401 && { cause: new Error(unauthorizedHint) }),
  });
}

/** Returns an error response as JSON or other text; of protobuf that is not a Status only the headers. */
function readable({ headers, body }: ReadResponse): Pick<ReadResponse, "headers"> & { readonly body: string } {
  if (typeof body === "string" || !isEnvelope(body)) return { headers, body: textOf(body) };
  try {
    const status = decodeStatusMessage(body);
    if (status !== undefined) return { headers: { ...headers, "content-type": "application/json" }, body: encodeJson(status) };
  } catch {
    // Truncated: the status code says enough.
  }
  return { headers, body: "" };
}

/** The server says only "Unauthorized". */
const unauthorizedHint =
  "the server rejected our credentials: check the user of the context; if its token or certificate has expired, log in again";

/** Reports whether a response may be JSON; one without a content type may. */
export function isJson(headers: HttpHeaders): boolean {
  const header = firstHeader(headers, "content-type");
  return header === "" || parseContentType(header)?.mediaType === "application/json";
}

/** Reports whether a response is protobuf. */
export function isProtobuf(headers: HttpHeaders): boolean {
  return parseContentType(firstHeader(headers, "content-type"))?.mediaType === protobufMediaType;
}

/** Returns a body as text. Invalid UTF-8 becomes U+FFFD. */
export function textOf(body: string | Uint8Array): string {
  return typeof body === "string" ? body : new TextDecoder("utf-8", { ignoreBOM: true }).decode(body);
}

/** Returns a body as bytes. */
export function bytesOf(body: string | Uint8Array): Uint8Array {
  return typeof body === "string" ? new TextEncoder().encode(body) : body;
}

// A Status other than Success is an error with any status code: some proxies and old servers send it with 200.
function throwIfStatusFailure(value: JsonValue, code: number, headers: HttpHeaders, attempt: string): void {
  if (!isJsonObject(value) || value["kind"] !== "Status") return;
  const status = parseStatus(value);
  if (status === undefined || status.status === "Success") return;
  const retryAfter = retryAfterSeconds(headers);
  throw new ApiError(status, { code, attempt, ...definedOnly({ retryAfterSeconds: retryAfter }) });
}

interface Collected {
  readonly parts: readonly (string | Uint8Array)[];
  /** Whether the body exceeds the limit. */
  readonly isCut: boolean;
}

/** Collects the chunks of a body up to the limit; stopping early destroys the source. `parts` keeps what arrived if the body fails. */
async function collect(body: HttpBody, maxBytes: number, parts: (string | Uint8Array)[] = []): Promise<Collected> {
  if (isWhole(body)) {
    parts.push(body);
    return { parts, isCut: isLonger(body, maxBytes) };
  }
  let size = 0;
  for await (const chunk of body) {
    size += sizeOf(chunk);
    parts.push(chunk);
    if (size > maxBytes) return { parts, isCut: true };
  }
  return { parts, isCut: false };
}

/** A UTF-16 unit needs at most three bytes, so most bodies need no exact count. */
const isLonger = (body: string | Uint8Array, maxBytes: number): boolean => body.length * 3 > maxBytes && sizeOf(body) > maxBytes;

const sizeOf = (chunk: string | Uint8Array): number => (typeof chunk === "string" ? byteLength(chunk) : chunk.length);

function joined(parts: readonly (string | Uint8Array)[]): string | Uint8Array {
  const [first = ""] = parts;
  if (parts.length <= 1) return first;
  if (parts.every((part) => typeof part === "string")) return parts.join("");
  const chunks = parts.map(bytesOf);
  const whole = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
