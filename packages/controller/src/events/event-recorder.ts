/**
 * What controllers tell people through: `recorder.eventf({ regarding: pod, type: "Normal", reason: "Pulled", action: "Pull", note: "…" })`.
 *
 *     EventRecorder → EventBroadcaster → events.k8s.io/v1
 */
import { checkQualifiedName } from "@drover/machinery";
import { cutText } from "./cut-text.ts";
import { wordBytesMax } from "./event-draft.ts";
import type { EventReporter, NewEvent } from "./event-draft.ts";

/** Records events of one controller. */
export interface EventRecorder {
  /**
   * Records an event. Returns at once and never throws: what cannot be written is counted, and logged where somebody can do something
   * about it. An event that is recorded again becomes a series; see event-broadcaster.ts.
   */
  eventf(event: NewEvent): void;
}

/**
 * Checks who reports. Throws for a controller name that the server would refuse in every single event; an instance that
 * is too long is cut.
 */
export function checkedReporter({ controller, instance }: EventReporter): EventReporter {
  const problems = checkQualifiedName(controller);
  if (problems.length > 0)
    throw new TypeError(
      `an event recorder needs a controller name like "web-controller" or "example.com/web-controller", not ${JSON.stringify(controller)}: ${problems.join("; ")}`,
    );
  if (instance === "")
    throw new TypeError(
      `the event recorder of ${controller} needs an instance, the name of this process: the host's name behind the controller's will do`,
    );
  return { controller, instance: cutText(instance, wordBytesMax) };
}
