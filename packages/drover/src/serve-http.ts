/**
 * Serves a handler on a port, for probes and metrics: HTTP/1.1 without TLS, on Node's server.
 *
 *     socket → HttpRequest → Transport → HttpResponse → socket
 */
import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Listen, ListenAddress } from "@drover/controller";
import { isWholeBody } from "@drover/client";
import { abortable } from "@drover/machinery";
import type { HttpHeaders, HttpResponse, Transport } from "@drover/machinery";

/** Timeout for receiving the request head, and the whole request. */
const headersTimeoutMs = 32_000;
const idleTimeoutMs = 90_000;

/**
 * Opens the port. Ignores the Host header, because probes use addresses, and does not read request bodies. Rejects with
 * an error that names the address and the fix if it cannot listen.
 */
export const serveHttp: Listen = async (handler, address) => {
  const server = createServer({
    headersTimeout: headersTimeoutMs,
    requestTimeout: headersTimeoutMs,
    keepAliveTimeout: idleTimeoutMs,
    noDelay: true,
  });
  const ending = new AbortController();
  const answers = new Set<Promise<void>>();
  server.on("request", (request, response) => {
    const answered = answer(handler, request, response, ending.signal).finally(() => answers.delete(answered));
    answers.add(answered);
  });
  await listening(server, address);
  return { address: printAddress(server.address() as AddressInfo), run: (signal) => run(server, signal, { ending, answers }) };
};

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
    // Aborts open requests, which are still answered. Only idle connections and incomplete requests remain.
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
async function answer(handler: Transport, request: IncomingMessage, response: ServerResponse, ending: AbortSignal): Promise<void> {
  const gone = new AbortController();
  const end = (): void => gone.abort(ending.reason);
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
    const answering = handler({ method: request.method ?? "", path: request.url ?? "", headers: headersOf(request), signal: gone.signal });
    await send(await abortable(answering, gone.signal), response);
  } catch {
    if (response.headersSent) response.destroy();
    else
      response
        .writeHead(ending.aborted ? 503 : 500, { "content-type": "text/plain; charset=utf-8", connection: "close" })
        .end(ending.aborted ? "the server is stopping\n" : "the handler failed\n");
  }
  await closed;
}

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
