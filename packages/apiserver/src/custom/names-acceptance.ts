/** Accepts the names of a CustomResourceDefinition that no other definition of its group uses. */
import type { CustomResourceDefinition, CustomResourceDefinitionNames } from "@drover/api/apiextensions/v1";
import { definedOnly, quoteGo, semanticEqual } from "@drover/machinery";
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
  const names: CustomResourceDefinitionNames = { ...given };
  let conflict: { readonly reason: string; readonly message: string } | undefined;
  /** The last conflict is reported. */
  const settle = (reason: string, clashes: readonly string[], accept: () => void): void => {
    if (clashes.length === 0) accept();
    else conflict = { reason, message: aggregate(clashes.map((name) => `${quoteGo(name)} is already in use`)) };
  };
  const clash = (name: string, own: string, used: ReadonlySet<string>): string[] => (name !== own && used.has(name) ? [name] : []);
  const { singular = "", listKind = "", shortNames = [] } = wanted;
  const taken = takenNames(spec.group, all, { resources: [wanted.plural, singular, ...shortNames], kinds: [wanted.kind, listKind] });
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
  return { names: inOrder(names), condition: { type: "NamesAccepted", ...verdict } };
}

/** In the order of Go's JSON. */
const inOrder = ({
  plural,
  singular,
  shortNames,
  kind,
  listKind,
  categories,
}: CustomResourceDefinitionNames): CustomResourceDefinitionNames => ({
  plural,
  ...definedOnly({ singular, shortNames }),
  kind,
  ...definedOnly({ listKind, categories }),
});

function setOrRemove(names: CustomResourceDefinitionNames, field: "shortNames" | "categories", value: string[] | undefined): void {
  if (value === undefined) delete names[field];
  else names[field] = [...value];
}

/** Joins messages as Go prints an aggregate of errors. */
const aggregate = (messages: readonly string[]): string =>
  messages.length === 1 ? (messages[0] ?? "") : `[${[...new Set(messages)].join(", ")}]`;

interface Names<T> {
  readonly resources: T;
  readonly kinds: T;
}

/** Returns those of the wanted names that a definition of the group has got. */
function takenNames(
  group: string,
  all: readonly CustomResourceDefinition[],
  { resources, kinds }: Names<readonly string[]>,
): Names<ReadonlySet<string>> {
  const taken = { resources: new Set<string>(), kinds: new Set<string>() };
  for (const { spec, status } of all) {
    const names = spec.group === group ? status?.acceptedNames : undefined;
    if (names === undefined) continue;
    const { plural, singular, shortNames, kind, listKind } = names;
    for (const name of resources)
      if (name !== "" && (name === plural || name === singular || shortNames?.includes(name) === true)) taken.resources.add(name);
    for (const name of kinds) if (name !== "" && (name === kind || name === listKind)) taken.kinds.add(name);
  }
  return taken;
}
