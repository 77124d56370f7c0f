/**
 * Controllers as values, before there is a cluster: what they are for, own, want and tell. The same operator runs on as
 * many clusters as it is asked to.
 *
 *     createOperator({ name }) → controller(Kind, { owns, desired, reconcile, cleanup, status }) → runOn(place) → run(signal)
 */
import type { Runnable, Source } from "@drover/controller";
import { checkDns1123Label, sameGroupKind } from "@drover/machinery";
import type { DeepReadonly, Kind, KubeObject, Scope } from "@drover/machinery";
import type { ControllerDeclaration } from "./controller-declaration.ts";
import { declareController } from "./declared-controller.ts";
import type { AnyDeclaration, DeclaredController } from "./declared-controller.ts";
import { MistakeError } from "./mistake-error.ts";
import type { OperatorIndex } from "./operator-index.ts";
import { printOperatorRoles } from "./operator-needs.ts";
import type { OperatorRolesOptions } from "./operator-needs.ts";
import type { OperatorPlace, OperatorRun } from "./operator-place.ts";
import type { OperatorPlan } from "./operator-plan.ts";
import { prepareRun } from "./operator-run.ts";
import type { PerRun } from "./per-run.ts";
import type { Owns, OwnsNothing } from "./slot.ts";

export interface OperatorOptions {
  /**
   * "shop-operator", a DNS label: field manager, reporter of events, part of finalizers and sets. Whoever renames it
   * leaves all of that behind.
   */
  readonly name: string;
}

/** A controller that was declared. */
export interface OperatorController {
  readonly name: string;
  readonly kind: Kind;
  /**
   * Watches one more source in every run that is prepared from now on: `controller.watch((cluster) =>
   * relatedSource(Node, { cluster, map }))`.
   */
  watch(source: PerRun<Source>): void;
}

/** Guarantees: declaring asks nothing of anybody; runs share nothing with each other. */
export interface Operator {
  readonly name: string;
  /** Declares a controller; one for each kind. Throws a `MistakeError` for what cannot be. */
  controller<T extends KubeObject, S extends Scope, Sub extends string, O extends Owns = OwnsNothing>(
    kind: Kind<T, S, Sub>,
    declaration: ControllerDeclaration<T, O>,
  ): OperatorController;
  /** Declares an index over the cache of a kind, which is watched from then on: `context.index(byHost).get("shop.example.com")`. */
  index<T extends KubeObject>(
    kind: Kind<T>,
    name: string,
    values: (object: DeepReadonly<T>) => readonly (string | undefined)[],
  ): OperatorIndex<T>;
  /** Runs one more thing beside the controllers, in every run that is prepared from now on. */
  add(runnable: PerRun<Runnable>): void;
  /** Roles and bindings for everything that was declared, as YAML for `kubectl apply -f -`. */
  roles(options?: OperatorRolesOptions): string;
  /** Prepares a run of what has been declared so far; nothing is asked of the server before its `run`. */
  runOn(place: OperatorPlace): OperatorRun;
}

/** An operator without controllers yet. Throws a `MistakeError` for a name that could not stand where it has to. */
export function createOperator({ name }: OperatorOptions): Operator {
  const problems = checkDns1123Label(name);
  if (problems.length > 0)
    throw new MistakeError({
      where: "operator",
      what: `the name ${JSON.stringify(name)} is no DNS label: ${problems.join("; ")}`,
      fix: 'operator({ name: "shop-operator" })',
    });
  const controllers: DeclaredController[] = [];
  const indexes: OperatorIndex[] = [];
  const runnables: PerRun<Runnable>[] = [];
  const plan = (): OperatorPlan => ({ name, controllers: [...controllers], indexes: [...indexes], runnables: [...runnables] });
  return {
    name,
    controller: (kind, declaration) => {
      // What stands behind the slots is known to whoever declared them; from here on they are kinds like any other.
      const declared = declareController(name, kind, declaration as unknown as AnyDeclaration);
      checkFree(declared, controllers);
      const at = controllers.push(declared) - 1;
      return {
        name: declared.name,
        kind: declared.kind,
        watch: (source) => {
          controllers[at] = { ...(controllers[at] ?? declared), sources: [...(controllers[at] ?? declared).sources, source] };
        },
      };
    },
    index: (kind, indexName, values) => {
      if (indexes.some((other) => other.name === indexName))
        throw new MistakeError({
          where: `index ${indexName} of ${kind.kind}`,
          what: "there is one of that name",
          fix: "another name, or the index that is there: app.index returns it",
        });
      const index = { kind, name: indexName, values };
      indexes.push(index as unknown as OperatorIndex);
      return index;
    },
    add: (runnable) => void runnables.push(runnable),
    roles: (options = {}) => printOperatorRoles(plan(), options),
    runOn: (place) => prepareRun(plan(), place),
  };
}

function checkFree({ kind, name, title }: DeclaredController, others: readonly DeclaredController[]): void {
  if (others.some((other) => sameGroupKind(other.kind, kind))) {
    throw new MistakeError({
      where: title,
      what: `there is one for ${kind.kind} already, and two that reconcile the same objects undo each other's work`,
      fix: `one app.controller(${kind.kind}, { owns: { …the slots of both }, … })\nor, if they have nothing in common, an operator of its own: operator({ name: "…" })`,
    });
  }
  if (others.some((other) => other.name === name))
    throw new MistakeError({
      where: title,
      what: `another controller is called ${JSON.stringify(name)}, and metrics and logs tell them apart by that`,
      fix: `app.controller(${kind.kind}, { name: "${kind.group.split(".")[0] ?? ""}-${name}", … })`,
    });
}
