/** What an author says of a controller: what it owns, what should be, what is to be done, and what is told. Every part is optional. */
import type { ControllerOptions, PermissionNeed, Predicate, RetryPolicy } from "@drover/controller";
import type { DeepReadonly, Kind, KubeObject } from "@drover/machinery";
import type { ApplySet } from "../apply/apply-set.ts";
import type { StatedCondition } from "../status/write-status.ts";
import type { Answer } from "./answer.ts";
import type { Duration } from "./duration.ts";
import type { EffectContext, StateContext, StatusContext } from "./operator-context.ts";
import type { Desired, Owns, OwnsNothing } from "./slot.ts";

/** What an author states of a status: all of its own fields; generation and times of conditions are found out. */
export type Stated<T extends KubeObject> = "status" extends keyof T
  ? DeepReadonly<Omit<NonNullable<T["status"]>, "conditions" | "observedGeneration">> & { readonly conditions?: readonly StatedCondition[] }
  : never;

/** How the set of owned objects is applied; the rest of an `ApplySet` is the operator's. */
export type OwnedSetOptions = Pick<ApplySet, "supersedes" | "method" | "adopt" | "onImmutable" | "prune" | "wait">;

export interface ControllerDeclaration<T extends KubeObject, O extends Owns = OwnsNothing> extends Pick<
  ControllerOptions,
  "tenantOf" | "debounce"
> {
  /** In metrics, logs and causes; unique in its operator. @default the kind, in lower case */
  readonly name?: string;
  /**
   * What it owns: a word of your own for each, and its kind; `many(Pod)` for any number. Watched, readable as `owned`,
   * deleted with the object. @default nothing
   */
  readonly owns?: O;
  /**
   * What should be there, for every slot: an object, `undefined` (must not exist), or `hold(why)` (stays as it is).
   * Pure and synchronous: it is
   * called as often as it pleases, and the same state must give the same answer. @default nothing is applied; `owns` is
   * watched all the same
   */
  readonly desired?: (context: StateContext<T, NoInfer<O>>) => Desired<NoInfer<O>>;
  /** What is to be done besides: the world outside of the cluster. Runs after `desired` was applied. @default nothing */
  readonly reconcile?: (context: EffectContext<T, NoInfer<O>>) => Answer | Promise<Answer>;
  /**
   * Undoes what `reconcile` did, before the object goes; may run more than once. Present = a finalizer is kept, and
   * comes off only when this succeeded. @default the object goes at once
   */
  readonly cleanup?: (context: EffectContext<T, NoInfer<O>>) => Answer | Promise<Answer>;
  /**
   * What is told about the object. Pure and synchronous; written once, at the end of a run, after a failed one too, and
   * only when it says something new.
   *
   * Besides what it states: a failed run says `Ready` False with the error, unless `Ready` is stated; held slots say
   * `Held` True with the reasons.
   * @default the status is somebody else's
   */
  readonly status?: (context: StatusContext<T, NoInfer<O>>) => Stated<T>;
  /** Kinds that are read with `get` and `list` and neither owned nor referred to. Their changes reconcile nobody. @default none */
  readonly reads?: readonly Kind[];
  /** Which objects it is for; others are left alone. One that ceases to be is cleaned up after and loses the finalizer. @default all */
  readonly when?: (object: DeepReadonly<T>) => boolean;
  /** Which changes of the object itself count, all of these. @default all but those of the status and of managed fields alone */
  readonly predicates?: readonly Predicate<T>[];
  /**
   * The name of the finalizer; whoever renames it strands objects. @default the group of the kind (or "drover.dev") and
   * the name of the operator: "demo.example.com/shop-operator"
   */
  readonly finalizer?: string;
  /** How owned objects are applied and pruned. @default as `ApplySet` says */
  readonly set?: OwnedSetOptions;
  /** How many objects are reconciled at a time. @default 4 */
  readonly workers?: number;
  /** How failed keys are tried again. @default from 5 ms on, doubling to 1000 s, for ever */
  readonly retry?: RetryPolicy;
  /** How long one run may take; then it is given up and tried again. @default as long as it likes */
  readonly deadline?: Duration;
  /** How often every object is looked at although nothing happened; at least a second. @default "10h" */
  readonly resync?: Duration;
  /** What `reconcile` and `cleanup` do with `client` besides, for `roles` and the check before the start. @default nothing */
  readonly needs?: readonly PermissionNeed[];
}
