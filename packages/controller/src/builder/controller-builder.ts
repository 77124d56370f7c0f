/**
 * A controller in one sentence: for what it is, what that owns, what else it watches, and how it is brought about.
 *
 *     controllerBuilder({ cluster }).for(Deployment).owns(ReplicaSet).watches(ConfigMap, usersOf)
 *       .reconcileObject(async (deployment, context) => …)
 *
 * Each step gives a new builder and leaves the one before as it was, so a common beginning can be continued in several ways. Whoever needs
 * more than this makes sources and a controller directly: builder.reconcile does nothing else.
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

/** What can be said before and after `for`. `B` is the builder that a step gives. */
export interface BuilderSteps<B> {
  /** Watches a kind for those it concerns: a function of the object is asked of the state before and after an update. */
  watches<T extends KubeObject, P extends Projection = "full">(
    kind: Kind<T>,
    target: WatchTarget<Projected<T, P>>,
    options?: BuilderWatchOptions<T, P>,
  ): B;
  /** Watches any source, as it is: `where` does not apply to it. */
  watchesSource(source: Source): B;
  /**
   * Only changes for which this holds count, of every kind that is watched, wherever in the sentence it stands. Of
   * several all must hold.
   */
  where(predicate: Predicate): B;
  /** In metrics, logs and causes; unique in its manager. */
  named(name: string): B;
  /** Workers, retries, deadlines. What is said later counts. */
  options(options: BuilderControllerOptions): B;
  /** The controller, which does nothing until it is run. Throws when it has no name or nothing to watch. */
  reconcile(reconcile: Reconciler): Controller;
}

/** A sentence without its subject yet. */
export interface ControllerBuilder extends BuilderSteps<ControllerBuilder> {
  /** The kind whose objects are reconciled; once. */
  for<T extends KubeObject, P extends Projection = "full">(
    kind: Kind<T>,
    options?: BuilderWatchOptions<T, P>,
  ): ControllerBuilderFor<Projected<T, P>>;
}

/** A sentence that says what it is about. */
export interface ControllerBuilderFor<T extends KubeObject> extends BuilderSteps<ControllerBuilderFor<T>> {
  /** Watches what objects of that kind own. */
  owns<O extends KubeObject, P extends Projection = "full">(kind: Kind<O>, options?: OwnsOptions<O, P>): ControllerBuilderFor<T>;
  /** Like `reconcile`, with the object read from the cache; keys whose object is gone are done. controller-runtime's AsReconciler. */
  reconcileObject(reconcile: ObjectReconciler<T>): Controller;
}

/** Begins a sentence. */
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
