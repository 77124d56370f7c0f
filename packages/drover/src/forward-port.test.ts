import { once } from "node:events";
import { connect as connectTo, createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { webSocketPair } from "@drover/client/testing";
import type { WebSocketEnd } from "@drover/client/testing";
import type { WebSocketConnect } from "@drover/client";
import { ManualClock, testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { forwardPort } from "./forward-port.ts";
import { nodeRuntime } from "./node-runtime.ts";

const pod = { namespace: "shop", name: "db-0" };
const { clock } = nodeRuntime();

/** A pod whose port 80 echoes in capitals, and closes after a full stop. */
function shoutingPod(): { readonly connect: WebSocketConnect; readonly ends: WebSocketEnd[] } {
  const ends: WebSocketEnd[] = [];
  const serve = async (end: WebSocketEnd): Promise<void> => {
    for (const channel of [0, 1]) await end.send(Uint8Array.of(channel, 80, 0));
    for await (const message of end.messages) {
      const text = new TextDecoder().decode((message as Uint8Array).subarray(1));
      await end.send(Uint8Array.of(0, ...new TextEncoder().encode(text.toUpperCase())));
      if (text.endsWith(".")) await end.close();
    }
  };
  const connect: WebSocketConnect = ({ signal }) => {
    const [client, end] = webSocketPair("v4.channel.k8s.io");
    ends.push(end);
    signal?.addEventListener("abort", () => end.cut(), { once: true });
    void serve(end).catch(() => undefined);
    return Promise.resolve(client);
  };
  return { connect, ends };
}

/** Sends a text and returns everything received until the peer closes. */
async function converse(port: number, text: string): Promise<string> {
  const socket = connectTo(port, "127.0.0.1");
  socket.write(text);
  let heard = "";
  for await (const chunk of socket) heard += String(chunk);
  return heard;
}

describe("forwardPort", () => {
  it("forwards every connection of a local port to the pod, in both directions, completely", async () => {
    await using forward = await forwardPort(shoutingPod().connect, pod, { local: 0, remote: 80 }, { clock, log: testRuntime().log });
    expect(forward.address).toBe("127.0.0.1");
    const long = `${"x".repeat(1_000_000)}.`;
    expect(await Promise.all([converse(forward.port, "hello."), converse(forward.port, long)])).toEqual(["HELLO.", long.toUpperCase()]);
  });

  it("reports a failed connection, and continues with the others", async () => {
    const { connect } = shoutingPod();
    const errors: unknown[] = [];
    let calls = 0;
    const failing: WebSocketConnect = (request) => (calls++ === 0 ? Promise.reject(new Error("not today")) : connect(request));
    const forward = await forwardPort(
      failing,
      pod,
      { local: 0, remote: 80, onError: (error) => errors.push(error) },
      { clock, log: testRuntime().log },
    );
    expect(await converse(forward.port, "a.")).toBe("");
    expect(await converse(forward.port, "b.")).toBe("B.");
    await forward.close();
    expect(errors.map(String)).toEqual([expect.stringContaining("not today")]);
  });

  it("logs a warning without onError", async () => {
    const { log } = testRuntime();
    const forward = await forwardPort(() => Promise.reject(new Error("not today")), pod, { local: 0, remote: 80 }, { clock, log });
    await converse(forward.port, "a.");
    await forward.close();
    expect(log.lines.join("\n")).toMatch(/warn.*connection to a forwarded port failed.*shop\/db-0/i);
  });

  it("closes everything on close and on abort", async () => {
    for (const how of ["close", "signal"] as const) {
      const controller = new AbortController();
      const { connect, ends } = shoutingPod();
      // On a stopped clock there is no grace period.
      const forward = await forwardPort(
        connect,
        pod,
        { local: 0, remote: 80, signal: controller.signal },
        { clock: new ManualClock(), log: testRuntime().log },
      );
      // A client that does not close when the peer does.
      const socket = connectTo({ port: forward.port, host: "127.0.0.1", allowHalfOpen: true });
      const ended = once(socket, "end");
      socket.on("error", () => undefined).write("a");
      await once(socket, "data");
      if (how === "close") await forward.close();
      else controller.abort(new Error("enough"));
      await forward.closed;
      await ended;
      socket.destroy();
      expect((await ends[0]?.closed)?.code).toBe(1006);
      const refused = connectTo(forward.port, "127.0.0.1");
      await expect(once(refused, "connect")).rejects.toMatchObject({ code: "ECONNREFUSED" });
      await forward.close();
    }
  });

  it("listens on the pod's port by default", async () => {
    const chosen = createServer().listen(0, "127.0.0.1");
    await once(chosen, "listening");
    const { port } = chosen.address() as AddressInfo;
    await new Promise((resolve) => chosen.close(resolve));
    await using forward = await forwardPort(shoutingPod().connect, pod, { remote: port }, { clock, log: testRuntime().log });
    expect(forward.port).toBe(port);
  });

  it("reports a port in use and an invalid number", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const { port } = taken.address() as AddressInfo;
    const deps = { clock, log: testRuntime().log };
    await expect(forwardPort(shoutingPod().connect, pod, { local: port, remote: 80 }, deps)).rejects.toMatchObject({ code: "EADDRINUSE" });
    taken.close();
    await expect(forwardPort(shoutingPod().connect, pod, { local: 65_536, remote: 80 }, deps)).rejects.toMatchObject({
      code: "ERR_SOCKET_BAD_PORT",
    });
    await expect(
      forwardPort(shoutingPod().connect, pod, { remote: 80, signal: AbortSignal.abort(new Error("never mind")) }, deps),
    ).rejects.toThrow("never mind");
  });
});
