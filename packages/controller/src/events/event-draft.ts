/**
 * From what a controller says to an event the server takes: references instead of objects, texts that fit, a namespace.
 *
 *     NewEvent → eventDraft → EventDraft (an Event without a name) → event-broadcaster.ts
 */
import type { ObjectReference } from "@drover/api/core/v1";
import type { Event } from "@drover/api/events/v1";
import { cutText } from "./cut-text.ts";
import { objectReference } from "./object-reference.ts";
import type { Referable } from "./object-reference.ts";

/** Something worth telling people about, in the words of events.k8s.io/v1. */
export interface NewEvent {
  /** The object it is about, mostly the one that is reconciled. */
  readonly regarding: Referable;
  /** A second object that has a part in it: the Pod that a ReplicaSet made. @default none */
  readonly related?: Referable;
  /** Whether all is as it should be. */
  readonly type: "Normal" | "Warning";
  /** Why, as one word for machines: "FailedCreate". At most 128 bytes. */
  readonly reason: string;
  /** What was done, or failed, as one word for machines: "CreatePod". At most 128 bytes. */
  readonly action: string;
  /** What happened, for people. What is beyond 1,024 bytes is cut off. */
  readonly note: string;
  /** Annotations of the event itself. @default none */
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Who reports. */
export interface EventReporter {
  /** The controller: "apps.example.com/web-controller". */
  readonly controller: string;
  /** The process of it: "web-controller-7d4b9". */
  readonly instance: string;
}

/** All of an event but its name and its time. */
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

/** What the server takes at most, in bytes. */
export const noteBytesMax = 1024;
/** What the server takes at most of a reason, an action and a reporting instance, in bytes. */
export const wordBytesMax = 128;

/** The draft of an event, or in a sentence why there can be none. */
export function eventDraft(event: NewEvent, { controller, instance }: EventReporter): EventDraft | string {
  const { type, reason, action, note, annotations } = event;
  const regarding = objectReference(event.regarding);
  if (regarding === undefined) return "regarding needs apiVersion, kind and a name";
  if (type !== "Normal" && type !== "Warning") return `type must be "Normal" or "Warning", not ${JSON.stringify(type)}`;
  if (typeof reason !== "string" || reason === "") return "reason must not be empty";
  if (typeof action !== "string" || action === "") return "action must not be empty";
  if (typeof note !== "string") return "note must be a text";
  const related = event.related === undefined ? undefined : objectReference(event.related);
  return {
    // What is about a cluster-scoped object has to be somewhere, too.
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

/** The event of a draft. */
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
