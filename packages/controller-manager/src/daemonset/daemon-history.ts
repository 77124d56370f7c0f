/**
 * The revisions of a DaemonSet: its present template has exactly one, which is the newest, and old ones go when there are too many.
 *
 *     revisions, template → readHistory → the hash of pods that are up to date;   surplusRevisions → deleted at the end of a look
 */
import { ControllerRevision } from "@drover/api/apps/v1";
import { Pod } from "@drover/api/core/v1";
import type { Client } from "@drover/client";
import { definedOnly, getOwn } from "@drover/machinery";
import type { Selector } from "@drover/machinery";
import { equalRevisions, podRevisionLabel } from "../history/controller-revision.ts";
import type { NewRevision, RevisionView } from "../history/controller-revision.ts";
import type { RevisionControl } from "../history/revision-control.ts";
import { nextRevision, revisionNumber } from "../history/revision-order.ts";
import type { PodView } from "../shared/pod-state.ts";
import type { DaemonSetView } from "./daemon-set-view.ts";

export interface DaemonHistory {
  /** The label of pods that are up to date. */
  readonly hash: string;
  /** The revisions of other templates, the oldest first. */
  readonly old: readonly RevisionView[];
  /** The pods, some of which may have another label by now. */
  readonly pods: readonly PodView[];
  /** How many names were taken by other revisions when one was created; absent when none was. */
  readonly collisionCount?: number;
}

export interface DaemonHistoryOptions {
  readonly client: Client;
  readonly control: RevisionControl;
  readonly selector: Selector;
  readonly pods: readonly PodView[];
}

/**
 * Finds the revision of the present template, or creates it. Guarantees: it is one, has the highest number, and every
 * revision has the label of its pods.
 */
export async function readHistory(
  daemonSet: DaemonSetView,
  { client, control, selector, pods }: DaemonHistoryOptions,
): Promise<DaemonHistory> {
  const revisions = await Promise.all((await control.claim(selector)).map((revision) => labelled(revision, client)));
  const wanted = { data: revisionData(daemonSet) };
  const current = revisions.filter((revision) => equalRevisions(revision, wanted));
  const old = revisions.filter((revision) => !current.includes(revision));
  const kept = current.at(-1);
  if (kept === undefined) {
    const { revision, collisionCount } = await control.create({ ...newest(daemonSet, nextRevision(old)), ...wanted });
    return { hash: hashOf(revision), old, pods, ...(collisionCount > (daemonSet.status?.collisionCount ?? 0) ? { collisionCount } : {}) };
  }
  const duplicates = current.slice(0, -1);
  const relabelled = await Promise.all(pods.map((pod) => movedFrom(duplicates, hashOf(kept), pod, client)));
  for (const duplicate of duplicates) await control.remove(duplicate);
  if (revisionNumber(kept) < nextRevision(old)) await control.renumber(kept, nextRevision(old));
  return { hash: hashOf(kept), old, pods: relabelled };
}

/** Old revisions beyond the limit, the oldest first; those that a pod still is of stay and are counted. */
export function surplusRevisions(
  { spec }: DaemonSetView,
  { old }: Pick<DaemonHistory, "old">,
  pods: readonly PodView[],
): readonly RevisionView[] {
  const live = new Set(pods.map(({ metadata }) => getOwn(metadata.labels ?? {}, podRevisionLabel)));
  const surplus = old.length - (spec?.revisionHistoryLimit ?? 10);
  return surplus <= 0 ? [] : old.filter((revision) => !live.has(hashOf(revision))).slice(0, surplus);
}

/** A patch that puts back the template as a whole. */
function revisionData({ spec }: DaemonSetView): Readonly<Record<string, unknown>> {
  return { spec: { template: { ...spec?.template, $patch: "replace" } } };
}

function newest(
  { metadata: { annotations }, spec, status }: DaemonSetView,
  revision: number,
): Omit<NewRevision, "owner" | "ownerKind" | "data"> {
  return {
    revision,
    labels: { ...spec?.template.metadata?.labels },
    hashLabels: [podRevisionLabel],
    ...definedOnly({ annotations, collisionCount: status?.collisionCount }),
  };
}

const hashOf = ({ metadata: { labels = {} } }: RevisionView): string => getOwn(labels, podRevisionLabel) ?? "";

/** One that was written without the label, by something older, is its own name to its pods. */
async function labelled(revision: RevisionView, client: Client): Promise<RevisionView> {
  const { name = "", namespace = "", labels = {} } = revision.metadata;
  if (Object.hasOwn(labels, podRevisionLabel)) return revision;
  return await client.update(
    ControllerRevision,
    { ...revision, metadata: { ...revision.metadata, labels: { ...labels, [podRevisionLabel]: name } } },
    { namespace },
  );
}

/** A pod of a revision that says the same becomes one of the revision that stays, or it would be replaced for nothing. */
async function movedFrom(duplicates: readonly RevisionView[], hash: string, pod: PodView, client: Client): Promise<PodView> {
  const { name = "", namespace = "", labels = {} } = pod.metadata;
  const label = getOwn(labels, podRevisionLabel) ?? "";
  if (label === hash || !duplicates.some((duplicate) => hashOf(duplicate) === label)) return pod;
  return await client.patch(Pod, name, { type: "merge", body: { metadata: { labels: { [podRevisionLabel]: hash } } } }, { namespace });
}
