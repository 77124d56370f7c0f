/** Sources, the reconcile loop, the manager, leader election, Events, the tape, work queues, and patterns. */
export * from "@drover/controller";
export * from "@drover/patterns";
export * from "@drover/workqueue";
export { certificateFolder } from "./certificate-folder.ts";
export { serveHttp } from "./serve-http.ts";
export { serveHttps } from "./serve-https.ts";
export type { NodeLeaderElectionOptions, NodeManagerOptions, NodeShardsOptions } from "./node-manager.ts";
export type { RunningOperator } from "./operator.ts";
export type { DebugOptions } from "./debug/debug-options.ts";
export { findOperators } from "./debug/operator-file.ts";
export type { FoundOperator } from "./debug/operator-file.ts";
