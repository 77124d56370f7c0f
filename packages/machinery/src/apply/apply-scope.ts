/** Scope of field management: the endpoint of a request, and what is known about its kind. */
import type { JsonObject } from "../json/json-value.ts";
import type { FieldFilter } from "./field-filter.ts";
import type { ManagerName, ManagerOperation } from "./managed-fields.ts";
import type { MergeType } from "./merge-type.ts";

/** One endpoint, for the main resource or a subresource, in one version. */
export interface ApplyScope {
  /** "apps/v1", as the endpoint has it. */
  readonly apiVersion: string;
  /** Kind that a configuration must have. */
  readonly kind: string;
  /**
   * "status", "scale" …: recorded with the manager.
   * @default "", the object itself
   */
  readonly subresource?: string;
  /** Returns how values of a version are merged; undefined for a version that is not served, whose managers are dropped. */
  readonly typeOf: (apiVersion: string) => MergeType | undefined;
  /**
   * Converts an object to another version; undefined when that version is not served.
   * @default only `apiVersion` changes
   */
  readonly convert?: (object: JsonObject, apiVersion: string) => JsonObject | undefined;
  /**
   * Returns which fields of a version a writer at this endpoint can own; excludes those it cannot change.
   * @default all
   */
  readonly filterOf?: (apiVersion: string) => FieldFilter | undefined;
  /**
   * An object of this kind before any field is set. Built-in kinds have some empty objects then: see `emptyObjectOf`.
   * @default { apiVersion, kind }
   */
  readonly emptyObject?: JsonObject;
  /**
   * Sets defaults in the result of an apply, before anything else sees it.
   * @default no defaults
   */
  readonly setDefaults?: (object: JsonObject) => JsonObject;
}

/** An object of the scope's kind before any field is set. */
export const emptyObject = ({ apiVersion, kind, emptyObject: empty }: ApplyScope): JsonObject => empty ?? { apiVersion, kind };

/** Returns the manager of a writer at this scope; without a name it is "unknown". */
export function managerAt({ apiVersion, subresource = "" }: ApplyScope, manager: string, operation: ManagerOperation): ManagerName {
  return { manager: manager === "" ? "unknown" : manager, operation, apiVersion, subresource };
}
