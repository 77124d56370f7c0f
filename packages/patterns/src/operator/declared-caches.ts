/**
 * The caches of one run: a shared informer with its indexes for every declared kind, and reads that are limited to
 * those kinds.
 *
 *     OperatorPlan, Cluster → DeclaredCaches → reader(kind), reads(title, namespace): get, list, index
 */
import type { Cluster, IndexFunction, InformerRequest, InformerView, ListFilter, ObjectVersion } from "@drover/cache";
import type { OwnedObject } from "@drover/controller";
import { getOwn, objectKey, sameGroupKind } from "@drover/machinery";
import type { DeepReadonly, Kind, KubeObject, ObjectKey } from "@drover/machinery";
import { setLabel } from "../apply/set-identity.ts";
import { addOwnerIndex, ownedChildren, ownerIndex } from "../children/owned-children.ts";
import { namesAt } from "../schema/reference.ts";
import type { ResourceReference } from "../schema/reference.ts";
import type { DeclaredController } from "./declared-controller.ts";
import { MistakeError } from "./mistake-error.ts";
import type { CacheReads } from "./operator-context.ts";
import type { OperatorIndex } from "./operator-index.ts";
import { optionalKinds } from "./declared-optional.ts";
import { kindKey, watchedKinds } from "./operator-plan.ts";
import { OptionalCache } from "./optional-cache.ts";
import type { KindReader } from "./optional-cache.ts";
import type { OperatorPlan } from "./operator-plan.ts";

/** Index of set members by the value of the set label. */
export const setIndex = "drover/set";

/**
 * Guarantees: one informer per declared kind, shared with the sources of the run; for an optional kind, only while it is served. No request
 * before the cluster runs.
 */
export class DeclaredCaches {
  readonly kinds: readonly Kind[];
  /** Caches of kinds that may be absent; the manager runs them. */
  readonly optional: readonly OptionalCache[];
  readonly #informers = new Map<string, InformerView<KubeObject>>();
  readonly #releases: (() => void)[] = [];
  readonly #indexes: ReadonlySet<object>;
  readonly #namespaces: readonly string[] | undefined;

  constructor(plan: OperatorPlan, cluster: Cluster, namespaces: readonly string[] | undefined) {
    this.kinds = watchedKinds(plan);
    this.#indexes = new Set(plan.indexes);
    this.#namespaces = namespaces;
    this.optional = optionalKinds(plan).map((kind) => new OptionalCache(kind, { cluster, request: this.requestFor(kind) }));
    for (const kind of this.kinds.filter((one) => this.#optionalOf(one) === undefined)) {
      // The default request of sources, so that they share this informer.
      const request = { ...this.requestFor(kind), keepManagedFields: kind.fields === undefined };
      const lease = cluster.informers.acquire(kind, request);
      this.#releases.push(cluster.watchedKinds.add(kind, lease.informer, request), () => lease.release());
      this.#informers.set(kindKey(kind), lease.informer);
    }
    for (const controller of plan.controllers) this.#addIndexes(controller);
    for (const index of plan.indexes)
      this.#setUp(index.kind, (informer) => informer.addIndexers({ [indexName(index)]: indexFunction(index) }));
  }

  /** Releases the informers; other users keep them running. */
  release(): void {
    for (const release of this.#releases.splice(0)) release();
    for (const cache of this.optional) cache.release();
  }

  /** Returns which objects of a kind to watch. */
  requestFor<T extends KubeObject>({ scope }: Kind<T>): InformerRequest<T> {
    return this.#namespaces === undefined || scope === "Cluster" ? {} : { namespace: this.#namespaces };
  }

  /** Returns the cache of a declared kind; that of an optional kind is empty while the kind is not served. */
  reader<T extends KubeObject>(kind: Kind<T>): KindReader<T> {
    const reader: KindReader | undefined = this.#informers.get(kindKey(kind)) ?? this.#optionalOf(kind)?.reader;
    if (reader === undefined) throw new Error(`${kind.kind} is not declared`);
    return reader as KindReader<T>;
  }

  /** Returns the keys of all cached objects of a kind that is not optional. */
  keys(kind: Kind): readonly ObjectKey[] {
    return this.#informers.get(kindKey(kind))?.keys() ?? [];
  }

  has(kind: Kind): boolean {
    return this.#informers.has(kindKey(kind)) || this.#optionalOf(kind) !== undefined;
  }

  isOptional(kind: Kind): boolean {
    return this.#optionalOf(kind) !== undefined;
  }

  /** Reports whether the server serves a declared kind. */
  isServed(kind: Kind): boolean {
    return this.#optionalOf(kind)?.isServed ?? true;
  }

  /** Returns the optional caches that a controller uses. */
  optionalOf({ optional }: DeclaredController): readonly OptionalCache[] {
    return this.optional.filter(({ kind }) => optional.some((other) => sameGroupKind(other, kind)));
  }

  #optionalOf(kind: Kind): OptionalCache | undefined {
    return this.optional.length === 0 ? undefined : this.optional.find((cache) => kindKey(cache.kind) === kindKey(kind));
  }

  /** Adds indexes: now, or whenever an optional kind is served again. */
  #setUp(kind: Kind, work: (informer: InformerView<KubeObject>) => void): void {
    const informer = this.#informers.get(kindKey(kind));
    if (informer === undefined) this.#optionalOf(kind)?.setUp(work);
    else work(informer);
  }

  /** Returns cache reads for the functions of a controller. @param namespace - of the reconciled object */
  reads({ title, kind: { kind: subject } }: DeclaredController, namespace: string): CacheReads {
    const declared = <K extends KubeObject>(kind: Kind<K>): Kind<K> => {
      if (!this.has(kind)) throw undeclared(title, subject, kind);
      return kind;
    };
    return {
      get: (kind, name, place = {}) =>
        this.reader(declared(kind)).get(objectKey(name, kind.scope === "Cluster" ? "" : (place.namespace ?? namespace))),
      list: (kind, filter = {}) =>
        sorted(this.reader(declared(kind)).list(kind.scope === "Cluster" ? withoutNamespace(filter) : { namespace, ...filter })),
      isServed: (kind) => this.isServed(declared(kind)),
      index: (index) => {
        if (!this.#indexes.has(index)) {
          throw new MistakeError({
            where: title,
            what: `index ${index.name} belongs to another operator or was declared after this run started`,
            fix: `const ${index.name} = app.index(${index.kind.kind}, ${JSON.stringify(index.name)}, (object) => [ … ]);       on the same app, before it runs`,
          });
        }
        const reader = this.reader(index.kind);
        return {
          get: (value) => sorted(reader.byIndex(indexName(index), value)),
          values: () => reader.listIndexValues(indexName(index)).toSorted(),
        };
      },
    };
  }

  /** Returns the keys of the controller's objects that refer to this object. */
  referringTo({ kind }: DeclaredController, reference: ResourceReference, key: ObjectKey): readonly ObjectKey[] {
    return this.reader(kind).indexKeys(referenceIndex(reference), key);
  }

  /** Returns the cached objects that an object controls, of kinds that a controller owns. */
  childrenOf(owner: DeepReadonly<KubeObject>): readonly OwnedObject[] {
    return this.kinds.flatMap((kind) => {
      const reader = this.reader(kind);
      return reader.indexNames.includes(ownerIndex) ? ownedChildren(reader, owner).map((object) => ({ kind, object })) : [];
    });
  }

  #addIndexes({ kind, slots, references }: DeclaredController): void {
    for (const slot of slots)
      this.#setUp(slot.kind, (informer) => {
        addOwnerIndex(informer);
        if (!informer.indexNames.includes(setIndex))
          informer.addIndexers({ [setIndex]: ({ labels }) => present([getOwn(labels, setLabel)]) });
      });
    for (const reference of references)
      this.#setUp(kind, (informer) => {
        if (!informer.indexNames.includes(referenceIndex(reference)))
          informer.addIndexers({ [referenceIndex(reference)]: referenceFunction(references, reference) });
      });
  }
}

const indexName = ({ name }: Pick<OperatorIndex, "name">): string => `operator/${name}`;

function indexFunction({ values }: OperatorIndex): IndexFunction<ObjectVersion> {
  return ({ object }) => present(values(object));
}

/** One index for all reference fields of a kind. */
const referenceIndex = ({ kind }: ResourceReference): string => `references/${kindKey(kind)}`;

function referenceFunction(references: readonly ResourceReference[], { kind }: ResourceReference): IndexFunction<ObjectVersion> {
  const paths = references.filter((other) => kindKey(other.kind) === kindKey(kind)).map(({ path }) => path);
  return ({ object }) =>
    paths
      .flatMap((path) => namesAt(object, path))
      .map((name) => objectKey(name, kind.scope === "Cluster" ? "" : (object.metadata.namespace ?? "")));
}

const present = (values: readonly (string | undefined)[]): readonly string[] => values.filter((value) => value !== undefined);

function withoutNamespace({ namespace: _namespace, ...filter }: ListFilter): ListFilter {
  return filter;
}

/** Sorts by key: caches have no order, and results computed from a list should not change when nothing did. */
export function sorted<T extends DeepReadonly<KubeObject>>(objects: readonly T[]): readonly T[] {
  const keyed = objects.map((object) => ({ object, place: `${object.metadata.namespace ?? ""}/${object.metadata.name ?? ""}` }));
  return keyed.toSorted((left, right) => (left.place < right.place ? -1 : 1)).map(({ object }) => object);
}

function undeclared(title: string, subject: string, { kind }: Kind): MistakeError {
  return new MistakeError({
    where: title,
    what: `${kind} is read but not declared, so no cache holds it`,
    code: "DRV0210",
    fix: `app.controller(${subject}, { reads: [${kind}], … })       cached and watched from the start\nawait live.get(${kind}, name)       in reconcile, reads from the server each time\nowns: { … } or reference(${kind}, z.string()) in the schema, if its changes should trigger a reconcile`,
  });
}
