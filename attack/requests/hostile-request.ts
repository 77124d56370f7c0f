/** One hostile request of a number and a seed: what is sent, over which wire, and as whom. */

/** What a family of requests attacks. */
export type Family = "json" | "yaml" | "protobuf" | "cel" | "paths" | "headers" | "http1" | "http2" | "upgrades";

/** A request whose HTTP is well-formed as far as its length is known; everything else may be anything. */
export interface FramedRequest {
  readonly wire: "framed";
  readonly method: string;
  /** Sent as it is: may contain control characters. */
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: Uint8Array;
}

/** Bytes on a new connection, which is then closed for writing. */
export interface RawRequest {
  readonly wire: "http1" | "http2";
  readonly bytes: Uint8Array;
}

export interface HostileRequest {
  readonly family: Family;
  readonly sent: FramedRequest | RawRequest;
}

/** Where the requests of a run may leave objects. */
export const hostileNamespace = "hostile";

/** Few names, so that what succeeds overwrites itself and the store does not grow. */
export const names: readonly string[] = Array.from({ length: 12 }, (_, index) => `h${index}`);

const encoder = new TextEncoder();

/** Encodes a request for HTTP/1.1. A body without its own framing gets a content-length. */
export function encodeFramed({ method, path, headers, body }: FramedRequest, token: string | undefined): Uint8Array {
  const has = (name: string): boolean => headers.some(([each]) => each.toLowerCase() === name);
  const lines = [
    `${method} ${path} HTTP/1.1`,
    ...(has("host") ? [] : ["Host: localhost"]),
    ...(token === undefined || has("authorization") ? [] : [`Authorization: Bearer ${token}`]),
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined || has("content-length") || has("transfer-encoding") ? [] : [`Content-Length: ${body.length}`]),
  ];
  const head = Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "utf8");
  return body === undefined ? head : Buffer.concat([head, body]);
}

export const bytesOf = (text: string): Uint8Array => encoder.encode(text);
