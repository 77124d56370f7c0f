/** Sources, the reconcile loop, the manager, leader election, events, the tape; queues, and the patterns on top of them. */
export * from "@drover/controller";
export * from "@drover/patterns";
export * from "@drover/workqueue";
export { serveHttp } from "./serve-http.ts";
export type { NodeLeaderElectionOptions, NodeManagerOptions } from "./node-manager.ts";
