/**
 * One resource in one version, built-in or custom, as the server serves it. Everything the verbs know about a kind is here.
 *
 *     builtin/, custom/ → Resource → Registry → verbs, discovery, openapi
 */
import type { JsonObject, Kind, MergeType, Schema, FieldFilter } from "@drover/machinery";
import type { Codec } from "../codec/codec.ts";
import type { ResourceRules } from "./resource-rules.ts";
import type { Strategy } from "./strategy.ts";
import type { TablePrinter } from "./table-printer.ts";

/** Fields that a field selector may name besides `metadata.name` and `metadata.namespace`, with their readers. */
export type SelectableFields = ReadonlyMap<string, (object: JsonObject) => string>;

/** Field paths of the `scale` subresource, such as `["spec", "replicas"]`. */
export interface ScalePaths {
  readonly specReplicas: readonly string[];
  readonly statusReplicas: readonly string[];
  /** Path of the selector: a string, or a label selector, which is printed. @default no selector */
  readonly selector?: readonly string[];
}

/** Gives others a turn during work on a large object; undefined when no pause is needed. */
export type Pause = () => Promise<void> | undefined;

/** Conversion by a webhook. Versions are written "ex.io/v1". All members reject with a `StatusError`. */
export interface WebhookConversion {
  /** Returns the objects in another version, in the same order; those in that version already stay the same. */
  readonly convert: (objects: readonly JsonObject[], apiVersion: string) => Promise<readonly JsonObject[]>;
  /** Returns stored objects, each with the version it was stored in, in the version of the resource. */
  readonly fromStored: (objects: readonly JsonObject[]) => Promise<readonly JsonObject[]>;
  /** Returns an object of the resource in the storage version. */
  readonly toStored: (object: JsonObject) => Promise<JsonObject>;
}

export interface Resource {
  readonly kind: Kind;
  readonly isCustom: boolean;
  /** The group that objects are stored in; error messages name it. @default the group of the kind */
  readonly storedGroup?: string;
  /** Key prefix of the objects, the same for all versions: "/registry/configmaps/". */
  readonly storagePrefix: string;
  /** The version that objects are stored in; discovery publishes its hash. @default the version of the kind */
  readonly storageVersion?: string;
  /** Converts to and from the storage version. @default no conversion */
  readonly conversion?: { readonly toStored: (object: JsonObject) => JsonObject; readonly fromStored: (object: JsonObject) => JsonObject };
  /**
   * Returns the conversion of objects that were stored before the storage version changed, by the version they are stored in; undefined
   * for a version that the definition does not have. @default every object is stored in the storage version
   */
  readonly fromOlder?: (apiVersion: string) => ((object: JsonObject) => JsonObject) | undefined;
  /** Replaces `conversion` and `fromOlder` for definitions with a conversion webhook. @default no webhook */
  readonly webhookConversion?: WebhookConversion;
  readonly codec: Codec;
  readonly strategy: Strategy;
  readonly rules: ResourceRules;
  readonly selectableFields: SelectableFields;
  readonly table: TablePrinter;
  /** Schema for strategic merge patches. @default such patches are refused */
  readonly patchSchema?: Schema;
  readonly mergeType: MergeType;
  /** An object without any field set, for managed fields. */
  readonly emptyObject: JsonObject;
  /** Fields that a writer can own at an endpoint; "" is the object itself. @default all */
  readonly filterOf?: (subresource: string) => FieldFilter | undefined;
  /** @default no `scale` subresource */
  readonly scale?: ScalePaths;
  /** Warning for every client that uses this version. @default no warning */
  readonly deprecation?: string;
  /** Awaited after each write before the response, for controllers that must have seen it. @default no wait */
  readonly afterWrite?: (pause?: Pause) => Promise<void>;
  /** Throws a `StatusError` when objects may not be created at present. `name` is "" for a name yet to be generated. @default allowed */
  readonly admitCreate?: (name: string) => void;
  /** Schema with descriptions for OpenAPI, of a custom resource. @default the built-in document */
  readonly openApiSchema?: Schema;
}
