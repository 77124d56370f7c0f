import { sleep } from "@drover/machinery";
import type { HttpRequest, HttpResponse } from "@drover/machinery";
import { ManualClock, recordingLog } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import type { NodeTransport } from "../transport/node-transport.ts";
import type { NodeTransportOptions } from "../transport/node-transport-options.ts";
import { faultServer } from "./fault-server.ts";
import type { FaultServer, FaultServerOptions } from "./fault-server.ts";
import { textResponse } from "./scripted-transport.ts";

function setUp(
  options: Partial<FaultServerOptions> = {},
  limits: Partial<NodeTransportOptions> = {},
): { readonly clock: ManualClock; readonly server: FaultServer; readonly send: NodeTransport } {
  const clock = new ManualClock();
  const server = faultServer({ clock, serve: () => Promise.resolve(textResponse("0123456789")), ...options });
  return {
    clock,
    server,
    send: server.connect({
      server: "http://a:1",
      tls: () => Promise.resolve({ generation: 1, insecure: false }),
      clock,
      log: recordingLog(clock),
      ...limits,
    }),
  };
}

const get: HttpRequest = { method: "GET", path: "/a", headers: {} };
async function text({ body }: HttpResponse): Promise<string> {
  let read = "";
  for await (const chunk of body as AsyncIterable<Uint8Array>) read += new TextDecoder().decode(chunk);
  return read;
}
const outcome = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error);
const sent = (send: NodeTransport): Promise<unknown> => outcome(send(get).then(text));

describe("faultServer", () => {
  it("serves without faults over one connection", async () => {
    const { server, send } = setUp();
    expect([await sent(send), await sent(send)]).toEqual(["0123456789", "0123456789"]);
    expect([server.served.length, server.opened(), server.open()]).toEqual([2, 1, 1]);
  });

  it("applies faults in the order of requests, and records those the server received", async () => {
    const { server, send } = setUp({
      faults: [
        { kind: "cut", at: "request", how: "reset" },
        { kind: "cut", at: "answer", how: "close" },
        { kind: "answered", response: textResponse("I am a proxy") },
      ],
    });
    expect(await sent(send)).toMatchObject({ reason: "reset", sent: "maybe" });
    expect(server.served).toHaveLength(0);
    expect(await sent(send)).toMatchObject({ reason: "aborted-by-peer" });
    expect(server.served).toHaveLength(1);
    expect(await sent(send)).toBe("I am a proxy");
    expect([server.served.length, server.opened()]).toEqual([1, 3]);
  });

  it("breaks bodies at the given byte", async () => {
    for (const [fault, reason] of [
      [{ kind: "cut", at: 4, how: "reset" }, "reset"],
      [{ kind: "garbled", afterBytes: 4 }, "garbage"],
    ] as const) {
      const { server, send } = setUp({ faults: [fault] });
      const body = ((await send(get)).body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
      expect(new TextDecoder().decode((await body.next()).value as Uint8Array)).toBe("0123");
      expect(await outcome(body.next())).toMatchObject({ reason });
      expect(server.open()).toBe(0);
    }
  });

  it("has the limits of sockets: headers, silence within the body, an unread body", async () => {
    const { clock, send } = setUp(
      { faults: [{ kind: "silent" }, { kind: "stalled", afterBytes: 3 }] },
      { headersTimeoutMs: 1000, idleTimeoutMs: 2000 },
    );
    const [silent, stalled] = [sent(send), sent(send)];
    const unread = await send(get);
    await clock.advance(2000);
    expect(await silent).toMatchObject({ timeout: "headers", sent: "maybe" });
    expect(await stalled).toMatchObject({ timeout: "idle" });
    expect(await outcome(text(unread))).toMatchObject({ timeout: "unread" });
  });

  it("sends slowly, and responds late", async () => {
    const { clock, send } = setUp({
      faults: [
        { kind: "slow", bytes: 2, everyMs: 10 },
        { kind: "late", byMs: 70 },
      ],
    });
    const both = Promise.all([sent(send), sent(send)]);
    await clock.runAll();
    expect(await both).toEqual(["0123456789", "0123456789"]);
    expect(clock.monotonic()).toBe(70);
  });

  it("cuts a body that was silent for too long, and no other", async () => {
    const pauses = async function* (clock: ManualClock): AsyncGenerator<string> {
      yield "one";
      await sleep(clock, 90);
      yield "two";
      await sleep(clock, 110);
      yield "three";
    };
    const clock = new ManualClock();
    const { send } = setUp(
      {
        clock,
        serve: () => Promise.resolve({ status: 200, headers: {}, body: pauses(clock) }),
        faults: [{ kind: "tired", afterMs: 100, how: "reset" }],
      },
      { clock },
    );
    const body = ((await send(get)).body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
    await body.next();
    await clock.advance(90);
    expect(new TextDecoder().decode((await body.next()).value as Uint8Array)).toBe("two");
    const next = outcome(body.next());
    await clock.advance(100);
    expect(await next).toMatchObject({ reason: "reset" });
  });

  it("closes connections as announced, or leaves stale ones", async () => {
    const { server, send } = setUp({ faults: [{ kind: "last" }, { kind: "stale" }] });
    expect(await send(get).then(async (response) => [response.headers["connection"], await text(response)])).toEqual([
      "close",
      "0123456789",
    ]);
    expect(server.open()).toBe(0);
    await sent(send);
    expect(await sent(send)).toMatchObject({ reason: "reset", reused: true });
    expect(await sent(send)).toBe("0123456789");
    expect(server.opened()).toBe(3);
  });

  it("refuses connections, or never opens them, and reports that nothing was sent", async () => {
    const { clock, send } = setUp({ connects: ["refused", "unreachable"] }, { connectTimeoutMs: 500 });
    const heard: string[] = [];
    expect(await outcome(send({ ...get, onSent: (state) => heard.push(state) }))).toMatchObject({ reason: "refused", sent: "no" });
    expect(heard).toEqual(["no"]);
    const black = sent(send);
    await clock.advance(500);
    expect(await black).toMatchObject({ timeout: "connect", sent: "no" });
    expect(await sent(send)).toBe("0123456789");
  });

  it("rejects requests after close", async () => {
    const { server, send } = setUp();
    await sent(send);
    send.close();
    expect([server.open(), await sent(send)]).toEqual([0, expect.objectContaining({ reason: "closed" })]);
  });
});
