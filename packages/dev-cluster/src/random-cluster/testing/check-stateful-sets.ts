/** At the end: a StatefulSet has exactly its ordinals, all ready and of the update revision, with their claims, and its status is true. */
import type { StatefulSet } from "@drover/api/apps/v1";
import { jsonEqual } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import { podsOf } from "./check-replicas.ts";
import { controllerUid, isReady, keyOf } from "./world.ts";
import type { World } from "./world.ts";

export function statefulProblems(world: World): readonly string[] {
  return world.all("statefulsets").flatMap((set) => problemsOf(world, set));
}

function problemsOf(world: World, set: DeepReadonly<StatefulSet>): readonly string[] {
  const {
    metadata: { uid, name = "", namespace = "" },
    spec,
    status,
  } = set;
  const what = `statefulsets/${keyOf(set)}`;
  const wanted = spec?.replicas ?? 1;
  const problems: string[] = [];
  const pods = podsOf(world, uid);
  const expected = Array.from({ length: wanted }, (_, ordinal) => `${name}-${ordinal}`);
  const found = pods.map(({ metadata }) => metadata.name ?? "").toSorted();
  if (!jsonEqual(found, expected.toSorted()))
    problems.push(`${what} should have ${expected.join() || "nothing"}, and has ${found.join() || "nothing"}`);
  for (const pod of pods) {
    if (!isReady(pod)) problems.push(`pods/${keyOf(pod)} of ${what} is not ready`);
    const revision = pod.metadata.labels?.["controller-revision-hash"];
    if (revision !== status?.updateRevision)
      problems.push(`pods/${keyOf(pod)} is of revision ${revision ?? "none"}, and ${what} is at ${status?.updateRevision ?? "none"}`);
    for (const { metadata } of spec?.volumeClaimTemplates ?? []) {
      const claim = world.get("persistentvolumeclaims", `${namespace}/${metadata?.name ?? ""}-${pod.metadata.name ?? ""}`);
      if (claim?.status?.phase !== "Bound")
        problems.push(`pods/${keyOf(pod)}: its claim ${metadata?.name ?? ""} is ${claim?.status?.phase ?? "not there"}`);
    }
  }
  if (status?.currentRevision !== status?.updateRevision)
    problems.push(
      `${what}: the current revision ${status?.currentRevision ?? "none"} is not the one of the update, ${status?.updateRevision ?? "none"}`,
    );
  const said = [
    status?.replicas ?? 0,
    status?.readyReplicas ?? 0,
    status?.availableReplicas ?? 0,
    status?.currentReplicas ?? 0,
    status?.updatedReplicas ?? 0,
  ];
  const is = [wanted, wanted, wanted, wanted, wanted];
  if (!jsonEqual(said, is))
    problems.push(`${what} says ${said.join("/")} (replicas/ready/available/current/updated), and it should be ${is.join("/")}`);
  return [...problems, ...revisionProblems(world, set, what)];
}

/** The history is bounded, and its newest revision equals the template. */
export function revisionProblems(
  world: World,
  {
    metadata,
    spec,
  }: DeepReadonly<{ readonly metadata: StatefulSet["metadata"]; readonly spec?: { readonly revisionHistoryLimit?: number } }>,
  what: string,
): readonly string[] {
  const revisions = world.all("controllerrevisions").filter((revision) => controllerUid(revision) === metadata.uid);
  const limit = (spec?.revisionHistoryLimit ?? 10) + 1;
  const numbers = new Set(revisions.map(({ revision }) => revision));
  return [
    ...(revisions.length > limit ? [`${what} keeps ${revisions.length} revisions, and ${limit} are allowed`] : []),
    ...(numbers.size < revisions.length
      ? [`${what} has two revisions of one number: ${revisions.map(({ revision }) => revision).join()}`]
      : []),
  ];
}
