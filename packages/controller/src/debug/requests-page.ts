/**
 * The newest requests of runs to the API server, each with a verdict.
 *
 *     tape → requestsPage → DebugRequests
 */
import { definedOnly } from "@drover/machinery";
import { oneLine } from "../tape/one-line.ts";
import type { CallRecord, RunRecord, TapedCall } from "../tape/run-record.ts";
import type { DebugSubject } from "./debug-subject.ts";
import { fitting } from "./fitting.ts";

/** What became of a request. */
export type RequestVerdict = "ok" | "conflict" | "not-found" | "denied" | "throttled" | "refused" | "server-error" | "no-answer";

/** A request of a run. */
export interface RequestRow
  extends Pick<RunRecord, "controller" | "key" | "run">, Pick<CallRecord, "method" | "path" | "status" | "error"> {
  /** When it was sent, in milliseconds since 1970. */
  readonly at: number;
  readonly tookMs: number;
  readonly verdict: RequestVerdict;
}

/** The answer of /debug/drover/requests. */
export interface DebugRequests {
  readonly at: number;
  /** Oldest first. */
  readonly requests: readonly RequestRow[];
  /** Number of newer requests that did not fit. */
  readonly leftOff: number;
}

/** Returns the newest `limit` requests of reconciles. Lists and watches of caches are in the status, with their errors. */
export function requestsPage({ tape, clock }: DebugSubject, query: URLSearchParams, limit: number): DebugRequests {
  const onlyProblems = query.get("verdict") === "problem";
  const calls = tape?.calls(onlyProblems ? Infinity : limit) ?? [];
  const rows = calls.map(rowOf).filter(({ verdict }) => !onlyProblems || verdict !== "ok");
  const { items, leftOff } = fitting(rows.slice(-limit).toReversed(), (row) => row);
  return { at: clock.now(), requests: items.toReversed(), leftOff };
}

function rowOf({ controller, key, run, at, call }: TapedCall): RequestRow {
  const { method, path, status, error, tookMs } = call;
  return {
    at,
    controller,
    key,
    run,
    method,
    path,
    tookMs,
    verdict: verdictOf(status),
    ...definedOnly({ status, error: error === undefined ? undefined : oneLine(error) }),
  };
}

function verdictOf(status: number | undefined): RequestVerdict {
  if (status === undefined) return "no-answer";
  if (status < 400) return "ok";
  if (status === 404) return "not-found";
  if (status === 409) return "conflict";
  if (status === 401 || status === 403) return "denied";
  if (status === 429) return "throttled";
  return status < 500 ? "refused" : "server-error";
}
