import type { Transport } from "@drover/machinery";
import { ManualClock } from "@drover/machinery/testing";
import { expect, it } from "vitest";
import { jsonResponse, scriptedTransport } from "../testing/scripted-transport.ts";
import type { TransportWrapper } from "../transport/wrapper.ts";
import { attempts } from "./attempts.ts";

const request = { method: "GET", path: "/a", headers: {} };
const twice: TransportWrapper = (next: Transport) => async (sent) => {
  await next(sent).catch(() => undefined);
  return next(sent);
};

it("waits for a turn of the limiter before every attempt but the first, whose turn the caller took", async () => {
  const turns: string[] = [];
  const server = scriptedTransport(() => { turns.push("sent"); return jsonResponse(1); });
  const { transport, wasSent } = attempts(server, { clock: new ManualClock(), retry: twice, limiter: { wait: async () => void turns.push("turn") } });
  expect(wasSent()).toBe(false);
  await transport(request);
  expect(turns).toEqual(["sent", "turn", "sent"]);
  expect(wasSent()).toBe(true);
});

it("waits before each attempt as the back-off manager says, and tells it how each went", async () => {
  const clock = new ManualClock();
  const told: unknown[] = [];
  const error = new Error("reset");
  const server = scriptedTransport([error, jsonResponse(1, { status: 503 })]);
  const backOff = { calculateBackoff: () => 1000 * (told.length + 1), updateBackoff: (path: string, outcome: unknown) => void told.push([path, outcome]) };
  const { transport, wasSent } = attempts(server, { clock, retry: twice, backOff });
  const answer = transport(request);
  await clock.advance(999);
  expect(wasSent()).toBe(false);
  await clock.advance(1);
  expect(server.requests).toHaveLength(1);
  await clock.advance(2000);
  expect((await answer).status).toBe(503);
  expect(told).toEqual([["/a", { error }], ["/a", { statusCode: 503 }]]);
});

it("stops waiting when the request is called off, without having sent it", async () => {
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
