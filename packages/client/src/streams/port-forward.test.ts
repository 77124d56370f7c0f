import { describe, expect, it } from "vitest";
import { portForward } from "./port-forward.ts";
import type { ByteConnection } from "./port-forward.ts";
import { webSocketPair } from "./web-socket-pair.ts";
import type { WebSocketEnd } from "./web-socket-pair.ts";
import type { WebSocketConnect, WebSocketRequest } from "./web-socket.ts";

const pod = { namespace: "shop", name: "db-0" };
const header = (channel: number, port: number): Uint8Array => Uint8Array.of(channel, port & 255, port >> 8);
const frame = (channel: number, text: string): Uint8Array => Uint8Array.of(channel, ...new TextEncoder().encode(text));
const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

function node(serve: (end: WebSocketEnd) => Promise<void>, port = 5432): { connect: WebSocketConnect; requests: WebSocketRequest[]; ends: WebSocketEnd[] } {
  const requests: WebSocketRequest[] = [];
  const ends: WebSocketEnd[] = [];
  const connect: WebSocketConnect = async (request) => {
    requests.push(request);
    const [client, end] = webSocketPair("v4.channel.k8s.io");
    ends.push(end);
    await end.send(header(0, port));
    await end.send(header(1, port));
    void serve(end).catch(() => undefined);
    return client;
  };
  return { connect, requests, ends };
}

/** Echoes in capitals until it has heard a full stop. */
const shouting = async (end: WebSocketEnd): Promise<void> => {
  for await (const message of end.messages) {
    const text = decode((message as Uint8Array).subarray(1));
    await end.send(frame(0, text.toUpperCase()));
    if (text.endsWith(".")) break;
  }
  await end.close();
};

const readAll = async (connection: ByteConnection): Promise<string> => {
  let all = "";
  for await (const bytes of connection.received) all += decode(bytes);
  return all;
};

describe("portForward", () => {
  it("asks for the port with the protocol of plain channels", async () => {
    const { connect, requests } = node(shouting);
    await (await portForward(connect, pod, 5432)).close();
    expect(requests[0]).toMatchObject({ path: "/api/v1/namespaces/shop/pods/db-0/portforward?ports=5432", protocols: ["v4.channel.k8s.io"] });
  });

  it("carries bytes both ways, without the header, until the pod closes", async () => {
    const connection = await portForward(node(shouting).connect, pod, 5432);
    await connection.send(new TextEncoder().encode("hello "));
    await connection.send(new TextEncoder().encode("world."));
    expect(await readAll(connection)).toBe("HELLO WORLD.");
  });

  it("throws what the node says, for instance that nobody listens", async () => {
    const connection = await portForward(node((end) => end.send(frame(1, "error forwarding port 5432: connection refused"))).connect, pod, 5432);
    await expect(readAll(connection)).rejects.toThrow("forward a port of pods/db-0 in shop, 5432: error forwarding port 5432: connection refused");
  });

  it("refuses another port than it asked for", async () => {
    await expect(readAll(await portForward(node(shouting, 80).connect, pod, 5432))).rejects.toThrow("opened port 80 instead of 5432");
  });

  it.each([0, 65_536, 1.5])("refuses %d as a port", async (port) => {
    await expect(portForward(node(shouting).connect, pod, port)).rejects.toThrow("is not a port from 1 to 65535");
  });

  it("closes the connection when the reader leaves", async () => {
    const { connect, ends } = node(async (end) => end.send(frame(0, "x")));
    for await (const _ of (await portForward(connect, pod, 5432)).received) break;
    expect(await ends[0]?.closed).toEqual({ code: 1000, reason: "" });
  });
});
