/** The declaration of a controller: what it owns, its desired objects, side effects and status. Every part is optional. */
import type { ControllerOptions, PermissionNeed, Predicate, RetryPolicy } from "@drover/controller";
import type { DeepReadonly, Kind, KubeObject } from "@drover/machinery";
import type { ApplySet } from "../apply/apply-set.ts";
import type { StatedCondition } from "../status/write-status.ts";
import type { Answer } from "./answer.ts";
import type { Duration } from "./duration.ts";
import type { EffectContext, StateContext, StatusContext } from "./operator-context.ts";
import type { Desired, Owns, OwnsNothing } from "./slot.ts";

/** A status as an author states it: all fields except `observedGeneration` and the timestamps of conditions, which are added. */
export type Stated<T extends KubeObject> = "status" extends keyof T
  ? DeepReadonly<Omit<NonNullable<T["status"]>, "conditions" | "observedGeneration">> & { readonly conditions?: readonly StatedCondition[] }
  : never;

/** Options for applying owned objects; the operator sets the rest of the `ApplySet`. */
export type OwnedSetOptions = Pick<ApplySet, "supersedes" | "method" | "adopt" | "onImmutable" | "prune" | "wait">;

/** The second argument of `app.controller`. */
export interface ControllerDeclaration<T extends KubeObject, O extends Owns = OwnsNothing> extends Pick<
  ControllerOptions,
  "tenantOf" | "debounce" | "rate"
> {
  /** Name in metrics, logs and causes; unique within the operator. @default the kind in lower case */
  readonly name?: string;
  /**
   * Kinds that it owns, each under a slot name of your choice; `many(Pod)` for any number. They are watched, available
   * as `owned`, and deleted with the object. @default none
   */
  readonly owns?: O;
  /**
   * Returns the desired object of every slot, `undefined` (must not exist) or `hold(why)` (leave unchanged). Pure and
   * synchronous: it may be called any number of times, and the same state must give the same result.
   * @default applies nothing; kinds in `owns` are still watched
   */
  readonly desired?: (context: StateContext<T, NoInfer<O>>) => Desired<NoInfer<O>>;
  /** Side effects outside the cluster. Runs after `desired` was applied. @default none */
  readonly reconcile?: (context: EffectContext<T, NoInfer<O>>) => Answer | Promise<Answer>;
  /**
   * Undoes what `reconcile` did, before the object is deleted; may run more than once. If present, the object gets a
   * finalizer, which is removed only after this succeeded. @default no finalizer
   */
  readonly cleanup?: (context: EffectContext<T, NoInfer<O>>) => Answer | Promise<Answer>;
  /**
   * Returns the status of the object. Pure and synchronous; written once at the end of a run, also of a failed one, and
   * only if it changed.
   *
   * Drover adds conditions that are not stated: `Ready` False with the error after a failed run, and `Held` True with
   * the reasons while slots are held. @default the operator does not write the status
   */
  readonly status?: (context: StatusContext<T, NoInfer<O>>) => Stated<T>;
  /**
   * Kinds that are read with `get` and `list` but neither owned nor referenced. Their changes trigger no reconcile. A kind limited by
   * `withFields(Pod, ["spec.nodeName"])` is read by the same value, and only these fields are kept in memory. @default none
   */
  readonly reads?: readonly Kind[];
  /**
   * Kinds of `owns`, `reads` and references that the cluster may not serve, such as ServiceMonitor. While its CustomResourceDefinition is
   * absent, such a kind has no objects: `get` and `list` find none, and its slots are skipped. All objects are reconciled again when it is
   * installed or removed. Without this, the start fails after `syncTimeoutMs`. @default every kind must be served
   */
  readonly optional?: readonly Kind[];
  /** Which objects to manage. An object that no longer matches is cleaned up and loses the finalizer. @default all */
  readonly when?: (object: DeepReadonly<T>) => boolean;
  /** Predicates for changes of the object itself; all must hold. @default ignores changes of status or managed fields only */
  readonly predicates?: readonly Predicate<T>[];
  /**
   * Name of the finalizer; after a rename, objects with the old one are stuck. @default the kind's group (or
   * "drover.dev") and the operator's name: "demo.example.com/shop-operator"
   */
  readonly finalizer?: string;
  /** How owned objects are applied and pruned. @default the defaults of `ApplySet` */
  readonly set?: OwnedSetOptions;
  /** Maximum number of objects reconciled concurrently. @default 4 */
  readonly workers?: number;
  /** Backoff for failed keys. @default 5 ms, doubling up to 1000 s, without a limit of attempts */
  readonly retry?: RetryPolicy;
  /** Timeout of one run; after it, the run is aborted and retried. @default no timeout */
  readonly deadline?: Duration;
  /** How often every object is reconciled without an event; at least one second. @default "10h" */
  readonly resync?: Duration;
  /** Permissions that `reconcile` and `cleanup` need for `client`; used by `roles` and the permission check at start. @default none */
  readonly needs?: readonly PermissionNeed[];
}
