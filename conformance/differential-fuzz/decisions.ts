/** Our server and a real one, which decide the same random questions, and the line about it at the end of a run. */
import { appendFileSync } from "node:fs";
import { createApiServer } from "@drover/apiserver";
import { nodeHost } from "@drover/apiserver/node";
import { decodeJson, encodeJson } from "@drover/machinery";
import type { JsonObject, JsonValue } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { startRealServer } from "../servers/real-server.ts";

/** What a server answers. */
export interface Told {
  readonly status: number;
  readonly message: string;
  readonly body: JsonObject;
  readonly warnings: readonly string[];
}

/** Sends JSON as administrator. */
export type Ask = (method: string, path: string, body?: JsonValue) => Promise<Told>;

export interface DecidingServers {
  readonly ours: Ask;
  readonly real: Ask;
  readonly stop: () => Promise<void>;
}

interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

/** Starts both servers in one mode of authorization. The caller stops them. */
export async function startDecidingServers(mode: "RBAC" | "AlwaysAllow"): Promise<DecidingServers> {
  const real = await startRealServer({ authorization: mode });
  const server = await createApiServer({ runtime: testRuntime(), host: nodeHost, authorizationModes: [mode] });
  return {
    ours: asker(async (request) => {
      const { status, headers, body } = await server.handle(request);
      return { status, headers, body: body as string };
    }),
    real: asker(async (request) => {
      const { headers, ...answer } = await real.send(request);
      // Node reads headers as Latin-1; the server writes them as UTF-8.
      const warning = [headers["warning"] ?? []].flat().map((text) => Buffer.from(text, "latin1").toString("utf8"));
      return { ...answer, headers: { warning } };
    }),
    stop: real.stop,
  };
}

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const asker =
  (send: (request: Asked) => Promise<Answered>): Ask =>
  async (method, path, body) => {
    const type = method === "PATCH" ? "application/merge-patch+json" : "application/json";
    const answer = await send({
      method,
      path,
      headers: { "content-type": type },
      ...(body === undefined ? {} : { body: encodeJson(body) }),
    });
    // Until a kind is served, the answer is plain text.
    const parsed = answer.body.startsWith("{") ? (decodeJson(answer.body) as JsonObject) : {};
    const message = parsed["message"];
    const warnings = [answer.headers["warning"] ?? []].flat().flatMap((header) => header.split(/, (?=299 )/));
    return { status: answer.status, message: typeof message === "string" ? message : "", body: parsed, warnings };
  };

/** Does something with every item, at most `limit` at a time; results are in the order of the items. */
export async function inTurns<T, R>(items: readonly T[], limit: number, act: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      const at = next++;
      results[at] = await act(items[at] as T);
    }
  };
  await Promise.all(Array.from({ length: limit }, worker));
  return results;
}

/** How many cases a long run has: DROVER_CASES, or 10,000. */
export const longCases = (): number => Number(process.env["DROVER_CASES"] ?? 10_000);

/** The seed of random cases. */
export const seedOf = (): number => Number(process.env["DROVER_SEED"] ?? 1);

/** Passes a line to `npm run test:differential`, which prints it last. */
export function report(line: string): void {
  const file = process.env["DROVER_DIFFERENTIAL_TABLES"];
  if (file !== undefined) appendFileSync(file, `\n${line}\n`);
}
