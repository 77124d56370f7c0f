/** Everything declared so far, as a value: the input of roles and runs. */
import type { Runnable } from "@drover/controller";
import type { Kind } from "@drover/machinery";
import type { DeclaredAdmission } from "./declared-admission.ts";
import type { Resource } from "../resource/resource.ts";
import type { DeclaredController } from "./declared-controller.ts";
import type { OperatorIndex } from "./operator-index.ts";
import type { PerRun } from "./per-run.ts";

/** Controllers, indexes, runnables and admissions of an operator. */
export interface OperatorPlan {
  readonly name: string;
  readonly controllers: readonly DeclaredController[];
  readonly indexes: readonly OperatorIndex[];
  readonly runnables: readonly PerRun<Runnable>[];
  readonly admissions: readonly DeclaredAdmission[];
}

/** Key of a kind's cache: group, version, resource and declared fields. */
export const kindKey = ({ group, version, plural, fields }: Kind): string =>
  `${group}/${version}/${plural}${fields === undefined ? "" : ` ${JSON.stringify([...fields].toSorted())}`}`;

/** Returns every watched kind once, in order of declaration. */
export function watchedKinds({ controllers, indexes }: OperatorPlan): readonly Kind[] {
  const kinds = [...controllers.flatMap(kindsOf), ...indexes.map(({ kind }) => kind)];
  return [...new Map(kinds.map((kind) => [kindKey(kind), kind])).values()];
}

/** Returns the kinds that a controller uses. */
export function kindsOf({ kind, slots, references, declaration: { reads = [] } }: DeclaredController): readonly Kind[] {
  return [kind, ...slots.map((slot) => slot.kind), ...references.map((reference) => reference.kind), ...reads];
}

/**
 * Reports whether the kind comes from `defineResource`, so that the operator installs it. Kinds from `kindFromCrd` have
 * no `references` and belong to another owner.
 */
export const isResource = (kind: Kind): kind is Resource =>
  typeof (kind as Partial<Resource>).definition === "function" && (kind as Partial<Resource>).references !== undefined;
