/**
 * The tape of an operator beside `drover up`, which prints why it writes: `DROVER_BECAUSE=1` in the environment of the program.
 *
 *     tape of the program → tapeBeside → the same, or one that sends causes
 */
import type { Host } from "@drover/client";
import { becauseTape } from "@drover/controller";
import type { RecordingTape, Tape } from "@drover/controller";
import { flightTape } from "./debug/flight-tape.ts";
import type { NodeRuntime } from "./node-runtime.ts";

/** Returns the given tape; beside `drover up` one that also sends the cause of each run with its writes. False records nothing. */
export function tapeBeside(
  given: false | Tape | undefined,
  { runtime, host }: { readonly runtime: NodeRuntime; readonly host: Pick<Host, "env"> },
): Tape | undefined {
  if (given === false) return undefined;
  if (host.env["DROVER_BECAUSE"] !== "1") return given;
  const tape = given ?? flightTape(runtime);
  return isRecording(tape) ? becauseTape(tape) : tape;
}

const isRecording = (tape: Tape): tape is RecordingTape => "describe" in tape;
