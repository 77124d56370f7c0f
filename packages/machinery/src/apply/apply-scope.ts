/** What the fields of an object are managed by: the endpoint a request came in at, and what is known about the kind behind it. */
import type { JsonObject } from "../json/json-value.ts";
import type { FieldFilter } from "./field-filter.ts";
import type { ManagerName, ManagerOperation } from "./managed-fields.ts";
import type { MergeType } from "./merge-type.ts";

/** One endpoint, for the main resource or for a subresource, in one version. */
export interface ApplyScope {
  /** "apps/v1", as the endpoint has it. */
  readonly apiVersion: string;
  /** What a configuration must say it is. */
  readonly kind: string;
  /**
   * "status", "scale" …: recorded with the manager.
   * @default "" the object itself
   */
  readonly subresource?: string;
  /** How values of a version are merged; undefined for a version that is not served, whose managers are then forgotten. */
  readonly typeOf: (apiVersion: string) => MergeType | undefined;
  /**
   * Converts an object to another version; undefined when that version is not served.
   * @default only `apiVersion` changes
   */
  readonly convert?: (object: JsonObject, apiVersion: string) => JsonObject | undefined;
  /**
   * Which fields of a version a writer at this endpoint can come to own; those it cannot change are left out.
   * @default all
   */
  readonly filterOf?: (apiVersion: string) => FieldFilter | undefined;
  /**
   * What an object of this kind is before anybody has set a field. Built-in kinds have empty objects in some places then: see
   * `emptyObjectOf`.
   * @default { apiVersion, kind }
   */
  readonly emptyObject?: JsonObject;
  /**
   * Sets defaults in the result of an apply, before anything else sees it.
   * @default nothing is set
   */
  readonly setDefaults?: (object: JsonObject) => JsonObject;
}

/** What an object of the scope's kind is before anybody has set a field. */
export const emptyObject = ({ apiVersion, kind, emptyObject: empty }: ApplyScope): JsonObject => empty ?? { apiVersion, kind };

/** Who a writer at this scope is; one without a name is "unknown". */
export function managerAt({ apiVersion, subresource = "" }: ApplyScope, manager: string, operation: ManagerOperation): ManagerName {
  return { manager: manager === "" ? "unknown" : manager, operation, apiVersion, subresource };
}
