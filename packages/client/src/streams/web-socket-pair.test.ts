import { describe, expect, it } from "vitest";
import { webSocketPair } from "./web-socket-pair.ts";

const next = (end: ReturnType<typeof webSocketPair>[0]): Promise<unknown> =>
  end.messages[Symbol.asyncIterator]()
    .next()
    .then(({ value, done }) => (done === true ? "the end" : value));

describe("webSocketPair", () => {
  it("carries messages both ways", async () => {
    const [a, b] = webSocketPair("p");
    await a.send("to b");
    await b.send(Uint8Array.of(1));
    expect([await next(b), await next(a), a.protocol, b.protocol]).toEqual(["to b", Uint8Array.of(1), "p", "p"]);
  });

  it("lets the other end read on after a close, and then end", async () => {
    const [a, b] = webSocketPair("p");
    await a.send("last words");
    await a.close();
    expect([await next(b), await next(b), await next(a)]).toEqual(["last words", "the end", "the end"]);
    expect(await b.closed).toEqual({ code: 1000, reason: "" });
    await expect(b.send("x")).rejects.toMatchObject({ reason: "lost" });
  });

  it("fails both ends when cut, or closed with another code", async () => {
    const [a, b] = webSocketPair("p");
    a.cut();
    await expect(next(a)).rejects.toThrow("the connection broke");
    await expect(next(b)).rejects.toThrow("the connection broke");
    const [c, d] = webSocketPair("p");
    c.closeWith(1011, "kaputt");
    await expect(next(d)).rejects.toThrow("closed with code 1011: kaputt");
  });

  it("holds a sender back until the other end has read, or is gone", async () => {
    const [a, b] = webSocketPair("p");
    let sent = false;
    const sending = a.send(new Uint8Array(1024 * 1024)).then(() => (sent = true));
    await Promise.resolve();
    expect(sent).toBe(false);
    await next(b);
    expect(await sending).toBe(true);
    const stuck = a.send(new Uint8Array(1024 * 1024));
    await b.close();
    await expect(stuck).rejects.toMatchObject({ reason: "lost" });
  });
});
