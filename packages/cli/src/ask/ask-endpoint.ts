/**
 * Sends one request to a debug endpoint.
 *
 *     Endpoint, path → askEndpoint, tellEndpoint → parsed JSON        openStream → chunks of text
 */
import { request } from "node:http";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { budget, errorCode, errorText, isInstanceOf } from "@drover/machinery";
import { isStreamError } from "drover/client";
import { CommandError, isCommandError } from "../command-error.ts";
import { oneLine } from "../terminal-text.ts";
import type { Endpoint } from "./endpoint.ts";

const answerBytes = budget({
  name: "cli/debug-answer",
  limit: 32 * 2 ** 20,
  unit: "bytes",
  atLimit: "the command ends with an error: the program behind the port is not an operator",
  uncounted: "The command ends with an error that says so.",
});
/** How long an operator may block its event loop before the command gives up. */
const answerMs = 15_000;

/** Resolves with the answer. Rejects with a `CommandError` that names the endpoint, and the fix if the endpoint told one. */
export async function askEndpoint(endpoint: Endpoint, path: string, signal: AbortSignal): Promise<unknown> {
  return exchange(endpoint, { method: "GET", path }, signal);
}

/** Sends a request that makes the operator do something. Resolves and rejects as `askEndpoint`. */
export async function tellEndpoint(endpoint: Endpoint, path: string, signal: AbortSignal): Promise<unknown> {
  return exchange(endpoint, { method: "POST", path }, signal);
}

/**
 * Resolves with the stream of an endpoint that answers with events. It ends when the signal aborts, and throws a `CommandError` if the
 * connection breaks.
 */
export async function openStream(endpoint: Endpoint, path: string, signal: AbortSignal): Promise<AsyncIterable<string>> {
  const response = await open(endpoint, { method: "GET", path }, signal);
  if (response.statusCode === 200) return chunksOf(response, endpoint, signal);
  throw refusal(endpoint, response, parse(await textOf(response, endpoint)));
}

async function* chunksOf(response: IncomingMessage, { name }: Endpoint, signal: AbortSignal): AsyncGenerator<string> {
  try {
    yield* response.setEncoding("utf8") as AsyncIterable<string>;
  } catch (error) {
    if (signal.aborted) return;
    const fix = "the operator or its connection has ended; drover status says whether it runs";
    throw new CommandError(`the stream of ${name} broke: ${oneLine(errorText(error))}\n  fix: ${fix}`, { cause: error });
  }
}

/** What is asked. */
interface Sent {
  readonly method: "GET" | "POST";
  readonly path: string;
}

async function exchange(endpoint: Endpoint, sent: Sent, signal: AbortSignal): Promise<unknown> {
  const response = await open(endpoint, sent, AbortSignal.any([signal, AbortSignal.timeout(answerMs)]));
  const text = await textOf(response, endpoint);
  const answer = parse(text);
  if (response.statusCode === 200 && answer !== undefined) return answer;
  throw refusal(endpoint, response, answer);
}

function refusal({ name }: Endpoint, { statusCode = 0 }: IncomingMessage, answer: unknown): CommandError {
  const { error, fix } = (answer ?? {}) as { readonly error?: unknown; readonly fix?: unknown };
  if (typeof error !== "string")
    return new CommandError(`the program at ${name} is not an operator with a debug endpoint: it answered ${statusCode}`);
  return new CommandError(`${oneLine(error)}${typeof fix === "string" ? `\n  fix: ${oneLine(fix)}` : ""}`);
}

async function open(endpoint: Endpoint, { method, path }: Sent, signal: AbortSignal): Promise<IncomingMessage> {
  const { hostname, port } = new URL(`http://${endpoint.address}`);
  const tunnel = await endpoint.open?.(signal);
  return new Promise((resolve, reject) => {
    const socket = tunnel === undefined ? { agent: false as const } : { createConnection: (): Duplex => tunnel };
    const headers = { host: endpoint.address, ...(method === "POST" ? { "drover-request": "reconcile", "content-length": 0 } : {}) };
    const sent = request({ host: hostname.replace(/^\[|\]$/g, ""), method, port, path, signal, ...socket, headers }, resolve);
    sent.on("error", (error) => reject(new CommandError(problemOf(endpoint, error, signal), { cause: error })));
    sent.end();
  });
}

function problemOf({ name }: Endpoint, error: Error, signal: AbortSignal): string {
  if (errorCode(error) === "ECONNREFUSED")
    return `nothing listens at ${name}\n  fix: check that the operator runs, and its port: it logs "debug endpoint" at its start`;
  if (signal.aborted) return `cannot ask ${name}: ${isTimeout(signal.reason) ? `no answer within ${answerMs / 1000} s` : "interrupted"}`;
  if (isStreamError(error) && error.reason === "remote")
    return `${name} does not answer: ${oneLine(error.message)}\n  fix: check the port: the operator logs "debug endpoint" at its start; DROVER_DEBUG=off and debug: false open none`;
  return `cannot ask ${name}: ${oneLine(errorText(error))}`;
}

const isTimeout = (reason: unknown): boolean => isInstanceOf(reason, DOMException) && reason.name === "TimeoutError";

async function textOf(response: IncomingMessage, { name }: Endpoint): Promise<string> {
  let text = "";
  try {
    for await (const chunk of response.setEncoding("utf8") as AsyncIterable<string>) {
      text += chunk;
      if (text.length > answerBytes.limit) throw new CommandError(`the answer of ${name} has more than ${answerBytes.limit} bytes`);
    }
  } catch (error) {
    if (isCommandError(error)) throw error;
    throw new CommandError(`the answer of ${name} ended early: ${oneLine(errorText(error))}`, { cause: error });
  }
  return text;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
