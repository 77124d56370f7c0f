import { printFieldError } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import type { Event } from "@drover/api/core/v1";
import type { Event as NewEvent } from "@drover/api/events/v1";
import { eventStrategy, newEventStrategy } from "./event-strategy.ts";

const metadata = { name: "a", namespace: "n" };
const older = (event: Partial<Event>): string[] =>
  (eventStrategy.validate?.({ metadata, involvedObject: { namespace: "n" }, ...event }) ?? []).map(printFieldError);
const good: NewEvent = {
  metadata,
  eventTime: "2024-01-02T03:04:05.000006Z",
  reportingController: "example.com/c",
  reportingInstance: "i",
  action: "a",
  reason: "r",
  type: "Normal",
  regarding: { namespace: "n" },
};

describe("core Event strategy", () => {
  it("requires the namespace of the involved object, or default", () => {
    expect(older({})).toEqual([]);
    expect(older({ involvedObject: { namespace: "m" } })).toEqual([
      'involvedObject.namespace: Invalid value: "m": does not match event.namespace',
    ]);
    expect(older({ metadata: { name: "a", namespace: "default" }, involvedObject: {} })).toEqual([]);
  });

  it("requires the reporting fields with eventTime", () => {
    const missing = ["reportingComponent", "reportingInstance", "action", "reason"].map((field) => `${field}: Required value`);
    expect(older({ eventTime: "2024-01-02T03:04:05.000006Z" })).toEqual(expect.arrayContaining(missing));
  });
});

describe("events.k8s.io Event strategy", () => {
  it("refuses deprecated fields", () => {
    expect(newEventStrategy.validate?.(good)).toEqual([]);
    expect(
      (newEventStrategy.validate?.({ ...good, deprecatedCount: 2, deprecatedSource: { host: "h" }, type: "" }) ?? []).map(printFieldError),
    ).toEqual([
      'type: Invalid value: "": has invalid value: ',
      'count: Invalid value: "": needs to be unset',
      'source: Invalid value: "": needs to be unset',
    ]);
  });

  it("allows changes of the series only", () => {
    expect(
      newEventStrategy.validateUpdate?.({ ...good, series: { count: 2, lastObservedTime: "2024-01-02T03:04:05.000006Z" } }, good),
    ).toEqual([]);
    expect(
      (newEventStrategy.validateUpdate?.({ ...good, note: "new", regarding: { namespace: "n", name: "b" } }, good) ?? []).map(
        printFieldError,
      ),
    ).toEqual([
      'involvedObject: Invalid value: {"Kind":"","Namespace":"n","Name":"b","UID":"","APIVersion":"","ResourceVersion":"","FieldPath":""}: field is immutable',
      'message: Invalid value: "new": field is immutable',
    ]);
  });

  it("refuses a series with a count below 2", () => {
    expect(
      (newEventStrategy.validate?.({ ...good, series: { count: 1, lastObservedTime: "2024-01-02T03:04:05.000006Z" } }) ?? []).map(
        printFieldError,
      ),
    ).toEqual(['series.count: Invalid value: "": should be at least 2']);
  });
});
