import { definedOnly } from "@drover/machinery";
import type { HttpRequest } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { throttle } from "./throttle.ts";

const get = (path = "/api/v1/pods", signal?: AbortSignal): HttpRequest => ({
  method: "GET",
  path,
  headers: {},
  ...definedOnly({ signal }),
});

function throttled(
  qps: number,
  burst: number,
  detailed = false,
): {
  readonly runtime: ReturnType<typeof testRuntime>;
  readonly sent: number[];
  readonly send: (request: HttpRequest) => Promise<unknown>;
} {
  const runtime = testRuntime();
  const sent: number[] = [];
  const send = throttle({ ...runtime, qps, burst, ...(detailed ? { measure: { metrics: runtime.metrics, host: "h" } } : {}) })(() => {
    sent.push(runtime.clock.monotonic());
    return Promise.resolve({ status: 200, headers: {}, body: "" });
  });
  return { runtime, sent, send };
}

describe("throttle", () => {
  it("allows a burst, then limits the rate, and refills", async () => {
    const { runtime, sent, send } = throttled(10, 2);
    const all = Promise.all(Array.from({ length: 5 }, () => send(get())));
    await runtime.clock.runAll();
    await all;
    expect(sent).toEqual([0, 0, 100, 200, 300]);
    await runtime.clock.advance(10_000);
    await Promise.all([send(get()), send(get())]);
    expect(sent.slice(5)).toEqual([10_300, 10_300]);
  });
  it("does not limit watches", async () => {
    const { sent, send } = throttled(1, 1);
    await send(get());
    await Promise.all([1, 2, 3].map(() => send(get("/api/v1/pods?watch=true"))));
    expect(sent).toHaveLength(4);
  });
  it("logs a delay of more than a second, and no shorter one", async () => {
    const { runtime, send } = throttled(1, 1);
    const all = Promise.all([send(get()), send(get()), send(get("/api/v1/pods?limit=5"))]);
    await runtime.clock.runAll();
    await all;
    expect(runtime.log.entries.map(({ fields }) => fields)).toEqual([{ request: "GET /api/v1/pods", waitMs: 2000, qps: 1, burst: 1 }]);
  });
  it("returns the token when the signal ends the wait", async () => {
    const { runtime, sent, send } = throttled(1, 1);
    await send(get());
    const controller = new AbortController();
    const gaveUp = expect(send(get("/", controller.signal))).rejects.toThrow("enough");
    await runtime.clock.settle();
    controller.abort(new Error("enough"));
    await gaveUp;
    const next = send(get());
    await runtime.clock.runAll();
    await next;
    expect(sent).toEqual([0, 1000]);
  });
  it("records the delay if configured", async () => {
    const { runtime, send } = throttled(1, 1, true);
    await send(get());
    expect(runtime.metrics.families().map(({ name }) => name)).toEqual(["rest_client_rate_limiter_duration_seconds"]);
  });
  it("rejects invalid rates", () => {
    expect(() => throttled(0, 1)).toThrow("qps must be above 0");
    expect(() => throttled(1, 0)).toThrow("burst at least 1");
  });
});
