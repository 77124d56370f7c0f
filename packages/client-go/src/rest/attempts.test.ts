import type { Transport } from "@drover/machinery";
import { ManualClock } from "@drover/machinery/testing";
import { expect, it } from "vitest";
import { whileUnsent } from "@drover/client";
import { jsonResponse, scriptedTransport } from "@drover/client/testing";
import type { TransportWrapper } from "@drover/client";
import { attempts } from "./attempts.ts";

const request = { method: "GET", path: "/a", headers: {} };
/** Retries once, reporting a pause of one second without waiting. */
const twice: TransportWrapper = (next: Transport) => async (sent) => {
  const outcome = await next(sent).then(
    ({ status }) => ({ statusCode: status }),
    (error: unknown) => ({ error }),
  );
  await whileUnsent(sent, async () => sent.beforeRetry?.(outcome, 1000));
  return next(sent);
};

it("attempts waits for the limiter before every attempt except the first", async () => {
  const turns: string[] = [];
  const server = scriptedTransport(() => {
    turns.push("sent");
    return jsonResponse(1);
  });
  const { transport, wasSent } = attempts(twice(server), {
    clock: new ManualClock(),
    limiter: { wait: async () => void turns.push("turn") },
  });
  expect(wasSent()).toBe(false);
  await transport(request);
  expect(turns).toEqual(["sent", "turn", "sent"]);
  expect(wasSent()).toBe(true);
});

it("attempts waits for the backoff before each attempt, and reports each outcome to it", async () => {
  const clock = new ManualClock();
  const told: unknown[] = [];
  const error = new Error("reset");
  const server = scriptedTransport([error, jsonResponse(1, { status: 503 })]);
  const backOff = {
    calculateBackoff: () => 1000 * (told.length + 1),
    updateBackoff: (path: string, outcome: unknown) => void told.push([path, outcome]),
  };
  const { transport, wasSent } = attempts(twice(server), { clock, backOff });
  const answer = transport(request);
  await clock.advance(999);
  expect(wasSent()).toBe(false);
  await clock.advance(1);
  expect(server.requests).toHaveLength(1);
  // One of the two requested seconds has already passed.
  await clock.advance(999);
  expect(server.requests).toHaveLength(1);
  await clock.advance(1);
  expect((await answer).status).toBe(503);
  expect(told).toEqual([
    ["/a", { error }],
    ["/a", { statusCode: 503 }],
  ]);
});

it("attempts stops waiting when the request is aborted, without sending it", async () => {
  const clock = new ManualClock();
  const controller = new AbortController();
  const server = scriptedTransport([]);
  const { transport, wasSent } = attempts(server, { clock, backOff: { calculateBackoff: () => 1000, updateBackoff: () => undefined } });
  const answer = transport({ ...request, signal: controller.signal });
  controller.abort(new Error("enough"));
  await expect(answer).rejects.toThrow("enough");
  expect(wasSent()).toBe(false);
  expect(clock.pending).toEqual([]);
});

it("attempts reports only attempts to the backoff, not an aborted wait between them", async () => {
  const clock = new ManualClock();
  const controller = new AbortController();
  const told: unknown[] = [];
  const { transport, wasSent } = attempts(twice(scriptedTransport([jsonResponse(1, { status: 503 })])), {
    clock,
    limiter: {
      wait: () => new Promise((_, reject) => controller.signal.addEventListener("abort", () => reject(controller.signal.reason))),
    },
    backOff: { calculateBackoff: () => 0, updateBackoff: (_, outcome) => void told.push(outcome) },
  });
  const answer = transport({ ...request, signal: controller.signal });
  await clock.settle();
  controller.abort(new Error("enough"));
  await expect(answer).rejects.toThrow("enough");
  expect([told, wasSent()]).toEqual([[{ statusCode: 503 }], false]);
});

it("wasSent is false while the next attempt waits, and while the transport says so", async () => {
  const clock = new ManualClock();
  const seen: boolean[] = [];
  const server: Transport = async (sent) => {
    seen.push(wasSent());
    sent.onSent?.("no");
    seen.push(wasSent());
    sent.onSent?.("maybe");
    return jsonResponse(1);
  };
  const { transport, wasSent } = attempts(twice(server), { clock, limiter: { wait: () => Promise.resolve(void seen.push(wasSent())) } });
  await transport(request);
  expect(seen).toEqual([true, false, false, true, false]);
  expect(wasSent()).toBe(true);
});
