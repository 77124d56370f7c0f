/**
 * Fluent form for one controller: the kind it reconciles, the kinds it owns and watches, and the reconcile function.
 *
 *     controllerBuilder({ cluster }).for(Deployment).owns(ReplicaSet).watches(ConfigMap, usersOf)
 *       .reconcileObject(async (deployment, context) => …)
 *
 * Each step returns a new builder and leaves the previous one unchanged, so several controllers can start from the same steps. For anything
 * the builder cannot express, create sources and a controller directly: `reconcile` does nothing else.
 */
import type { Kind, KubeObject } from "@drover/machinery";
import type { Predicate } from "../predicates/predicate.ts";
import type { Controller } from "../reconcile/controller.ts";
import type { Reconciler } from "../reconcile/reconciler.ts";
import type { Projected, Projection } from "../sources/kind-source.ts";
import type { Source } from "../sources/source.ts";
import { buildController, buildObjectController, emptyPlan, withFor, withOwns, withSource, withWatches } from "./controller-plan.ts";
import type {
  BuilderControllerOptions,
  BuilderWatchOptions,
  ControllerBuilderOptions,
  ControllerPlan,
  ObjectReconciler,
  OwnsOptions,
  WatchTarget,
} from "./controller-plan.ts";

/** Steps available both before and after `for`. `B` is the builder that each step returns. */
export interface BuilderSteps<B> {
  /** Watches a kind and maps its objects to keys. For an update, a mapping function is called with the state before and after it. */
  watches<T extends KubeObject, P extends Projection = "full">(
    kind: Kind<T>,
    target: WatchTarget<Projected<T, P>>,
    options?: BuilderWatchOptions<T, P>,
  ): B;
  /** Watches any source unchanged: `where` does not apply to it. */
  watchesSource(source: Source): B;
  /**
   * Passes on only changes for which the predicate holds. Applies to every watched kind, regardless of the order of the steps. Several
   * predicates must all hold.
   */
  where(predicate: Predicate): B;
  /** Sets the name in metrics, logs and causes; unique within a manager. */
  named(name: string): B;
  /** Sets workers, retries and deadlines. Later calls override earlier ones. */
  options(options: BuilderControllerOptions): B;
  /** Returns the controller, which does nothing until it runs. Throws if it has no name or nothing to watch. */
  reconcile(reconcile: Reconciler): Controller;
}

/** A builder before `for`. */
export interface ControllerBuilder extends BuilderSteps<ControllerBuilder> {
  /** Sets the kind whose objects are reconciled. Callable once. */
  for<T extends KubeObject, P extends Projection = "full">(
    kind: Kind<T>,
    options?: BuilderWatchOptions<T, P>,
  ): ControllerBuilderFor<Projected<T, P>>;
}

/** A builder after `for`. */
export interface ControllerBuilderFor<T extends KubeObject> extends BuilderSteps<ControllerBuilderFor<T>> {
  /** Watches objects owned by objects of that kind. */
  owns<O extends KubeObject, P extends Projection = "full">(kind: Kind<O>, options?: OwnsOptions<O, P>): ControllerBuilderFor<T>;
  /** Like `reconcile`, but reads the object from the cache first and skips keys without an object. controller-runtime's AsReconciler. */
  reconcileObject(reconcile: ObjectReconciler<T>): Controller;
}

/** Returns an empty builder. */
export function controllerBuilder(options: ControllerBuilderOptions): ControllerBuilder {
  return builderOf(emptyPlan(options));
}

function builderOf<T extends KubeObject>(plan: ControllerPlan): ControllerBuilder & ControllerBuilderFor<T> {
  return {
    for: (kind, options = {}) => builderOf(withFor(plan, kind, options)),
    owns: (kind, options = {}) => builderOf<T>(withOwns(plan, kind, options)),
    watches: (kind, target, options = {}) => builderOf<T>(withWatches(plan, kind, target, options)),
    watchesSource: (source) => builderOf<T>(withSource(plan, source)),
    where: (predicate) => builderOf<T>({ ...plan, predicates: [...plan.predicates, predicate] }),
    named: (name) => builderOf<T>({ ...plan, name }),
    options: (options) => builderOf<T>({ ...plan, options: { ...plan.options, ...options } }),
    reconcile: (reconcile) => buildController(plan, reconcile),
    reconcileObject: (reconcile) => buildObjectController(plan, reconcile),
  };
}
