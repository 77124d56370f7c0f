/** Event of both groups; events.k8s.io is printed in its stored form, that of the core group. */
import type { Event } from "@drover/api/core/v1";
import { eventToStored } from "../../builtin/conversion/event-conversion.ts";
import type { TablePrinter } from "../../registry/table-printer.ts";
import { ageOf } from "../age.ts";
import { column } from "../columns.ts";
import { printer } from "../printer.ts";

export const coreEventPrinter: TablePrinter = printer<Event>(
  [
    column("Last Seen", "The time since the last occurrence."),
    column("Type", "Normal or Warning."),
    column("Reason", "Why it happened, in a word."),
    column("Object", "The object of the event."),
    column("Subobject", "Which part of that it happened to.", { priority: 1 }),
    column("Source", "The component that reported the event.", { priority: 1 }),
    column("Message", "The description of the event."),
    column("First Seen", "The time since the first occurrence.", { priority: 1 }),
    column("Count", "The number of occurrences.", { priority: 1 }),
    column("Name", "The name of the event.", { format: "name", priority: 1 }),
  ],
  (event, now) => {
    const {
      metadata: { name = "" },
      type = "",
      reason = "",
      involvedObject: { kind = "", name: objectName = "", fieldPath = "" },
      message = "",
      series,
    } = event;
    const firstSeen = ageOf(event.firstTimestamp ?? event.eventTime, now);
    const lastSeen =
      series === undefined
        ? ageOf(event.lastTimestamp ?? event.firstTimestamp ?? event.eventTime, now)
        : ageOf(series.lastObservedTime, now);
    const target = objectName === "" ? kind.toLowerCase() : `${kind.toLowerCase()}/${objectName}`;
    return [
      lastSeen,
      type,
      reason,
      target,
      fieldPath,
      sourceText(event),
      trimSpace(message),
      firstSeen,
      series === undefined ? event.count || 1 : (series.count ?? 0),
      name,
    ];
  },
);

export const eventPrinter: TablePrinter = {
  columns: coreEventPrinter.columns,
  row: (object, now) => coreEventPrinter.row(eventToStored(object), now),
};

/** "kubelet, node-1", from the older or the newer fields. */
function sourceText({ source, reportingComponent, reportingInstance }: Event): string {
  const component = source?.component || reportingComponent || "";
  const instance = source?.host || reportingInstance || "";
  return instance === "" ? component : `${component}, ${instance}`;
}

/** Go's white space: `trim` would also remove U+FEFF, and keep U+0085. */
const space = "[\\t-\\r \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]";
const spacesAround = new RegExp(`^${space}+|(?<!${space})${space}+$`, "gu");

const trimSpace = (text: string): string => text.replaceAll(spacesAround, "");
