/**
 * Records Kubernetes Events: `recorder.eventf({ regarding: pod, type: "Normal", reason: "Pulled", action: "Pull", note: "…" })`.
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
   * Records an event. Returns immediately and never throws: events that cannot be written are counted, and logged if something can be done
   * about it. Repeated events become a series; see event-broadcaster.ts.
   */
  eventf(event: NewEvent): void;
}

/**
 * Checks the reporter. Throws for a controller name that the server would reject in every event; truncates an instance that is too long.
 */
export function checkedReporter({ controller, instance }: EventReporter): EventReporter {
  const problems = checkQualifiedName(controller);
  if (problems.length > 0)
    throw new TypeError(
      `an event recorder needs a controller name like "web-controller" or "example.com/web-controller", not ${JSON.stringify(controller)}: ${problems.join("; ")}`,
    );
  if (instance === "")
    throw new TypeError(
      `the event recorder of ${controller} needs an instance, the name of this process, such as the controller's name followed by the host name`,
    );
  return { controller, instance: cutText(instance, wordBytesMax) };
}
