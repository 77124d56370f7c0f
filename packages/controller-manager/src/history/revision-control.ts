/**
 * The revisions of one owner: found, adopted, created, numbered anew and deleted.
 *
 *     cache → claim → the history, oldest first        create, renumber, remove → the server
 */
import { ControllerRevision } from "@drover/api/apps/v1";
import type { InformerReader } from "@drover/cache";
import { retryOnConflict } from "@drover/client";
import type { Client } from "@drover/client";
import { defaultBackoff, isAlreadyExists, isNotFound } from "@drover/machinery";
import type { DeepReadonly, Kind, KubeObject, Random, Selector } from "@drover/machinery";
import { claimChildren, ownedChildren } from "@drover/patterns";
import { equalRevisions, newControllerRevision } from "./controller-revision.ts";
import type { NewRevision, RevisionView } from "./controller-revision.ts";
import { revisionNumber, sortRevisions } from "./revision-order.ts";

/** Whose revisions, and where they are. */
export interface RevisionControlOptions {
  readonly owner: DeepReadonly<KubeObject>;
  readonly ownerKind: Kind;
  readonly client: Client;
  /** The cache of revisions, with `addOwnerIndex`. */
  readonly revisions: Pick<InformerReader<ControllerRevision>, "byIndex" | "listIndexValues">;
  /** Where the jitter between two attempts comes from. */
  readonly random: Random;
  readonly signal: AbortSignal;
}

/** How a history is claimed. */
export interface ClaimRevisionsOptions {
  /**
   * Whether a revision of ours whose labels match no longer is set free; if not, it stays ours and is looked at by
   * nobody. @default true
   */
  readonly releases?: boolean;
}

/** A revision that is there now, and how many collisions it took. */
export interface CreatedRevision {
  readonly revision: RevisionView;
  readonly collisionCount: number;
}

export interface RevisionControl {
  /** Those the selector matches, oldest first; orphans among them are adopted. */
  readonly claim: (selector: Selector, options?: ClaimRevisionsOptions) => Promise<readonly RevisionView[]>;
  /**
   * Creates it, under another name for as long as one is taken by different data. One that is there with the same data
   * is taken as it is.
   */
  readonly create: (wanted: Omit<NewRevision, "owner" | "ownerKind">) => Promise<CreatedRevision>;
  /** Gives it this number, which is how an older revision becomes the newest. Nothing is written when it has it. */
  readonly renumber: (revision: RevisionView, number: number) => Promise<RevisionView>;
  /** Deletes it; one that is gone already is no failure. */
  readonly remove: (revision: RevisionView) => Promise<void>;
}

/** Every call is one step of a run of its owner, and rejects as the server refuses. */
export function revisionControl(options: RevisionControlOptions): RevisionControl {
  const { owner, ownerKind, client, revisions, signal } = options;
  return {
    claim: async (selector, { releases = true } = {}) => {
      const candidates = ownedChildren<ControllerRevision>(revisions, owner, { orphans: true }).filter(
        ({ metadata }) => releases || selector.matches(metadata.labels),
      );
      return sortRevisions(await claimChildren(candidates, { owner, ownerKind, childKind: ControllerRevision, selector, client, signal }));
    },
    create: (wanted) => create({ ...wanted, owner, ownerKind }, options),
    renumber: (revision, number) => renumber(revision, number, options),
    remove: async ({ metadata: { name = "", namespace = "" } }) => {
      await client.delete(ControllerRevision, name, { namespace, signal }).catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
    },
  };
}

async function create(wanted: NewRevision, { client, signal }: RevisionControlOptions): Promise<CreatedRevision> {
  for (let collisionCount = wanted.collisionCount ?? 0; ; collisionCount++) {
    const revision = newControllerRevision({ ...wanted, collisionCount });
    const { name = "", namespace = "" } = revision.metadata;
    try {
      return { revision: await client.create(ControllerRevision, revision, { namespace, signal }), collisionCount };
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      const found = await client.get(ControllerRevision, name, { namespace, signal });
      if (equalRevisions(found, revision)) return { revision: found, collisionCount };
    }
  }
}

async function renumber(known: RevisionView, number: number, { client, random, signal }: RevisionControlOptions): Promise<RevisionView> {
  const { name = "", namespace = "" } = known.metadata;
  let current = known;
  let isStale = false;
  return await retryOnConflict({ clock: client.clock, random, signal, backoff: defaultBackoff }, async () => {
    if (isStale) current = await client.get(ControllerRevision, name, { namespace, signal });
    isStale = true;
    return revisionNumber(current) === number
      ? current
      : await client.update(ControllerRevision, { ...current, revision: number }, { namespace, signal });
  });
}
