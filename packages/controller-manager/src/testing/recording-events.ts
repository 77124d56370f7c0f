/** An event recorder that keeps events as text. */
import type { EventRecorder } from "@drover/controller";

export interface RecordingEvents extends EventRecorder {
  /** "Normal SuccessfulCreate Created pod: web-1", in order. */
  readonly told: readonly string[];
}

export function recordingEvents(): RecordingEvents {
  const told: string[] = [];
  return { told, eventf: ({ type, reason, note }) => void told.push(`${type} ${reason} ${note}`) };
}
