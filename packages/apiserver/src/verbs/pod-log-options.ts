/** Log options from the query of `pods/log`. */
import { fieldForbidden, fieldInvalid, getOwn, newBadRequest, newInvalid, parseTime } from "@drover/machinery";
import type { FieldError, Query } from "@drover/machinery";
import { StatusError } from "../status-error.ts";

/** PodLogOptions, without the options that say how to reach the kubelet. */
export interface PodLogOptions {
  /** Whether to stream until the container ends. */
  readonly follow: boolean;
  /** Whether to return the log of the container's previous run. */
  readonly previous: boolean;
  /** Whether each line starts with its timestamp. */
  readonly timestamps: boolean;
  /** Number of lines from the end. @default all */
  readonly tailLines?: number;
  /** Maximum number of bytes. @default all */
  readonly limitBytes?: number;
  /** Start time in milliseconds since 1970. @default the whole log */
  readonly sinceMs?: number;
}

/** Returns the options. Throws a 400 for malformed and a 422 for invalid values. */
export function podLogOptions(query: Query, name: string, now: number): PodLogOptions {
  const tailLines = integer(query, "tailLines");
  const limitBytes = integer(query, "limitBytes");
  const sinceSeconds = integer(query, "sinceSeconds");
  const sinceTime = time(query.get("sinceTime")?.[0]);
  const errors: FieldError[] = [
    ...(tailLines !== undefined && tailLines < 0 ? [fieldInvalid("tailLines", tailLines, "must be greater than or equal to 0")] : []),
    ...(limitBytes !== undefined && limitBytes < 1 ? [fieldInvalid("limitBytes", limitBytes, "must be greater than 0")] : []),
    ...(sinceSeconds !== undefined && sinceTime !== undefined
      ? [fieldForbidden("[]", "at most one of `sinceTime` or `sinceSeconds` may be specified")]
      : []),
    ...(sinceSeconds !== undefined && sinceTime === undefined && sinceSeconds < 1
      ? [fieldInvalid("sinceSeconds", sinceSeconds, "must be greater than 0")]
      : []),
    // Behind a feature gate that is off by default.
    ...(query.has("stream") ? [fieldForbidden("stream", "may not be specified")] : []),
  ];
  if (errors.length > 0) throw new StatusError(newInvalid({ group: "", kind: "PodLogOptions" }, name, errors));
  const sinceMs = sinceTime ?? (sinceSeconds === undefined ? undefined : now - sinceSeconds * 1000);
  return {
    follow: flag(query, "follow"),
    previous: flag(query, "previous"),
    timestamps: flag(query, "timestamps"),
    ...(tailLines === undefined ? {} : { tailLines }),
    ...(limitBytes === undefined ? {} : { limitBytes }),
    ...(sinceMs === undefined ? {} : { sinceMs }),
  };
}

function integer(query: Query, name: string): number | undefined {
  const text = query.get(name)?.[0];
  if (text === undefined) return undefined;
  if (!/^[+-]?\d+$/.test(text)) throw new StatusError(newBadRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`));
  return Number(text);
}

function time(text: string | undefined): number | undefined {
  if (text === undefined || text === "" || text === "null") return undefined;
  try {
    return parseTime(text);
  } catch {
    throw new StatusError(
      newBadRequest(`parsing time ${JSON.stringify(text)} as "2006-01-02T15:04:05Z07:00": cannot parse ${JSON.stringify(text)} as "2006"`),
    );
  }
}

/** Reads a flag as Go does: present without a value means true. */
function flag(query: Query, name: string): boolean {
  const text = query.get(name)?.[0];
  return text !== undefined && getOwn(no, text.toLowerCase()) === undefined;
}

const no: Readonly<Record<string, true>> = { 0: true, false: true };
