/** Prints objects as table rows for tests. The given body passes through the codec, which adds the defaults. */
import { formatTime } from "@drover/machinery";
import type { JsonObject, JsonValue, Kind } from "@drover/machinery";
import { jsonOf } from "../typed-object.ts";
import { sampleOf } from "./workload-sample.ts";
import { printerOf } from "../table/printers.ts";

/** 2026-01-01T00:00:00Z, the time of printing. */
export const printedAt = 1_767_225_600_000;

/** A timestamp this many seconds earlier. */
export const secondsAgo = (seconds: number): string => formatTime(printedAt - seconds * 1000);

/** Returns the cells by column name; by default the object is named "web" and five minutes old. */
export function printed(kind: Kind, body: JsonObject): Readonly<Record<string, JsonValue>> {
  const { columns, row } = printerOf(kind);
  const metadata: JsonObject = { creationTimestamp: secondsAgo(300), ...(body["metadata"] as JsonObject | undefined) };
  const { cells } = row(jsonOf(sampleOf(kind, { ...body, metadata })), printedAt);
  return Object.fromEntries(columns.map(({ name }, index) => [name, cells[index] ?? null]));
}
