import { TimeoutError, isUnknownOutcomeError } from "@drover/machinery";
import { ManualClock, recordingLog } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { exchange, openWatch } from "./exchange.ts";
import type { ClientOptions } from "./client-options.ts";
import type { Exchange } from "./exchange.ts";
import { placeOf } from "./resource-target.ts";
import { ScriptedStream } from "../testing/scripted-stream.ts";
import { jsonResponse, scriptedTransport, textResponse } from "../testing/scripted-transport.ts";
import type { Script } from "../testing/scripted-transport.ts";

const clock = new ManualClock();
const coreOf = (script: Script): ClientOptions => ({
  transport: scriptedTransport(script),
  clock,
  log: recordingLog(clock),
  namespace: "shop",
});
const target = { group: "", version: "v1", resource: "pods", kind: "Pod", scope: "Namespaced" } as const;
const get: Exchange = { method: "GET", place: placeOf("get", target, { name: "web" }, "shop"), query: "", accept: "application/json" };
const put: Exchange = { ...get, method: "PUT", place: placeOf("update", target, { name: "web" }, "shop"), body: {} };
const never = (): Promise<never> => new Promise(() => undefined);
const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe("exchange", () => {
  it("names the attempt without a response, and with an unusable one", async () => {
    expect(await failure(exchange(coreOf([new Error("connection refused")]), get, {}))).toMatchObject({
      message: "get pods/web in shop: connection refused",
      attempt: "get pods/web in shop",
    });
    expect(await failure(exchange(coreOf([textResponse("<html>", { headers: { "content-type": "text/html" } })]), get, {}))).toMatchObject({
      attempt: "get pods/web in shop",
      reason: "content-type",
    });
  });

  it("ends a read with a TimeoutError after timeoutMs, and leaves no timer", async () => {
    const late = failure(exchange(coreOf(never), get, { timeoutMs: 5000 }));
    await clock.advance(5000);
    const error = await late;
    expect(error).toBeInstanceOf(TimeoutError);
    expect((error as Error).message).toBe("get pods/web in shop: no complete answer within 5000 ms");
    expect(await exchange(coreOf([jsonResponse({ a: 1 })]), get, { timeoutMs: 5000 })).toEqual({ a: 1 });
    expect(clock.pending).toEqual([]);
  });

  it("ends a write with an UnknownOutcomeError after timeoutMs", async () => {
    const late = failure(exchange(coreOf(never), put, { timeoutMs: 5000 }));
    await clock.advance(5000);
    const error = await late;
    expect(isUnknownOutcomeError(error)).toBe(true);
    expect(error).toMatchObject({ attempt: "update pods/web in shop", cause: expect.any(TimeoutError) as unknown });
  });

  it("T10: ends a write that was not sent with a TimeoutError", async () => {
    const core: ClientOptions = {
      ...coreOf([]),
      transport: (request) => {
        request.onSent?.("no");
        return new Promise((_, reject) => request.signal?.addEventListener("abort", () => reject(request.signal?.reason)));
      },
    };
    const late = failure(exchange(core, put, { timeoutMs: 5000 }));
    await clock.advance(5000);
    const error = await late;
    expect(error).toBeInstanceOf(TimeoutError);
    expect((error as Error).message).toBe("update pods/web in shop: not sent within 5000 ms");
  });

  it.each([{}, { timeoutMs: 5000 }])("rejects with the signal's reason unchanged: %o", async (limits) => {
    const reason = new Error("enough");
    const core = coreOf(never);
    expect(await failure(exchange(core, put, { signal: AbortSignal.abort(reason), ...limits }))).toBe(reason);
    const controller = new AbortController();
    const waiting = failure(exchange(core, put, { signal: controller.signal, ...limits }));
    controller.abort(reason);
    expect(await waiting).toBe(reason);
    expect(clock.pending).toEqual([]);
  });

  it("encodes a body as Go's clients do, byte for byte: a server that keeps the bytes rejects a patch that changes them", async () => {
    const bodies: unknown[] = [];
    await exchange(
      coreOf([
        (request) => {
          bodies.push(request.body);
          return jsonResponse({});
        },
      ]),
      { ...put, body: { command: "a && b <in >out" } },
      {},
    );
    expect(bodies).toEqual(['{"command":"a \\u0026\\u0026 b \\u003cin \\u003eout"}']);
  });

  it("names the attempt for a body that cannot be encoded", async () => {
    const circle: Record<string, unknown> = {};
    circle["self"] = circle;
    expect(await failure(exchange(coreOf([]), { ...put, body: circle }, {}))).toMatchObject({
      message: expect.stringContaining("update pods/web in shop: the object cannot be encoded as JSON") as unknown,
    });
  });
});

describe("openWatch", () => {
  it("throws after silenceMs without data", async () => {
    const stream = new ScriptedStream();
    const next = failure(openWatch(coreOf([stream.response]), get, { silenceMs: 1000 }).next());
    await clock.advance(1000);
    expect(await next).toMatchObject({ name: "WatchSilenceError", attempt: "get pods/web in shop" });
  });
});
