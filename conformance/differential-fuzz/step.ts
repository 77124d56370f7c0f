/**
 * One request of a random sequence before it is sent: versions and uids depend on the server, so a step names them only
 * symbolically.
 *
 *     step-grammar.ts → Step → run-sequence.ts;  shrink-sequence.ts leaves steps out, story.ts prints them
 */
import type { JsonValue } from "@drover/machinery";

export interface Step {
  /** "WATCH" is a GET whose answer is events. */
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "WATCH";
  /** As `ProbeSession.in` takes it: "apps/v1/deployments". */
  readonly resource: string;
  /** The object and, optionally, its subresource; absent for the collection. */
  readonly names: readonly string[];
  /** The query; values of `versionWords` stand for versions. */
  readonly query: Readonly<Record<string, string>>;
  readonly contentType?: string;
  readonly accept?: string;
  readonly body?: JsonValue;
  /** Sends the server's current object, changed by the body as a merge patch. */
  readonly edits?: true;
  /** The version that the body names: in the metadata of an object, in the preconditions of a deletion. */
  readonly version?: VersionWord;
  /** The same for the uid. */
  readonly uid?: "same" | "wrong";
}

/**
 * The object's current version, an earlier one, or one that no object has; in a query the last, the first and one in
 * between that the sequence has seen.
 */
export type VersionWord = "fresh" | "stale" | "middle" | "wrong";

/** In a query. */
export const versionWords: Readonly<Record<string, VersionWord>> = { "<fresh>": "fresh", "<stale>": "stale", "<middle>": "middle" };

/** In a query: the token at the end of the last list of the kind. */
export const continueWord = "<continue>";
