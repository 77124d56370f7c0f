/**
 * What a kind does on its own at each step of a write; whatever holds for every kind is in the verbs.
 *
 *     decode → prepare → validate → admission → store
 *
 * The object belongs to the request and is changed in place; the old one is never changed. Both have the shape of their kind, defaults set.
 */
import type { DeleteOptions, FieldError, KubeObject } from "@drover/machinery";
import type { User } from "../access/user.ts";

/** What a strategy may know about the request. */
export interface StrategyContext {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly user: User;
  readonly dryRun: boolean;
}

/** How objects of a kind change at one endpoint: the resource itself, or its `status`, `approval`, `resize` … */
export interface UpdateStrategy<T extends KubeObject = KubeObject> {
  /** Puts back what cannot be changed here and fills in what follows from the change. @default see `Strategy` */
  readonly prepareForUpdate?: (object: T, old: T, context: StrategyContext) => void;
  /** What is wrong with the change; metadata has been looked at. @default nothing */
  readonly validateUpdate?: (object: T, old: T) => FieldError[];
  /** What the client is warned of. @default nothing */
  readonly warningsOnUpdate?: (object: T, old: T) => string[];
}

/**
 * Every member may be left out. The verbs take care of metadata, of `generation`, and of `status`, which is emptied on
 * create and kept on update at
 * the resource itself, and is all that changes at `status`: a strategy sees the object after that.
 */
export interface Strategy<T extends KubeObject = KubeObject> extends UpdateStrategy<T> {
  readonly prepareForCreate?: (object: T, context: StrategyContext) => void;
  readonly validate?: (object: T) => FieldError[];
  readonly warningsOnCreate?: (object: T) => string[];
  /** What the object looks like to readers of before: run last, after validation. @default as it is */
  readonly canonicalize?: (object: T) => void;
  /** By name of the subresource. @default the rules of `status`; other subresources are not updated this way */
  readonly subresources?: Readonly<Record<string, UpdateStrategy<T>>>;
  /**
   * Takes what the write needs from something shared (addresses, ports), before validation; throws a `StatusError` where there is none.
   * `finish` is told whether the write went through, and gives back what was taken if not. `old` is undefined for a create.
   */
  readonly begin?: (object: T, old: T | undefined, context: StrategyContext) => Promise<(success: boolean) => void>;
  /** Whether an object that is being deleted stays although it has no finalizers in its metadata: Namespace. @default no */
  readonly isHeldBack?: (object: T) => boolean;
  /**
   * What a first deletion does to an object of a kind that is only marked then, and goes when somebody has cleared up behind it:
   * Namespace, CustomResourceDefinition. The verb sets the deletion's time. @default the object is deleted
   */
  readonly markForDeletion?: (object: T, context: StrategyContext) => void;
  /** What a client is warned of that deletes an object in this way. @default nothing */
  readonly warningsOnDelete?: (object: T, options: DeleteOptions) => string[];
  /** Told of an object that is gone from the store. */
  readonly afterDelete?: (object: T) => void;
  /**
   * How long the object may take to end, from what was asked for; undefined: it ends at once, whatever was asked. A time before now on
   * `metadata.deletionTimestamp` is the verb's business.
   */
  readonly gracePeriodSeconds?: (object: T, asked: number | undefined) => number | undefined;
}

/** Drops the type of the kind: the server calls a strategy only with objects of the kind it is registered for. */
export const strategyOfAnyKind = (strategy: Strategy<never>): Strategy => strategy as Strategy;
