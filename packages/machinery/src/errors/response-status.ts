/**
 * From an error response to a Status: the one in the body, or else one built from the HTTP code.
 *
 *     HttpResponse (status not 2xx) → Status → ApiError
 */
import { isInstanceOf } from "../error-text.ts";
import { definedOnly } from "../json/defined-only.ts";
import type { GroupResource } from "../object/group-version.ts";
import type { HttpHeaders } from "../wire/http.ts";
import type { Status } from "../wire/status.ts";
import { newGenericServerResponse } from "./generic-response.ts";
import { parseStatus } from "./parse-status.ts";

/** An error response and its request. */
export interface FailedResponse {
  /** HTTP status code. */
  readonly code: number;
  readonly headers: HttpHeaders;
  readonly body: string;
  /** HTTP method of the request. */
  readonly method: string;
  /**
   * Resource of the request.
   * @default none
   */
  readonly resource?: GroupResource;
  /**
   * Name of the object.
   * @default none
   */
  readonly name?: string;
}

// As much of an unexpected response as client-go keeps.
const textBytesMax = 2048;

/** Returns the Status of an error response. Takes a Status in JSON as it is; of anything else keeps only the start of the text. */
export function statusFromResponse({ code, headers, body, method, resource, name }: FailedResponse): Status {
  const media = mediaType(headers);
  const written = media === "" || media === "application/json" ? parseFailure(body) : undefined;
  if (written !== undefined) return written;
  return newGenericServerResponse({
    code,
    method,
    ...definedOnly({ resource, name }),
    serverMessage: media === "" || media.startsWith("text/") ? startOf(body).trim() : "unknown",
    retryAfterSeconds: retryAfterSeconds(headers) ?? 0,
  });
}

/** Returns the `Retry-After` header if it is a number of seconds; ignores dates, as client-go does. */
export function retryAfterSeconds(headers: HttpHeaders): number | undefined {
  const text = firstHeader(headers, "retry-after");
  return /^[+-]?[0-9]{1,15}$/.test(text) ? Number(text) : undefined;
}

function parseFailure(body: string): Status | undefined {
  try {
    const status = parseStatus(JSON.parse(body));
    return status?.status === "Failure" ? status : undefined;
  } catch (error) {
    if (isInstanceOf(error, SyntaxError)) return undefined;
    throw error;
  }
}

function mediaType(headers: HttpHeaders): string {
  return firstHeader(headers, "content-type").split(";", 1).join("").trim().toLowerCase();
}

function firstHeader(headers: HttpHeaders, name: string): string {
  const value = headers[name] ?? "";
  return typeof value === "string" ? value : (value[0] ?? "");
}

function startOf(body: string): string {
  const bytes = new TextEncoder().encode(body.slice(0, textBytesMax));
  return new TextDecoder().decode(bytes.subarray(0, textBytesMax), { stream: true });
}
