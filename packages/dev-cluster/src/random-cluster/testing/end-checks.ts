/** What must hold when everything has settled: each check returns the problems it finds. */
import type { Intentions } from "./play-step.ts";
import { batchProblems } from "./check-batch.ts";
import { daemonProblems } from "./check-daemon-sets.ts";
import { ownershipProblems } from "./check-ownership.ts";
import { replicaProblems } from "./check-replicas.ts";
import { serviceProblems } from "./check-services.ts";
import { statefulProblems } from "./check-stateful-sets.ts";
import type { World } from "./world.ts";

export function endProblems(world: World, intentions: Intentions): readonly string[] {
  return [
    ...ownershipProblems(world, intentions),
    ...replicaProblems(world),
    ...statefulProblems(world),
    ...daemonProblems(world),
    ...batchProblems(world),
    ...serviceProblems(world),
  ];
}
