/** Event of both groups; events.k8s.io is printed in its stored form, that of the core group. */
import type { Event } from "@drover/api/core/v1";
import { eventToStored } from "../../builtin/conversion/event-conversion.ts";
import type { TablePrinter } from "../../registry/table-printer.ts";
import { ageOf } from "../age.ts";
import { column } from "../columns.ts";
import { printer } from "../printer.ts";

export const coreEventPrinter: TablePrinter = printer<Event>(
  [
    column("Last Seen", "How long ago it happened last."),
    column("Type", "Whether it is normal or a warning."),
    column("Reason", "Why it happened, in a word."),
    column("Object", "What it happened to."),
    column("Subobject", "Which part of that it happened to.", { priority: 1 }),
    column("Source", "Who reported it.", { priority: 1 }),
    column("Message", "What happened."),
    column("First Seen", "How long ago it happened first.", { priority: 1 }),
    column("Count", "How often it happened.", { priority: 1 }),
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
