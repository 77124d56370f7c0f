/** At the end, when all nodes are ready: a DaemonSet has one ready pod of its newest revision on each of them. */
import type { DaemonSet } from "@drover/api/apps/v1";
import { jsonEqual } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import { podsOf } from "./check-replicas.ts";
import { revisionProblems } from "./check-stateful-sets.ts";
import { controllerUid, isReady, keyOf } from "./world.ts";
import type { World } from "./world.ts";

export function daemonProblems(world: World): readonly string[] {
  return world.all("daemonsets").flatMap((set) => problemsOf(world, set));
}

function problemsOf(world: World, set: DeepReadonly<DaemonSet>): readonly string[] {
  const {
    metadata: { uid },
    status,
  } = set;
  const what = `daemonsets/${keyOf(set)}`;
  const problems: string[] = [];
  const pods = podsOf(world, uid);
  const nodes = world
    .all("minions")
    .map(({ metadata }) => metadata.name ?? "")
    .toSorted();
  const places = pods.map(({ spec }) => spec?.nodeName ?? "nowhere").toSorted();
  if (!jsonEqual(places, nodes)) problems.push(`${what} should have pods on ${nodes.join()}, and has them on ${places.join() || "none"}`);
  const newest = world
    .all("controllerrevisions")
    .filter((revision) => controllerUid(revision) === uid)
    .toSorted((one, other) => other.revision - one.revision)[0];
  for (const pod of pods) {
    if (!isReady(pod)) problems.push(`pods/${keyOf(pod)} of ${what} is not ready`);
    const hash = pod.metadata.labels?.["controller-revision-hash"];
    if (hash !== newest?.metadata.labels?.["controller-revision-hash"])
      problems.push(`pods/${keyOf(pod)} is of revision ${hash ?? "none"}, not of the newest of ${what}`);
  }
  const count = nodes.length;
  const said = [
    status?.desiredNumberScheduled,
    status?.currentNumberScheduled,
    status?.numberReady,
    status?.numberAvailable ?? 0,
    status?.updatedNumberScheduled ?? 0,
    status?.numberMisscheduled,
    status?.numberUnavailable ?? 0,
  ];
  const is = [count, count, count, count, count, 0, 0];
  if (
    !jsonEqual(
      said.map((value) => value ?? 0),
      is,
    )
  )
    problems.push(
      `${what} says ${said.join("/")} (desired/current/ready/available/updated/misscheduled/unavailable), and it should be ${is.join("/")}`,
    );
  return [...problems, ...revisionProblems(world, set, what)];
}
