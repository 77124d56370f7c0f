/** Defaults of custom objects, within a budget: a list of empty objects with large defaults would grow by any factor. */
import { Allowance, applyDefaults, budget, isBudgetExceededError, newFailure } from "@drover/machinery";
import type { CompiledSchema, JsonObject, JsonValue } from "@drover/machinery";
import { StatusError } from "../status-error.ts";
import type { OnExceeded } from "./jsonpath/first-value.ts";

/** The largest object that can be stored. */
const writtenBytes = budget({
  name: "apiserver/custom-defaults",
  limit: 1.5 * 2 ** 20,
  unit: "bytes",
  atLimit: "A write whose object would grow by more gets the 500 of an object that is too large for etcd.",
});
/** An object that was stored before its schema had these defaults. A list contains any number of them. */
const readBytes = budget({
  name: "apiserver/custom-defaults-read",
  limit: 128 * 2 ** 10,
  unit: "bytes",
  atLimit: "A stored object that would grow by more when it is read is served without defaults.",
});

/** Sets the defaults of an object that a client sent. Throws the 500 of etcd when it would be too large to be stored. */
export function defaultsOfWrite(value: JsonValue, schema: CompiledSchema, onExceeded: OnExceeded): JsonObject {
  try {
    return applyDefaults(value, schema, new Allowance(writtenBytes)) as JsonObject;
  } catch (error) {
    if (!isBudgetExceededError(error)) throw error;
    onExceeded(error.budget);
    throw new StatusError(newFailure(500, "", "etcdserver: request is too large"));
  }
}

/** Sets the defaults of a stored object; one that would become too large stays as it is, so that lists and watches go on. */
export function defaultsOfRead(value: JsonValue, schema: CompiledSchema, onExceeded: OnExceeded): JsonObject {
  try {
    return applyDefaults(value, schema, new Allowance(readBytes)) as JsonObject;
  } catch (error) {
    if (!isBudgetExceededError(error)) throw error;
    onExceeded(error.budget);
    return value as JsonObject;
  }
}
