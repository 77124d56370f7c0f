import type { HttpRequest, Transport } from "@drover/machinery";
import { definedOnly, sleep } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { retry } from "./retry.ts";
import { trace } from "./trace.ts";
import { TransportError } from "./transport-error.ts";
import { wrap } from "./wrapper.ts";

const secretive: HttpRequest = {
  method: "PUT",
  path: "/api/v1/namespaces/shop/secrets/canary-name?fieldManager=canary-query",
  headers: { authorization: "Bearer canary-token" },
  body: "canary-body",
};

describe("trace", () => {
  it("reports every attempt: template, number, duration and result, and nothing secret", async () => {
    const runtime = testRuntime();
    const told: unknown[] = [];
    const answers = [503, 200];
    const base: Transport = async () => {
      await sleep(runtime.clock, 30);
      return { status: answers.shift() ?? 0, headers: { "retry-after": "0", "x-canary": "1" }, body: "canary-answer" };
    };
    const send = wrap(
      base,
      retry(runtime),
      trace({ ...runtime, onRequest: (request) => (outcome) => told.push({ ...request, ...outcome }) }),
    );
    const done = send(secretive);
    await runtime.clock.runAll();
    await done;
    const common = { method: "PUT", pathTemplate: "/api/v1/namespaces/{namespace}/secrets/{name}", durationMs: 30 };
    expect(told).toEqual([
      { ...common, attempt: 1, status: 503 },
      { ...common, attempt: 2, status: 200 },
    ]);
    expect(JSON.stringify(told)).not.toContain("canary");
  });
  it("reports failures by their reason", async () => {
    const { clock } = testRuntime();
    const told: unknown[] = [];
    const failing = (error: Error, signal?: AbortSignal): Promise<unknown> =>
      trace({
        clock,
        onRequest:
          () =>
          ({ failure }) =>
            told.push(failure),
      })(() => Promise.reject(error))({ ...secretive, ...definedOnly({ signal }) }).catch((reason: unknown) => reason);
    await failing(new TransportError("x", { reason: "refused", sent: "no" }));
    await failing(new Error("x"), AbortSignal.abort());
    await failing(new Error("x"));
    expect(told).toEqual(["refused", "aborted", "other"]);
  });
  it("ignores an observer that throws or returns nothing", async () => {
    const { clock } = testRuntime();
    const base: Transport = () => Promise.resolve({ status: 200, headers: {}, body: "" });
    const boom = (): never => {
      throw new Error("boom");
    };
    for (const onRequest of [boom, () => boom, () => undefined])
      expect(await trace({ clock, onRequest })(base)(secretive)).toMatchObject({ status: 200 });
  });
});
