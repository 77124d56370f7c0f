/**
 * What a kind does at each step of a write, in addition to what the verbs do for every kind.
 *
 *     decode → prepare → validate → admission → store
 *
 * Strategies change the new object in place and never the old one. Both have the shape of their kind, with defaults set.
 */
import type { DeleteOptions, FieldError, KubeObject } from "@drover/machinery";
import type { User } from "../access/user.ts";

/** What a strategy knows about the request. */
export interface StrategyContext {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly user: User;
  readonly dryRun: boolean;
}

/** What became of a write. After "unknown" the object may be stored: the store did not answer. */
export type WriteResult = "written" | "failed" | "unknown";

/** Called once with what became of a write; resolves when what it had allocated or was to release is released. Never rejects. */
export type EndWrite = (result: WriteResult) => Promise<void>;

/** Updates at one endpoint: the object itself, or its `status`, `approval`, `resize` … */
export interface UpdateStrategy<T extends KubeObject = KubeObject> {
  /** Restores fields that cannot change here and fills in fields that follow from the change. @default see `Strategy` */
  readonly prepareForUpdate?: (object: T, old: T, context: StrategyContext) => void;
  /** Returns the errors of a change; metadata is already validated. @default no errors */
  readonly validateUpdate?: (object: T, old: T) => FieldError[];
  /** Returns warnings for the client. @default no warnings */
  readonly warningsOnUpdate?: (object: T, old: T) => string[];
}

/**
 * All members are optional. The verbs handle metadata, `generation` and `status`: they clear the status on create, keep it on
 * update of the object, and keep everything else on update of `status`. A strategy sees the object after that.
 */
export interface Strategy<T extends KubeObject = KubeObject> extends UpdateStrategy<T> {
  readonly prepareForCreate?: (object: T, context: StrategyContext) => void;
  readonly validate?: (object: T) => FieldError[];
  /** Returns errors that hide all others, of metadata too: a custom object that claims another kind. @default none */
  readonly validateType?: (object: T) => FieldError[];
  readonly warningsOnCreate?: (object: T) => string[];
  /** Rewrites fields for older clients; runs last, after validation. @default unchanged */
  readonly canonicalize?: (object: T) => void;
  /** By name of the subresource. @default `status` has no strategy of its own; other subresources are not updated this way */
  readonly subresources?: Readonly<Record<string, UpdateStrategy<T>>>;
  /**
   * Allocates shared resources (addresses, ports) before validation; rejects with a `StatusError` when none are left. The returned
   * function releases the allocation if the write fails. `old` is undefined for a create.
   */
  readonly begin?: (object: T, old: T | undefined, context: StrategyContext) => Promise<EndWrite>;
  /** Whether a terminating object stays although `metadata.finalizers` is empty: Namespace. @default false */
  readonly isHeldBack?: (object: T) => boolean;
  /**
   * Marks an object at its first deletion, for kinds that a controller removes later: Namespace, CustomResourceDefinition. The
   * verb sets `deletionTimestamp`. @default the object is deleted
   */
  readonly markForDeletion?: (object: T, context: StrategyContext) => void;
  /** Returns warnings for a deletion with these options. @default no warnings */
  readonly warningsOnDelete?: (object: T, options: DeleteOptions) => string[];
  /** Called after an object is removed from the store, and awaited before the answer. Never rejects. */
  readonly afterDelete?: (object: T) => Promise<void>;
  /**
   * Returns the grace period for a deletion, given the requested one; undefined deletes at once. The verb never sets
   * `deletionTimestamp` to a past time.
   */
  readonly gracePeriodSeconds?: (object: T, asked: number | undefined) => number | undefined;
}

/** Drops the type of the kind: the server calls a strategy only with objects of the kind it is registered for. */
export const strategyOfAnyKind = (strategy: Strategy<never>): Strategy => strategy as Strategy;
