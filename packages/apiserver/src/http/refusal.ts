/** Responses of the listener itself, for requests that never reach a handler. */
import type { HttpHeaders } from "@drover/machinery";
import type { StatusError } from "../status-error.ts";

/** A complete response in text. */
export interface Refusal {
  readonly status: number;
  readonly headers: HttpHeaders;
  readonly body: string;
}

/** Returns a plain text response that states the reason. */
export function refusal(status: number, text: string): Refusal {
  const body = `${text}\n`;
  const headers = {
    "content-type": "text/plain; charset=utf-8",
    "x-content-type-options": "nosniff",
    "content-length": String(Buffer.byteLength(body)),
  };
  return { status, headers, body };
}

/** Returns the Status of an error that the body threw and the handler let pass. */
export function statusRefusal({ status }: StatusError): Refusal {
  const body = JSON.stringify(status);
  return {
    status: status.code ?? 500,
    headers: { "content-type": "application/json", "content-length": String(Buffer.byteLength(body)) },
    body,
  };
}
