import { definedOnly, TimeoutError, sleep } from "@drover/machinery";
import type { HttpBody, HttpRequest, HttpResponse, Transport } from "@drover/machinery";
import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { callDeadline } from "./deadline.ts";

const request = (method = "GET", path = "/api/v1/pods", more: Partial<HttpRequest> = {}): HttpRequest => ({
  method,
  path,
  headers: {},
  ...more,
});
const slow =
  (clock: ManualClock, body: HttpBody = ""): Transport =>
  async ({ signal }) => {
    await sleep(clock, 500, definedOnly({ signal }));
    return { status: 200, headers: {}, body };
  };

async function outcome(clock: ManualClock, promise: Promise<unknown>, byMs: number): Promise<unknown> {
  const settled = promise.catch((error: unknown) => error);
  await clock.advance(byMs);
  return settled;
}

describe("callDeadline", () => {
  it("ends a call that takes longer, and only that", async () => {
    const clock = new ManualClock();
    const send = callDeadline({ clock, timeoutMs: 499 })(slow(clock));
    const error = await outcome(clock, send(request()), 500);
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ message: "GET /api/v1/pods: no complete answer within 499 ms" });
    expect(await outcome(clock, callDeadline({ clock, timeoutMs: 501 })(slow(clock))(request()), 500)).toMatchObject({ status: 200 });
    expect(clock.pending).toEqual([]);
  });
  it("T10: a write that timed out has an unknown outcome", async () => {
    const clock = new ManualClock();
    expect(await outcome(clock, callDeadline({ clock, timeoutMs: 10 })(slow(clock))(request("POST")), 500)).toMatchObject({
      reason: "OutcomeUnknown",
      attempt: "POST /api/v1/pods",
    });
  });
  it("T10: a write that timed out before anything was sent did not happen", async () => {
    const clock = new ManualClock();
    const waits: Transport = (sent) => {
      sent.onSent?.("no");
      return slow(clock)(sent);
    };
    const error = await outcome(clock, callDeadline({ clock, timeoutMs: 10 })(waits)(request("POST")), 500);
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ message: "POST /api/v1/pods: not sent within 10 ms" });
  });
  it("covers the body, and ends with it", async () => {
    const clock = new ManualClock();
    const stalls: Transport = ({ signal }) =>
      Promise.resolve({
        status: 200,
        headers: {},
        body: (async function* (): AsyncGenerator<string> {
          yield "first";
          await sleep(clock, 500, definedOnly({ signal }));
          yield "second";
        })(),
      });
    const read = async ({ body }: HttpResponse, enough = Infinity): Promise<string[]> => {
      const chunks: string[] = [];
      for await (const chunk of body as AsyncIterable<string>) if (chunks.push(chunk) >= enough) break;
      return chunks;
    };
    expect(
      await outcome(
        clock,
        callDeadline({ clock, timeoutMs: 100 })(stalls)(request()).then((response) => read(response)),
        500,
      ),
    ).toBeInstanceOf(TimeoutError);
    expect(
      await outcome(
        clock,
        callDeadline({ clock, timeoutMs: 1000 })(stalls)(request()).then((response) => read(response)),
        500,
      ),
    ).toEqual(["first", "second"]);
    expect(
      await outcome(
        clock,
        callDeadline({ clock, timeoutMs: 1000 })(stalls)(request()).then((response) => read(response, 1)),
        0,
      ),
    ).toEqual(["first"]);
    expect(clock.pending).toEqual([]);
  });
  it.each([
    ["/api/v1/pods?watch=true", 10],
    ["/api/v1/namespaces/a/pods/b/log?follow=true", 10],
    ["/api/v1/pods", Infinity],
  ])("does not limit %s with %d ms", async (path, timeoutMs) => {
    const clock = new ManualClock();
    expect(await outcome(clock, callDeadline({ clock, timeoutMs })(slow(clock))(request("GET", path)), 500)).toMatchObject({ status: 200 });
  });
  it("passes the caller's own reason on", async () => {
    const clock = new ManualClock();
    const controller = new AbortController();
    const reason = new TimeoutError("mine");
    const result = callDeadline({ clock, timeoutMs: 100 })(slow(clock))(request("POST", "/", { signal: controller.signal })).catch(
      (error: unknown) => error,
    );
    controller.abort(reason);
    expect(await result).toBe(reason);
    expect(clock.pending).toEqual([]);
  });
});
