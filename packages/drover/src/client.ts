/** The client: kubeconfig, credentials, transport, typed, dynamic and metadata clients, discovery, streams. */
export * from "@drover/client";
export { isKeyPair } from "./key-pair.ts";
export { forwardPort } from "./forward-port.ts";
export type { ForwardedPort, ForwardPortDeps, ForwardPortOptions } from "./forward-port.ts";
export type { LogOptions, PodPlace, PodStreams } from "./pod-streams.ts";
export type { Sockets } from "./connect.ts";
