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

/** A pod whose port 80 says everything again in capitals, and hangs up at a full stop. */
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

/** Says something and returns all it hears until the other side hangs up. */
async function converse(port: number, text: string): Promise<string> {
  const socket = connectTo(port, "127.0.0.1");
  socket.write(text);
  let heard = "";
  for await (const chunk of socket) heard += String(chunk);
  return heard;
}

describe("forwardPort", () => {
  it("leads every connection of a local port to the pod, both ways, whole", async () => {
    await using forward = await forwardPort(shoutingPod().connect, pod, { local: 0, remote: 80 }, { clock, log: testRuntime().log });
    expect(forward.address).toBe("127.0.0.1");
    const long = `${"x".repeat(1_000_000)}.`;
    expect(await Promise.all([converse(forward.port, "hello."), converse(forward.port, long)])).toEqual(["HELLO.", long.toUpperCase()]);
  });

  it("tells of a connection that fails, and goes on with the others", async () => {
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

  it("writes a warning where nobody else wants to know", async () => {
    const { log } = testRuntime();
    const forward = await forwardPort(() => Promise.reject(new Error("not today")), pod, { local: 0, remote: 80 }, { clock, log });
    await converse(forward.port, "a.");
    await forward.close();
    expect(log.lines.join("\n")).toMatch(/warn.*a connection to a forwarded port failed.*shop\/db-0/i);
  });

  it("ends with everything it has opened, when told to and when the signal says so", async () => {
    for (const how of ["close", "signal"] as const) {
      const controller = new AbortController();
      const { connect, ends } = shoutingPod();
      // On a clock that stands still nobody is given time to end by themselves.
      const forward = await forwardPort(
        connect,
        pod,
        { local: 0, remote: 80, signal: controller.signal },
        { clock: new ManualClock(), log: testRuntime().log },
      );
      // Somebody who does not hang up just because the other side has.
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

  it("listens on the pod's own port unless told otherwise", async () => {
    const chosen = createServer().listen(0, "127.0.0.1");
    await once(chosen, "listening");
    const { port } = chosen.address() as AddressInfo;
    await new Promise((resolve) => chosen.close(resolve));
    await using forward = await forwardPort(shoutingPod().connect, pod, { remote: port }, { clock, log: testRuntime().log });
    expect(forward.port).toBe(port);
  });

  it("says that a port is taken, and that a number is no port", async () => {
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
