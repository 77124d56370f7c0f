/**
 * Sends one GET request to a debug endpoint.
 *
 *     address, path → askEndpoint → parsed JSON        openStream → chunks of text
 */
import { request } from "node:http";
import type { IncomingMessage } from "node:http";
import { budget, errorCode, errorText } from "@drover/machinery";
import { CommandError, isCommandError } from "../command-error.ts";
import { oneLine } from "../terminal-text.ts";

const answerBytes = budget({
  name: "cli/debug-answer",
  limit: 32 * 2 ** 20,
  unit: "bytes",
  atLimit: "the command ends with an error: the program behind the port is not an operator",
  uncounted: "The command ends with an error that says so.",
});
/** How long an operator may block its event loop before the command gives up. */
const answerMs = 15_000;

/** Resolves with the answer. Rejects with a `CommandError` that names the address, and the fix if the endpoint told one. */
export async function askEndpoint(address: string, path: string, signal: AbortSignal): Promise<unknown> {
  const response = await open(address, path, AbortSignal.any([signal, AbortSignal.timeout(answerMs)]));
  const text = await textOf(response, address);
  const answer = parse(text);
  if (response.statusCode === 200 && answer !== undefined) return answer;
  const { error, fix } = (answer ?? {}) as { readonly error?: unknown; readonly fix?: unknown };
  if (typeof error !== "string")
    throw new CommandError(`the program at ${address} is not an operator with a debug endpoint: it answered ${response.statusCode ?? 0}`);
  throw new CommandError(`${oneLine(error)}${typeof fix === "string" ? `\n  fix: ${oneLine(fix)}` : ""}`);
}

/** Resolves with the stream of an endpoint that answers with events. */
export async function openStream(address: string, path: string, signal: AbortSignal): Promise<AsyncIterable<string>> {
  const response = await open(address, path, signal);
  if (response.statusCode === 200) return response.setEncoding("utf8") as AsyncIterable<string>;
  const { error = `it answered ${response.statusCode ?? 0}`, fix } = (parse(await textOf(response, address)) ?? {}) as {
    readonly error?: string;
    readonly fix?: string;
  };
  throw new CommandError(`${oneLine(error)}${typeof fix === "string" ? `\n  fix: ${oneLine(fix)}` : ""}`);
}

function open(address: string, path: string, signal: AbortSignal): Promise<IncomingMessage> {
  const { hostname, port } = new URL(`http://${address}`);
  return new Promise((resolve, reject) => {
    const sent = request({ host: hostname.replace(/^\[|\]$/g, ""), port, path, signal, agent: false, headers: { host: address } }, resolve);
    sent.on("error", (error) =>
      reject(
        new CommandError(
          errorCode(error) === "ECONNREFUSED"
            ? `nothing listens at ${address}\n  fix: check that the operator runs, and its port: it logs "debug endpoint" at its start`
            : `cannot ask ${address}: ${signal.aborted ? `no answer within ${answerMs / 1000} s` : oneLine(errorText(error))}`,
          { cause: error },
        ),
      ),
    );
    sent.end();
  });
}

async function textOf(response: IncomingMessage, address: string): Promise<string> {
  let text = "";
  try {
    for await (const chunk of response.setEncoding("utf8") as AsyncIterable<string>) {
      text += chunk;
      if (text.length > answerBytes.limit) throw new CommandError(`the answer of ${address} has more than ${answerBytes.limit} bytes`);
    }
  } catch (error) {
    if (isCommandError(error)) throw error;
    throw new CommandError(`the answer of ${address} ended early: ${oneLine(errorText(error))}`, { cause: error });
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
