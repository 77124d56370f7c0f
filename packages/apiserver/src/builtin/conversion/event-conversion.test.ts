import { deepFreeze } from "@drover/machinery";
import type { JsonObject } from "@drover/machinery";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { eventFromStored, eventToStored } from "./event-conversion.ts";

const times = { firstTimestamp: null, lastTimestamp: null, eventTime: "2024-01-02T03:04:05.000006Z" };

describe("conversion of events.k8s.io Events", () => {
  it("stores them under the field names of the core group", () => {
    expect(
      eventToStored({
        apiVersion: "events.k8s.io/v1",
        kind: "Event",
        metadata: { name: "e" },
        regarding: { kind: "Pod" },
        note: "n",
        deprecatedCount: 2,
        deprecatedSource: {},
        reportingController: "c",
        deprecatedFirstTimestamp: null,
        deprecatedLastTimestamp: null,
        eventTime: times.eventTime,
        reason: "r",
      }),
    ).toEqual({
      apiVersion: "v1",
      kind: "Event",
      metadata: { name: "e" },
      involvedObject: { kind: "Pod" },
      message: "n",
      count: 2,
      source: {},
      reportingComponent: "c",
      reportingInstance: "",
      ...times,
      reason: "r",
    });
  });

  it("omits empty reporting fields, which the core group always writes", () => {
    expect(eventFromStored({ metadata: {}, reportingComponent: "", reportingInstance: "" })).toEqual({
      apiVersion: "events.k8s.io/v1",
      kind: "Event",
      metadata: {},
    });
    expect(eventToStored({ metadata: {} })).toMatchObject({ reportingComponent: "", reportingInstance: "" });
  });

  it("always writes the series count, which the core group omits at zero", () => {
    expect(eventFromStored({ series: { lastObservedTime: null } })["series"]).toEqual({ count: 0, lastObservedTime: null });
    expect(eventToStored({ series: { count: 0, lastObservedTime: null } })["series"]).toEqual({ lastObservedTime: null });
  });
});

const text = fc.constantFrom("a", "b");
const event = fc
  .record(
    {
      action: text,
      note: text,
      reason: text,
      type: text,
      deprecatedCount: fc.integer({ min: 1 }),
      regarding: fc.record({ kind: text }, { requiredKeys: [] }),
      deprecatedSource: fc.record({ host: text }, { requiredKeys: [] }),
      reportingController: text,
      reportingInstance: text,
      series: fc.record({ count: fc.nat(3), lastObservedTime: fc.constant(null) }),
    },
    { requiredKeys: [] },
  )
  .map((fields): JsonObject => ({
    apiVersion: "events.k8s.io/v1",
    kind: "Event",
    metadata: { name: "e", labels: { note: "x" } },
    ...(fields as JsonObject),
  }));

describe("Event conversion", () => {
  it("round-trips between both groups", () => {
    fc.assert(
      fc.property(event, (object) => {
        deepFreeze(object);
        const stored = eventToStored(object);
        deepFreeze(stored);
        expect(eventFromStored(stored)).toEqual(object);
        expect(eventToStored(eventFromStored(stored))).toEqual(stored);
      }),
    );
  });
});
