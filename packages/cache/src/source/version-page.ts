/**
 * Reads one page of a list.
 *
 *     answer → readVersionPage → versions, the version of the list, the token of the next page
 *
 * Late, the items are cut out and stay bytes: a third of what parsing them costs.
 */
import { extractList, getOwn, isJsonObject, peekList } from "@drover/machinery";
import type { JsonObject, JsonValue, KubeObject } from "@drover/machinery";
import { ResponseError, decodeBody } from "@drover/client";
import type { ReadResponse, RequestAbout } from "@drover/client";
import type { ObjectVersion } from "./object-version.ts";
import { isPoisonObjectError } from "./poison-object-error.ts";
import type { VersionReader } from "./version-reader.ts";
import type { PoisonReport, VersionPage } from "./version-source.ts";

/** Reads a page. Throws an `ApiError` when the answer is a refusal after all, and a `ResponseError` when it is no list of objects. */
export function readVersionPage<T extends KubeObject>(answer: ReadResponse, about: RequestAbout, reader: VersionReader<T>): VersionPage<T> {
  return (reader.isLate ? readLate(answer, about, reader) : undefined) ?? readWhole(answer, about, reader);
}

function readLate<T extends KubeObject>(answer: ReadResponse, about: RequestAbout, reader: VersionReader<T>): VersionPage<T> | undefined {
  const bytes = typeof answer.body === "string" ? new TextEncoder().encode(answer.body) : answer.body;
  const peeked = peekList(bytes);
  if (peeked === undefined) return undefined;
  const { envelope, bounds } = peeked;
  const list = listOf(decodeBody({ ...answer, body: envelope }, about), about);
  const collected = new Collected<T>();
  for (let index = 0; index < bounds.length; index += 2) collected.add(() => reader.read(bytes.subarray(bounds[index], bounds[index + 1])));
  return pageOf(list, collected);
}

function readWhole<T extends KubeObject>(answer: ReadResponse, about: RequestAbout, reader: VersionReader<T>): VersionPage<T> {
  let value: JsonValue;
  try {
    value = decodeBody(answer, about, { dropManagedFields: reader.dropManagedFields });
  } catch (error) {
    // One item may be to blame; then the others can be saved.
    const saved = error instanceof ResponseError && error.reason === "json" ? readLate(answer, about, reader) : undefined;
    if (saved === undefined) throw error;
    return saved;
  }
  const list = listOf(value, about);
  const collected = new Collected<T>();
  for (const item of extractList(list) as readonly JsonValue[]) collected.add(() => reader.parsed(item));
  return pageOf(list, collected);
}

class Collected<T extends KubeObject> {
  readonly items: ObjectVersion<T>[] = [];
  readonly poison: PoisonReport[] = [];

  add(read: () => ObjectVersion<T>): void {
    try {
      this.items.push(read());
    } catch (error) {
      if (!isPoisonObjectError(error)) throw error;
      this.poison.push(error.report);
    }
  }
}

function pageOf<T extends KubeObject>(list: JsonObject, { items, poison }: Collected<T>): VersionPage<T> {
  const metadata = getOwn(list, "metadata");
  const field = (name: string): string => {
    const value = isJsonObject(metadata) ? getOwn(metadata, name) : undefined;
    return typeof value === "string" ? value : "";
  };
  return { items, resourceVersion: field("resourceVersion"), continue: field("continue") || undefined, poison };
}

function listOf(value: JsonValue, { attempt }: RequestAbout): JsonObject {
  const list = isJsonObject(value) ? value : {};
  if (getOwn(list, "kind") === "Table") throw tableRefused(attempt);
  const items = getOwn(list, "items");
  if (!Array.isArray(items) && items !== null) {
    throw new ResponseError(attempt, "json", `expected a list with items, but the server answered with ${describe(value)}`, {
      statusCode: 200,
    });
  }
  return list;
}

/** The error for rows and columns where objects were asked for: they hold what kubectl prints, not what a cache can keep. */
export function tableRefused(attempt: string): ResponseError {
  return new ResponseError(
    attempt,
    "content-type",
    "the server answered with a Table instead of objects; something between here and it changes the Accept header",
    { statusCode: 200 },
  );
}

function describe(value: JsonValue): string {
  const kind = isJsonObject(value) ? getOwn(value, "kind") : undefined;
  return typeof kind === "string" && kind !== "" ? `a ${kind}` : "something else";
}
