export { nodeHost } from "./node-host.ts";
export { nodeRuntime } from "./node-runtime.ts";
export type { NodeRuntime, NodeRuntimeOptions } from "./node-runtime.ts";
