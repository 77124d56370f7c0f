/**
 * A JSON value without loss: a 64-bit integer outside ±(2^53−1) is a `bigint`, any other number a `number`. Objects are plain
 * objects; every key is an own property, `__proto__` included.
 */
export type JsonValue = null | boolean | number | bigint | string | JsonValue[] | JsonObject;

export interface JsonObject {
  [key: string]: JsonValue;
}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
