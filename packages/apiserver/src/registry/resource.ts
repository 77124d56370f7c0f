/**
 * One resource in one version, as the server serves it: a built-in kind or a version of a custom one. The verbs know nothing else.
 *
 *     builtin/, custom/ → Resource → Registry → verbs, discovery, openapi
 */
import type { JsonObject, Kind, MergeType, Schema, FieldFilter } from "@drover/machinery";
import type { Codec } from "../codec/codec.ts";
import type { ResourceRules } from "./resource-rules.ts";
import type { Strategy } from "./strategy.ts";
import type { TablePrinter } from "./table-printer.ts";

/** A field that a field selector may name, besides `metadata.name` and `metadata.namespace`. */
export type SelectableFields = ReadonlyMap<string, (object: JsonObject) => string>;

/** Where the number of replicas stands, for `scale`. Paths are those of fields: `["spec", "replicas"]`. */
export interface ScalePaths {
  readonly specReplicas: readonly string[];
  readonly statusReplicas: readonly string[];
  /** Where the selector stands. A text is taken as it is, a label selector is written as one. @default none */
  readonly selector?: readonly string[];
}

export interface Resource {
  readonly kind: Kind;
  readonly isCustom: boolean;
  /** The group objects are stored in, which messages about them name. @default the kind's own */
  readonly storedGroup?: string;
  /** Under which objects are stored, whatever the version: "/registry/configmaps/". */
  readonly storagePrefix: string;
  /** The version objects are stored in, as discovery tells it by a hash. @default its own */
  readonly storageVersion?: string;
  /** From and to the version objects are stored in. @default they are stored as they are */
  readonly conversion?: { readonly toStored: (object: JsonObject) => JsonObject; readonly fromStored: (object: JsonObject) => JsonObject };
  readonly codec: Codec;
  readonly strategy: Strategy;
  readonly rules: ResourceRules;
  readonly selectableFields: SelectableFields;
  readonly table: TablePrinter;
  /** How strategic merge patches are applied. @default they are refused */
  readonly patchSchema?: Schema;
  readonly mergeType: MergeType;
  /** What an object is before anybody has set a field, for the record of managers. */
  readonly emptyObject: JsonObject;
  /** Which fields a writer can come to own at an endpoint; "" is the resource itself. @default all */
  readonly filterOf?: (subresource: string) => FieldFilter | undefined;
  /** @default there is no `scale` */
  readonly scale?: ScalePaths;
  /** What a client is warned of whenever it uses this version. @default nothing */
  readonly deprecation?: string;
  /** Awaited after a write before it is answered, so that what follows from it is there. @default nothing follows */
  readonly afterWrite?: () => Promise<void>;
  /**
   * Throws a `StatusError` when nothing may be created at present; the name is that of the object, "" while it has
   * none. @default always allowed
   */
  readonly admitCreate?: (name: string) => void;
  /** The schema with its prose for OpenAPI, of a custom resource. @default the built-in document */
  readonly openApiSchema?: Schema;
}
