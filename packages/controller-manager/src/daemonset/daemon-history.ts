/**
 * The revisions of a DaemonSet: its current template has exactly one, the newest, and old ones beyond the limit are deleted.
 *
 *     revisions, template → readHistory → hash of up-to-date pods;   surplusRevisions → deleted at the end of a sync
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
  /** Revision label of up-to-date pods. */
  readonly hash: string;
  /** Revisions of other templates, oldest first. */
  readonly old: readonly RevisionView[];
  /** The pods, some with a new revision label. */
  readonly pods: readonly PodView[];
  /** Number of revision names that were taken when one was created; absent when none was. */
  readonly collisionCount?: number;
}

export interface DaemonHistoryOptions {
  readonly client: Client;
  readonly control: RevisionControl;
  readonly selector: Selector;
  readonly pods: readonly PodView[];
}

/**
 * Finds the revision of the current template, or creates it. Guarantees: there is one, it has the highest number, and every
 * revision carries the label of its pods.
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

/** Returns old revisions beyond the limit, oldest first. Revisions that pods still use stay and count. */
export function surplusRevisions(
  { spec }: DaemonSetView,
  { old }: Pick<DaemonHistory, "old">,
  pods: readonly PodView[],
): readonly RevisionView[] {
  const live = new Set(pods.map(({ metadata }) => getOwn(metadata.labels ?? {}, podRevisionLabel)));
  const surplus = old.length - (spec?.revisionHistoryLimit ?? 10);
  return surplus <= 0 ? [] : old.filter((revision) => !live.has(hashOf(revision))).slice(0, surplus);
}

/** A patch that restores the whole template. */
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

/** A revision written without the label, by an old version, uses its own name as the label. */
async function labelled(revision: RevisionView, client: Client): Promise<RevisionView> {
  const { name = "", namespace = "", labels = {} } = revision.metadata;
  if (Object.hasOwn(labels, podRevisionLabel)) return revision;
  return await client.update(
    ControllerRevision,
    { ...revision, metadata: { ...revision.metadata, labels: { ...labels, [podRevisionLabel]: name } } },
    { namespace },
  );
}

/** Relabels a pod of a duplicate revision, so that it is not replaced by an identical one. */
async function movedFrom(duplicates: readonly RevisionView[], hash: string, pod: PodView, client: Client): Promise<PodView> {
  const { name = "", namespace = "", labels = {} } = pod.metadata;
  const label = getOwn(labels, podRevisionLabel) ?? "";
  if (label === hash || !duplicates.some((duplicate) => hashOf(duplicate) === label)) return pod;
  return await client.patch(Pod, name, { type: "merge", body: { metadata: { labels: { [podRevisionLabel]: hash } } } }, { namespace });
}
