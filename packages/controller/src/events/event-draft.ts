/**
 * Turns a recorded event into one that the server accepts: references instead of objects, truncated texts, a namespace.
 *
 *     NewEvent → eventDraft → EventDraft (an Event without a name) → event-broadcaster.ts
 */
import type { ObjectReference } from "@drover/api/core/v1";
import type { Event } from "@drover/api/events/v1";
import { cutText } from "./cut-text.ts";
import { objectReference } from "./object-reference.ts";
import type { Referable } from "./object-reference.ts";

/** An event to record, with the fields of events.k8s.io/v1. */
export interface NewEvent {
  /** Object that the event is about, usually the reconciled object. */
  readonly regarding: Referable;
  /** Second object involved, such as the Pod that a ReplicaSet created. @default none */
  readonly related?: Referable;
  /** Whether this is normal operation or a problem. */
  readonly type: "Normal" | "Warning";
  /** Machine-readable reason in one word: "FailedCreate". At most 128 bytes. */
  readonly reason: string;
  /** Machine-readable action that was taken or failed: "CreatePod". At most 128 bytes. */
  readonly action: string;
  /** Human-readable description; truncated after 1,024 bytes. */
  readonly note: string;
  /** Annotations of the event itself. @default none */
  readonly annotations?: Readonly<Record<string, string>>;
}

/** The reporting controller and process. */
export interface EventReporter {
  /** Name of the controller: "apps.example.com/web-controller". */
  readonly controller: string;
  /** Name of the process: "web-controller-7d4b9". */
  readonly instance: string;
}

/** An event without name and time. */
export interface EventDraft {
  readonly namespace: string;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly type: string;
  readonly reason: string;
  readonly action: string;
  readonly note: string;
  readonly regarding: ObjectReference;
  readonly related?: ObjectReference;
  readonly reportingController: string;
  readonly reportingInstance: string;
}

/** The server's limit for a note, in bytes. */
export const noteBytesMax = 1024;
/** The server's limit for a reason, an action and a reporting instance, in bytes. */
export const wordBytesMax = 128;

/** Returns the draft of an event, or the reason why it is invalid. */
export function eventDraft(event: NewEvent, { controller, instance }: EventReporter): EventDraft | string {
  const { type, reason, action, note, annotations } = event;
  const regarding = objectReference(event.regarding);
  if (regarding === undefined) return "regarding needs apiVersion, kind and a name";
  if (type !== "Normal" && type !== "Warning") return `type must be "Normal" or "Warning", not ${JSON.stringify(type)}`;
  if (typeof reason !== "string" || reason === "") return "reason must not be empty";
  if (typeof action !== "string" || action === "") return "action must not be empty";
  if (typeof note !== "string") return "note must be a string";
  const related = event.related === undefined ? undefined : objectReference(event.related);
  return {
    // Events about cluster-scoped objects need a namespace too.
    namespace: regarding.namespace === undefined || regarding.namespace === "" ? "default" : regarding.namespace,
    type,
    reason: cutText(reason, wordBytesMax),
    action: cutText(action, wordBytesMax),
    note: cutText(note, noteBytesMax, "…"),
    regarding,
    ...(related === undefined ? {} : { related }),
    ...(annotations === undefined ? {} : { annotations }),
    reportingController: controller,
    reportingInstance: instance,
  };
}

/** Returns the event of a draft. */
export function eventFrom(
  draft: EventDraft,
  { name, eventTime, note }: { readonly name: string; readonly eventTime: string; readonly note: string },
): Event {
  const { namespace, annotations, ...fields } = draft;
  return {
    metadata: { name, namespace, ...(annotations === undefined ? {} : { annotations: { ...annotations } }) },
    eventTime,
    ...fields,
    note,
  };
}
