/** Types of an apply: the set, its owner, its objects, and the outcome. */
import type { Client } from "@drover/client";
import type { Clock, DeepReadonly, Kind, KubeObject, Log } from "@drover/machinery";
import type { ApplyMemory } from "./apply-memory.ts";

/** What to do when the server rejects a change because a field is immutable. */
export type ImmutablePolicy =
  /** Delete the object, wait until it is gone, and create it again. */
  | "recreate"
  /** Fail with an error that names the field. */
  | "fail"
  /** Keep the object and report it as "left". */
  | "leave";

/** One desired object, with options that override those of the set. */
export interface DesiredObject<T extends KubeObject = KubeObject> {
  readonly kind: Kind<T>;
  /** Only the fields that this set manages. Without a namespace, the object is created in the owner's namespace. */
  readonly object: DeepReadonly<T>;
  /** Reports whether later objects may be applied; false or a reason makes them wait. @default the set's `wait` */
  isReady?(this: void, live: DeepReadonly<T>): boolean | string;
  /** What to do when the server rejects a change of an immutable field. @default the set's `onImmutable` */
  readonly onImmutable?: ImmutablePolicy;
  /** Whether an existing object of this set is kept as it is. @default false */
  readonly isOnce?: boolean;
}

/** The owner of a set: an object in the cluster, or only a name if the object has no uid. */
export interface SetOwner {
  readonly kind: Kind;
  /** The owner as last observed; needed for owner references and the inventory. */
  readonly object: DeepReadonly<KubeObject>;
}

/** Describes a set of objects that belong to one owner. */
export interface ApplySet {
  /**
   * Name of the set, a DNS label such as "web-app". Members are labelled with it; list the old name in `supersedes`
   * when you rename it.
   */
  readonly name: string;
  /** Former names of the set; their members are members of this set. @default none */
  readonly supersedes?: readonly string[];
  /** Kinds to search for members to prune, besides those in the inventory. @default none */
  readonly kinds?: readonly Kind[];
  /** Field manager of all writes. @default "drover-" followed by the name */
  readonly fieldManager?: string;
  /**
   * How objects are changed. "three-way" keeps the last applied object in an annotation, for servers and objects that
   * need it; only this method removes fields that Wrangler or kubectl wrote and that are no longer desired.
   * @default "server-side"
   */
  readonly method?: "server-side" | "three-way";
  /** How members refer to their owner. An owner reference cannot cross namespaces, a label can. @default "controller" */
  readonly reference?: "controller" | "owner" | "label";
  /** Where members may be. @default "namespace": the owner's namespace, or any for a cluster-scoped owner */
  readonly scope?: "namespace" | "cross-namespace" | "cluster";
  /** Whether to adopt an existing object that has no owner. @default "refuse" */
  readonly adopt?: "refuse" | "unowned";
  /**
   * What to do when another field manager has applied a different value to a field. "fail" requires the method
   * "server-side".
   * @default "force", which takes over the field
   */
  readonly onConflict?: "force" | "fail";
  /** What to do when the server rejects a change of an immutable field. @default "fail" */
  readonly onImmutable?: ImmutablePolicy;
  /** Which members to delete when they are no longer desired. @default all */
  readonly prune?: boolean | ((member: DeepReadonly<KubeObject>) => boolean);
  /**
   * Whether pruning also searches for members that Wrangler's apply created for this owner under this name or one of
   * `supersedes`, at the cost of one more list request per kind. A Wrangler member in the place of a desired object is
   * taken over in any case.
   * @default false
   */
  readonly wrangler?: boolean;
  /** Whether each rank waits until the objects of the previous one are ready. @default false, only the order is kept */
  readonly wait?: boolean;
}

/** Looks up members of a kind in a cache; returns undefined if the cache does not watch that kind, and the server is asked instead. */
export type MemberLookup = (kind: Kind, owner: SetOwner) => readonly DeepReadonly<KubeObject>[] | undefined;

/** Dependencies of an apply. A `ReconcileContext` provides client, signal and log. */
export interface ApplyContext {
  readonly client: Client;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly log: Log;
  /** Looks up members in caches. @default lists from the server by label */
  readonly members?: MemberLookup;
  /**
   * Knowledge from earlier applies: keep one for the lifetime of the program. Without it, every value that the server
   * stores in another form costs a request in each apply, and a stale owner from a cache may hide a kind of the
   * inventory.
   * @default a new memory per call
   */
  readonly memory?: ApplyMemory;
  /**
   * Decompresses gzip, for the three-way method on members that Wrangler created: it compresses the last applied
   * object. Without it, those annotations are ignored with a warning, and fields that only Wrangler wrote remain.
   * @default no decompression
   */
  readonly inflate?: (gzipped: Uint8Array) => Uint8Array | Promise<Uint8Array>;
}

/** What was done to one object, and why. */
export interface AppliedChange {
  readonly kind: Kind;
  readonly namespace: string;
  readonly name: string;
  readonly type: "created" | "patched" | "recreated" | "deleted" | "unchanged" | "left" | "waiting";
  /** For people: "spec.replicas was 3", "waits for Namespace shop". */
  readonly why?: string;
}

/** Outcome of an apply. */
export interface ApplyOutcome {
  /** One per desired object, in the order of application, then one per pruned member. */
  readonly changes: readonly AppliedChange[];
  /** Desired objects as stored by the server, in the order given; undefined for those that wait. */
  readonly objects: readonly (DeepReadonly<KubeObject> | undefined)[];
  /**
   * The owner with its inventory as written, or as given if nothing was written. Base later writes to the owner on it
   * to avoid a conflict with the inventory.
   */
  readonly owner: DeepReadonly<KubeObject>;
  /** Whether everything is applied, nothing waits, and (if requested) all objects are ready. */
  readonly isSettled: boolean;
}
