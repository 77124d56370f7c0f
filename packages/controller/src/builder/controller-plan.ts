/**
 * The steps taken on a builder so far, as a value, and the controller built from them.
 *
 *     emptyPlan → withFor, withOwns, withWatches, … → buildController → createController, controller.watch(source)
 */
import type { DeepReadonly, Kind, KubeObject } from "@drover/machinery";
import type { Cluster } from "@drover/cache";
import { mappedHandler } from "../handlers/mapped-handler.ts";
import type { MapToKeys } from "../handlers/mapped-handler.ts";
import { ownerHandler } from "../handlers/owner-handler.ts";
import type { OwnerMatchOptions } from "../handlers/owner-handler.ts";
import type { Handler } from "../handlers/request.ts";
import { selfHandler } from "../handlers/self-handler.ts";
import type { Predicate } from "../predicates/predicate.ts";
import { createController } from "../reconcile/controller.ts";
import type { Controller, ControllerOptions } from "../reconcile/controller.ts";
import type { ReconcileContext, Reconciler } from "../reconcile/reconciler.ts";
import { done } from "../reconcile/result.ts";
import type { Result } from "../reconcile/result.ts";
import { kindSource, printKind } from "../sources/kind-source.ts";
import type { KindSource, KindWatchOptions, Projected, Projection } from "../sources/kind-source.ts";
import { optionalKindSource } from "../sources/optional-kind-source.ts";
import type { Source } from "../sources/source.ts";

/** Options of `controllerBuilder`. */
export interface ControllerBuilderOptions {
  /** Cluster that the controller reads from and writes to. */
  readonly cluster: Cluster;
  /** Name in metrics, logs and causes. @default the kind of `for`, in lower case */
  readonly name?: string;
  /** Creates the controller. Use `(options) => manager.controller(options)` for one that a manager runs. @default createController */
  readonly create?: (options: ControllerOptions) => Controller;
}

/** How to watch one kind. */
export interface BuilderWatchOptions<T extends KubeObject, P extends Projection = "full"> extends Omit<KindWatchOptions<T, P>, "cluster"> {
  /** Cluster to watch the kind in, if it is not the one the controller writes to. @default the builder's cluster */
  readonly cluster?: Cluster;
  /**
   * Whether the kind may be absent. An optional kind is watched while its CustomResourceDefinition exists, and the start does not wait for
   * it. @default false
   */
  readonly optional?: boolean;
}

/** Options of `owns`. */
export interface OwnsOptions<T extends KubeObject, P extends Projection = "full"> extends BuilderWatchOptions<T, P>, OwnerMatchOptions {
  /** Whether only the owner reference with `controller: true` counts. @default true */
  readonly onlyController?: boolean;
}

/** Maps a change to keys: a function of the object, or a handler, which receives the whole change. */
export type WatchTarget<T extends KubeObject> = MapToKeys<T> | { readonly handler: Handler<T> };

/** Controller options that have no builder step of their own. */
export type BuilderControllerOptions = Omit<ControllerOptions, "name" | "cluster" | "reconcile">;

/** A reconcile function that receives the cached object. */
export type ObjectReconciler<T extends KubeObject> = (object: DeepReadonly<T>, context: ReconcileContext) => Result | Promise<Result>;

/** Steps taken so far. Sources are created last, when all predicates are known. */
export interface ControllerPlan extends Required<Pick<ControllerBuilderOptions, "cluster" | "create">> {
  readonly name: string | undefined;
  readonly subject: { readonly kind: Kind; readonly source: MakeSource<KindSource<KubeObject>> } | undefined;
  readonly sources: readonly MakeSource<Source>[];
  readonly predicates: readonly Predicate[];
  readonly options: BuilderControllerOptions;
}

type MakeSource<S> = (predicates: readonly Predicate[]) => S;

/** Returns the plan of a new builder. */
export function emptyPlan({ cluster, name, create = createController }: ControllerBuilderOptions): ControllerPlan {
  return { cluster, create, name, subject: undefined, sources: [], predicates: [], options: {} };
}

/** Adds the kind to reconcile. Throws if there is one already. */
export function withFor<T extends KubeObject, P extends Projection>(
  plan: ControllerPlan,
  kind: Kind<T>,
  options: BuilderWatchOptions<T, P>,
): ControllerPlan {
  if (plan.subject !== undefined)
    throw new Error(
      `${describe(plan)}: for(${kind.kind}) after for(${plan.subject.kind.kind}); a controller reconciles one kind, use owns or watches for others`,
    );
  const source = watching(plan, kind, selfHandler, options) as MakeSource<Source> as MakeSource<KindSource<KubeObject>>;
  return { ...plan, subject: { kind, source } };
}

/** Adds an owned kind. Throws before `withFor`. */
export function withOwns<T extends KubeObject, P extends Projection>(
  plan: ControllerPlan,
  kind: Kind<T>,
  { onlyController = true, ...options }: OwnsOptions<T, P>,
): ControllerPlan {
  if (plan.subject === undefined)
    throw new Error(`${describe(plan)}: owns(${kind.kind}) before for: the owner kind is not known yet; call for first, or use watches`);
  const owner = plan.subject.kind;
  const source = watching(plan, kind, ownerHandler(owner, { onlyController }), {
    name: `${printKind(kind)} owned by ${owner.kind}`,
    ...options,
  });
  return { ...plan, sources: [...plan.sources, source] };
}

/** Adds a watched kind. */
export function withWatches<T extends KubeObject, P extends Projection>(
  plan: ControllerPlan,
  kind: Kind<T>,
  target: WatchTarget<Projected<T, P>>,
  options: BuilderWatchOptions<T, P>,
): ControllerPlan {
  const source =
    typeof target === "function"
      ? watching(plan, kind, mappedHandler(target), { name: `${printKind(kind)}, mapped`, ...options })
      : watching(plan, kind, target.handler, options);
  return { ...plan, sources: [...plan.sources, source] };
}

/** Adds any source. */
export function withSource(plan: ControllerPlan, source: Source): ControllerPlan {
  return { ...plan, sources: [...plan.sources, () => source] };
}

/** Builds a controller that passes the cached object to the reconcile function and skips keys without an object. */
export function buildObjectController<T extends KubeObject>(plan: ControllerPlan, reconcile: ObjectReconciler<T>): Controller {
  const { subject } = plan;
  if (subject === undefined)
    throw new Error(
      `${describe(plan)}: reconcileObject without for: the kind of the object is not known; call for first, or use reconcile`,
    );
  const source = subject.source(plan.predicates);
  return build(plan, [source], (context) => {
    const { informer } = source;
    if (informer === undefined) throw new Error(`${describe(plan)}: cannot read ${context.key}: source ${source.name} has stopped`);
    // The builder's type parameter carries the type; the plan holds only the kind.
    const object = informer.get(context.key) as DeepReadonly<T> | undefined;
    return object === undefined ? done : reconcile(object, context);
  });
}

/** Builds the controller of a plan. */
export function buildController(plan: ControllerPlan, reconcile: Reconciler): Controller {
  return build(plan, plan.subject === undefined ? [] : [plan.subject.source(plan.predicates)], reconcile);
}

function build(plan: ControllerPlan, subject: readonly Source[], reconcile: Reconciler): Controller {
  const name = plan.name ?? plan.subject?.kind.kind.toLowerCase();
  if (name === undefined || name === "") throw new Error("controller builder: no name; call for with a kind, or named");
  const sources = [...subject, ...plan.sources.map((make) => make(plan.predicates))];
  if (sources.length === 0) throw new Error(`${describe(plan)}: nothing to watch; call for, watches or watchesSource`);
  const controller = plan.create({ ...plan.options, name, cluster: plan.cluster, reconcile });
  for (const source of sources) controller.watch(source);
  return controller;
}

function watching<T extends KubeObject, P extends Projection>(
  plan: ControllerPlan,
  kind: Kind<T>,
  handler: Handler<Projected<T, P>>,
  options: BuilderWatchOptions<T, P>,
): MakeSource<KindSource<Projected<T, P>>> {
  const { optional = false, cluster = plan.cluster, predicates = [], ...rest } = options;
  const make = optional ? optionalKindSource : kindSource;
  return (everywhere) => make<T, P>(kind, { ...rest, cluster, handler, predicates: [...everywhere, ...predicates] });
}

/** Returns the builder's name for error messages. */
function describe({ name, subject }: ControllerPlan): string {
  return `controller builder${name === undefined ? "" : ` ${JSON.stringify(name)}`}${name === undefined && subject !== undefined ? ` for ${subject.kind.kind}` : ""}`;
}
