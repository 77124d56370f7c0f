/**
 * A node that serves forwarded ports, for tests: it announces the port on both channels, as kubelets do, and then runs
 * `serve`.
 */
import { webSocketPair } from "../streams/web-socket-pair.ts";
import type { WebSocketEnd } from "../streams/web-socket-pair.ts";
import type { WebSocketConnect, WebSocketRequest } from "../streams/web-socket.ts";

/** Returns the port of a channel, the first two bytes sent. */
export const portHeader = (channel: number, port: number): Uint8Array => Uint8Array.of(channel, port & 255, port >> 8);
/** Returns text on a channel. */
export const textFrame = (channel: number, text: string): Uint8Array => Uint8Array.of(channel, ...new TextEncoder().encode(text));

export interface ForwardingNode {
  readonly connect: WebSocketConnect;
  readonly requests: WebSocketRequest[];
  readonly ends: WebSocketEnd[];
}

/** Returns a node that serves each connection with `serve`. */
export function forwardingNode(serve: (end: WebSocketEnd) => Promise<void>, port = 5432): ForwardingNode {
  const requests: WebSocketRequest[] = [];
  const ends: WebSocketEnd[] = [];
  const connect: WebSocketConnect = async (request) => {
    requests.push(request);
    const [client, end] = webSocketPair("v4.channel.k8s.io");
    ends.push(end);
    await end.send(portHeader(0, port));
    await end.send(portHeader(1, port));
    void serve(end).catch(() => undefined);
    return client;
  };
  return { connect, requests, ends };
}

/** Echoes in capitals until it receives a full stop. */
export async function shouting(end: WebSocketEnd): Promise<void> {
  for await (const message of end.messages) {
    const text = new TextDecoder().decode((message as Uint8Array).subarray(1));
    await end.send(textFrame(0, text.toUpperCase()));
    if (text.endsWith(".")) break;
  }
  await end.close();
}
