/**
 * Objects reduced by the server to their metadata (owners, labels, versions), at a fraction of the bytes.
 *
 *     Kind → MetadataClient → exchange (Accept: as=PartialObjectMetadata) → Transport
 */
import { asPartialObjectMetadata, partialObjectMetadataAccept, partialObjectMetadataListAccept } from "@drover/machinery";
import type { KubeList, KubeObject, PartialObjectMetadata, PartialObjectMetadataList, Scope, Status, WatchEvent } from "@drover/machinery";
import type {
  InNamespace,
  ListAllOptions,
  ListPageOptions,
  ReadOptions,
  RemoveCollectionOptions,
  RemoveOptions,
  WatchOptions,
  WriteOptions,
} from "./call-options.ts";
import { dynamicClient } from "./dynamic-client.ts";
import type { Unstructured } from "./dynamic-client.ts";
import type { ClientOptions } from "./client-options.ts";
import { mappedIterator } from "./mapped-iterator.ts";
import type { Patch } from "./patch-body.ts";
import type { ResourceTarget } from "./resource-target.ts";

/**
 * The verbs that make sense for metadata alone. Results are always `PartialObjectMetadata`: if a server cannot reduce
 * objects, the client reduces them.
 */
export interface MetadataClient<S extends Scope> {
  get(name: string, options?: ReadOptions & InNamespace<S>): Promise<PartialObjectMetadata>;
  /** Returns one page. */
  list(options?: ListPageOptions & InNamespace<S>): Promise<PartialObjectMetadataList>;
  /** Yields every object, page by page. */
  listAll(options?: ListAllOptions & InNamespace<S>): AsyncIterableIterator<PartialObjectMetadata, void, undefined>;
  watch(options?: WatchOptions & InNamespace<S>): AsyncIterableIterator<WatchEvent<PartialObjectMetadata>, void, undefined>;
  /** Patches metadata only: labels, annotations, finalizers, owners. */
  patch(name: string, patch: Patch<Pick<KubeObject, "metadata">>, options?: WriteOptions & InNamespace<S>): Promise<PartialObjectMetadata>;
  delete(name: string, options?: RemoveOptions & InNamespace<S>): Promise<PartialObjectMetadata | Status>;
  deleteCollection(options?: RemoveCollectionOptions & InNamespace<S>): Promise<PartialObjectMetadataList | Status>;
}

/** Returns the metadata client of one resource. */
export function metadataClient<S extends Scope>(core: ClientOptions, target: ResourceTarget): MetadataClient<S> {
  const verbs = dynamicClient(core, target, { accept: partialObjectMetadataAccept, listAccept: partialObjectMetadataListAccept });
  const client: MetadataClient<"Namespaced"> = {
    get: async (name, options) => reduced(await verbs.get(name, options)),
    list: async (options) => reducedList(await verbs.list(options)),
    listAll: (options) => mappedIterator(verbs.listAll(options), reduced),
    watch: (options) =>
      mappedIterator(verbs.watch(options), (event) =>
        event.type === "ERROR" || event.type === "BOOKMARK" ? event : { type: event.type, object: reduced(event.object) },
      ),
    patch: async (name, patch, options) => reduced(await verbs.patch(name, patch, options)),
    delete: async (name, options) => {
      const answer = await verbs.delete(name, options);
      return isStatus(answer) ? answer : reduced(answer);
    },
    deleteCollection: async (options) => {
      const answer = await verbs.deleteCollection(options);
      return "items" in answer ? reducedList(answer) : answer;
    },
  };
  // A namespace for a cluster-scoped resource is rejected at run time, whatever the types allow.
  return client as MetadataClient<S>;
}

const isStatus = (answer: Unstructured | Status): answer is Status => answer.kind === "Status" && answer.apiVersion === "v1";

const isReduced = (object: KubeObject): object is PartialObjectMetadata => object.kind === "PartialObjectMetadata";

function reduced(object: Unstructured): PartialObjectMetadata {
  return isReduced(object) ? object : asPartialObjectMetadata(object);
}

function reducedList({ metadata, items }: KubeList<Unstructured>): PartialObjectMetadataList {
  return { apiVersion: "meta.k8s.io/v1", kind: "PartialObjectMetadataList", metadata, items: items.map(reduced) };
}
