/**
 * The kinds a program knows: `runtime.Scheme`. Where Go maps types to names, Drover has one descriptor per kind; a scheme finds it
 * by kind, resource, list, or an object's own type fields.
 *
 *     @drover/api kinds, defineResource → Scheme → clients, decoders, the REST mapper
 */
import { apiVersionOf, printGroupVersionKind, sameGroupKind, sameGroupVersion } from "../object/group-version.ts";
import type { GroupKind, GroupVersion, GroupVersionKind, GroupVersionResource } from "../object/group-version.ts";
import type { Kind } from "../object/kind.ts";
import { compareKubeVersions } from "../object/kube-version.ts";
import { groupVersionKindOf } from "../object/type-meta.ts";
import { quoteGo } from "../go/go-quote.ts";
import { jsonEqual } from "../json/json-equal.ts";

/** Kinds of responses that are the same in every group and version. */
const unversionedKinds: readonly string[] = ["Status", "APIVersions", "APIGroup", "APIGroupList", "APIResourceList"];

/** The kind is not registered. */
export class NotRegisteredError extends Error {
  override readonly name = "NotRegisteredError";

  constructor({ kind, ...groupVersion }: GroupVersionKind) {
    const version = quoteGo(apiVersionOf(groupVersion));
    super(kind === "" ? `no version ${version} has been registered` : `no kind ${quoteGo(kind)} is registered for version ${version}`);
  }
}

/** The kinds a program knows. Every lookup is a map access; a kind is found from the moment it is added. */
export class Scheme {
  readonly #byKind = new Map<string, Kind>();
  readonly #byResource = new Map<string, Kind>();
  readonly #byList = new Map<string, Kind>();
  readonly #unversioned = new Set(unversionedKinds);
  /** Explicit version order of each group, preferred first. */
  readonly #priority = new Map<string, readonly string[]>();

  constructor(kinds: Iterable<Kind> = []) {
    this.add(...kinds);
  }

  /**
   * Adds kinds; adding a known one again is fine. Throws, and adds nothing of the kind, when a different descriptor has its name,
   * resource or list.
   */
  add(...kinds: readonly Kind[]): void {
    for (const kind of kinds) this.#add(kind);
  }

  /** Adds kinds of responses that are the same in every group and version, like `Status`. */
  addUnversioned(...kinds: readonly string[]): void {
    for (const kind of kinds) this.#unversioned.add(kind);
  }

  /** Whether a kind in this version is known, as an object, a list or an unversioned response. */
  recognizes(kind: GroupVersionKind): boolean {
    return this.kindFor(kind) !== undefined || this.kindForList(kind) !== undefined || this.isUnversioned(kind);
  }

  /** Returns the descriptor of a kind in a version. */
  kindFor({ group, version, kind }: GroupVersionKind): Kind | undefined {
    return this.#byKind.get(entryName(group, version, kind));
  }

  /** Returns the descriptor of a resource: "pods" → Pod. */
  kindForResource({ group, version, resource }: GroupVersionResource): Kind | undefined {
    return this.#byResource.get(entryName(group, version, resource));
  }

  /** Returns the descriptor of a list's items: "PodList" → Pod. */
  kindForList({ group, version, kind }: GroupVersionKind): Kind | undefined {
    return this.#byList.get(entryName(group, version, kind));
  }

  /** Returns the descriptor of an object, by its `apiVersion` and `kind`. Throws `NotRegisteredError`. */
  kindOf(object: unknown): Kind {
    const kind = groupVersionKindOf(object);
    const known = this.kindFor(kind);
    if (known === undefined) throw new NotRegisteredError(kind);
    return known;
  }

  /** Whether a kind is a response that is the same in every group and version. */
  isUnversioned(kind: GroupVersionKind): boolean {
    return this.#unversioned.has(kind.kind) && this.kindFor(kind) === undefined;
  }

  /** Returns the kinds of a group version, in the order of registration. */
  knownKinds(groupVersion: GroupVersion): readonly Kind[] {
    return [...this.#byKind.values()].filter((kind) => sameGroupVersion(kind, groupVersion));
  }

  /** Returns all kinds: groups in the order of registration, each with its preferred version first. Input for a `RestMapper`. */
  allKinds(): readonly Kind[] {
    return this.groups().flatMap((group) => this.kindsInGroup(group));
  }

  /** Returns the kinds of a group in all versions, the preferred version first. */
  kindsInGroup(group: string): readonly Kind[] {
    return this.versionsForGroup(group).flatMap((groupVersion) => this.knownKinds(groupVersion));
  }

  /** Returns the groups of all kinds, in the order of registration. */
  groups(): readonly string[] {
    return [...new Set([...this.#byKind.values()].map(({ group }) => group))];
  }

  /** Whether a kind of the group is known. */
  isGroupRegistered(group: string): boolean {
    return this.groups().includes(group);
  }

  /** Whether a kind of the group version is known. */
  isVersionRegistered(groupVersion: GroupVersion): boolean {
    return this.knownKinds(groupVersion).length > 0;
  }

  /** Sets the order of a group's versions, preferred first; versions not named come after them. Replaces an earlier order. */
  setVersionPriority(group: string, versions: readonly string[]): void {
    this.#priority.set(group, [...versions]);
  }

  /**
   * Returns the known versions of a group, preferred first: in the explicit order, then as Kubernetes orders versions (stable
   * before beta before alpha). Go falls back to the order of registration, which means nothing when kinds come from a list.
   */
  versionsForGroup(group: string): readonly GroupVersion[] {
    const known = new Set([...this.#byKind.values()].filter((kind) => kind.group === group).map(({ version }) => version));
    const ordered = (this.#priority.get(group) ?? []).filter((version) => known.has(version));
    const rest = [...known].filter((version) => !ordered.includes(version)).toSorted(compareKubeVersions);
    return [...ordered, ...rest].map((version) => ({ group, version }));
  }

  /** Returns the known versions of a kind, preferred first. */
  versionsForGroupKind(groupKind: GroupKind): readonly GroupVersion[] {
    const kinds = [...this.#byKind.values()].filter((kind) => sameGroupKind(kind, groupKind));
    return this.versionsForGroup(groupKind.group).filter((groupVersion) => kinds.some((kind) => sameGroupVersion(kind, groupVersion)));
  }

  /** Returns the preferred version of every group. */
  preferredVersions(): readonly GroupVersion[] {
    return this.groups().flatMap((group) => this.versionsForGroup(group).slice(0, 1));
  }

  #add(kind: Kind): void {
    const { group, version } = kind;
    if (version === "") throw new Error(`version is required on all kinds: ${printGroupVersionKind(kind)}`);
    const entries = [
      { index: this.#byKind, what: "kind", word: kind.kind },
      { index: this.#byResource, what: "resource", word: kind.plural },
      { index: this.#byList, what: "list kind", word: kind.listKind },
    ].filter(({ word }) => word !== "");
    for (const { index, what, word } of entries) {
      const other = index.get(entryName(group, version, word));
      if (other === undefined || other === kind || jsonEqual(other, kind)) continue;
      const clash = `the ${what} ${quoteGo(word)} is already registered for ${printGroupVersionKind(other)} with a different descriptor`;
      throw new Error(`cannot register ${printGroupVersionKind(kind)}: ${clash}`);
    }
    for (const { index, word } of entries) index.set(entryName(group, version, word), kind);
  }
}

/** Neither a group nor a version can contain a slash. */
function entryName(group: string, version: string, word: string): string {
  return `${group}/${version}/${word}`;
}
