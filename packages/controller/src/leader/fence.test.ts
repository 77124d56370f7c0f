import { TransportError, createClient, retryRequests as retry, throttle, wrap } from "@drover/client";
import type { TransportWrapper } from "@drover/client";
import { isOutcomeUnknown } from "@drover/machinery";
import type { Clock, HttpRequest, HttpResponse, Transport } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { ConfigMap } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { LeaseFence } from "./fence.ts";
import { isFencedError } from "./fenced-error.ts";

const patch: HttpRequest = { method: "PATCH", path: "/api/v1/namespaces/shop/configmaps/a?force=true", headers: {}, body: "{}" };
const ok: HttpResponse = { status: 200, headers: { "content-type": "application/json" }, body: "{}" };

function rig() {
  const runtime = testRuntime();
  const { clock } = runtime;
  const fence = new LeaseFence({ lease: "shop/web", clock });
  const sent: string[] = [];
  const socket: Transport = (request) => {
    sent.push(request.method);
    return Promise.resolve(ok);
  };
  const hold = (forMs = 10_000, transitions = 1) =>
    fence.hold({ until: { monotonicMs: clock.monotonic() + forMs, wallMs: clock.now() + forMs }, transitions });
  return { runtime, clock, fence, sent, socket, hold };
}

const settled = (promise: Promise<unknown>): { outcome: unknown } => {
  const box: { outcome: unknown } = { outcome: "pending" };
  promise.then(
    (value) => (box.outcome = value),
    (error: unknown) => (box.outcome = error),
  );
  return box;
};

/** Never responds; aborts like sockets do. */
const silent: Transport = ({ signal }) =>
  new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason), { once: true }));

describe("LeaseFence", () => {
  it("passes only reads before the lease is held", async () => {
    const { fence, socket, sent } = rig();
    const send = wrap(socket, fence.wrapper);
    for (const method of ["GET", "HEAD", "OPTIONS"]) expect(await send({ ...patch, method })).toBe(ok);
    for (const method of ["POST", "PUT", "PATCH", "DELETE"])
      await expect(send({ ...patch, method })).rejects.toThrow(
        `${method} /api/v1/namespaces/shop/configmaps/a not sent: lease shop/web is not held by this process`,
      );
    expect([sent, fence.isOpen, fence.token]).toEqual([["GET", "HEAD", "OPTIONS"], false, undefined]);
  });

  it("notices the end of a term once it is over, also if timers fire a little early", async () => {
    const { clock } = testRuntime();
    let timers = 0;
    const early: Clock = {
      now: () => clock.now(),
      monotonic: () => clock.monotonic(),
      timer: (ms, fire) => {
        timers++;
        return clock.timer(ms * 0.9999, fire);
      },
    };
    const fence = new LeaseFence({ lease: "shop/web", clock: early });
    const until = { monotonicMs: clock.monotonic() + 10_000, wallMs: clock.now() + 10_000 };
    const token = fence.hold({ until, transitions: 1 });
    await clock.advance(9999);
    expect(token.signal.aborted).toBe(false);
    await clock.advance(2);
    expect([token.signal.aborted, timers < 10]).toEqual([true, true]);
  });

  it("passes writes while the lease is held and renewed", async () => {
    const { clock, fence, socket, sent, hold } = rig();
    const send = wrap(socket, fence.wrapper);
    const token = hold();
    await clock.advance(9999);
    await send(patch);
    expect(hold()).toBe(token);
    await clock.advance(9999);
    await send(patch);
    await clock.advance(1);
    await expect(send(patch)).rejects.toSatisfy(isFencedError);
    expect([sent, token.isOpen, token.signal.aborted, fence.isOpen]).toEqual([["PATCH", "PATCH"], false, true, false]);
    expect(() => token.check()).toThrow("has not been held since 2026-01-01T00:00:19.999Z: it was not renewed in time");
  });

  it("closes by the clock alone, before any timer fires", () => {
    const times = { monotonicMs: 0, wallMs: 1000 };
    // No timer fires here: the process was suspended.
    const fence = new LeaseFence({
      lease: "shop/web",
      clock: { monotonic: () => times.monotonicMs, now: () => times.wallMs, timer: () => () => undefined },
    });
    const token = fence.hold({ until: { monotonicMs: 10_000, wallMs: 11_000 }, transitions: 1 });
    times.monotonicMs = 60_000;
    expect([token.isOpen, fence.token]).toEqual([false, undefined]);
    const asleep = fence.hold({ until: { monotonicMs: 70_000, wallMs: 11_000 }, transitions: 1 });
    // The machine was suspended: only the wall clock advanced.
    times.wallMs = 300_000;
    expect(() => asleep.check()).toThrow("has not been held since 1970-01-01T00:00:11.000Z");
  });

  it("stops a write that waits in a rate limiter", async () => {
    const { runtime, clock, fence, socket, sent, hold } = rig();
    const send = wrap(socket, fence.wrapper, throttle({ clock, log: runtime.log, qps: 0.05, burst: 1 }));
    hold();
    await send(patch);
    const waiting = settled(send(patch));
    await clock.advance(10_000);
    expect(waiting.outcome).toSatisfy(isFencedError);
    await clock.advance(60_000);
    expect(sent).toEqual(["PATCH"]);
  });

  it("stops a write that waits for its retry", async () => {
    const {
      runtime: { clock, random, log },
      fence,
      hold,
    } = rig();
    let attempts = 0;
    const busy: Transport = () => Promise.resolve({ status: 429, headers: { "retry-after": String(++attempts * 30) }, body: "" });
    hold();
    const waiting = settled(wrap(busy, fence.wrapper, retry({ clock, random, log }))(patch));
    await clock.advance(300_000);
    expect([attempts, isFencedError(waiting.outcome)]).toEqual([1, true]);
  });

  it("stops a write just before its first byte, if the process resumes with an open connection and its timers fire last", async () => {
    const { clock, fence, hold } = rig();
    const bytes: string[] = [];
    let connected = (): void => undefined;
    // Like sockets: nothing is sent before there is a connection, and onSent is called in the same turn.
    const socket: Transport = (request) =>
      new Promise((resolve, reject) => {
        request.onSent?.("no");
        connected = () => {
          try {
            request.onSent?.("maybe");
            bytes.push(request.method);
            resolve(ok);
          } catch (error) {
            reject(error);
          }
        };
      });
    const times = { skippedMs: 0 };
    const stopped = new LeaseFence({
      lease: "shop/web",
      clock: {
        monotonic: () => clock.monotonic() + times.skippedMs,
        now: () => clock.now() + times.skippedMs,
        timer: () => () => undefined,
      },
    });
    stopped.hold({ until: { monotonicMs: 10_000, wallMs: clock.now() + 10_000 }, transitions: 1 });
    const write = settled(stopped.wrapper(socket)(patch));
    times.skippedMs = 60_000;
    connected();
    await clock.settle();
    expect([isFencedError(write.outcome), bytes]).toEqual([true, []]);
    hold();
    const fresh = settled(fence.wrapper(socket)(patch));
    connected();
    await clock.settle();
    expect([fresh.outcome, bytes]).toEqual([ok, ["PATCH"]]);
  });

  it("does not pass a write of one term in the next", async () => {
    const { clock, fence, socket, sent, hold } = rig();
    let turn = (): void => undefined;
    const queue: TransportWrapper = (next) => async (request) => {
      await new Promise<void>((resolve) => (turn = resolve));
      return next(request);
    };
    // A queue that calls no onSent and ignores its signal: the same wrapper is needed again behind it.
    const send = wrap(socket, fence.wrapper, queue, fence.wrapper);
    hold();
    const old = settled(send(patch));
    await clock.advance(10_000);
    hold(10_000, 3);
    turn();
    await clock.settle();
    expect([isOutcomeUnknown(old.outcome), sent]).toEqual([true, []]);
  });

  it("aborts a write in progress when the lease is lost, and reports an unknown outcome (§9.26)", async () => {
    const { clock, fence, hold } = rig();
    hold();
    const write = settled(fence.wrapper(silent)(patch));
    await clock.advance(10_000);
    expect(String(write.outcome)).toContain(
      "PATCH /api/v1/namespaces/shop/configmaps/a: it is unknown whether this happened (lease shop/web was lost while the request was in progress)",
    );
    expect(fence.close("again")?.unansweredMs).toBe(10_000);
  });

  it("does not wait for a transport that ignores its signal", async () => {
    const { clock, fence, hold } = rig();
    hold();
    const write = settled(fence.wrapper(() => new Promise(() => undefined))(patch));
    await clock.advance(10_000);
    expect(isOutcomeUnknown(write.outcome)).toBe(true);
  });

  it("passes on aborts by the caller and connection errors unchanged", async () => {
    const { clock, fence, hold } = rig();
    hold();
    const controller = new AbortController();
    const write = settled(fence.wrapper(silent)({ ...patch, signal: controller.signal }));
    controller.abort("enough");
    await clock.settle();
    expect([write.outcome, hold().isOpen]).toEqual(["enough", true]);
    await expect(fence.wrapper(silent)({ ...patch, signal: controller.signal })).rejects.toBe("enough");
    const reset = new TransportError("reset", { reason: "reset", sent: "maybe" });
    await expect(fence.wrapper(() => Promise.reject(reset))(patch)).rejects.toBe(reset);
  });

  it("lets the response to a write be read to its end, or aborted", async () => {
    const { clock, fence, hold } = rig();
    hold();
    let signal: AbortSignal | undefined;
    const answering: Transport = (request) => {
      signal = request.signal;
      return Promise.resolve({
        ...ok,
        body: (async function* () {
          yield "a";
          yield "b";
        })(),
      });
    };
    const controller = new AbortController();
    const { body } = await fence.wrapper(answering)({ ...patch, signal: controller.signal });
    await clock.advance(10_000);
    expect(signal?.aborted).toBe(false);
    const chunks: unknown[] = [];
    for await (const chunk of body as AsyncIterable<string>) {
      chunks.push(chunk);
      if (chunks.length === 1) controller.abort("enough");
    }
    expect([chunks, signal?.reason]).toEqual([["a", "b"], "enough"]);
  });

  it("stops a streamed request body", async () => {
    const { clock, fence, hold } = rig();
    hold();
    const chunks: unknown[] = [];
    const pouring: Transport = async ({ body }) => {
      for await (const chunk of body as AsyncIterable<string>) chunks.push(chunk);
      return ok;
    };
    const body = (async function* () {
      yield "in time";
      await clock.advance(10_000);
      yield "too late";
    })();
    await expect(fence.wrapper(pouring)({ ...patch, body })).rejects.toSatisfy(isOutcomeUnknown);
    await clock.settle();
    expect(chunks).toEqual(["in time"]);
  });

  it("quiet resolves when no write is in progress", async () => {
    const { clock, fence, hold } = rig();
    hold();
    let answer: (response: HttpResponse) => void = () => undefined;
    const write = settled(fence.wrapper(() => new Promise((resolve) => (answer = resolve)))(patch));
    const quiet = settled(fence.quiet());
    await clock.settle();
    expect(quiet.outcome).toBe("pending");
    answer(ok);
    await clock.settle();
    expect([quiet.outcome, write.outcome]).toEqual([undefined, ok]);
    expect(fence.close("enough")?.unansweredMs).toBeUndefined();
  });

  it("is recognised by isFenced behind errors of a client", async () => {
    const {
      runtime: { clock, log },
      fence,
      socket,
    } = rig();
    const client = createClient({ transport: fence.wrapper(socket), clock, log, namespace: "shop" });
    await expect(client.delete(ConfigMap, "a")).rejects.toMatchObject({
      attempt: "delete configmaps/a in shop",
      cause: { name: "FencedError", lease: "shop/web" },
    });
  });

  it("keeps no more listeners and timers than writes in progress", async () => {
    const { clock, fence, socket, hold } = rig();
    const { signal } = new AbortController();
    let listeners = 0;
    const counting = new Proxy(signal, {
      get: (target, key) => {
        if (key === "addEventListener") return () => void listeners++;
        if (key === "removeEventListener") return () => void listeners--;
        return Reflect.get(target, key, target) as unknown;
      },
    });
    hold();
    for (let write = 0; write < 100; write++) await fence.wrapper(socket)({ ...patch, signal: counting });
    hold();
    expect([listeners, clock.pending.length]).toEqual([0, 1]);
  });
});
