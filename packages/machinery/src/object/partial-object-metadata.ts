/** `PartialObjectMetadata`: an object reduced to its metadata, for caches that need no more. */
import type { KubeList, KubeObject } from "./object.ts";

/** `kind` and `apiVersion` are those of PartialObjectMetadata, not those of the object. */
export interface PartialObjectMetadata extends KubeObject {
  kind: "PartialObjectMetadata";
  apiVersion: "meta.k8s.io/v1";
}

export interface PartialObjectMetadataList extends KubeList<PartialObjectMetadata> {
  kind: "PartialObjectMetadataList";
  apiVersion: "meta.k8s.io/v1";
}

/** Accept header for one object and for a watch. */
export const partialObjectMetadataAccept: string = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";
/** Accept header for a list. */
export const partialObjectMetadataListAccept: string = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";
