/**
 * Lists, adopts, creates, renumbers and deletes the revisions of one owner.
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

/** The owner and where its revisions are. */
export interface RevisionControlOptions {
  readonly owner: DeepReadonly<KubeObject>;
  readonly ownerKind: Kind;
  readonly client: Client;
  /** Cache of revisions, with `addOwnerIndex`. */
  readonly revisions: Pick<InformerReader<ControllerRevision>, "byIndex" | "listIndexValues">;
  /** Random source for the jitter between attempts. */
  readonly random: Random;
  readonly signal: AbortSignal;
}

/** Options of `claim`. */
export interface ClaimRevisionsOptions {
  /** Whether to release an owned revision whose labels no longer match; otherwise it stays owned and is ignored. @default true */
  readonly releases?: boolean;
}

/** The revision that now exists, and the collisions on the way. */
export interface CreatedRevision {
  readonly revision: RevisionView;
  readonly collisionCount: number;
}

export interface RevisionControl {
  /** Returns the revisions that the selector matches, oldest first, and adopts orphans among them. */
  readonly claim: (selector: Selector, options?: ClaimRevisionsOptions) => Promise<readonly RevisionView[]>;
  /** Creates a revision, under another name while different data has the name. Returns an existing one with the same data. */
  readonly create: (wanted: Omit<NewRevision, "owner" | "ownerKind">) => Promise<CreatedRevision>;
  /** Sets the revision number, which makes an old revision the newest. Writes nothing when it has it already. */
  readonly renumber: (revision: RevisionView, number: number) => Promise<RevisionView>;
  /** Deletes a revision; one that is gone is no failure. */
  readonly remove: (revision: RevisionView) => Promise<void>;
}

/** Each call is one step of a sync of the owner and rejects with the server's error. */
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
