/** Who says it in events. */
import type { EventRecorder } from "@drover/controller";
import type { ControllerContext } from "./controller-descriptor.ts";

/** The recorder of one controller; the process is called after the program. */
export function eventRecorder({ events, userAgent = "kube-controller-manager" }: ControllerContext, controller: string): EventRecorder {
  return events.recorder({ controller, instance: userAgent });
}
