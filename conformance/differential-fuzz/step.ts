/**
 * One request of a random sequence, as it is before it is sent: versions and uids are those of the server it goes to,
 * so a step names them only in words.
 *
 *     step-grammar.ts → Step → run-sequence.ts;  shrink-sequence.ts leaves steps out, story.ts prints them
 */
import type { JsonValue } from "@drover/machinery";

export interface Step {
  /** "WATCH" is a GET whose answer is events. */
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "WATCH";
  /** As `ProbeSession.in` takes it: "apps/v1/deployments". */
  readonly resource: string;
  /** The object and, where one is asked for, its subresource; none for the collection. */
  readonly names: readonly string[];
  /** What stands behind the question mark; values of `versionWords` are versions. */
  readonly query: Readonly<Record<string, string>>;
  readonly contentType?: string;
  readonly accept?: string;
  readonly body?: JsonValue;
  /** Sends the object as the server has it, changed by the body as a merge patch says. */
  readonly edits?: true;
  /** Which version the body names: in metadata of an object, in the preconditions of a deletion. */
  readonly version?: VersionWord;
  /** Likewise for the uid. */
  readonly uid?: "same" | "wrong";
}

/**
 * The object's present version, one it had, one that no object has; for a query the last, the first, and one between
 * that the sequence has seen.
 */
export type VersionWord = "fresh" | "stale" | "middle" | "wrong";

/** In a query. */
export const versionWords: Readonly<Record<string, VersionWord>> = { "<fresh>": "fresh", "<stale>": "stale", "<middle>": "middle" };

/** In a query: what the last list of the kind ended with. */
export const continueWord = "<continue>";
