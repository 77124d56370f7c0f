/**
 * The current and update revisions of a StatefulSet, and those to delete.
 *
 *     history, template → syncRevisions: keep the newest, renumber an older one, or create one → SetRevisions
 */
import { equalRevisions } from "../history/controller-revision.ts";
import type { RevisionView } from "../history/controller-revision.ts";
import type { RevisionControl } from "../history/revision-control.ts";
import { nextRevision } from "../history/revision-order.ts";
import type { PodView } from "../shared/pod-state.ts";
import { podRevision } from "./pod-identity.ts";
import { revisionData } from "./stateful-pod.ts";
import type { SetRevisions } from "./stateful-pod.ts";
import type { StatefulSetView } from "./stateful-set-view.ts";

/** The revisions, and the number of name collisions. */
export interface SyncedRevisions {
  readonly revisions: SetRevisions;
  readonly collisionCount: number;
}

/** Old revisions to keep by default. */
const historyLimitDefault = 10;

/**
 * Finds the revision of the current template, or creates one; returning to an older template renumbers its revision as the newest.
 * When the history lacks the current revision, uses the update revision. Writes nothing for a set that is being deleted.
 *
 * @param history - oldest first
 */
export async function syncRevisions(
  set: StatefulSetView,
  history: readonly RevisionView[],
  control: Pick<RevisionControl, "create" | "renumber">,
): Promise<SyncedRevisions> {
  const { collisionCount = 0, currentRevision = "", updateRevision = "" } = set.status ?? {};
  if (set.metadata.deletionTimestamp !== undefined)
    return { revisions: { current: named(currentRevision), update: named(updateRevision) }, collisionCount };
  const update = await updateRevisionOf(set, history, control);
  const current = history.find(({ metadata }) => metadata.name === currentRevision) ?? update.revision;
  return { revisions: { current, update: update.revision }, collisionCount: update.collisionCount };
}

/** Returns the oldest revisions beyond the limit that neither the set nor a pod uses. A negative limit keeps all. */
export function revisionsToForget(
  { spec }: StatefulSetView,
  history: readonly RevisionView[],
  { current, update }: SetRevisions,
  pods: readonly PodView[],
): readonly RevisionView[] {
  const live = new Set([current.metadata.name, update.metadata.name, ...pods.map(podRevision)]);
  const old = history.filter(({ metadata }) => !live.has(metadata.name));
  const limit = spec?.revisionHistoryLimit ?? historyLimitDefault;
  return limit < 0 ? [] : old.slice(0, Math.max(0, old.length - limit));
}

async function updateRevisionOf(
  set: StatefulSetView,
  history: readonly RevisionView[],
  control: Pick<RevisionControl, "create" | "renumber">,
): Promise<{ readonly revision: RevisionView; readonly collisionCount: number }> {
  const { collisionCount = 0 } = set.status ?? {};
  const data = revisionData(set);
  const known = history.findLast((revision) => equalRevisions(revision, { data }));
  const number = nextRevision(history);
  if (known === undefined)
    return await control.create({
      labels: set.spec?.template.metadata?.labels ?? {},
      annotations: set.metadata.annotations ?? {},
      data,
      revision: number,
      collisionCount,
    });
  return { revision: known === history.at(-1) ? known : await control.renumber(known, number), collisionCount };
}

const named = (name: string): RevisionView => ({ metadata: { name }, revision: 0 });
