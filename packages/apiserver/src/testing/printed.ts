/** Cells by the names of their columns, for tests: what is said goes through the codec, so everything else is as the server fills it in. */
import { formatTime } from "@drover/machinery";
import type { JsonObject, JsonValue, Kind } from "@drover/machinery";
import { jsonOf } from "../typed-object.ts";
import { sampleOf } from "./workload-sample.ts";
import { printerOf } from "../table/printers.ts";

/** 2026-01-01T00:00:00Z, when everything is printed. */
export const printedAt = 1_767_225_600_000;

/** A moment so many seconds before. */
export const secondsAgo = (seconds: number): string => formatTime(printedAt - seconds * 1000);

/** The row of an object of a kind, called "web" and created five minutes ago unless it says otherwise. */
export function printed(kind: Kind, body: JsonObject): Readonly<Record<string, JsonValue>> {
  const { columns, row } = printerOf(kind);
  const metadata: JsonObject = { creationTimestamp: secondsAgo(300), ...(body["metadata"] as JsonObject | undefined) };
  const { cells } = row(jsonOf(sampleOf(kind, { ...body, metadata })), printedAt);
  return Object.fromEntries(columns.map(({ name }, index) => [name, cells[index] ?? null]));
}
