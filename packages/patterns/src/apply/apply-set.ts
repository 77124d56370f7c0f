/** The words a set of objects is applied with: what a set is, whom it is for, and what came of it. */
import type { Client } from "@drover/client";
import type { Clock, DeepReadonly, Kind, KubeObject, Log } from "@drover/machinery";
import type { ApplyMemory } from "./apply-memory.ts";

/** What becomes of an object whose change the server refuses because a field cannot be changed. */
export type ImmutablePolicy =
  /** Deleted, waited for, and created anew. */
  | "recreate"
  /** An error that names the field. */
  | "fail"
  /** Left as it is, and said so in the outcome. */
  | "leave";

/** One object that should exist, and how it differs from what the set says of all. */
export interface DesiredObject<T extends KubeObject = KubeObject> {
  readonly kind: Kind<T>;
  /** Only the fields that are ours. Without a namespace it is in the owner's. */
  readonly object: DeepReadonly<T>;
  /** Whether later objects may be applied: what it says no to is waited for. @default as the set says */
  isReady?(this: void, live: DeepReadonly<T>): boolean | string;
  /** @default as the set says */
  readonly onImmutable?: ImmutablePolicy;
}

/** Whom a set is for: an object of the cluster, or only a name when `object` is absent. */
export interface SetOwner {
  readonly kind: Kind;
  /** The object as it was last seen; references and the inventory need it. */
  readonly object: DeepReadonly<KubeObject>;
}

/** A set, as an author describes it once. */
export interface ApplySet {
  /** "web-app". Members carry it; whoever renames it must name the old one in `supersedes`. A DNS label. */
  readonly name: string;
  /** Names the set had before: their members are members. @default none */
  readonly supersedes?: readonly string[];
  /** Kinds that are looked through for members that are wanted no longer, besides those of the inventory. @default none */
  readonly kinds?: readonly Kind[];
  /** Who owns the fields. @default "drover-" and the name */
  readonly fieldManager?: string;
  /**
   * How an object is changed. Three-way keeps what was applied last in an annotation, for servers and objects that need
   * it; it alone removes fields that Wrangler or kubectl wrote and nobody wants any more. @default "server-side"
   */
  readonly method?: "server-side" | "three-way";
  /** What members refer to their owner by; a reference cannot leave the namespace, a label can. @default "controller" */
  readonly reference?: "controller" | "owner" | "label";
  /** Where members may be. @default "namespace": the owner's, or anywhere when the owner has none */
  readonly scope?: "namespace" | "cross-namespace" | "cluster";
  /** What becomes of an object of that name that nobody owns. @default "refuse" */
  readonly adopt?: "refuse" | "unowned";
  /**
   * What becomes of a field that we want to be something else than what another field manager applied. @default
   * "force": it is ours then; "fail" needs the method "server-side"
   */
  readonly onConflict?: "force" | "fail";
  /** @default "fail" */
  readonly onImmutable?: ImmutablePolicy;
  /** Which members that are wanted no longer are deleted. @default all */
  readonly prune?: boolean | ((member: DeepReadonly<KubeObject>) => boolean);
  /**
   * Whether members that Wrangler's apply made for this owner, under this name or one of `supersedes`, are looked for
   * when it is pruned: one more list
   * for each kind. One that stands where a desired object belongs is taken over in any case. @default false
   */
  readonly wrangler?: boolean;
  /** Whether objects of a later rank wait until those of an earlier one are ready. @default false: only the order is kept */
  readonly wait?: boolean;
}

/** Members of one kind as a cache has them; undefined when it does not watch that kind, and the server is asked. */
export type MemberLookup = (kind: Kind, owner: SetOwner) => readonly DeepReadonly<KubeObject>[] | undefined;

/** What an apply stands on. A `ReconcileContext` has the client, the signal and the log. */
export interface ApplyContext {
  readonly client: Client;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly log: Log;
  /** @default the server is asked by label */
  readonly members?: MemberLookup;
  /**
   * What is known from earlier applies: hold one for as long as the program runs. Without it whatever the server writes
   * in other words than we do
   * costs a request in every apply, and an owner from a cache that lags may hide a kind of the inventory.
   * @default one for this call alone
   */
  readonly memory?: ApplyMemory;
  /**
   * Undoes gzip, for the three-way method on members that Wrangler made: it packs what it applied last. Without it the
   * packed ones are not read, so
   * that fields which Wrangler wrote and nobody wants any more stay, and the log says so.
   * @default none
   */
  readonly inflate?: (gzipped: Uint8Array) => Uint8Array | Promise<Uint8Array>;
}

/** What was done to one object, and why. */
export interface AppliedChange {
  readonly kind: Kind;
  readonly namespace: string;
  readonly name: string;
  readonly type: "created" | "patched" | "recreated" | "deleted" | "unchanged" | "left" | "waiting";
  /** In words: "spec.replicas was 3", "waits for Namespace shop". */
  readonly why?: string;
}

/** What came of an apply. */
export interface ApplyOutcome {
  /** One for every desired object, in their order of application, then one for each that was pruned. */
  readonly changes: readonly AppliedChange[];
  /** Desired objects as the server has them now, in the order they were given; undefined for those that wait. */
  readonly objects: readonly (DeepReadonly<KubeObject> | undefined)[];
  /**
   * The owner as it was last seen: with its inventory as written, or as it was given when there was nothing to write.
   * Whoever writes to it afterwards has no conflict with the inventory.
   */
  readonly owner: DeepReadonly<KubeObject>;
  /** Whether nothing waits: all is applied, and all of it ready if that was asked for. */
  readonly isSettled: boolean;
}
