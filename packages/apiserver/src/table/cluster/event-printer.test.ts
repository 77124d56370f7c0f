import { Event } from "@drover/api/core/v1";
import * as events from "@drover/api/events/v1";
import { describe, expect, it } from "vitest";
import { printed, secondsAgo } from "../../testing/printed.ts";

const involvedObject = { kind: "PodX", name: "p", fieldPath: "spec.containers{c}" };
const micro = (seconds: number): string => secondsAgo(seconds).replace("Z", ".000000Z");

describe("Event table", () => {
  it("has object, reason, count and times", () => {
    const event = {
      involvedObject,
      reason: "Started",
      type: "Normal",
      message: "m",
      source: { component: "kubelet", host: "n" },
      count: 3,
      firstTimestamp: secondsAgo(90),
      lastTimestamp: secondsAgo(30),
    };
    expect(printed(Event, event)).toEqual({
      "Last Seen": "30s",
      Type: "Normal",
      Reason: "Started",
      Object: "podx/p",
      Subobject: "spec.containers{c}",
      Source: "kubelet, n",
      Message: "m",
      "First Seen": "90s",
      Count: 3,
      Name: "web",
    });
  });

  it("has the time of a single occurrence, or <unknown>", () => {
    expect(printed(Event, { involvedObject, firstTimestamp: secondsAgo(90) })).toMatchObject({
      "Last Seen": "90s",
      "First Seen": "90s",
      Count: 1,
    });
    expect(printed(Event, { involvedObject, eventTime: micro(90) })).toMatchObject({ "Last Seen": "90s", "First Seen": "90s" });
    expect(printed(Event, { involvedObject })).toMatchObject({ "Last Seen": "<unknown>", "First Seen": "<unknown>" });
  });

  it("uses the count of a series", () => {
    expect(
      printed(Event, { involvedObject, count: 2, lastTimestamp: secondsAgo(90), series: { count: 7, lastObservedTime: micro(5) } }),
    ).toMatchObject({ "Last Seen": "5s", Count: 7 });
  });

  it("reads the source from older or newer fields, and prints an object without a name", () => {
    expect(printed(Event, { involvedObject: { kind: "Node" }, reportingComponent: "c", reportingInstance: "i" })).toMatchObject({
      Source: "c, i",
      Object: "node",
    });
    expect(printed(Event, { involvedObject, source: { component: "kubelet" }, reportingComponent: "c" })).toMatchObject({
      Source: "kubelet",
    });
  });

  it("trims the same white space as Go", () => {
    expect(printed(Event, { involvedObject, message: " \u0085\ta \n b\u00a0\u3000\n" })).toMatchObject({ Message: "a \n b" });
    expect(printed(Event, { involvedObject, message: " \ufeffa\ufeff " })).toMatchObject({ Message: "\ufeffa\ufeff" });
    expect(printed(Event, { involvedObject, message: " \n " })).toMatchObject({ Message: "" });
  });

  it("is equal for events.k8s.io", () => {
    expect(
      printed(events.Event, {
        eventTime: micro(90),
        regarding: involvedObject,
        note: " n ",
        reason: "r",
        type: "Warning",
        reportingController: "c",
        reportingInstance: "i",
        deprecatedCount: 4,
      }),
    ).toEqual({
      "Last Seen": "90s",
      Type: "Warning",
      Reason: "r",
      Object: "podx/p",
      Subobject: "spec.containers{c}",
      Source: "c, i",
      Message: "n",
      "First Seen": "90s",
      Count: 4,
      Name: "web",
    });
  });
});
