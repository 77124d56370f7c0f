/** The strategies of pods and workloads. */
import { strategyOfAnyKind } from "../../registry/strategy.ts";
import type { Strategy } from "../../registry/strategy.ts";
import { controllerRevisionStrategy } from "./controller-revision-strategy.ts";
import { cronJobStrategy } from "./cron-job/cron-job-strategy.ts";
import { daemonSetStrategy } from "./daemon-set-strategy.ts";
import { deploymentStrategy } from "./deployment-strategy.ts";
import { jobStrategy } from "./job/job-strategy.ts";
import { podStrategy } from "./pod/pod-strategy.ts";
import { podTemplateStrategy } from "./pod-template-strategy.ts";
import { replicaSetStrategy } from "./replica-set-strategy.ts";
import { replicationControllerStrategy } from "./replication-controller-strategy.ts";
import { statefulSetStrategy } from "./stateful-set-strategy.ts";

const entry = (kind: string, strategy: Strategy<never>): [string, Strategy] => [kind, strategyOfAnyKind(strategy)];

/** By "group/version/Kind"; the core group is empty: "/v1/Pod". */
export const workloadStrategies: ReadonlyMap<string, Strategy> = new Map([
  entry("/v1/Pod", podStrategy),
  entry("/v1/PodTemplate", podTemplateStrategy),
  entry("/v1/ReplicationController", replicationControllerStrategy),
  entry("apps/v1/Deployment", deploymentStrategy),
  entry("apps/v1/ReplicaSet", replicaSetStrategy),
  entry("apps/v1/StatefulSet", statefulSetStrategy),
  entry("apps/v1/DaemonSet", daemonSetStrategy),
  entry("apps/v1/ControllerRevision", controllerRevisionStrategy),
  entry("batch/v1/Job", jobStrategy),
  entry("batch/v1/CronJob", cronJobStrategy),
]);
