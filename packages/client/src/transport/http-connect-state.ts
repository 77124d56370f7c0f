/**
 * The client side of HTTP CONNECT without a socket: the request's bytes, and a parser of the response headers.
 */
import type { Secret } from "@drover/machinery";
import type { Socks5Step } from "./socks5-state.ts";

export interface ConnectTarget {
  /** "example.com:6443" */
  readonly authority: string;
  readonly login?: { readonly username: string; readonly password: Secret };
}

export type ConnectStep =
  | { readonly kind: "more"; readonly state: ConnectState; readonly send?: Uint8Array }
  | Exclude<Socks5Step, { readonly kind: "more" }>;

export interface ConnectState {
  readonly received: Uint8Array;
}

const headBytesMax = 16 * 1024;

/** Returns the request, and the state that waits for its response. `encodeBase64` takes bytes as the host encodes them. */
export function connectStart({ authority, login }: ConnectTarget, encodeBase64: (text: string) => string): ConnectStep {
  const authorization =
    login === undefined ? "" : `proxy-authorization: Basic ${encodeBase64(`${login.username}:${login.password.reveal()}`)}\r\n`;
  return {
    kind: "more",
    state: { received: new Uint8Array() },
    send: new TextEncoder().encode(`CONNECT ${authority} HTTP/1.1\r\nhost: ${authority}\r\n${authorization}\r\n`),
  };
}

/** Processes bytes from the proxy. */
export function connectStep(state: ConnectState, chunk: Uint8Array): ConnectStep {
  const received = new Uint8Array(state.received.length + chunk.length);
  received.set(state.received);
  received.set(chunk, state.received.length);
  const end = headEnd(received, Math.max(0, state.received.length - 3));
  if (end === undefined) {
    return received.length > headBytesMax
      ? { kind: "failed", why: "its response headers are too large" }
      : { kind: "more", state: { received } };
  }
  const statusLine = new TextDecoder()
    .decode(received.subarray(0, Math.min(end, 256)))
    .split("\r\n", 1)
    .join("");
  const status = /^HTTP\/1\.[01] (\d{3})(?: |$)/.exec(statusLine)?.[1];
  if (status === undefined) return { kind: "failed", why: "it does not respond in HTTP" };
  if (status === "407") return { kind: "failed", why: "it requires a user name and password (407); check those in proxy-url" };
  return status.startsWith("2") ? { kind: "done", rest: received.subarray(end) } : { kind: "failed", why: `it answered ${status}` };
}

/** Returns where the empty line that ends the headers is complete. */
function headEnd(bytes: Uint8Array, from: number): number | undefined {
  for (let index = bytes.indexOf(13, from); index !== -1; index = bytes.indexOf(13, index + 1)) {
    if (bytes[index + 1] === 10 && bytes[index + 2] === 13 && bytes[index + 3] === 10) return index + 4;
  }
  return undefined;
}
