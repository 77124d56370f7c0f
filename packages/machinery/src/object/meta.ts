/**
 * Metadata of any object, under Kubernetes' accessor names (`metav1.Object`). For code that does not know the object's type;
 * otherwise use `object.metadata.labels` and the like.
 *
 *     const meta = accessor(unknown);
 *     meta.setLabels({ ...meta.getLabels(), app: "web" });
 */
import type { PartialObjectMetadata } from "./partial-object-metadata.ts";
import type { Int64, KubeObject, ManagedFieldsEntry, OwnerReference, Time } from "./object.ts";
import { getOwn } from "../json/own.ts";
import type { DeepReadonly } from "../json/readonly.ts";

/** Returns the accessor of an object of any type. Throws when the value has no metadata. */
export function accessor(object: unknown): ObjectMetaAccessor {
  return new ObjectMetaAccessor(metadataOf(object) ?? refuse("object does not implement the Object interfaces"));
}

/** Returns an object reduced to its metadata, which is shared, not copied. */
export function asPartialObjectMetadata<O extends DeepReadonly<KubeObject>>(
  object: O,
): DeepReadonly<PartialObjectMetadata> & Pick<O, "metadata"> {
  return { apiVersion: "meta.k8s.io/v1", kind: "PartialObjectMetadata", metadata: object.metadata };
}

/** Returns the `metadata` of an object or a list, if it is an object. */
export function metadataOf(object: unknown): Record<string, unknown> | undefined {
  if (typeof object !== "object" || object === null) return undefined;
  const metadata = getOwn(object as Readonly<Record<string, unknown>>, "metadata");
  const readable = typeof metadata === "object" && metadata !== null && !Array.isArray(metadata);
  return readable ? (metadata as Record<string, unknown>) : undefined;
}

/** Sets a field of metadata, or removes it for a value that Kubernetes omits. */
export function setMetadata(metadata: Record<string, unknown>, field: string, value: unknown): void {
  if (Object.isFrozen(metadata)) throw new TypeError(`metadata is read-only, so its ${field} cannot be set: work on a draft of edit()`);
  if (isEmpty(value)) delete metadata[field];
  else metadata[field] = value;
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

function refuse(message: string): never {
  throw new TypeError(message);
}

/**
 * Reads and writes the metadata of one object in place.
 *
 * Getters return the live value; a field that is absent or of a wrong type reads as its empty value: "", 0, no entries, or
 * undefined where absence has a meaning. Setters write to the object itself, and setting an empty value removes the field.
 */
export class ObjectMetaAccessor {
  readonly #metadata: Record<string, unknown>;

  /** @internal Use `accessor`. */
  constructor(metadata: Record<string, unknown>) {
    this.#metadata = metadata;
  }

  getNamespace(): string {
    return this.#text("namespace");
  }
  setNamespace(namespace: string): void {
    this.#set("namespace", namespace);
  }

  getName(): string {
    return this.#text("name");
  }
  setName(name: string): void {
    this.#set("name", name);
  }

  getGenerateName(): string {
    return this.#text("generateName");
  }
  setGenerateName(prefix: string): void {
    this.#set("generateName", prefix);
  }

  getUID(): string {
    return this.#text("uid");
  }
  setUID(uid: string): void {
    this.#set("uid", uid);
  }

  getResourceVersion(): string {
    return this.#text("resourceVersion");
  }
  setResourceVersion(version: string): void {
    this.#set("resourceVersion", version);
  }

  getGeneration(): Int64 {
    return this.#number("generation") ?? 0;
  }
  setGeneration(generation: Int64): void {
    this.#set("generation", generation === 0 ? undefined : generation);
  }

  getSelfLink(): string {
    return this.#text("selfLink");
  }
  setSelfLink(selfLink: string): void {
    this.#set("selfLink", selfLink);
  }

  getCreationTimestamp(): Time | undefined {
    return this.#text("creationTimestamp") || undefined;
  }
  setCreationTimestamp(timestamp: Time | undefined): void {
    this.#set("creationTimestamp", timestamp);
  }

  /** Set from the moment deletion is requested. */
  getDeletionTimestamp(): Time | undefined {
    return this.#text("deletionTimestamp") || undefined;
  }
  setDeletionTimestamp(timestamp: Time | undefined): void {
    this.#set("deletionTimestamp", timestamp);
  }

  /** Zero means delete at once. */
  getDeletionGracePeriodSeconds(): Int64 | undefined {
    return this.#number("deletionGracePeriodSeconds");
  }
  setDeletionGracePeriodSeconds(seconds: Int64 | undefined): void {
    this.#set("deletionGracePeriodSeconds", seconds);
  }

  getLabels(): Readonly<Record<string, string>> {
    return this.#map("labels");
  }
  setLabels(labels: Readonly<Record<string, string>> | undefined): void {
    this.#set("labels", labels);
  }

  getAnnotations(): Readonly<Record<string, string>> {
    return this.#map("annotations");
  }
  setAnnotations(annotations: Readonly<Record<string, string>> | undefined): void {
    this.#set("annotations", annotations);
  }

  getFinalizers(): readonly string[] {
    return this.#list("finalizers") as readonly string[];
  }
  setFinalizers(finalizers: readonly string[] | undefined): void {
    this.#set("finalizers", finalizers);
  }

  getOwnerReferences(): readonly DeepReadonly<OwnerReference>[] {
    return this.#list("ownerReferences") as readonly OwnerReference[];
  }
  setOwnerReferences(references: readonly DeepReadonly<OwnerReference>[] | undefined): void {
    this.#set("ownerReferences", references);
  }

  getManagedFields(): readonly DeepReadonly<ManagedFieldsEntry>[] {
    return this.#list("managedFields") as readonly ManagedFieldsEntry[];
  }
  setManagedFields(entries: readonly DeepReadonly<ManagedFieldsEntry>[] | undefined): void {
    this.#set("managedFields", entries);
  }

  #set(field: string, value: unknown): void {
    setMetadata(this.#metadata, field, value);
  }

  #text(field: string): string {
    const value = getOwn(this.#metadata, field);
    return typeof value === "string" ? value : "";
  }

  #number(field: string): Int64 | undefined {
    const value = getOwn(this.#metadata, field);
    // An Int64 beyond 2^53 arrives as a bigint.
    return typeof value === "number" || typeof value === "bigint" ? (value as Int64) : undefined;
  }

  #map(field: string): Readonly<Record<string, string>> {
    const value = getOwn(this.#metadata, field);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Readonly<Record<string, string>>) : {};
  }

  #list(field: string): readonly unknown[] {
    const value = getOwn(this.#metadata, field);
    return Array.isArray(value) ? value : [];
  }
}
