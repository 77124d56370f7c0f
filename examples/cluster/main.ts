/** Runs the operator where kubectl would go, until Ctrl-C, with a cloud that is done after a minute. */
import { memoryCloud } from "./cloud.ts";
import { clusterOperator } from "./cluster.ts";

const cloud = memoryCloud();
setInterval(() => cloud.finish(), 60_000).unref();
await clusterOperator({ cloud }).run();
