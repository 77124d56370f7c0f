/** A cluster on which scenes are played: ours in this process, or the real parts. */
import type { Client } from "@drover/client";
import type { Recorder } from "./recorder.ts";

export interface Stage {
  /** "ours" */
  readonly name: string;
  readonly client: Client;
  readonly recorder: Recorder;
  /** Makes a node that is already an object come alive, or a silent one speak again. */
  readonly wakeNode: (name: string) => Promise<void>;
  /** Makes it fall silent. */
  readonly stopNode: (name: string) => Promise<void>;
  /** Resolves when what the cluster has told as Events so far is written, as far as anybody can know. */
  readonly told: () => Promise<void>;
  /** Throws when the recording has broken. */
  readonly check: () => void;
  readonly stop: () => Promise<void>;
}

/** Starts to record; whoever stops the stage ends that with `stopRecording`. */
export async function startRecording(
  recorder: Recorder,
): Promise<{ readonly check: () => void; readonly stopRecording: () => Promise<void> }> {
  const stopping = new AbortController();
  const { ended } = await recorder.start(stopping.signal);
  const state: { failure?: unknown } = {};
  const settled = ended.catch((error: unknown) => {
    state.failure = error;
  });
  return {
    check: () => {
      if (state.failure !== undefined) throw new Error("the recording has a gap", { cause: state.failure });
    },
    stopRecording: async () => {
      stopping.abort(new DOMException("the scenes are over", "AbortError"));
      await settled;
    },
  };
}
