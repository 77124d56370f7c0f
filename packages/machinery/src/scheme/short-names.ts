/** Short names: "po", "deploy", "svc". A resource's own name is never taken for a short name. */
import { printGroupResource, sameGroupResource } from "../object/group-version.ts";
import type { GroupResource, GroupVersionResource } from "../object/group-version.ts";
import { quoteGo } from "../go/go-quote.ts";

/** The names of one resource. */
export interface NamedResource {
  readonly group: string;
  readonly plural: string;
  readonly singular?: string;
  readonly shortNames?: readonly string[];
}

/** Short names of a set of resources; earlier ones win. */
export class ShortNames {
  /** Full name, plural or singular → the groups that have it. */
  readonly #groupsByName = new Map<string, Set<string>>();
  readonly #resourcesByShortName = new Map<string, GroupResource[]>();
  readonly #warn: (message: string) => void;

  constructor(resources: Iterable<NamedResource>, warn: (message: string) => void = () => {}) {
    this.#warn = warn;
    for (const { group, plural, singular = "", shortNames = [] } of resources) {
      for (const name of [plural, singular]) entry(this.#groupsByName, name, () => new Set<string>()).add(group);
      for (const shortName of shortNames) {
        const meanings = entry<GroupResource[]>(this.#resourcesByShortName, shortName, () => []);
        const resource = { group, resource: plural };
        if (!meanings.some((meaning) => sameGroupResource(meaning, resource))) meanings.push(resource);
      }
    }
  }

  /**
   * Returns the resource of a short name, or its argument when it is not a short name. A group, or a prefix of one, narrows the
   * search; without one the first resource wins, with a warning about others.
   */
  expand(wanted: GroupVersionResource): GroupVersionResource {
    const groups = this.#groupsByName.get(wanted.resource);
    if (groups !== undefined && (wanted.group === "" || groups.has(wanted.group))) return wanted;
    const meanings = this.#resourcesByShortName.get(wanted.resource) ?? [];
    const [first, ...others] = wanted.group === "" ? meanings : meanings.filter(({ group }) => group === wanted.group);
    if (first !== undefined) {
      for (const other of others)
        this.#warn(`short name ${quoteGo(wanted.resource)} could also match lower priority resource ${printGroupResource(other)}`);
      return { ...first, version: "" };
    }
    const inLongerGroup = meanings.find(({ group }) => group.startsWith(wanted.group));
    return inLongerGroup === undefined ? wanted : { ...wanted, ...inLongerGroup };
  }
}

function entry<V>(map: Map<string, V>, key: string, make: () => V): V {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}
