/**
 * At every moment: a Job counts no pod twice and forgets none; a CronJob starts each scheduled time once, and not
 * concurrently where that is forbidden.
 */
import type { Job } from "@drover/api/batch/v1";
import type { DeepReadonly, KubeObject } from "@drover/machinery";
import type { HistoryCheck, HistoryContext } from "./history-check.ts";
import { controllerUid, keyOf } from "./world.ts";

export function batchCheck({ world }: HistoryContext): HistoryCheck {
  /** By the uid of the Job: pods that have succeeded, and pods that ever existed. */
  const succeeded = new Map<string, Set<string>>();
  const ever = new Map<string, Set<string>>();
  const started = new Set<string>();
  const note = (sets: Map<string, Set<string>>, owner: string, uid: string): void =>
    void sets.set(owner, (sets.get(owner) ?? new Set()).add(uid));
  const countedWrong = (before: DeepReadonly<Job> | undefined, job: DeepReadonly<Job>): readonly string[] => {
    const { uid = "" } = job.metadata;
    const { succeeded: good = 0, failed: bad = 0 } = job.status ?? {};
    const isSame = before?.metadata.uid === uid;
    const problems: string[] = [];
    if (isSame && ((before.status?.succeeded ?? 0) > good || (before.status?.failed ?? 0) > bad))
      problems.push(
        `jobs/${keyOf(job)} had counted ${before.status?.succeeded ?? 0}/${before.status?.failed ?? 0}, and now says ${good}/${bad}`,
      );
    const known = succeeded.get(uid)?.size ?? 0;
    const all = ever.get(uid)?.size ?? 0;
    if (good > known) problems.push(`jobs/${keyOf(job)} has counted ${good} pods that succeeded, and there were ${known}`);
    if (good + bad > all) problems.push(`jobs/${keyOf(job)} has counted ${good} and ${bad} pods, and there were ${all}`);
    return problems;
  };
  const startedWrong = (job: DeepReadonly<Job>): readonly string[] => {
    const owner = controllerUid(job);
    const cronJob = world.all("cronjobs").find(({ metadata }) => metadata.uid === owner);
    if (owner === undefined || cronJob === undefined) return [];
    const run = `${owner} ${job.metadata.annotations?.["batch.kubernetes.io/cronjob-scheduled-timestamp"] ?? ""}`;
    const problems = started.has(run) ? [`jobs/${keyOf(job)} was started for a time that has had its Job`] : [];
    started.add(run);
    const beside = world
      .all("jobs")
      .filter((other) => controllerUid(other) === owner && other.metadata.uid !== job.metadata.uid && !isOver(other));
    if (cronJob.spec?.concurrencyPolicy === "Forbid" && beside.length > 0)
      problems.push(`jobs/${keyOf(job)} was started beside ${beside.map(keyOf).join()}`);
    return problems;
  };
  const isOver = ({ status }: DeepReadonly<Job>): boolean =>
    status?.conditions?.some(({ type, status: is }) => (type === "Complete" || type === "Failed") && is === "True") === true;
  return ({ resource, before, after }) => {
    if (resource === "pods" && after !== undefined) {
      const owner = ownerJob(after);
      if (owner === undefined) return [];
      note(ever, owner, after.metadata.uid ?? "");
      if ((after as DeepReadonly<KubeObject & { readonly status?: { readonly phase?: string } }>).status?.phase === "Succeeded")
        note(succeeded, owner, after.metadata.uid ?? "");
      return [];
    }
    if (resource !== "jobs" || after === undefined) return [];
    const job = after as DeepReadonly<Job>;
    return [...countedWrong(before as DeepReadonly<Job> | undefined, job), ...(before === undefined ? startedWrong(job) : [])];
  };
}

const ownerJob = ({ metadata }: DeepReadonly<KubeObject>): string | undefined =>
  metadata.ownerReferences?.find(({ controller, kind }) => controller === true && kind === "Job")?.uid;
