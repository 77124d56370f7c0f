/**
 * The tape of an operator beside `drover up`, which prints why it writes: `DROVER_BECAUSE=1` in the environment of the program.
 *
 *     tape of the program → tapeBeside → the same, or one that sends causes
 */
import type { Host } from "@drover/client";
import { becauseTape, createTape } from "@drover/controller";
import type { RecordingTape, Tape } from "@drover/controller";
import { budget } from "@drover/machinery";
import type { NodeRuntime } from "./node-runtime.ts";

const bytesMax = budget({
  name: "drover/because-tape",
  limit: 16 * 2 ** 20,
  unit: "bytes",
  atLimit: "older runs of an operator beside `drover up` lose their objects, so that a later cause may name no field",
  uncounted: "Normal operation: the tape is a ring that always is as full as it may be.",
});

/** Returns the given tape; beside `drover up` one that also sends the cause of each run with its writes. */
export function tapeBeside(
  given: Tape | undefined,
  { runtime, host }: { readonly runtime: NodeRuntime; readonly host: Pick<Host, "env"> },
): Tape | undefined {
  if (host.env["DROVER_BECAUSE"] !== "1") return given;
  if (given !== undefined) return isRecording(given) ? becauseTape(given) : given;
  return becauseTape(createTape({ ...runtime, runsMax: 1000, bytesMax: bytesMax.limit }));
}

const isRecording = (tape: Tape): tape is RecordingTape => "describe" in tape;
