/** A complete Kubernetes cluster in one process. Only what this file exports is public API. */
export { startCluster } from "./start-cluster.ts";
export type { DevCluster, StartClusterOptions } from "./start-cluster.ts";
export { addScheduler } from "./scheduler/scheduler.ts";
export type { SchedulerOptions } from "./scheduler/scheduler.ts";
export { addKubelets } from "./node/kubelets.ts";
export type { Kubelets, KubeletsOptions } from "./node/kubelets.ts";
export type { SimulatedNodeOptions } from "./node/simulated-node.ts";
export { logAnnotations } from "./node/pod-log.ts";
export { addVolumeBinder } from "./volumes/volume-binder.ts";
export type { VolumeBinderOptions } from "./volumes/volume-binder.ts";
export { conductAnnotations, promptPods, unhurriedPods } from "./node/pod-conduct.ts";
export type { PodTimes } from "./node/pod-conduct.ts";
