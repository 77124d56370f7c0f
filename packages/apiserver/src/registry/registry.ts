/** Which resources the server serves at the moment: the built-in ones, and those of custom resource definitions as they come and go. */
import { compareBytes } from "@drover/machinery";
import type { GroupVersionResource } from "@drover/machinery";
import type { Resource } from "./resource.ts";

const keyOf = (group: string, version: string, plural: string): string => `${group}/${version}/${plural}`;

/**
 * Guarantees: `resources` is a new list whenever anything has changed, and only then, so that what is made from it can
 * be kept beside it.
 */
export class Registry {
  readonly #sources = new Map<string, readonly Resource[]>();
  #byPath = new Map<string, Resource>();
  #resources: readonly Resource[] = [];
  /** Who wants to know that a resource is served no more; many may. */
  readonly #dependents = new Map<Resource, Set<() => void>>();

  /** Everything that is served, built-in kinds first. */
  get resources(): readonly Resource[] {
    return this.#resources;
  }

  /** What one source serves from now on; an empty list is nothing. The source "" is the server itself. */
  serve(source: string, resources: readonly Resource[]): void {
    for (const resource of this.#sources.get(source) ?? []) if (!resources.includes(resource)) this.#retire(resource);
    if (resources.length === 0) this.#sources.delete(source);
    else this.#sources.set(source, resources);
    const sources = [...this.#sources].toSorted(([a], [b]) => compareBytes(a, b));
    this.#resources = sources.flatMap(([, served]) => served);
    this.#byPath = new Map(
      this.#resources.map((resource) => [keyOf(resource.kind.group, resource.kind.version, resource.kind.plural), resource]),
    );
  }

  /**
   * Calls back once when this resource is served no more, or in another way: what goes on about it must end. Returns
   * what takes that back.
   */
  onRetired(resource: Resource, callback: () => void): () => void {
    const dependents = this.#dependents.get(resource) ?? new Set();
    this.#dependents.set(resource, dependents.add(callback));
    return () => {
      dependents.delete(callback);
      if (dependents.size === 0) this.#dependents.delete(resource);
    };
  }

  #retire(resource: Resource): void {
    const dependents = this.#dependents.get(resource);
    this.#dependents.delete(resource);
    for (const callback of dependents ?? []) callback();
  }

  find({ group, version, resource }: GroupVersionResource): Resource | undefined {
    return this.#byPath.get(keyOf(group, version, resource));
  }

  /** The same resource in another version. */
  inVersion({ kind: { group, plural } }: Resource, version: string): Resource | undefined {
    return this.#byPath.get(keyOf(group, version, plural));
  }

  /** Whether anything is served under this group and version, or under the group at all. */
  hasVersion(group: string, version: string): boolean {
    return this.#resources.some(({ kind }) => kind.group === group && kind.version === version);
  }
}
