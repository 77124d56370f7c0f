/** Runs the operator on the cluster of the current kubeconfig, until Ctrl-C, with an in-memory cloud that takes up to a minute. */
import { memoryCloud } from "./cloud.ts";
import { clusterOperator } from "./cluster.ts";

const cloud = memoryCloud();
setInterval(() => cloud.finish(), 60_000).unref();
await clusterOperator({ cloud }).run();
