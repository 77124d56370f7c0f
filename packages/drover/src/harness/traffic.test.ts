import type { HttpRequest, HttpResponse, Transport } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { FaultPlan } from "./harness-fault.ts";
import { Traffic } from "./traffic.ts";

const get: HttpRequest = { method: "GET", path: "/api/v1/namespaces/shop/pods/web", headers: {} };
const watch: HttpRequest = { method: "GET", path: "/api/v1/pods?watch=true", headers: {} };
const ok: HttpResponse = { status: 200, headers: {}, body: "{}" };

function rig(server: Transport): {
  readonly traffic: Traffic;
  readonly faults: FaultPlan;
  readonly runtime: ReturnType<typeof testRuntime>;
} {
  const runtime = testRuntime();
  const faults = new FaultPlan();
  return { traffic: new Traffic({ runtime, server, faults, turn: () => Promise.resolve() }), faults, runtime };
}

describe("Traffic", () => {
  it("reports open requests, and how many the server is processing", async () => {
    const answers: ((response: HttpResponse) => void)[] = [];
    const { traffic, faults, runtime } = rig(
      () =>
        new Promise((resolve) => {
          answers.push(resolve);
        }),
    );
    const answered = traffic.transport(get);
    await runtime.clock.settle();
    expect(traffic.open).toEqual({ asked: ["GET /api/v1/namespaces/shop/pods/web"], atServer: 1 });
    answers[0]?.(ok);
    await answered;
    expect([traffic.open, traffic.moves]).toEqual([{ asked: [], atServer: 0 }, 2]);
    faults.add({ answer: 429 });
    const later = traffic.transport(get);
    await runtime.clock.settle();
    expect(traffic.open).toMatchObject({ asked: [expect.any(String)], atServer: 0 });
    await runtime.clock.advance(1200);
    answers[1]?.(ok);
    expect((await later).status).toBe(200);
  });

  it("cutWatches closes only watches", async () => {
    const { traffic } = rig(async ({ signal }) => ({
      ...ok,
      body: (async function* () {
        yield "first\n";
        if (signal?.aborted !== true)
          await new Promise<void>((resolve) => {
            signal?.addEventListener("abort", () => resolve());
          });
      })(),
    }));
    const { body } = await traffic.transport(watch);
    const heard: string[] = [];
    const read = (async () => {
      if (typeof body === "string" || body instanceof Uint8Array) return;
      for await (const piece of body) {
        heard.push(String(piece));
        traffic.cutWatches();
      }
    })();
    await expect(read).rejects.toThrow("the harness cut the watch");
    expect([heard, traffic.heard > 0, traffic.moves]).toEqual([["first\n"], true, 0]);
  });

  it("passes no request after the end, and withholds the last answer", async () => {
    const seen: string[] = [];
    const { traffic } = rig(({ path }) => {
      seen.push(path);
      return Promise.resolve(ok);
    });
    let crashes = 0;
    traffic.crashAfter(2, () => {
      crashes++;
    });
    await traffic.transport(get);
    await expect(traffic.transport(get)).rejects.toThrow("this life of the operator is over");
    await expect(traffic.transport(get)).rejects.toThrow("this life of the operator is over");
    expect([seen.length, crashes]).toEqual([2, 1]);
    expect(() => traffic.crashAfter(0, () => undefined)).toThrow("requests must be a positive integer, not 0");
  });

  it("distinguishes a write with a lost answer from one that never arrived", async () => {
    const { traffic, faults } = rig(() => Promise.resolve(ok));
    faults.add({ answer: "lost" });
    await expect(traffic.transport({ ...get, method: "DELETE" })).rejects.toMatchObject({ name: "UnknownOutcomeError" });
    faults.add({ answer: "refused" });
    await expect(traffic.transport({ ...get, method: "DELETE" })).rejects.toMatchObject({ name: "TransportError", sent: "no" });
  });
});
