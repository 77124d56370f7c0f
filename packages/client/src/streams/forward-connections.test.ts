import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { forwardConnections } from "./forward-connections.ts";
import type { ByteConnection } from "./port-forward.ts";
import { forwardingNode, shouting, textFrame } from "../testing/forwarding-node.ts";
import type { WebSocketEnd } from "./web-socket-pair.ts";
import type { WebSocketConnect } from "./web-socket.ts";

const pod = { namespace: "shop", name: "db-0" };
const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

interface Local extends ByteConnection {
  readonly sent: string[];
  readonly isClosed: () => boolean;
}

function local(received: AsyncIterable<Uint8Array>): Local {
  const sent: string[] = [];
  let closed = false;
  return {
    received,
    sent,
    isClosed: () => closed,
    send: async (bytes) => void sent.push(decode(bytes)),
    close: async () => void (closed = true),
  };
}

async function* saying(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield await Promise.resolve(new TextEncoder().encode(text));
}

async function* accepting(...connections: readonly ByteConnection[]): AsyncGenerator<ByteConnection> {
  for (const connection of connections) yield await Promise.resolve(connection);
}

describe("forwardConnections", () => {
  it("opens a WebSocket for every connection and closes it at the end", async () => {
    const { connect, requests } = forwardingNode(shouting);
    const connections = [local(saying("a", "b.")), local(saying("c."))];
    await forwardConnections(connect, pod, 5432, accepting(...connections), {
      clock: new ManualClock(),
      signal: new AbortController().signal,
      onError: (error) => expect(error).toBeUndefined(),
    });
    expect(requests).toHaveLength(2);
    expect(connections.map(({ sent, isClosed }) => [sent.join(""), isClosed()])).toEqual([
      ["AB.", true],
      ["C.", true],
    ]);
  });

  it("continues with other connections when one fails", async () => {
    const errors: string[] = [];
    const { connect } = forwardingNode(shouting);
    let calls = 0;
    const flaky: WebSocketConnect = (request) => (calls++ === 0 ? Promise.reject(new Error("no route")) : connect(request));
    const connections = [local(saying("a.")), local(saying("b."))];
    await forwardConnections(flaky, pod, 5432, accepting(...connections), {
      clock: new ManualClock(),
      signal: new AbortController().signal,
      onError: (error) => errors.push(String(error)),
    });
    expect(errors).toEqual(["Error: no route"]);
    expect(connections.map(({ sent, isClosed }) => [sent.join(""), isClosed()])).toEqual([
      ["", true],
      ["B.", true],
    ]);
  });

  it("waits for what the pod still sends after the local side has ended, and closes when the pod is silent", async () => {
    const clock = new ManualClock();
    let late: WebSocketEnd | undefined;
    const { connect } = forwardingNode(async (end) => void (late = end));
    const connection = local(saying("question"));
    const running = forwardConnections(connect, pod, 5432, accepting(connection), {
      clock,
      signal: new AbortController().signal,
      onError: (error) => expect(error).toBeUndefined(),
      lingerMs: 1000,
    });
    await clock.advance(900);
    await late?.send(textFrame(0, "answer"));
    await clock.advance(900);
    expect(connection.sent).toEqual(["answer"]);
    expect(connection.isClosed()).toBe(false);
    await clock.advance(100);
    await running;
    expect(connection.isClosed()).toBe(true);
    expect(clock.pending).toEqual([]);
  });

  it("waits ten seconds by default", async () => {
    const clock = new ManualClock();
    const { connect } = forwardingNode(async () => undefined);
    const running = forwardConnections(connect, pod, 5432, accepting(local(saying("question"))), {
      clock,
      signal: new AbortController().signal,
      onError: () => undefined,
    });
    await clock.settle();
    expect(clock.pending).toEqual([10_000]);
    await clock.advance(10_000);
    await running;
  });

  it("reports a local side that breaks and closes the pod's", async () => {
    const errors: string[] = [];
    const breaking = async function* (): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(new Uint8Array(1));
      throw new Error("reset by peer");
    };
    const { connect, ends } = forwardingNode(async () => undefined);
    await forwardConnections(connect, pod, 5432, accepting(local(breaking())), {
      clock: new ManualClock(),
      signal: new AbortController().signal,
      onError: (error) => errors.push(String(error)),
    });
    expect(errors).toEqual(["Error: reset by peer"]);
    expect(await ends[0]?.closed).toEqual({ code: 1000, reason: "" });
  });
});
