import { TransportError } from "@drover/client";
import { scriptedTransport } from "@drover/client/testing";
import type { HttpResponse, Transport } from "@drover/machinery";
import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { protobufSupport } from "./protobuf-support.ts";

const { signal } = new AbortController();
const version = (document: unknown, status = 200): HttpResponse => ({
  status,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(document),
});
const support = (...answers: readonly (HttpResponse | Error)[]) => protobufSupport(scriptedTransport(answers), new ManualClock());

describe("protobufSupport", () => {
  it.each([
    [{ major: "1", minor: "36" }, true],
    [{ major: "1", minor: "30+" }, true],
    [{ major: "1", minor: "37" }, false],
    [{ major: "1", minor: "37+" }, false],
    [{ major: "2", minor: "1" }, false],
    [{ major: "1", minor: "" }, false],
    [{}, false],
    ["text", false],
  ])("finds in %j whether the server is not newer than 1.36: %s", async (document, expected) => {
    expect(await support(version(document))(36, signal)).toBe(expected);
  });

  it("takes a server that hides its version for a newer one", async () => {
    expect(await support(version({}, 403))(36, signal)).toBe(false);
    expect(await support({ status: 200, headers: { "content-type": "text/html" }, body: "<html>" })(36, signal)).toBe(false);
  });

  it("rejects when the server does not answer, and asks again", async () => {
    const refused = new TransportError("connect ECONNREFUSED", { reason: "refused", sent: "no" });
    const asks = support(refused, version({ major: "1", minor: "36" }));
    await expect(asks(36, signal)).rejects.toThrow("ECONNREFUSED");
    expect(await asks(36, signal)).toBe(true);
  });

  it("goes on for the others when one leaves", async () => {
    let answer: (response: HttpResponse) => void = () => undefined;
    const asks = protobufSupport(() => new Promise((resolve) => (answer = resolve)), new ManualClock());
    const leaving = new AbortController();
    const [left, stays] = [asks(36, leaving.signal), asks(36, signal)];
    leaving.abort(new Error("stopped"));
    await expect(left).rejects.toThrow("stopped");
    answer(version({ major: "1", minor: "36" }));
    expect(await stays).toBe(true);
  });

  it("asks once for all who ask within ten seconds, and again later, because the server may be upgraded", async () => {
    let asked = 0;
    const clock = new ManualClock();
    const transport: Transport = () => Promise.resolve(version({ major: "1", minor: String(36 + asked++) }));
    const asks = protobufSupport(transport, clock);
    expect(await Promise.all([asks(36, signal), asks(36, signal)])).toEqual([true, true]);
    await clock.advance(9_000);
    expect(await asks(36, signal)).toBe(true);
    expect(asked).toBe(1);
    await clock.advance(2_000);
    expect(await asks(36, signal)).toBe(false);
    expect(asked).toBe(2);
  });
});
