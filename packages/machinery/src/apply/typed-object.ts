/** Objects with their version, converted between versions during server-side apply. */
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { isJsonObject } from "../json/json-value.ts";
import { groupVersionKindFrom, printGroupVersionKind } from "../object/group-version.ts";
import type { ApplyScope } from "./apply-scope.ts";
import type { MergeType } from "./merge-type.ts";
import { validateTyped } from "./validate-typed.ts";
import type { ValidateTypedOptions } from "./validate-typed.ts";

/** A value, its type, and the version of both. */
export interface TypedObject {
  readonly value: JsonObject;
  readonly type: MergeType;
  readonly apiVersion: string;
}

/** An object that cannot be merged; the message is the server's. */
export class TypedObjectError extends Error {
  override readonly name = "TypedObjectError";
}

/** Returns an object of the scope's version with its type. Throws the server's message, which starts with `attempt`. */
export function asTyped(
  value: JsonObject,
  scope: ApplyScope,
  attempt: (name: string) => string,
  options?: ValidateTypedOptions,
): TypedObject {
  const type = scope.typeOf(scope.apiVersion);
  const problem =
    type === undefined
      ? `no corresponding type for ${printKindOf({ apiVersion: scope.apiVersion, kind: scope.kind })}`
      : validateTyped(value, type, options);
  if (type === undefined || problem !== undefined) throw new TypedObjectError(`${attempt(printTypedName(value))}: ${problem ?? ""}`);
  return { value, type, apiVersion: scope.apiVersion };
}

/** Returns the object in another version; undefined when that is not served. `attempt` starts the message when the result does not fit. */
export function convertTyped(object: TypedObject, apiVersion: string, scope: ApplyScope, attempt: string): TypedObject | undefined {
  if (apiVersion === object.apiVersion) return object;
  const type = scope.typeOf(apiVersion);
  if (type === undefined) return undefined;
  const { convert = changeVersion } = scope;
  const value = convert(object.value, apiVersion);
  if (value === undefined) return undefined;
  const problem = validateTyped(value, type);
  if (problem !== undefined) throw new TypedObjectError(`${attempt}${problem}`);
  return { value, type, apiVersion };
}

const changeVersion = (object: JsonObject, apiVersion: string): JsonObject => ({ ...object, apiVersion });

/** Returns the object with another value in the same version; undefined becomes an empty object. */
export const withValue = (object: TypedObject, value: JsonValue | undefined): TypedObject => ({
  ...object,
  value: isJsonObject(value) ? value : {},
});

/** The object in messages: "default/web; apps/v1, Kind=Deployment". */
function printTypedName(object: JsonObject): string {
  const metadata = isJsonObject(object["metadata"]) ? object["metadata"] : {};
  return `${textOf(metadata["namespace"])}/${textOf(metadata["name"])}; ${printKindOf(object)}`;
}

/** The kind of an object in messages: "apps/v1, Kind=Deployment". */
export const printKindOf = (object: JsonObject): string =>
  printGroupVersionKind(groupVersionKindFrom(textOf(object["apiVersion"]), textOf(object["kind"])));

const textOf = (value: JsonValue | undefined): string => (typeof value === "string" ? value : "");
