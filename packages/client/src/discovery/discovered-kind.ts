/**
 * A descriptor for a kind discovered at run time, so that the typed client can use it.
 */
import { setOwn } from "@drover/machinery";
import type { Kind, Subresource, Verb } from "@drover/machinery";
import type { ApiResource } from "./api-group.ts";

const verbs: readonly Verb[] = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"];
const known = (told: readonly string[]): readonly Verb[] => verbs.filter((verb) => told.includes(verb));

/**
 * Returns the descriptor of a discovered resource. Discovery does not contain the kind of lists; by convention it is the
 * kind followed by "List".
 */
export function kindFromResource(resource: ApiResource): Kind {
  const { group, version, kind, plural, singular, shortNames, categories, scope } = resource;
  const subresources: Record<string, Subresource> = {};
  for (const [name, beneath] of Object.entries(resource.subresources))
    setOwn(subresources, name, { ...beneath, verbs: known(beneath.verbs) });
  return {
    group,
    version,
    kind,
    listKind: `${kind}List`,
    plural,
    singular: singular || kind.toLowerCase(),
    shortNames,
    categories,
    scope,
    verbs: known(resource.verbs),
    subresources,
  };
}
