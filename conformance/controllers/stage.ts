/** A cluster on which scenes are played: ours in this process, or the real parts. */
import type { Client } from "@drover/client";
import type { Recorder } from "./recorder.ts";

export interface Stage {
  /** "ours" */
  readonly name: string;
  readonly client: Client;
  readonly recorder: Recorder;
  /** Starts the kubelet of an existing node, or restarts one that stopped. */
  readonly wakeNode: (name: string) => Promise<void>;
  /** Stops the kubelet of a node. */
  readonly stopNode: (name: string) => Promise<void>;
  /** Resolves when the Events so far are written, as far as that can be known. */
  readonly told: () => Promise<void>;
  /** Throws when the recording is incomplete. */
  readonly check: () => void;
  readonly stop: () => Promise<void>;
}

/** Starts recording; stopping the stage ends it with `stopRecording`. */
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
