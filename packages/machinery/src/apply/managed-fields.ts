/**
 * Decodes and encodes `metadata.managedFields`: which manager owns which fields.
 *
 *     metadata.managedFields → Managers, by identity → … → metadata.managedFields, in the server's order
 */
import { compareBytes } from "../go/byte-text.ts";
import { printGo } from "../json/go-print.ts";
import { setOwn } from "../json/own.ts";
import { parseTime } from "../values/time.ts";
import { isJsonObject } from "../json/json-value.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { decodeFieldSet } from "./fields-v1.ts";
import type { FieldSet } from "./field-set.ts";
import { elementJson } from "./path-element.ts";

/** How a manager got its fields. */
export type ManagerOperation = "Apply" | "Update";

/** Identity of a manager. An apply manager is the same in every version; an update manager is another in each version. */
export interface ManagerName {
  readonly manager: string;
  readonly operation: ManagerOperation;
  readonly apiVersion: string;
  /** Empty for the object itself. */
  readonly subresource: string;
}

/** A manager and its fields. */
export interface Manager extends ManagerName {
  /** Time of its last change; an entry that only shares fields has none. */
  readonly time: string | undefined;
  readonly fields: FieldSet;
}

/** All managers of an object, by identity. */
export type Managers = ReadonlyMap<string, Manager>;

/** Invalid managed fields. */
export class ManagedFieldsError extends Error {
  override readonly name = "ManagedFieldsError";
}

/** The server's key of a manager; conflicts and old managers are sorted by it. */
export function managerIdentity({ manager, operation, apiVersion, subresource }: ManagerName): string {
  const name = manager === "" ? "" : `"manager":${elementJson(manager)},`;
  const version = operation === "Apply" || apiVersion === "" ? "" : `,"apiVersion":${elementJson(apiVersion)}`;
  return `{${name}"operation":"${operation}"${version}${subresource === "" ? "" : `,"subresource":${elementJson(subresource)}`}}`;
}

/** Decodes `metadata.managedFields`. Throws a `ManagedFieldsError` or a `PathElementError` for what no server has written. */
export function decodeManagedFields(entries: JsonValue | undefined): Map<string, Manager> {
  const managers = new Map<string, Manager>();
  if (entries === undefined || entries === null) return managers;
  if (!Array.isArray(entries)) throw new ManagedFieldsError("managedFields must be a list");
  for (const [index, entry] of entries.entries()) {
    const manager = decodeEntry(isJsonObject(entry) ? entry : {}, index);
    managers.set(managerIdentity(manager), manager);
  }
  return managers;
}

function decodeEntry(entry: JsonObject, index: number): Manager {
  const { manager, operation, apiVersion, time, fieldsType, fieldsV1, subresource } = entry;
  if (operation !== "Apply" && operation !== "Update") throw new ManagedFieldsError("operation must be `Apply` or `Update`");
  if (typeof apiVersion !== "string" || apiVersion === "") throw new ManagedFieldsError("apiVersion must not be empty");
  if (fieldsType === undefined || fieldsType === "") throw new ManagedFieldsError(`missing fieldsType in managed fields entry ${index}`);
  if (fieldsType !== "FieldsV1")
    throw new ManagedFieldsError(`invalid fieldsType "${printGo(fieldsType)}" in managed fields entry ${index}`);
  return {
    manager: typeof manager === "string" ? manager : "",
    operation,
    apiVersion,
    subresource: typeof subresource === "string" ? subresource : "",
    time: typeof time === "string" ? time : undefined,
    fields: decodeFieldSet(fieldsV1),
  };
}

/** Encodes `metadata.managedFields`, in the server's order; undefined when no field has an owner. */
export function encodeManagedFields(managers: Managers): JsonObject[] | undefined {
  if (managers.size === 0) return undefined;
  return [...managers.values()].toSorted(compareManagers).map(encodeEntry);
}

// In the member order of the server's encoder.
function encodeEntry({ manager, operation, apiVersion, time, fields, subresource }: Manager): JsonObject {
  const entry: JsonObject = {};
  if (manager !== "") entry["manager"] = manager;
  entry["operation"] = operation;
  entry["apiVersion"] = apiVersion;
  if (time !== undefined) entry["time"] = time;
  entry["fieldsType"] = "FieldsV1";
  entry["fieldsV1"] = fields;
  if (subresource !== "") entry["subresource"] = subresource;
  return entry;
}

function compareManagers(a: Manager, b: Manager): number {
  if (a.operation !== b.operation) return a.operation < b.operation ? -1 : 1;
  return (
    compareManagerTimes(a, b) ||
    compareBytes(a.manager, b.manager) ||
    compareBytes(a.apiVersion, b.apiVersion) ||
    compareBytes(a.subresource, b.subresource)
  );
}

/** Older managers first, by whole seconds; those without a time before all others. */
export function compareManagerTimes(a: Manager, b: Manager): number {
  if (a.time === b.time) return 0;
  // Times in the server's format sort as text.
  if (a.time?.length === 20 && b.time?.length === 20 && a.time.endsWith("Z") && b.time.endsWith("Z")) return a.time < b.time ? -1 : 1;
  return seconds(a.time) - seconds(b.time);
}

function seconds(time: string | undefined): number {
  if (time === undefined) return 0;
  try {
    return Math.floor(parseTime(time) / 1000);
  } catch {
    // An invalid time has no order; the server does not accept one.
    return 0;
  }
}

/** Returns the entries of an object as they are. */
export function managedFieldsOf(object: JsonObject): JsonValue | undefined {
  return isJsonObject(object["metadata"]) ? object["metadata"]["managedFields"] : undefined;
}

/** Returns the object with these entries, or without any; the input itself when nothing changes. */
export function withManagedFields(object: JsonObject, entries: JsonObject[] | undefined): JsonObject {
  const metadata = isJsonObject(object["metadata"]) ? object["metadata"] : undefined;
  if (entries === undefined) {
    if (metadata === undefined || !Object.hasOwn(metadata, "managedFields")) return object;
    const { managedFields: _, ...rest } = metadata;
    return { ...object, metadata: rest };
  }
  const result: JsonObject = { ...object };
  setOwn<JsonValue>(result, "metadata", { ...metadata, managedFields: entries });
  return result;
}
