/**
 * Declares controllers as values, before there is a cluster. The same operator can run on any number of clusters.
 *
 *     createOperator({ name }) → controller(Kind, { owns, desired, reconcile, cleanup, status }) → runOn(place) → run(signal)
 *                              → admit(Kind, { rules, mutate, validate })
 */
import type { Runnable, Source } from "@drover/controller";
import type { AdmitDeclaration } from "../admission/admission-declaration.ts";
import { declareAdmission } from "./declared-admission.ts";
import type { AnyAdmission, DeclaredAdmission } from "./declared-admission.ts";
import { checkDns1123Label, sameGroupKind, unknownOption } from "@drover/machinery";
import type { DeepReadonly, Kind, KubeObject, OptionNames, Scope } from "@drover/machinery";
import type { ControllerDeclaration } from "./controller-declaration.ts";
import { checkKind } from "./check-kind.ts";
import { declareController } from "./declared-controller.ts";
import type { AnyDeclaration, DeclaredController } from "./declared-controller.ts";
import { checkOptional } from "./declared-optional.ts";
import { MistakeError } from "./mistake-error.ts";
import type { OperatorIndex } from "./operator-index.ts";
import { printOperatorRoles } from "./operator-needs.ts";
import type { OperatorRolesOptions } from "./operator-needs.ts";
import type { OperatorPlace, OperatorRun } from "./operator-place.ts";
import type { OperatorPlan } from "./operator-plan.ts";
import { prepareRun } from "./operator-run.ts";
import type { PerRun } from "./per-run.ts";
import type { Owns, OwnsNothing } from "./slot.ts";
import { printWebhookManifests } from "./webhook-manifests.ts";
import type { WebhookManifestsOptions } from "./webhook-manifests.ts";

/** Options of `createOperator`. */
export interface OperatorOptions {
  /**
   * Name of the operator, a DNS label such as "shop-operator". Used as field manager, reporter of Events, and in
   * finalizers and apply sets, so a rename leaves all of these behind.
   */
  readonly name: string;
}

const optionNames = { name: true } satisfies OptionNames<OperatorOptions>;

/** A declared controller. */
export interface OperatorController {
  readonly name: string;
  readonly kind: Kind;
  /**
   * Adds a source to all runs that are prepared from now on: `controller.watch((cluster) => relatedSource(Node, {
   * cluster, map }))`.
   */
  watch(source: PerRun<Source>): void;
}

/** Guarantees: declarations send no requests; runs share nothing. */
export interface Operator {
  readonly name: string;
  /** Declares a controller; at most one per kind. Throws `MistakeError` for an invalid declaration. */
  controller<T extends KubeObject, S extends Scope, Sub extends string, O extends Owns = OwnsNothing>(
    kind: Kind<T, S, Sub>,
    declaration: ControllerDeclaration<T, O>,
  ): OperatorController;
  /** Declares an index over the cache of a kind, which is then watched: `context.index(byHost).get("shop.example.com")`. */
  index<T extends KubeObject>(
    kind: Kind<T>,
    name: string,
    values: (object: DeepReadonly<T>) => readonly (string | undefined)[],
  ): OperatorIndex<T>;
  /**
   * Declares rules about objects of any kind, also built-in ones; any number per kind. Rules in CEL become a ValidatingAdmissionPolicy,
   * functions become webhooks. Throws `MistakeError` for an invalid declaration.
   */
  admit<T extends KubeObject, S extends Scope, Sub extends string>(
    kind: Kind<T, S, Sub>,
    declaration: AdmitDeclaration<NoInfer<T>, NoInfer<Sub>>,
  ): void;
  /** Adds a runnable beside the controllers to all runs that are prepared from now on. */
  add(runnable: PerRun<Runnable>): void;
  /** Returns roles and bindings for everything declared, as YAML for `kubectl apply -f -`. */
  roles(options?: OperatorRolesOptions): string;
  /**
   * Returns everything that the cluster must know about the operator's webhooks and policies, as YAML for `kubectl apply -f -`: for
   * clusters where an admin registers them, and the operator runs with `registration: "inject"` or "off". Throws `MistakeError` if there
   * are none.
   */
  webhooks(options?: WebhookManifestsOptions): string;
  /** Prepares a run of everything declared so far. Sends no request before its `run`. */
  runOn(place: OperatorPlace): OperatorRun;
}

/** A controller, and the sources that were added to it since. */
interface WatchingController {
  readonly declared: DeclaredController;
  readonly sources: PerRun<Source>[];
}

/** Creates an operator without controllers. Throws `MistakeError` for an invalid name. */
export function createOperator(given: OperatorOptions): Operator {
  const problem = unknownOption(given, optionNames, {
    leaderElection: "app.run({ leaderElection: … })",
    cluster: "app.run({ cluster: … })",
  });
  if (problem !== undefined) throw new MistakeError({ where: "operator", ...problem });
  const { name } = given;
  const problems = typeof name === "string" ? checkDns1123Label(name) : ["it must be a text"];
  if (problems.length > 0)
    throw new MistakeError({
      where: "operator",
      what: `the name ${JSON.stringify(name)} is not a DNS label: ${problems.join("; ")}`,
      fix: 'operator({ name: "shop-operator" })',
    });
  const controllers: WatchingController[] = [];
  const indexes: OperatorIndex[] = [];
  const runnables: PerRun<Runnable>[] = [];
  const admissions: DeclaredAdmission[] = [];
  const plan = (): OperatorPlan => ({
    name,
    controllers: controllers.map(({ declared, sources }) => ({ ...declared, sources: [...sources] })),
    indexes: [...indexes],
    runnables: [...runnables],
    admissions: [...admissions],
  });
  return {
    name,
    controller: (kind, declaration) => {
      // Erases the types of the slots: only the caller of `controller` needs them.
      const declared = declareController(name, kind, declaration as unknown as AnyDeclaration);
      checkOptional(declared);
      checkFree(
        declared,
        controllers.map((other) => other.declared),
      );
      const sources: PerRun<Source>[] = [];
      controllers.push({ declared, sources });
      return { name: declared.name, kind: declared.kind, watch: (source) => void sources.push(source) };
    },
    index: (kind, indexName, values) => {
      checkKind("app.index", kind, `app.index(Pod, "byNode", (pod) => [pod.spec?.nodeName])`);
      if (indexes.some((other) => other.name === indexName))
        throw new MistakeError({
          where: `index ${indexName} of ${kind.kind}`,
          what: "an index of this name exists",
          fix: "choose another name, or use the existing index: app.index returns it",
        });
      const index = { kind, name: indexName, values };
      indexes.push(index);
      return index;
    },
    admit: (kind, declaration) => {
      checkKind("app.admit", kind, "app.admit(Pod, { … })");
      const admission = declareAdmission(kind, declaration as unknown as AnyAdmission);
      if (admissions.some((other) => other.name === admission.name))
        throw new MistakeError({
          where: admission.title,
          what: `another admission is named ${JSON.stringify(admission.name)}, and registrations need unique names`,
          fix: `app.admit(${kind.kind}, { name: "${kind.plural}-images", … })`,
        });
      admissions.push(admission);
    },
    add: (runnable) => void runnables.push(runnable),
    roles: (options = {}) => printOperatorRoles(plan(), options),
    webhooks: (options = {}) => printWebhookManifests(plan(), options),
    runOn: (place) => prepareRun(plan(), place),
  };
}

function checkFree({ kind, name, title }: DeclaredController, others: readonly DeclaredController[]): void {
  if (others.some((other) => sameGroupKind(other.kind, kind))) {
    throw new MistakeError({
      where: title,
      what: `a controller for ${kind.kind} exists, and two controllers for the same objects would overwrite each other's work`,
      code: "DRV0209",
      fix: `one app.controller(${kind.kind}, { owns: { …the slots of both }, … })\nor, if they are independent, a separate operator: operator({ name: "…" })`,
    });
  }
  if (others.some((other) => other.name === name))
    throw new MistakeError({
      where: title,
      what: `another controller is named ${JSON.stringify(name)}, and metrics and logs need unique names`,
      fix: `app.controller(${kind.kind}, { name: "${name}-${kind.plural}", … })`,
    });
}
