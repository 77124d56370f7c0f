/** Starts of an operator under faults of the server and the network: a single failure used to end the program. */
import { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import { ConfigMap } from "@drover/api/core/v1";
import { createApiServer } from "@drover/apiserver";
import type { ApiServer } from "@drover/apiserver";
import { nodeHost } from "@drover/apiserver/node";
import { TransportError, createClient } from "@drover/client";
import { createRandom, definedOnly, newFailure, sleep } from "@drover/machinery";
import type { Clock, HttpResponse, Random, StatusReason, Transport } from "@drover/machinery";
import { ManualClock, testRuntime } from "@drover/machinery/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { createOperator, defineResource, installResource } from "../index.ts";

const WebApp = defineResource({
  group: "demo.drover.dev",
  version: "v1",
  kind: "WebApp",
  spec: z.object({ image: z.string() }),
  status: z.object({ ready: z.int().default(0) }),
});

const answer = (code: number, reason: StatusReason | ""): HttpResponse => ({
  status: code,
  headers: { "content-type": "application/json", ...(code === 429 ? { "retry-after": "1" } : {}) },
  body: JSON.stringify(newFailure(code, reason, `answer ${code}`)),
});
const reset = (sent: "no" | "maybe"): TransportError => new TransportError("the connection was reset", { reason: "reset", sent });
const answers: readonly (readonly [number, StatusReason | ""])[] = [
  [409, "Conflict"],
  [429, "TooManyRequests"],
  [500, "InternalError"],
  [502, ""],
  [503, "ServiceUnavailable"],
  [504, "Timeout"],
];

/** Fails about half of the first requests: refusals, resets before and after the server has done the work, and silence. */
function faulty(next: Transport, clock: Clock, random: Random, faults: number): Transport {
  let left = faults;
  return async (request) => {
    if (left === 0 || random.int(2) === 0) return next(request);
    left--;
    const kind = random.int(answers.length + 3);
    const refusal = answers[kind];
    if (refusal !== undefined) return answer(...refusal);
    if (kind === answers.length) throw reset("no");
    await next(request);
    // Silence, which the transport of a real connection ends.
    if (kind === answers.length + 2) await sleep(clock, 15_000, definedOnly({ signal: request.signal }));
    throw reset("maybe");
  };
}

describe("the start of an operator", () => {
  const runtime = testRuntime({ clock: new ManualClock({ quietTurns: 8, turn: () => new Promise((resolve) => setImmediate(resolve)) }) });
  const { clock } = runtime;
  let server: ApiServer;
  let empty: ReturnType<ApiServer["snapshot"]>;
  const clientOn = (transport: Transport) => createClient({ transport, clock, log: runtime.log, namespace: "default" });
  beforeAll(async () => {
    server = await createApiServer({ runtime, host: nodeHost });
    empty = server.snapshot();
  });
  afterAll(() => server.close());

  /** Returns the failure of the start, or what the operator has made. */
  async function started(seed: number): Promise<unknown> {
    await server.restore(empty);
    const app = createOperator({ name: "shop" });
    app.controller(WebApp, {
      owns: { page: ConfigMap },
      desired: ({ object }) => ({ page: { metadata: { name: `page-${object.metadata.name ?? ""}` }, data: { image: object.spec.image } } }),
    });
    const random = createRandom(seed);
    const run = app.runOn({ runtime, transport: faulty(server.handle, clock, random, 3 + random.int(6)), namespace: "default" });
    const stop = new AbortController();
    let failure: unknown;
    const ended = run.run(stop.signal).catch((error: unknown) => {
      failure = error;
    });
    await clock.advance(60_000);
    const client = clientOn(server.handle);
    const made =
      failure ?? (await client.create(WebApp, { metadata: { name: "web" }, spec: { image: "shop:1" } }).catch((error: unknown) => error));
    await clock.advance(120_000);
    const page = await client.get(ConfigMap, "page-web").catch((error: unknown) => error);
    stop.abort();
    await clock.advance(60_000);
    await ended;
    return failure ?? (made instanceof Error ? made : page instanceof Error ? page : "works");
  }

  it.each(process.env["DROVER_LONG"] === "1" ? Array.from({ length: 10 }, (_, part) => part) : [0])(
    "survives 409, 429, 5xx, resets, lost responses and silence in each of 20 random histories (part %i) (SEC9)",
    async (part) => {
      const outcomes: string[] = [];
      for (let seed = 20 * part + 1; seed <= 20 * part + 20; seed++) {
        const outcome = await started(seed);
        if (outcome !== "works") outcomes.push(`seed ${seed}: ${String(outcome)}`);
      }
      expect(outcomes).toEqual([]);
    },
  );

  it("gives up at its deadline, with the last failure in the error (SEC9)", async () => {
    await server.restore(empty);
    const transport: Transport = (request) =>
      request.method === "GET" ? server.handle(request) : Promise.resolve(answer(503, "ServiceUnavailable"));
    const installing = installResource(clientOn(transport), WebApp, { timeoutMs: 30_000 }).catch((error: unknown) => error);
    await clock.advance(30_000);
    expect(String(await installing)).toContain(
      "install CustomResourceDefinition webapps.demo.drover.dev: gave up after 30000 ms; the last attempt failed: answer 503",
    );
  });

  it("names the conditions of a definition that the server does not establish in time (SEC9)", async () => {
    await server.restore(empty);
    const other = { ...WebApp.definition(), metadata: { name: "pages.demo.drover.dev" } };
    await clientOn(server.handle).create(CustomResourceDefinition, {
      ...other,
      spec: { ...other.spec, names: { ...other.spec.names, plural: "pages", singular: "page", listKind: "PageList" } },
    });
    const installing = installResource(clientOn(server.handle), WebApp, { timeoutMs: 30_000 }).catch((error: unknown) => error);
    await clock.advance(30_000);
    expect(String(await installing)).toMatch(/gave up after 30000 ms.*does not serve it yet: .*NamesAccepted=False/u);
  });

  it("does not retry what cannot succeed (SEC9)", async () => {
    await server.restore(empty);
    let requests = 0;
    const transport: Transport = (request) => {
      requests++;
      return Promise.resolve(answer(request.method === "GET" ? 404 : 403, request.method === "GET" ? "NotFound" : "Forbidden"));
    };
    await expect(installResource(clientOn(transport), WebApp)).rejects.toThrow("answer 403");
    expect(requests).toBe(2);
  });
});
