import { describe, expect, it } from "vitest";
import { portForward } from "./port-forward.ts";
import type { ByteConnection } from "./port-forward.ts";
import { forwardingNode, shouting, textFrame } from "../testing/forwarding-node.ts";

const pod = { namespace: "shop", name: "db-0" };
const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

const readAll = async (connection: ByteConnection): Promise<string> => {
  let all = "";
  for await (const bytes of connection.received) all += decode(bytes);
  return all;
};

describe("portForward", () => {
  it("requests the port with the protocol v4.channel.k8s.io", async () => {
    const { connect, requests } = forwardingNode(shouting);
    await (await portForward(connect, pod, 5432)).close();
    expect(requests[0]).toMatchObject({
      path: "/api/v1/namespaces/shop/pods/db-0/portforward?ports=5432",
      protocols: ["v4.channel.k8s.io"],
    });
  });

  it("carries bytes both ways, without the header, until the pod closes", async () => {
    const connection = await portForward(forwardingNode(shouting).connect, pod, 5432);
    await connection.send(new TextEncoder().encode("hello "));
    await connection.send(new TextEncoder().encode("world."));
    expect(await readAll(connection)).toBe("HELLO WORLD.");
  });

  it("throws the node's error, for example for a port without a listener", async () => {
    const connection = await portForward(
      forwardingNode((end) => end.send(textFrame(1, "error forwarding port 5432: connection refused"))).connect,
      pod,
      5432,
    );
    await expect(readAll(connection)).rejects.toThrow(
      "forward a port of pods/db-0 in shop, 5432: error forwarding port 5432: connection refused",
    );
  });

  it("rejects another port than requested", async () => {
    await expect(readAll(await portForward(forwardingNode(shouting, 80).connect, pod, 5432))).rejects.toThrow(
      "opened port 80 instead of 5432",
    );
  });

  it.each([0, 65_536, 1.5])("rejects %d as a port", async (port) => {
    await expect(portForward(forwardingNode(shouting).connect, pod, port)).rejects.toThrow("is not a port from 1 to 65535");
  });

  it("closes the connection when the reader leaves", async () => {
    const { connect, ends } = forwardingNode(async (end) => end.send(textFrame(0, "x")));
    for await (const _ of (await portForward(connect, pod, 5432)).received) break;
    expect(await ends[0]?.closed).toEqual({ code: 1000, reason: "" });
  });
});
