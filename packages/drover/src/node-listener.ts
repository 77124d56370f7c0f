/**
 * Serves a handler on a server of Node: requests in, responses out, and an orderly end. Shared by HTTP and HTTPS.
 *
 *     socket → HttpRequest → Transport → HttpResponse → socket
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ListenAddress, Listening } from "@drover/controller";
import { isWholeBody } from "@drover/client";
import { abortable, budget } from "@drover/machinery";
import type { HttpHeaders, HttpRequest, HttpResponse, Transport } from "@drover/machinery";

export interface NodeListenerOptions {
  /** Most bytes of a request body, which the handler gets whole; a larger one is answered with 413. @default bodies are not read */
  readonly bodyBytesMax?: number;
  /** What happens to open requests at the end: their signal aborts, or they are answered. */
  readonly onEnd: "abort" | "answer";
}

const openBodies = budget({
  name: "drover/request-bodies",
  limit: 64 * 2 ** 20,
  unit: "bytes",
  atLimit: "Further requests with a body are answered with 503 and Retry-After until open ones are answered.",
  uncounted: "A listener has no metrics of its own; the handler counts what it refuses.",
});

/** Opens the port and answers from then on. Rejects with an error that names the address and the fix if it cannot listen. */
export async function listenOn(
  server: Server,
  handler: Transport,
  address: ListenAddress,
  options: NodeListenerOptions,
): Promise<Listening> {
  const ending = new AbortController();
  const answers = new Set<Promise<void>>();
  const state: ListenerState = { handler, options, ending: ending.signal, bodies: { bytes: 0 } };
  server.on("request", (request, response) => {
    const answered = answer(state, request, response).finally(() => answers.delete(answered));
    answers.add(answered);
  });
  await listening(server, address);
  return { address: printAddress(server.address() as AddressInfo), run: (signal) => run(server, signal, { ending, answers }) };
}

interface ListenerState {
  readonly handler: Transport;
  readonly options: NodeListenerOptions;
  /** Aborts when the port closes. */
  readonly ending: AbortSignal;
  /** Bytes of all bodies whose requests are open. */
  readonly bodies: { bytes: number };
}

async function run(
  server: Server,
  signal: AbortSignal,
  { ending, answers }: { readonly ending: AbortController; readonly answers: ReadonlySet<Promise<void>> },
): Promise<void> {
  const failed = new Promise<never>((_, reject) => server.on("error", reject));
  const asked = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
  try {
    await Promise.race([asked, failed]);
  } finally {
    const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
    // Open requests are still answered. Only idle connections and incomplete requests remain.
    ending.abort(signal.reason);
    await Promise.all(answers);
    server.closeAllConnections();
    await closed;
  }
}

async function listening(server: Server, { host, port }: ListenAddress): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen({ port, ...(host === "" ? {} : { host }) }, () => {
        server.off("error", reject);
        resolve();
      });
    });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === "EADDRINUSE" ? "the port is in use; choose another port, or 0 for any free one" : message;
    throw new Error(`cannot listen on ${host === "" ? "port " : `${host}:`}${port}: ${why}`, { cause: error });
  }
}

const printAddress = ({ address, family, port }: AddressInfo): string => `${family === "IPv6" ? `[${address}]` : address}:${port}`;

/** Resolves when the response was sent or the client is gone. Never rejects. */
async function answer(state: ListenerState, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { ending, options } = state;
  const gone = new AbortController();
  const end = (): void => {
    if (options.onEnd === "abort") gone.abort(ending.reason);
    else if (!response.headersSent) response.setHeader("connection", "close");
  };
  const closed = new Promise<void>(
    (resolve) =>
      void response.on("close", () => {
        ending.removeEventListener("abort", end);
        gone.abort();
        resolve();
      }),
  );
  ending.addEventListener("abort", end, { once: true });
  if (ending.aborted) end();
  try {
    await send(await abortable(handled(state, request, gone.signal), gone.signal), response);
  } catch {
    if (response.headersSent) response.destroy();
    else
      response
        .writeHead(ending.aborted ? 503 : 500, { "content-type": "text/plain; charset=utf-8", connection: "close" })
        .end(ending.aborted ? "the server is stopping\n" : "the handler failed\n");
  }
  await closed;
}

async function handled(state: ListenerState, request: IncomingMessage, signal: AbortSignal): Promise<HttpResponse> {
  const { handler, options, bodies } = state;
  const asked: HttpRequest = { method: request.method ?? "", path: request.url ?? "", headers: headersOf(request), signal };
  const { bodyBytesMax } = options;
  if (bodyBytesMax === undefined) return handler(asked);
  let held = 0;
  try {
    const pieces: Uint8Array[] = [];
    for await (const piece of request as AsyncIterable<Uint8Array>) {
      held += piece.length;
      bodies.bytes += piece.length;
      if (held > bodyBytesMax) return plain(413, `the body has more than ${bodyBytesMax} bytes\n`);
      if (bodies.bytes > openBodies.limit) return plain(503, "too many requests are open\n", { "retry-after": "1" });
      pieces.push(piece);
    }
    return await handler({ ...asked, ...(held === 0 ? {} : { body: Buffer.concat(pieces) }) });
  } finally {
    bodies.bytes -= held;
  }
}

/** Ends the connection, because the rest of the body was not read. */
const plain = (status: number, body: string, headers: HttpHeaders = {}): HttpResponse => ({
  status,
  headers: { "content-type": "text/plain; charset=utf-8", connection: "close", ...headers },
  body,
});

async function send({ status, headers, body }: HttpResponse, response: ServerResponse): Promise<void> {
  const fields = Object.entries(headers).map(([name, value]): [string, string | string[]] => [
    name,
    typeof value === "string" ? value : [...value],
  ]);
  response.writeHead(status, Object.fromEntries(fields));
  if (isWholeBody(body)) response.end(body);
  else await pipeline(Readable.from(body), response);
}

function headersOf({ headers }: IncomingMessage): HttpHeaders {
  return Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])));
}
