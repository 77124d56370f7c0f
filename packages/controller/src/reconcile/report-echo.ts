/** Reports a key whose runs are caused only by their own writes: in the log, a metric, and an Event on the object that it writes. */
import { callSafely, formatDuration, printGroupKind } from "@drover/machinery";
import type { BoundCounter, Log } from "@drover/machinery";
import type { EventRecorder } from "../events/event-recorder.ts";
import { fieldChanges } from "../tape/field-changes.ts";
import type { Echo } from "./echo-brake.ts";

export interface ReportEchoOptions {
  readonly controller: string;
  readonly log: Log;
  readonly slowed: BoundCounter;
  readonly events: EventRecorder | undefined;
}

/** Reports that a key is delayed. */
export function reportEcho(
  { key, runs, waitMs, cause: { change, kind } }: Echo,
  { controller, log, slowed, events }: ReportEchoOptions,
): void {
  slowed.add();
  const { fields } = change.type === "updated" ? fieldChanges(change.before, change.object, { kind, fieldsMax: 3 }) : { fields: [] };
  const what =
    change.type === "deleted"
      ? "deletes it"
      : change.type === "added"
        ? "creates it"
        : fields.length === 0
          ? "changes nothing but its version"
          : `changes ${fields.map(({ path }) => path).join(", ")}`;
  const wait = formatDuration(waitMs);
  log.warn(
    `reconcile loop: each run writes ${printGroupKind(kind)} ${change.key} and ${what}, and only that write causes the next run; delaying the key`,
    { key, runs, wait, code: "DRV0402" },
  );
  callSafely(
    () =>
      events?.eventf({
        regarding: change.object,
        type: "Warning",
        reason: "ReconcileLoop",
        action: "Reconcile",
        note: `Controller ${controller} wrote this object ${runs} times in a row, each time caused only by its own last write; each time it ${what}. The next run waits ${wait}.`,
      }),
    (error) => log.error("event recorder failed", { key, error }),
  );
}
