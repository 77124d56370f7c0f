/** The resources that the server serves: built-in kinds, and custom ones as their definitions come and go. */
import { compareBytes } from "@drover/machinery";
import type { GroupVersionResource } from "@drover/machinery";
import type { Resource } from "./resource.ts";

const keyOf = (group: string, version: string, plural: string): string => `${group}/${version}/${plural}`;
const pathOf = ({ kind: { group, version, plural } }: Resource): string => keyOf(group, version, plural);

/**
 * Guarantees: `resources` is a new array after each change, and only then, so callers can cache by identity. A change takes the same time
 * however many sources there are.
 */
export class Registry {
  readonly #sources = new Map<string, readonly Resource[]>();
  readonly #builtIn = new Map<string, Resource>();
  /** Takes precedence over a built-in resource with the same path. */
  readonly #custom = new Map<string, Resource>();
  /** Undefined after a change. */
  #resources: readonly Resource[] | undefined;
  /** Callbacks of `onRetired`. */
  readonly #dependents = new Map<Resource, Set<() => void>>();

  /** All served resources, built-in kinds first. */
  get resources(): readonly Resource[] {
    return (this.#resources ??= [...this.#sources].toSorted(([a], [b]) => compareBytes(a, b)).flatMap(([, served]) => served));
  }

  /** Replaces what one source serves; an empty list removes it. The source "" is the built-in kinds. */
  serve(source: string, resources: readonly Resource[]): void {
    const before = this.#sources.get(source) ?? [];
    for (const resource of before) if (!resources.includes(resource)) this.#retire(resource);
    if (resources.length === 0) this.#sources.delete(source);
    else this.#sources.set(source, resources);
    const byPath = source === "" ? this.#builtIn : this.#custom;
    for (const resource of before) byPath.delete(pathOf(resource));
    for (const resource of resources) byPath.set(pathOf(resource), resource);
    this.#resources = undefined;
  }

  /** Calls back once when this resource is removed or replaced, so that its watches can end. Returns a function that cancels. */
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
    return this.#find(keyOf(group, version, resource));
  }

  /** Returns the same resource in another version. */
  inVersion({ kind: { group, plural } }: Resource, version: string): Resource | undefined {
    return this.#find(keyOf(group, version, plural));
  }

  #find(path: string): Resource | undefined {
    return this.#custom.get(path) ?? this.#builtIn.get(path);
  }

  /** Whether any resource of this group version is served. */
  hasVersion(group: string, version: string): boolean {
    return this.resources.some(({ kind }) => kind.group === group && kind.version === version);
  }

  /** Whether any built-in resource of this group is served. */
  hasBuiltInGroup(group: string): boolean {
    return (this.#sources.get("") ?? []).some(({ kind }) => kind.group === group);
  }
}
