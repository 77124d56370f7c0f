/**
 * The caches of one run: a shared informer for every kind that was declared, with the indexes that were, and reads that know nothing else.
 *
 *     OperatorPlan, Cluster → DeclaredCaches → informer(kind), reads(title, namespace): get, list, index
 */
import type { Cluster, IndexFunction, InformerRequest, InformerView, ListFilter, ObjectVersion } from "@drover/cache";
import { getOwn, objectKey } from "@drover/machinery";
import type { DeepReadonly, Kind, KubeObject, ObjectKey } from "@drover/machinery";
import { setLabel } from "../apply/set-identity.ts";
import { addOwnerIndex } from "../children/owned-children.ts";
import { namesAt } from "../schema/reference.ts";
import type { ResourceReference } from "../schema/reference.ts";
import type { DeclaredController } from "./declared-controller.ts";
import { MistakeError } from "./mistake-error.ts";
import type { CacheReads } from "./operator-context.ts";
import type { OperatorIndex } from "./operator-index.ts";
import { kindKey, watchedKinds } from "./operator-plan.ts";
import type { OperatorPlan } from "./operator-plan.ts";

/** Members of a set, by the value of its label. */
export const setIndex = "drover/set";

/**
 * Guarantees: one informer for each declared kind, the one that the sources of the run use; nothing is asked of the
 * server before the cluster runs.
 */
export class DeclaredCaches {
  readonly kinds: readonly Kind[];
  readonly #informers = new Map<string, InformerView<KubeObject>>();
  readonly #releases: (() => void)[] = [];
  readonly #indexes: ReadonlySet<OperatorIndex>;
  readonly #namespaces: readonly string[] | undefined;

  constructor(plan: OperatorPlan, cluster: Cluster, namespaces: readonly string[] | undefined) {
    this.kinds = watchedKinds(plan);
    this.#indexes = new Set(plan.indexes);
    this.#namespaces = namespaces;
    for (const kind of this.kinds) {
      // As sources ask by default, so that they share it.
      const request = { ...this.requestFor(kind), keepManagedFields: true };
      const lease = cluster.informers.acquire(kind, request);
      this.#releases.push(cluster.watchedKinds.add(kind, lease.informer, request), () => lease.release());
      this.#informers.set(kindKey(kind), lease.informer);
    }
    for (const controller of plan.controllers) this.#addIndexes(controller);
    for (const index of plan.indexes) this.informer(index.kind).addIndexers({ [indexName(index)]: indexFunction(index) });
  }

  /** Ends its use of the informers; others may go on with them. */
  release(): void {
    for (const release of this.#releases.splice(0)) release();
  }

  /** Which objects of a kind are watched. */
  requestFor<T extends KubeObject>({ scope }: Kind<T>): InformerRequest<T> {
    return this.#namespaces === undefined || scope === "Cluster" ? {} : { namespace: this.#namespaces };
  }

  /** Of a declared kind. */
  informer<T extends KubeObject>(kind: Kind<T>): InformerView<T> {
    const informer = this.#informers.get(kindKey(kind));
    if (informer === undefined) throw new Error(`${kind.kind} is not declared`);
    return informer as unknown as InformerView<T>;
  }

  has(kind: Kind): boolean {
    return this.#informers.has(kindKey(kind));
  }

  /** Reads for the functions of a controller. @param namespace - of the object that is reconciled */
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
        if (!this.#indexes.has(index as unknown as OperatorIndex)) {
          throw new MistakeError({
            where: title,
            what: `the index ${index.name} is of another operator, or was declared after this run began`,
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

  /** The objects of the controller's kind that refer to this one. */
  referringTo({ kind }: DeclaredController, reference: ResourceReference, key: ObjectKey): readonly ObjectKey[] {
    return this.informer(kind).indexKeys(referenceIndex(reference), key);
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

/** Of all references to one kind; which of the fields it is does not matter. */
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

/** Caches keep no order, and what is made of a list should not change when nothing did. */
export function sorted<T extends DeepReadonly<KubeObject>>(objects: readonly T[]): readonly T[] {
  const keyed = objects.map((object) => ({ object, place: `${object.metadata.namespace ?? ""}/${object.metadata.name ?? ""}` }));
  return keyed.toSorted((left, right) => (left.place < right.place ? -1 : 1)).map(({ object }) => object);
}

function undeclared(title: string, subject: string, { kind }: Kind): MistakeError {
  return new MistakeError({
    where: title,
    what: `${kind} is read, and was not declared: no cache holds it`,
    fix: `app.controller(${subject}, { reads: [${kind}], … })       cached, and watched from the start\nawait live.get(${kind}, name)       in reconcile, to ask the server each time\nowns: { … } or reference(${kind}, z.string()) in the schema, if a change of it matters`,
  });
}
