/** The record of a probe, step by step: first as received, and after mask.ts without values that differ in every run. */
import type { JsonObject, JsonValue } from "@drover/machinery";
import { isJsonObject } from "@drover/machinery";

/** One line of a recording. */
export type Exchange = AnsweredRequest | WatchedRequest | Fact;

export interface AnsweredRequest {
  /** "GET /api/v1/nodes" */
  readonly request: string;
  readonly status: number;
  readonly headers: RecordedHeaders;
  /** Parsed if it is JSON; otherwise text. */
  readonly body: JsonValue;
}

export interface WatchedRequest extends Omit<AnsweredRequest, "body"> {
  /** Without bookmarks except the one that ends the initial events: the others depend on timing. */
  readonly events: JsonValue[];
  /** Whether the server ended the stream; otherwise the probe had seen enough. */
  readonly ended: boolean;
}

/** A relation between answers that masking would hide. */
export interface Fact {
  readonly fact: string;
  readonly value: JsonValue;
}

/** The relevant headers, by lower-case name; those that may repeat are lists. */
export type RecordedHeaders = Readonly<Record<string, string | readonly string[]>>;

/** An answer as a probe sees it. */
export interface Answer {
  readonly status: number;
  readonly headers: RecordedHeaders;
  readonly body: JsonValue;
}

/** The value at a path of keys in an answer's body: `valueAt(answer, "metadata", "labels")`. */
export function valueAt({ body }: Pick<Answer, "body">, ...path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = body;
  for (const key of path) {
    if (Array.isArray(value)) value = value[Number(key)];
    else if (isJsonObject(value) && Object.hasOwn(value, key)) value = value[key];
    else return undefined;
  }
  return value;
}

/** The same for text; "" when it is missing. */
export function textAt(answer: Pick<Answer, "body">, ...path: readonly string[]): string {
  const value = valueAt(answer, ...path);
  return typeof value === "string" ? value : "";
}

export const versionOf = (answer: Pick<Answer, "body">): string => textAt(answer, "metadata", "resourceVersion");
export const uidOf = (answer: Pick<Answer, "body">): string => textAt(answer, "metadata", "uid");

/** The body of an answer as an object; empty if it is not one. */
export const objectOf = ({ body }: Pick<Answer, "body">): JsonObject => (isJsonObject(body) ? body : {});

/** The items of a list, the rows of a table. */
export function itemsOf(answer: Pick<Answer, "body">, key = "items"): JsonObject[] {
  const items = valueAt(answer, key);
  return Array.isArray(items) ? items.filter(isJsonObject) : [];
}

/** The names of a list's items, in order. */
export const namesOf = (answer: Pick<Answer, "body">): string[] =>
  itemsOf(answer).map((item) => textAt({ body: item }, "metadata", "name"));
