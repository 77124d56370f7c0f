/**
 * Checks the declaration of a controller: reports mistakes that are visible without a cluster at once.
 *
 *     Kind, ControllerDeclaration → declareController → DeclaredController
 */
import type { Source } from "@drover/controller";
import { checkQualifiedName, unknownOption } from "@drover/machinery";
import type { Kind, KubeObject, OptionNames } from "@drover/machinery";
import type { ResourceReference } from "../schema/reference.ts";
import { safeConcatName } from "../names/safe-concat-name.ts";
import type { Resource } from "../resource/resource.ts";
import type { ControllerDeclaration } from "./controller-declaration.ts";
import { checkKind } from "./check-kind.ts";
import { durationMs } from "./duration.ts";
import { MistakeError } from "./mistake-error.ts";
import type { PerRun } from "./per-run.ts";
import { isSlot, namedSlots } from "./slot.ts";
import type { NamedSlot, Owns } from "./slot.ts";

/** A declaration with its type parameters erased. */
export type AnyDeclaration = ControllerDeclaration<KubeObject, Owns>;

/** A checked declaration with its defaults resolved. */
export interface DeclaredController {
  readonly name: string;
  /** For errors: "controller of WebApp". */
  readonly title: string;
  readonly kind: Kind;
  readonly declaration: AnyDeclaration;
  readonly slots: readonly NamedSlot[];
  readonly references: readonly ResourceReference[];
  /** Kinds that the cluster may not serve. */
  readonly optional: readonly Kind[];
  /** Name of the apply set of its owned objects. */
  readonly setName: string;
  readonly fieldManager: string;
  /** Undefined if it needs no finalizer. */
  readonly finalizer: string | undefined;
  readonly deadlineMs: number;
  readonly resyncMs: number;
  /** Additional sources. */
  readonly sources: readonly PerRun<Source>[];
}

const options = {
  name: true,
  owns: true,
  desired: true,
  reconcile: true,
  cleanup: true,
  status: true,
  reads: true,
  when: true,
  predicates: true,
  finalizer: true,
  set: true,
  workers: true,
  retry: true,
  deadline: true,
  resync: true,
  needs: true,
  tenantOf: true,
  debounce: true,
  rate: true,
  optional: true,
} satisfies OptionNames<AnyDeclaration>;

/** Names of other libraries for what ours do. */
const instead = {
  onDelete: "cleanup",
  onDeleted: "cleanup",
  finalize: "cleanup",
  delete: "cleanup",
  onChange: "reconcile",
  handler: "reconcile",
  watches: "reads, or controller.watch(source) for other sources",
  watch: "reads, or controller.watch(source) for other sources",
  concurrency: "workers",
  maxConcurrentReconciles: "workers",
  timeout: "deadline",
  resyncPeriod: "resync",
  filter: "when",
  predicate: "predicates",
  rbac: "needs",
} as const;

/** Validates a declaration. Throws `MistakeError`. */
export function declareController(operator: string, kind: Kind, given: AnyDeclaration): DeclaredController {
  checkKind("app.controller", kind, "app.controller(WebApp, { … })");
  const title = `controller of ${kind.kind}`;
  const problem = unknownOption(given, options, instead);
  if (problem !== undefined) throw new MistakeError({ where: title, ...problem });
  for (const [slot, declared] of Object.entries(given.owns ?? {}))
    checkKind(`${title}, owns, slot ${slot}`, isSlot(declared) ? declared.of : declared, `owns: { ${slot}: Deployment }`);
  for (const [index, read] of (given.reads ?? []).entries()) checkKind(`${title}, reads[${index}]`, read, "reads: [ConfigMap]");
  const { owns = {}, name = kind.kind.toLowerCase(), deadline, resync = "10h" } = given;
  const slots = namedSlots(owns);
  const declaration = withDesired(given, slots, title);
  const controller: DeclaredController = {
    name,
    title,
    kind,
    declaration,
    slots,
    sources: [],
    references: (kind as Partial<Resource>).references ?? [],
    optional: given.optional ?? [],
    setName: safeConcatName(operator, kind.singular),
    fieldManager: operator,
    finalizer: needsFinalizer(kind, declaration, slots)
      ? (declaration.finalizer ?? `${kind.group === "" ? "drover.dev" : kind.group}/${operator}`)
      : undefined,
    deadlineMs: deadline === undefined ? Infinity : durationMs(deadline, `${title}, deadline`),
    resyncMs: durationMs(resync, `${title}, resync`),
  };
  check(controller);
  return controller;
}

/** A controller whose slots are all declared with `once` needs no `desired`. */
function withDesired(declaration: AnyDeclaration, slots: readonly NamedSlot[], title: string): AnyDeclaration {
  const made = slots.find(({ make }) => make !== undefined);
  if (declaration.desired !== undefined || made === undefined) return declaration;
  const other = slots.find(({ make }) => make === undefined);
  if (other === undefined) return { ...declaration, desired: () => ({}) };
  throw new MistakeError({
    where: title,
    what: `nothing would be made for ${made.name}, because there is no desired`,
    fix: `desired: () => ({ ${other.name}: … })`,
  });
}

/**
 * Owned objects that cannot refer to their owner must be deleted by the operator: a cluster-scoped object cannot have a
 * namespaced owner.
 */
function needsFinalizer(kind: Kind, { cleanup, desired }: AnyDeclaration, slots: readonly NamedSlot[]): boolean {
  return cleanup !== undefined || (desired !== undefined && slots.some((slot) => isBeyondReference(kind, slot.kind)));
}

/** Reports whether objects of the child kind cannot have an owner reference to the owner. */
export const isBeyondReference = (owner: Kind, child: Kind): boolean => owner.scope === "Namespaced" && child.scope === "Cluster";

function check({ title, kind, declaration, slots, finalizer, resyncMs }: DeclaredController): void {
  const { desired, reconcile, status, cleanup } = declaration;
  checkLimits(title, kind, declaration, slots);
  if (desired !== undefined && slots.length === 0) {
    throw new MistakeError({
      where: title,
      what: "desired has no slots to fill, because owns is missing",
      code: "DRV0205",
      fix: `app.controller(${kind.kind}, { owns: { deployment: Deployment }, desired: () => ({ deployment: … }) })`,
    });
  }
  for (const [name, work] of Object.entries({ desired, status })) {
    if (isAsync(work)) throw asyncMistake(`${title}, ${name}`, name);
  }
  if ((desired ?? reconcile ?? status ?? cleanup) === undefined) {
    throw new MistakeError({
      where: title,
      what: "it does nothing",
      fix: `app.controller(${kind.kind}, { reconcile: async ({ object, log }) => { … } }), or desired, or status`,
    });
  }
  if (status !== undefined && kind.subresources["status"] === undefined) {
    throw new MistakeError({
      where: `${title}, status`,
      what: `${kind.kind} has no status subresource, so no status can be written`,
      code: "DRV0207",
      fix: "leave out status, and report with events.normal(…) and events.warning(…) in reconcile",
    });
  }
  const problems = finalizer === undefined ? [] : checkQualifiedName(finalizer);
  if (problems.length > 0 || (finalizer !== undefined && !finalizer.includes("/"))) {
    throw new MistakeError({
      where: `${title}, finalizer`,
      what: `${JSON.stringify(finalizer)} is not a valid finalizer name`,
      code: "DRV0208",
      fix: `your domain, a slash and a word: finalizer: "${kind.group === "" ? "example.com" : kind.group}/release-dns"`,
    });
  }
  if (resyncMs < 1000)
    throw new MistakeError({
      where: `${title}, resync`,
      what: "every object would be reconciled more than once a second",
      fix: 'at least a second, or return { after: "500ms" } from reconcile for the objects that need it',
    });
}

/** A limited object cannot be compared with a desired one, validated, or written back. */
function checkLimits(title: string, kind: Kind, { status }: AnyDeclaration, slots: readonly NamedSlot[]): void {
  const owned = slots.find((slot) => slot.kind.fields !== undefined);
  if (owned !== undefined)
    throw new MistakeError({
      where: `${title}, owns`,
      what: `${owned.kind.kind} is limited to some fields, so Drover could not see whether the others have drifted`,
      code: "DRV0213",
      fix: `owns: { ${owned.name}: ${owned.kind.kind} }       the whole kind; withFields is for reads`,
    });
  if (kind.fields !== undefined && (status !== undefined || (kind as Partial<Resource>).references !== undefined))
    throw new MistakeError({
      where: title,
      what: `${kind.kind} is limited to some fields, so its objects cannot be ${status === undefined ? "validated" : "written with a status"}`,
      fix: `app.controller(${kind.kind}, { … })       the whole kind; withFields is for reads, and for controllers of built-in kinds without status`,
    });
}

const isAsync = (work: unknown): boolean => typeof work === "function" && work.constructor.name === "AsyncFunction";

/** The mistake of an async `desired` or `status`, found in the declaration or when a promise is returned. */
export function asyncMistake(where: string, name: string): MistakeError {
  return new MistakeError({
    where,
    what: `${name} is async but must be a pure function of the state: Drover calls it any number of times, also for dry runs`,
    code: "DRV0204",
    fix: `${name}: ({ object, owned, get }) => ({ … })       without async and await\nread other objects with get(Kind, name) and list(Kind), which do not wait\ncall external systems in reconcile, and keep their answers in the status: reconcile: async ({ object, signal }) => { … }`,
  });
}
