/** All scenes by chapter, the longest chapters first. */
import type { Scene } from "./scene.ts";
import { daemonSets } from "./scenes/daemon-sets.ts";
import { cronJobs, jobs } from "./scenes/jobs.ts";
import { namespaces } from "./scenes/namespaces.ts";
import { nodes } from "./scenes/nodes.ts";
import { ownership } from "./scenes/ownership.ts";
import { quotas } from "./scenes/quotas.ts";
import { rollouts } from "./scenes/rollouts.ts";
import { services } from "./scenes/services.ts";
import { statefulSets } from "./scenes/stateful-sets.ts";

export interface Chapter {
  readonly name: string;
  readonly scenes: readonly Scene[];
}

export const chapters: readonly Chapter[] = [
  { name: "nodes", scenes: nodes },
  { name: "CronJobs", scenes: cronJobs },
  { name: "Jobs", scenes: jobs },
  { name: "rollouts", scenes: rollouts },
  { name: "StatefulSets", scenes: statefulSets },
  { name: "DaemonSets", scenes: daemonSets },
  { name: "owners", scenes: ownership },
  { name: "Services", scenes: services },
  { name: "namespaces", scenes: namespaces },
  { name: "quotas", scenes: quotas },
];
