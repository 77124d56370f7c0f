/**
 * From an answer to the object in it, or to the error it is.
 *
 *     HttpResponse → decodeResponse → JSON, or ApiError (the server refuses), or ResponseError (no usable answer)
 *
 * Nothing here trusts the other side: bodies have a limit, a web page is not taken for JSON, a failure dressed as 200 is a failure.
 */
import {
  ApiError,
  JsonError,
  byteLength,
  decodeJson,
  isJsonObject,
  parseContentType,
  parseStatus,
  retryAfterSeconds,
  statusFromResponse,
} from "@drover/machinery";
import type { DecodeJsonOptions, HttpBody, HttpHeaders, HttpRequest, HttpResponse, JsonValue, Transport } from "@drover/machinery";
import { firstHeader } from "../transport/header-lines.ts";
import { ResponseError, lost, unanswered } from "./response-error.ts";
import type { RequestAbout } from "./response-error.ts";

/** How an answer is read. */
export interface ReadResponseOptions {
  /** Larger bodies are refused, after decompression. @default 256 * 1024 * 1024 */
  readonly maxBodyBytes?: number;
  /** The signal of the request; when it is aborted, reading rejects with its reason. @default none */
  readonly signal?: AbortSignal;
}

/** How an answer is decoded. */
export interface DecodeOptions extends ReadResponseOptions, Pick<DecodeJsonOptions, "dropManagedFields"> {}

/** An answer whose body has been read. */
export interface ReadResponse {
  readonly status: number;
  readonly headers: HttpHeaders;
  readonly body: string | Uint8Array;
}

// Larger than any Status, and small enough for a web page that somebody sends a million times.
const failureBytesMax = 1024 * 1024;
const excerptLength = 200;

/** Whether a code says that the request failed: everything but 200 to 206. */
export const isFailure = (status: number): boolean => status < 200 || status > 206;

/**
 * Reads an answer and the JSON in it. Guarantees that the value is JSON; that it is a `T` is the server's word.
 * Throws an `ApiError` when the server refuses, also when it does so with code 200; else a `ResponseError`, an `UnknownOutcomeError` for a
 * write whose answer broke off, or the signal's reason.
 */
export async function decodeResponse<T = JsonValue>(response: HttpResponse, about: RequestAbout, options: DecodeOptions = {}): Promise<T> {
  if (isFailure(response.status)) throw await responseError(response, about, options);
  return decodeBody(await readResponse(response, about, options), about, options) as T;
}

/**
 * Sends a request and reads what it is answered with. Throws an `ApiError` when the server refuses; else as {@link
 * decodeResponse} does.
 */
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

/** Reads the whole body of an answer, up to the limit. Throws as {@link decodeResponse} does. */
export async function readResponse(
  response: HttpResponse,
  about: RequestAbout,
  { maxBodyBytes = 256 * 1024 * 1024, signal }: ReadResponseOptions = {},
): Promise<ReadResponse> {
  const { status, headers } = response;
  const chunks = await collect(response.body, maxBodyBytes).catch((error: unknown) => {
    signal?.throwIfAborted();
    throw lost(about, status, error);
  });
  if (chunks.isCut) {
    throw new ResponseError(
      about.attempt,
      "too-large",
      `the answer is larger than ${maxBodyBytes} bytes; ask for it in pages, or raise maxBodyBytes`,
      { statusCode: status },
    );
  }
  return { status, headers, body: joined(chunks.parts) };
}

/** The JSON in an answer that has been read and is no failure. Throws as {@link decodeResponse} does. */
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
    if (!(error instanceof JsonError)) throw error;
    if (error.reason === "truncated") throw lost(about, status, error);
    throw new ResponseError(attempt, "json", `the answer is not JSON: ${error.message}`, { statusCode: status, cause: error });
  }
  throwIfStatusFailure(value, status, headers, attempt);
  return value;
}

/** The error that a failed answer is. A body that is too long or breaks off does not hide the code: what came of it is used. */
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

/** The same for an answer that has been read. */
export function readResponseError(
  { status: code, headers, body }: ReadResponse,
  { attempt, method, resource, name }: RequestAbout,
): ApiError {
  const retryAfter = retryAfterSeconds(headers);
  const status = statusFromResponse({
    code,
    headers,
    body: textOf(body),
    method,
    ...(resource === undefined ? {} : { resource }),
    ...(name === undefined ? {} : { name }),
  });
  return new ApiError(status, {
    code,
    attempt,
    ...(retryAfter === undefined ? {} : { retryAfterSeconds: retryAfter }),
    ...(code === 401 && { cause: new Error(unauthorizedHint) }),
  });
}

/** The server says no more than "Unauthorized", which helps nobody. */
const unauthorizedHint =
  "the server does not accept our credentials: check the user of the context; if its token or certificate has expired, log in again";

/** Whether an answer may be read as JSON; one that does not say what it is may. */
export function isJson(headers: HttpHeaders): boolean {
  const header = firstHeader(headers, "content-type");
  return header === "" || parseContentType(header)?.mediaType === "application/json";
}

/** A body as text. Bytes that are not UTF-8 become U+FFFD. */
export function textOf(body: string | Uint8Array): string {
  return typeof body === "string" ? body : new TextDecoder("utf-8", { ignoreBOM: true }).decode(body);
}

/** A body as bytes. */
export function bytesOf(body: string | Uint8Array): Uint8Array {
  return typeof body === "string" ? new TextEncoder().encode(body) : body;
}

// A Status that is no success is an error whatever the code: proxies and old servers have sent such with 200.
function throwIfStatusFailure(value: JsonValue, code: number, headers: HttpHeaders, attempt: string): void {
  if (!isJsonObject(value) || value["kind"] !== "Status") return;
  const status = parseStatus(value);
  if (status === undefined || status.status === "Success") return;
  const retryAfter = retryAfterSeconds(headers);
  throw new ApiError(status, { code, attempt, ...(retryAfter === undefined ? {} : { retryAfterSeconds: retryAfter }) });
}

interface Collected {
  readonly parts: readonly (string | Uint8Array)[];
  /** There was more than the limit. */
  readonly isCut: boolean;
}

/** The chunks of a body until the limit is passed; leaving early destroys the source. `parts` fills up also when the body breaks. */
async function collect(body: HttpBody, maxBytes: number, parts: (string | Uint8Array)[] = []): Promise<Collected> {
  if (typeof body === "string" || body instanceof Uint8Array) {
    parts.push(body);
    // A UTF-16 unit takes three bytes at most: nearly always that says enough, and nothing is counted.
    return { parts, isCut: body.length * 3 > maxBytes && sizeOf(body) > maxBytes };
  }
  let size = 0;
  for await (const chunk of body) {
    size += sizeOf(chunk);
    parts.push(chunk);
    if (size > maxBytes) return { parts, isCut: true };
  }
  return { parts, isCut: false };
}

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
