/**
 * One controller as it was declared, checked: mistakes that can be seen without a cluster are told at once.
 *
 *     Kind, ControllerDeclaration → declareController → DeclaredController
 */
import type { Source } from "@drover/controller";
import { checkQualifiedName } from "@drover/machinery";
import type { Kind, KubeObject } from "@drover/machinery";
import type { ResourceReference } from "../schema/reference.ts";
import { safeConcatName } from "../names/safe-concat-name.ts";
import type { Resource } from "../resource/resource.ts";
import type { ControllerDeclaration } from "./controller-declaration.ts";
import { durationMs } from "./duration.ts";
import { MistakeError } from "./mistake-error.ts";
import type { PerRun } from "./per-run.ts";
import { namedSlots } from "./slot.ts";
import type { NamedSlot, Owns } from "./slot.ts";

/** A declaration of which the types are no longer known. */
export type AnyDeclaration = ControllerDeclaration<KubeObject, Owns>;

export interface DeclaredController {
  readonly name: string;
  /** For errors: "controller of WebApp". */
  readonly title: string;
  readonly kind: Kind;
  readonly declaration: AnyDeclaration;
  readonly slots: readonly NamedSlot[];
  readonly references: readonly ResourceReference[];
  /** The set of its owned objects. */
  readonly setName: string;
  readonly fieldManager: string;
  /** Undefined when none is kept. */
  readonly finalizer: string | undefined;
  readonly deadlineMs: number;
  readonly resyncMs: number;
  /** What it watches besides. */
  readonly sources: readonly PerRun<Source>[];
}

/** Throws a `MistakeError`. */
export function declareController(operator: string, kind: Kind, declaration: AnyDeclaration): DeclaredController {
  const title = `controller of ${kind.kind}`;
  const { owns = {}, name = kind.kind.toLowerCase(), deadline, resync = "10h" } = declaration;
  const slots = namedSlots(owns);
  const controller: DeclaredController = {
    name,
    title,
    kind,
    declaration,
    slots,
    sources: [],
    references: (kind as Partial<Resource>).references ?? [],
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

/**
 * What the garbage collector cannot find by a reference somebody must delete: a namespaced owner cannot be named by a
 * cluster-scoped object.
 */
function needsFinalizer(kind: Kind, { cleanup, desired }: AnyDeclaration, slots: readonly NamedSlot[]): boolean {
  return cleanup !== undefined || (desired !== undefined && slots.some((slot) => isBeyondReference(kind, slot.kind)));
}

/** Whether an object of that kind cannot name its owner. */
export const isBeyondReference = (owner: Kind, child: Kind): boolean => owner.scope === "Namespaced" && child.scope === "Cluster";

function check({ title, kind, declaration, slots, finalizer, resyncMs }: DeclaredController): void {
  const { desired, reconcile, status, cleanup } = declaration;
  if (desired !== undefined && slots.length === 0) {
    throw new MistakeError({
      where: title,
      what: "desired has no slots to fill, since owns is not there",
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
      what: `${kind.kind} has no status of its own at the server, so nothing could be written there`,
      fix: "leave out status, and tell people with events.normal(…) and events.warning(…) in reconcile",
    });
  }
  const problems = finalizer === undefined ? [] : checkQualifiedName(finalizer);
  if (problems.length > 0 || (finalizer !== undefined && !finalizer.includes("/"))) {
    throw new MistakeError({
      where: `${title}, finalizer`,
      what: `${JSON.stringify(finalizer)} is no name for a finalizer`,
      fix: `a domain of yours, a slash and a word: finalizer: "${kind.group === "" ? "example.com" : kind.group}/release-dns"`,
    });
  }
  if (resyncMs < 1000)
    throw new MistakeError({
      where: `${title}, resync`,
      what: "every object would be looked at more than once a second",
      fix: 'at least a second, or return { after: "500ms" } from reconcile for the objects that need it',
    });
}

const isAsync = (work: unknown): boolean => typeof work === "function" && work.constructor.name === "AsyncFunction";

/** Said when it is declared, and when a promise comes out of it all the same. */
export function asyncMistake(where: string, name: string): MistakeError {
  return new MistakeError({
    where,
    what: `${name} is async, and must be a pure function of the state: it is called as often as it pleases, also to see what would happen`,
    fix: `${name}: ({ object, owned, get }) => ({ … })       without async and await\nread other objects with get(Kind, name) and list(Kind), which do not wait\ncall the world outside in reconcile, and keep what it says in the status: reconcile: async ({ object, signal }) => { … }`,
  });
}
