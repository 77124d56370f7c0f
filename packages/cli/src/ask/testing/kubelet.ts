/**
 * What a kubelet does with forwarded ports, for tests: dials the port of the pod and copies bytes both ways.
 *
 *     pods: name → port on this machine → kubelet → WebSocketConnect
 */
import { connect as dial } from "node:net";
import { UpgradeRefusedError } from "@drover/client";
import type { WebSocketConnect } from "@drover/client";
import { webSocketPair } from "@drover/client/testing";
import type { WebSocketEnd } from "@drover/client/testing";

/** A pod: the port of this machine that its port 4679 is; undefined if nothing listens. "forbidden" refuses to forward. */
export type PodPort = number | undefined | "forbidden";

/** Returns the streams of the pods. Paths of refused and opened connections are added to `paths`. */
export function kubelet(pods: ReadonlyMap<string, PodPort>, paths: string[] = []): WebSocketConnect {
  return async ({ path, signal }) => {
    paths.push(path);
    const [, pod = "", port = ""] = /\/pods\/([^/]+)\/portforward\?ports=(\d+)$/.exec(path) ?? [];
    if (!pods.has(pod)) throw refused(404, "NotFound", `pods "${pod}" not found`);
    const local = pods.get(pod);
    if (local === "forbidden")
      throw refused(403, "Forbidden", `pods "${pod}" is forbidden: User "dev" cannot create resource "pods/portforward"`);
    const [client, end] = webSocketPair("v4.channel.k8s.io");
    signal?.addEventListener("abort", () => end.cut(), { once: true });
    const header = Uint8Array.of(Number(port) & 255, Number(port) >> 8);
    for (const channel of [0, 1]) await end.send(Uint8Array.of(channel, ...header));
    if (port === "4679" && local !== undefined) void carry(end, local);
    else await end.send(Uint8Array.of(1, ...new TextEncoder().encode(`error forwarding port ${port}: connect: connection refused`)));
    return client;
  };
}

const refused = (code: number, reason: string, message: string): UpgradeRefusedError =>
  new UpgradeRefusedError(
    code,
    { "content-type": "application/json" },
    JSON.stringify({ kind: "Status", apiVersion: "v1", status: "Failure", reason, code, message }),
  );

async function carry(end: WebSocketEnd, port: number): Promise<void> {
  const socket = dial(port, "127.0.0.1");
  socket.on("error", () => end.cut());
  socket.on("data", (bytes: Buffer) => void end.send(Uint8Array.of(0, ...bytes)).catch(() => undefined));
  socket.on("end", () => void end.close());
  try {
    for await (const message of end.messages) socket.write((message as Uint8Array).subarray(1));
  } catch {
    // The client is gone.
  }
  socket.destroy();
}
