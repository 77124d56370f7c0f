/**
 * API objects as they are on the wire: plain JSON, nothing converted, unknown fields kept. Every kind of `@drover/api` extends
 * these types; functions that only read objects take `DeepReadonly`.
 */

/** RFC 3339 with whole seconds, in UTC: "2026-11-15T13:35:46Z". */
export type Time = string;
/** RFC 3339 with exactly six decimals, in UTC: "2026-11-15T13:35:46.000001Z". */
export type MicroTime = string;
/** A 64-bit integer. Beyond ±(2^53−1) the decoder yields a `bigint` at run time, so that no digit is lost. */
export type Int64 = number;

export interface TypeMeta {
  apiVersion?: string;
  kind?: string;
}

export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

export interface ManagedFieldsEntry {
  manager?: string;
  operation?: string;
  apiVersion?: string;
  time?: Time;
  fieldsType?: string;
  fieldsV1?: Record<string, unknown>;
  subresource?: string;
}

export interface ObjectMeta {
  name?: string;
  generateName?: string;
  namespace?: string;
  selfLink?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: Int64;
  creationTimestamp?: Time | null;
  deletionTimestamp?: Time;
  deletionGracePeriodSeconds?: Int64;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: OwnerReference[];
  finalizers?: string[];
  managedFields?: ManagedFieldsEntry[];
}

export interface ListMeta {
  selfLink?: string;
  /** Opaque; identical on every page of one list. */
  resourceVersion?: string;
  /** Token of the next page; absent on the last. */
  continue?: string;
  /** An estimate; absent with a selector and on the last page. */
  remainingItemCount?: Int64;
}

export interface KubeObject extends TypeMeta {
  metadata: ObjectMeta;
}

export interface KubeList<T = KubeObject> extends TypeMeta {
  metadata: ListMeta;
  items: T[];
}
