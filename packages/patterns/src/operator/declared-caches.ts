/**
 * The caches of one run: a shared informer with its indexes for every declared kind, and reads that are limited to
 * those kinds.
 *
 *     OperatorPlan, Cluster → DeclaredCaches → informer(kind), reads(title, namespace): get, list, index
 */
import type { Cluster, IndexFunction, InformerRequest, InformerView, ListFilter, ObjectVersion } from "@drover/cache";
import type { OwnedObject } from "@drover/controller";
import { getOwn, objectKey } from "@drover/machinery";
import type { DeepReadonly, Kind, KubeObject, ObjectKey } from "@drover/machinery";
import { setLabel } from "../apply/set-identity.ts";
import { addOwnerIndex, ownedChildren, ownerIndex } from "../children/owned-children.ts";
import { namesAt } from "../schema/reference.ts";
import type { ResourceReference } from "../schema/reference.ts";
import type { DeclaredController } from "./declared-controller.ts";
import { MistakeError } from "./mistake-error.ts";
import type { CacheReads } from "./operator-context.ts";
import type { OperatorIndex } from "./operator-index.ts";
import { kindKey, watchedKinds } from "./operator-plan.ts";
import type { OperatorPlan } from "./operator-plan.ts";

/** Index of set members by the value of the set label. */
export const setIndex = "drover/set";

/** Guarantees: one informer per declared kind, shared with the sources of the run; no request before the cluster runs. */
export class DeclaredCaches {
  readonly kinds: readonly Kind[];
  readonly #informers = new Map<string, InformerView<KubeObject>>();
  readonly #releases: (() => void)[] = [];
  readonly #indexes: ReadonlySet<object>;
  readonly #namespaces: readonly string[] | undefined;

  constructor(plan: OperatorPlan, cluster: Cluster, namespaces: readonly string[] | undefined) {
    this.kinds = watchedKinds(plan);
    this.#indexes = new Set(plan.indexes);
    this.#namespaces = namespaces;
    for (const kind of this.kinds) {
      // The default request of sources, so that they share this informer.
      const request = { ...this.requestFor(kind), keepManagedFields: kind.fields === undefined };
      const lease = cluster.informers.acquire(kind, request);
      this.#releases.push(cluster.watchedKinds.add(kind, lease.informer, request), () => lease.release());
      this.#informers.set(kindKey(kind), lease.informer);
    }
    for (const controller of plan.controllers) this.#addIndexes(controller);
    for (const index of plan.indexes) this.informer(index.kind).addIndexers({ [indexName(index)]: indexFunction(index) });
  }

  /** Releases the informers; other users keep them running. */
  release(): void {
    for (const release of this.#releases.splice(0)) release();
  }

  /** Returns which objects of a kind to watch. */
  requestFor<T extends KubeObject>({ scope }: Kind<T>): InformerRequest<T> {
    return this.#namespaces === undefined || scope === "Cluster" ? {} : { namespace: this.#namespaces };
  }

  /** Returns the informer of a declared kind. */
  informer<T extends KubeObject>(kind: Kind<T>): InformerView<T> {
    const informer = this.#informers.get(kindKey(kind));
    if (informer === undefined) throw new Error(`${kind.kind} is not declared`);
    return informer as unknown as InformerView<T>;
  }

  has(kind: Kind): boolean {
    return this.#informers.has(kindKey(kind));
  }

  /** Returns cache reads for the functions of a controller. @param namespace - of the reconciled object */
  reads({ title, kind: { kind: subject } }: DeclaredController, namespace: string): CacheReads {
    const informerOf = <K extends KubeObject>(kind: Kind<K>): InformerView<K> => {
      if (!this.has(kind)) throw undeclared(title, subject, kind);
      return this.informer(kind);
    };
    return {
      get: (kind, name, place = {}) =>
        informerOf(kind).get(objectKey(name, kind.scope === "Cluster" ? "" : (place.namespace ?? namespace))),
      list: (kind, filter = {}) =>
        sorted(informerOf(kind).list(kind.scope === "Cluster" ? withoutNamespace(filter) : { namespace, ...filter })),
      index: (index) => {
        if (!this.#indexes.has(index)) {
          throw new MistakeError({
            where: title,
            what: `index ${index.name} belongs to another operator or was declared after this run started`,
            fix: `const ${index.name} = app.index(${index.kind.kind}, ${JSON.stringify(index.name)}, (object) => [ … ]);       on the same app, before it runs`,
          });
        }
        const informer = this.informer(index.kind);
        return {
          get: (value) => sorted(informer.byIndex(indexName(index), value)),
          values: () => informer.listIndexValues(indexName(index)).toSorted(),
        };
      },
    };
  }

  /** Returns the keys of the controller's objects that refer to this object. */
  referringTo({ kind }: DeclaredController, reference: ResourceReference, key: ObjectKey): readonly ObjectKey[] {
    return this.informer(kind).indexKeys(referenceIndex(reference), key);
  }

  /** Returns the cached objects that an object controls, of kinds that a controller owns. */
  childrenOf(owner: DeepReadonly<KubeObject>): readonly OwnedObject[] {
    return this.kinds.flatMap((kind) => {
      const informer = this.informer(kind);
      return informer.indexNames.includes(ownerIndex) ? ownedChildren(informer, owner).map((object) => ({ kind, object })) : [];
    });
  }

  #addIndexes({ kind, slots, references }: DeclaredController): void {
    for (const slot of slots) {
      const informer = this.informer(slot.kind);
      addOwnerIndex(informer);
      if (!informer.indexNames.includes(setIndex))
        informer.addIndexers({ [setIndex]: ({ labels }) => present([getOwn(labels, setLabel)]) });
    }
    for (const reference of references) {
      const informer = this.informer(kind);
      if (!informer.indexNames.includes(referenceIndex(reference)))
        informer.addIndexers({ [referenceIndex(reference)]: referenceFunction(references, reference) });
    }
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
    fix: `app.controller(${subject}, { reads: [${kind}], … })       cached and watched from the start\nawait live.get(${kind}, name)       in reconcile, reads from the server each time\nowns: { … } or reference(${kind}, z.string()) in the schema, if its changes should trigger a reconcile`,
  });
}
