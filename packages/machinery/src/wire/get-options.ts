/** Options of a read of one object, in the query. */
import { definedOnly } from "../json/defined-only.ts";
import type { AllMembers } from "../json/defined-only.ts";
import { QueryError, encodeQuery, readBoolean, readText } from "./query.ts";
import type { Query } from "./query.ts";

export interface GetOptions {
  /** "0": any version, also from a cache; a number: not older than that. @default the newest */
  readonly resourceVersion?: string;
}

/** Writes the query. */
export function encodeGetOptions({ resourceVersion }: GetOptions): string {
  return encodeQuery([["resourceVersion", resourceVersion || undefined]]);
}

/** Parses the query. Throws a `QueryError` for `export`, which servers no longer support. */
export function parseGetOptions(query: Query): GetOptions {
  if (readBoolean(query, "export") === true) throw new QueryError("the export parameter, deprecated since v1.14, is no longer supported");
  return definedOnly({ resourceVersion: readText(query, "resourceVersion") } satisfies AllMembers<GetOptions>);
}
