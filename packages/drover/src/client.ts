/**
 * The client: kubeconfig, credentials, transport, typed, dynamic and metadata clients, discovery, streams; and what connects it on Node.
 * A program that only reads and writes imports this instead of `drover`, and loads half as much.
 */
export * from "@drover/client";
export { connect } from "./connect.ts";
export { isKeyPair } from "./key-pair.ts";
export { forwardPort } from "./forward-port.ts";
export type { ForwardedPort, ForwardPortDeps, ForwardPortOptions } from "./forward-port.ts";
export type { LogOptions, PodPlace, PodStreams } from "./pod-streams.ts";
export type { Connection, ConnectOptions, Sockets } from "./connection.ts";
export type { ClusterChoice } from "./choose-access.ts";
export { nodeHost } from "./node-host.ts";
export { nodeRuntime } from "./node-runtime.ts";
export type { NodeRuntime, NodeRuntimeOptions } from "./node-runtime.ts";
