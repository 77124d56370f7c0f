/** Requests of an attacker: with any bytes, and with an end to every wait. */
import { request } from "node:https";
import type { Agent } from "node:https";
import type { IncomingHttpHeaders } from "node:http";
import { connect } from "node:tls";
import type { TLSSocket } from "node:tls";

/** Where and as whom to knock. */
export interface Target {
  readonly host: string;
  readonly port: number;
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
  /** Keeps connections open between requests. @default a connection for each request */
  readonly agent?: Agent;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** At most the first 8 MB. */
  readonly text: string;
}

export interface Question {
  readonly method?: string;
  readonly path: string;
  /** Objects are sent as JSON. */
  readonly body?: string | Uint8Array | object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

const textMax = 8 * 2 ** 20;

/** Rejects when no complete answer comes in time. */
export function ask(
  { host, port, ca, cert, key, agent }: Target,
  { method = "GET", path, body, headers = {}, timeoutMs = 20_000 }: Question,
): Promise<Answer> {
  const isRaw = typeof body === "string" || body instanceof Uint8Array;
  const bytes = body === undefined ? undefined : isRaw ? body : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host,
        port,
        ca,
        cert,
        key,
        method,
        path,
        agent: agent ?? false,
        headers: { ...(bytes === undefined ? {} : { "content-type": "application/json" }), ...headers },
      },
      (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        response.on("data", (chunk: Buffer) => {
          if (size < textMax) chunks.push(chunk);
          size += chunk.length;
        });
        response.on("error", reject);
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString("utf8").slice(0, textMax),
          }),
        );
      },
    );
    const timer = setTimeout(() => sent.destroy(new Error(`no answer to ${method} ${path.slice(0, 80)} in ${timeoutMs} ms`)), timeoutMs);
    sent.on("error", reject);
    sent.on("close", () => clearTimeout(timer));
    sent.end(bytes);
  });
}

/** Opens a TLS connection for bytes that no HTTP library would send; without a protocol the server chooses HTTP/1.1. */
export function knock({ host, port, ca, cert, key }: Target, protocol?: "h2"): Promise<TLSSocket> {
  const offer = protocol === undefined ? {} : { ALPNProtocols: [protocol] };
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, ca, cert, key, servername: "localhost", ...offer }, () => resolve(socket));
    socket.on("error", reject);
  });
}

/** Sends bytes and returns what comes back until the server closes the connection, or until `waitMs` have passed. */
export async function tell(target: Target, bytes: string | Uint8Array, waitMs: number = 1000): Promise<string> {
  const socket = await knock(target);
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => void (chunks.length < 1000 && chunks.push(chunk)));
  // A reset is an answer too.
  socket.on("error", () => undefined);
  socket.write(bytes);
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, waitMs);
    socket.once("close", () => {
      clearTimeout(timer);
      resolve();
    });
  });
  socket.destroy();
  return Buffer.concat(chunks).toString("latin1");
}
