/**
 * Kinds by resource name: the built-in ones, and those of CustomResourceDefinitions as they are seen.
 *
 *     { group: "apps", resource: "deployments" } → "Deployment"
 */
import { kinds } from "@drover/api";
import { budget } from "@drover/machinery";
import type { GroupResource } from "@drover/machinery";

const learnedMax = budget({
  name: "cli/custom-kinds",
  limit: 10_000,
  unit: "items",
  atLimit: "`drover up` prints the resource names of further custom kinds instead of the kinds",
  uncounted: "A command has no metrics; the printed lines show the resource name.",
});

const keyOf = ({ group, resource }: GroupResource): string => `${group}/${resource}`;

export class KindWords {
  readonly #words = new Map<string, string>(kinds.map(({ group, plural, kind }) => [keyOf({ group, resource: plural }), kind]));
  readonly #max = this.#words.size + learnedMax.limit;

  /** Remembers the kind of a resource. Built-in kinds cannot be changed. */
  learn(resource: GroupResource, kind: string): void {
    const key = keyOf(resource);
    if (!this.#words.has(key) && this.#words.size < this.#max && kind !== "") this.#words.set(key, kind);
  }

  knows(resource: GroupResource): boolean {
    return this.#words.has(keyOf(resource));
  }

  /** "pods" → "Pod"; unknown resources keep their name. */
  word(resource: GroupResource): string {
    return this.#words.get(keyOf(resource)) ?? resource.resource;
  }
}
