/** The event recorder of a controller. */
import type { EventRecorder } from "@drover/controller";
import type { ControllerContext } from "./controller-descriptor.ts";

/** Returns a recorder with the controller's name; the reporting instance is the program's user agent. */
export function eventRecorder({ events, userAgent = "kube-controller-manager" }: ControllerContext, controller: string): EventRecorder {
  return events.recorder({ controller, instance: userAgent });
}
