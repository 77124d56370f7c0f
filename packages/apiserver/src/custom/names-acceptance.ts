/** Accepts the names of a CustomResourceDefinition that no other definition of its group uses. */
import type { CustomResourceDefinition, CustomResourceDefinitionNames } from "@drover/api/apiextensions/v1";
import { quoteGo, semanticEqual } from "@drover/machinery";
import type { CrdCondition } from "./crd-conditions.ts";

export interface NamesAcceptance {
  readonly names: CustomResourceDefinitionNames;
  readonly condition: CrdCondition;
}

/**
 * Returns the accepted names; undefined when the definition already has all it asks for. `all` are the definitions with accepted
 * names; other groups are skipped. The definition itself may be among them: a name it holds in one role conflicts with another
 * role.
 */
export function acceptNames(
  { spec, status }: CustomResourceDefinition,
  all: readonly CustomResourceDefinition[],
): NamesAcceptance | undefined {
  const wanted = spec.names;
  const given = status?.acceptedNames ?? { plural: "", kind: "" };
  if (semanticEqual(wanted, given)) return undefined;
  const taken = takenNames(all.filter((other) => other.spec.group === spec.group));
  const names: CustomResourceDefinitionNames = { ...given };
  let conflict: { readonly reason: string; readonly message: string } | undefined;
  /** The last conflict is reported. */
  const settle = (reason: string, clashes: readonly string[], accept: () => void): void => {
    if (clashes.length === 0) accept();
    else conflict = { reason, message: aggregate(clashes.map((name) => `${quoteGo(name)} is already in use`)) };
  };
  const clash = (name: string, own: string, used: ReadonlySet<string>): string[] => (name !== own && used.has(name) ? [name] : []);
  const { singular = "", listKind = "", shortNames = [] } = wanted;
  const ownShortNames = given.shortNames ?? [];
  settle("PluralConflict", clash(wanted.plural, given.plural, taken.resources), () => (names.plural = wanted.plural));
  settle("SingularConflict", clash(singular, given.singular ?? "", taken.resources), () => (names.singular = singular));
  settle(
    "ShortNamesConflict",
    shortNames.filter((name) => !ownShortNames.includes(name) && taken.resources.has(name)),
    () => setOrRemove(names, "shortNames", wanted.shortNames),
  );
  settle("KindConflict", clash(wanted.kind, given.kind, taken.kinds), () => (names.kind = wanted.kind));
  settle("ListKindConflict", clash(listKind, given.listKind ?? "", taken.kinds), () => (names.listKind = listKind));
  setOrRemove(names, "categories", wanted.categories);
  const verdict =
    conflict === undefined
      ? ({ status: "True", reason: "NoConflicts", message: "no conflicts found" } as const)
      : ({ status: "False", ...conflict } as const);
  return { names, condition: { type: "NamesAccepted", ...verdict } };
}

function setOrRemove(names: CustomResourceDefinitionNames, field: "shortNames" | "categories", value: string[] | undefined): void {
  if (value === undefined) delete names[field];
  else names[field] = [...value];
}

/** Joins messages as Go prints an aggregate of errors. */
const aggregate = (messages: readonly string[]): string =>
  messages.length === 1 ? (messages[0] ?? "") : `[${[...new Set(messages)].join(", ")}]`;

function takenNames(crds: readonly CustomResourceDefinition[]): {
  readonly resources: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
} {
  const given = crds.flatMap(({ status }) => (status?.acceptedNames === undefined ? [] : [status.acceptedNames]));
  const names = (texts: readonly (string | undefined)[]): ReadonlySet<string> =>
    new Set(texts.filter((text) => text !== undefined && text !== "") as string[]);
  return {
    resources: names(given.flatMap(({ plural, singular, shortNames = [] }) => [plural, singular, ...shortNames])),
    kinds: names(given.flatMap(({ kind, listKind }) => [kind, listKind])),
  };
}
