import { setImmediate as turn } from "node:timers/promises";
import { webSocketPair } from "@drover/client/testing";
import type { WebSocketConnect } from "@drover/client";
import { describe, expect, it } from "vitest";
import { Lifetime } from "./lifetime.ts";

const request = { path: "/", headers: {}, protocols: ["p"] };
/** Like sockets: an abort breaks the connection. */
const opening: WebSocketConnect = ({ signal }) => {
  const [end] = webSocketPair("p");
  signal?.addEventListener("abort", () => end.cut(), { once: true });
  return Promise.resolve(end);
};
const hanging: WebSocketConnect = ({ signal }) =>
  new Promise((_, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });

describe("Lifetime", () => {
  it("closes open WebSockets, waits for them, and opens no more", async () => {
    const life = new Lifetime();
    const connect = life.bind(opening);
    const channel = await connect(request);
    let isOver = false;
    void channel.closed.then(() => (isOver = true));
    await life.end();
    expect(isOver).toBe(true);
    await expect(connect(request)).rejects.toMatchObject({ name: "TransportError", reason: "closed" });
    expect(() => life.signal()).toThrow("has been closed");
    await life.end();
  });

  it("closes WebSockets that are being opened", async () => {
    const life = new Lifetime();
    const connect = life.bind(hanging);
    const waiting = [request, { ...request, signal: new AbortController().signal }].map((one) =>
      expect(connect(one)).rejects.toMatchObject({ reason: "closed" }),
    );
    await life.end();
    await Promise.all(waiting);
  });

  it("keeps the reason of the caller's signal, and continues", async () => {
    const life = new Lifetime();
    const own = new AbortController();
    const reason = new Error("enough");
    const waiting = expect(life.bind(hanging)({ ...request, signal: own.signal })).rejects.toBe(reason);
    own.abort(reason);
    await waiting;
    expect(life.signal().aborted).toBe(false);
    await life.end();
  });

  it("waits for held promises, also if they reject", async () => {
    const life = new Lifetime();
    let fail = (): void => undefined;
    life.hold(new Promise((_, reject) => (fail = () => reject(new Error("late")))));
    let isOver = false;
    const ending = life.end().then(() => (isOver = true));
    await turn();
    expect(isOver).toBe(false);
    fail();
    await ending;
  });
});
