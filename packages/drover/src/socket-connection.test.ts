import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { socketConnection } from "./socket-connection.ts";

/** Both ends of one connection on loopback. */
async function pair(): Promise<readonly [Socket, Socket]> {
  const server = createServer({ allowHalfOpen: true }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const far = connect({ port: (server.address() as AddressInfo).port, host: "127.0.0.1", allowHalfOpen: true });
  const [near] = (await once(server, "connection")) as [Socket];
  server.close();
  return [near, far];
}

describe("socketConnection", () => {
  it("receives until the peer ends, and can still send then", async () => {
    const [near, far] = await pair();
    const connection = socketConnection(near, { clock: new ManualClock() });
    far.end("question");
    let heard = "";
    for await (const bytes of connection.received) heard += new TextDecoder().decode(bytes);
    expect(heard).toBe("question");
    await connection.send(new TextEncoder().encode("answer"));
    const closing = connection.close();
    let answer = "";
    for await (const chunk of far) answer += String(chunk);
    await closing;
    expect(answer).toBe("answer");
  });

  it("delivers sent data before it closes, also with unread data", async () => {
    const [near, far] = await pair();
    const connection = socketConnection(near, { clock: new ManualClock() });
    far.write("x".repeat(100_000));
    await once(near, "readable");
    const sent = "y".repeat(1_000_000);
    const sending = connection.send(new TextEncoder().encode(sent)).then(() => connection.close());
    let heard = "";
    for await (const chunk of far) heard += String(chunk);
    far.end();
    await sending;
    expect(heard.length).toBe(sent.length);
  });

  it("does not wait forever for a peer that does not close", async () => {
    const [near, far] = await pair();
    const clock = new ManualClock();
    const connection = socketConnection(near, { clock });
    const gone = once(far, "close");
    far.resume();
    const closing = connection.close();
    await clock.advance(2000);
    await closing;
    far.end();
    await gone;
  });

  it("treats a reset as an end", async () => {
    const [near, far] = await pair();
    const connection = socketConnection(near, { clock: new ManualClock() });
    const reading = connection.received[Symbol.asyncIterator]().next();
    far.resetAndDestroy();
    expect(await reading).toEqual({ done: true, value: undefined });
    await connection.send(Uint8Array.of(1));
    await connection.close();
  });
});
