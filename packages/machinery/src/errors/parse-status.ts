/** Parses a Status from decoded JSON of any shape. */
import type { Status, StatusCause, StatusDetails } from "../wire/status.ts";

type Json = Readonly<Record<string, unknown>>;

const texts = {
  status: ["status", "message", "reason"],
  metadata: ["selfLink", "resourceVersion", "continue"],
  details: ["name", "group", "kind", "uid"],
  cause: ["reason", "message", "field"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/**
 * Parses a Status, from a response body or an ERROR event. Returns undefined for anything else and for members of a wrong type;
 * drops empty and unknown members.
 */
export function parseStatus(value: unknown): Status | undefined {
  if (!isRecord(value) || value["kind"] !== "Status" || !isVersion(value["apiVersion"] ?? "")) return undefined;
  const metadata = value["metadata"] ?? {};
  const details = value["details"] ?? undefined;
  if (!hasMembers(value, texts.status, ["code"]) || !isRecord(metadata) || !hasMembers(metadata, texts.metadata, ["remainingItemCount"]))
    return undefined;
  if (details !== undefined && !isDetails(details)) return undefined;
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: pick(metadata, [...texts.metadata, "remainingItemCount"]),
    ...(pick(value, texts.status) as Pick<Status, "status" | "message" | "reason">),
    ...(details === undefined ? {} : { details: pickDetails(details) }),
    ...(pick(value, ["code"]) as Pick<Status, "code">),
  };
}

function isDetails(value: unknown): value is Json {
  if (!isRecord(value) || !hasMembers(value, texts.details, ["retryAfterSeconds"])) return false;
  const causes = value["causes"] ?? [];
  return (
    Array.isArray(causes) && causes.every((cause: unknown) => cause === null || (isRecord(cause) && hasMembers(cause, texts.cause, [])))
  );
}

function pickDetails(value: Json): StatusDetails {
  const causes = (value["causes"] ?? []) as readonly (Json | null)[];
  return {
    ...pick(value, texts.details),
    ...(causes.length === 0 ? {} : { causes: causes.map((cause): StatusCause => pick(cause ?? {}, texts.cause)) }),
    ...pick(value, ["retryAfterSeconds"]),
  };
}

// Null counts as absent, as everywhere in the API.
function hasMembers(value: Json, textKeys: readonly string[], integerKeys: readonly string[]): boolean {
  return textKeys.every((key) => typeof (value[key] ?? "") === "string") && integerKeys.every((key) => Number.isInteger(value[key] ?? 0));
}

function pick(value: Json, keys: readonly string[]): Json {
  return Object.fromEntries(
    keys.flatMap((key) =>
      value[key] === undefined || value[key] === null || value[key] === "" || value[key] === 0 ? [] : [[key, value[key]]],
    ),
  );
}

function isRecord(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// A Status belongs to no group, so servers have sent it under whatever version they were serving.
function isVersion(version: unknown): boolean {
  return typeof version === "string" && version.split("/", 3).length <= 2;
}
