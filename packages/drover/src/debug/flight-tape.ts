/** The tape of an operator that has configured none: a flight recorder in fixed memory. */
import { createTape } from "@drover/controller";
import type { RecordingTape } from "@drover/controller";
import { budget } from "@drover/machinery";
import type { Runtime } from "@drover/machinery";

const tapeBytes = budget({
  name: "drover/flight-tape",
  limit: 6 * 2 ** 20,
  unit: "bytes",
  atLimit: "The oldest runs lose the objects of their causes, then their calls; versions, results and counts stay.",
  uncounted: "Normal operation: the tape is a ring that always is as full as it may be.",
});
const tapeRuns = budget({
  name: "drover/flight-tape-runs",
  limit: 4096,
  unit: "items",
  atLimit: "The oldest run is dropped.",
  uncounted: "Normal operation: the tape is a ring that always is as full as it may be.",
});

/** Returns an empty tape. A run without calls takes about 0.5 KiB of it beside the bytes above. */
export function flightTape({ clock, log }: Pick<Runtime, "clock" | "log">): RecordingTape {
  return createTape({ clock, log, runsMax: tapeRuns.limit, changesMax: tapeRuns.limit / 4, bytesMax: tapeBytes.limit, callsPerRunMax: 32 });
}
