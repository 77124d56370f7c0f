/**
 * Sends hostile requests over TLS and says how each ended.
 *
 *     HostileClient.send → Ending: answered, streaming, closed, silent, malformed
 */
import type { TLSSocket } from "node:tls";
import { knock } from "../exchange.ts";
import type { Target } from "../exchange.ts";
import { encodeFramed } from "./hostile-request.ts";
import type { FramedRequest, HostileRequest, RawRequest } from "./hostile-request.ts";
import { ResponseReader } from "./response-reader.ts";
import type { Response } from "./response-reader.ts";

/** How a request ended. */
export type Ending =
  | { readonly kind: "answered"; readonly response: Response }
  | { readonly kind: "streaming"; readonly status: number }
  | { readonly kind: "closed" }
  | { readonly kind: "silent" }
  | { readonly kind: "malformed"; readonly problem: string };

/** How long a watch or a stream is read. */
const streamMs = 100;
/** How long bytes that are perhaps no request are given. */
const rawMs = 300;
/** After this a complete request counts as not answered. */
const silenceMs = 30_000;

const streams = /watch|follow|exec|attach|portforward|sendInitialEvents/i;
/** Requests after which nothing else may be read from the connection. */
const isPlain = ({ method, path, headers }: FramedRequest): boolean =>
  /^(?:GET|POST|PUT|PATCH|DELETE)$/.test(method) &&
  /^\/[\x21-\x7e]*$/.test(path) &&
  headers.every(
    ([name, value]) =>
      /^[A-Za-z-]+$/.test(name) && /^[\x20-\x7e]*$/.test(value) && !/^(?:connection|upgrade|expect|host|te|trailer)/i.test(name),
  );

export class HostileClient {
  readonly #target: Target;
  readonly #token: string | undefined;
  #line: TLSSocket | undefined;

  /** Without a token the requests are anonymous. */
  constructor(target: Target, token: string | undefined) {
    this.#target = { ...target, cert: "", key: "" };
    this.#token = token;
  }

  async send({ sent }: HostileRequest): Promise<Ending> {
    return sent.wire === "framed" ? await this.#sendFramed(sent) : await this.#sendRaw(sent);
  }

  close(): void {
    this.#line?.destroy();
    this.#line = undefined;
  }

  async #sendFramed(request: FramedRequest): Promise<Ending> {
    const plain = isPlain(request);
    if (!plain) this.close();
    const socket = this.#line !== undefined && !this.#line.destroyed ? this.#line : await this.#open();
    const ending = await exchange(socket, encodeFramed(request, this.#token), request.method, streams.test(request.path));
    if (!plain || ending.kind !== "answered" || !ending.response.keepsAlive) this.close();
    return ending;
  }

  async #open(): Promise<TLSSocket> {
    const socket = await knock(this.#target);
    // A reset is an answer too: "close" follows.
    socket.on("error", () => undefined);
    this.#line = socket;
    return socket;
  }

  async #sendRaw({ wire, bytes }: RawRequest): Promise<Ending> {
    const socket = await knock(this.#target, wire === "http2" ? "h2" : undefined);
    const received = await collect(socket, bytes);
    if (received.length === 0) return { kind: "closed" };
    const problem = wire === "http2" ? http2Problem(received) : http1Problem(received);
    return problem === undefined ? { kind: "streaming", status: 0 } : { kind: "malformed", problem };
  }
}

function exchange(socket: TLSSocket, bytes: Uint8Array, method: string, mayStream: boolean): Promise<Ending> {
  return new Promise((resolve) => {
    const reader = new ResponseReader(method);
    const finish = (ending: Ending): void => {
      clearTimeout(silence);
      clearTimeout(stream);
      socket.off("data", read).off("close", closed);
      resolve(ending);
    };
    const silence = setTimeout(() => finish({ kind: "silent" }), silenceMs);
    let stream: NodeJS.Timeout | undefined;
    const attempt = (act: () => void): void => {
      try {
        act();
      } catch (error) {
        finish({ kind: "malformed", problem: error instanceof Error ? error.message : String(error) });
      }
    };
    const read = (chunk: Buffer): void =>
      attempt(() => {
        reader.push(chunk);
        if (reader.isComplete) finish({ kind: "answered", response: reader.response() });
        else if (reader.status !== undefined && (mayStream || reader.status === 101))
          stream ??= setTimeout(() => finish({ kind: "streaming", status: reader.status ?? 0 }), streamMs);
      });
    const closed = (): void =>
      attempt(() => {
        const response = reader.end();
        finish(response === undefined ? { kind: "closed" } : { kind: "answered", response });
      });
    socket.on("data", read).on("close", closed);
    socket.write(bytes);
  });
}

/** Sends bytes, ends the sending side and returns what comes back until the server closes, or for a while. */
async function collect(socket: TLSSocket, bytes: Uint8Array): Promise<Buffer> {
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => void (chunks.length < 200 && chunks.push(chunk)));
  socket.on("error", () => undefined);
  socket.end(bytes);
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, rawMs);
    socket.once("close", () => {
      clearTimeout(timer);
      resolve();
    });
  });
  socket.destroy();
  return Buffer.concat(chunks);
}

const http1Problem = (bytes: Buffer): string | undefined => {
  const text = bytes.subarray(0, 200).toString("latin1");
  return /^HTTP\/1\.[01] [1-5]\d\d [^\r\n]*\r\n/.test(text) ? undefined : `no status line: ${JSON.stringify(text)}`;
};

/** Frames of known types and sizes; the last one may be cut off. */
function http2Problem(bytes: Buffer): string | undefined {
  for (let at = 0; at + 9 <= bytes.length; at += 9 + bytes.readUIntBE(at, 3)) {
    const [length, type] = [bytes.readUIntBE(at, 3), bytes.readUInt8(at + 3)];
    if (at === 0 && type !== 4) return `the first frame has type ${type} instead of settings`;
    if (length > 2 ** 20 || type > 10) return `a frame of type ${type} and ${length} bytes`;
  }
  return undefined;
}
