import { describe, expect, it } from "vitest";
import type { EventDraft } from "./event-draft.ts";
import { seriesKey, similarKey, spamKey } from "./event-keys.ts";

const pod = { apiVersion: "v1", kind: "Pod", namespace: "shop", name: "web-0", uid: "u", resourceVersion: "1" };
const draft: EventDraft = { namespace: "shop", type: "Normal", reason: "R", action: "A", note: "n", regarding: pod, reportingController: "c", reportingInstance: "i" };
const variants: Readonly<Record<string, Partial<EventDraft>>> = {
  version: { regarding: { ...pod, resourceVersion: "2" } }, note: { note: "m" }, annotations: { annotations: { a: "b" } },
  fieldPath: { regarding: { ...pod, fieldPath: "x" } }, related: { related: pod }, reason: { reason: "S" }, action: { action: "B" },
  type: { type: "Warning" }, controller: { reportingController: "d" }, instance: { reportingInstance: "j" }, uid: { regarding: { ...pod, uid: "v" } }, name: { regarding: { ...pod, name: "x" } },
};
const differing = (keyOf: (draft: EventDraft) => string): readonly string[] => Object.entries(variants).filter(([, more]) => keyOf({ ...draft, ...more }) !== keyOf(draft)).map(([name]) => name);

describe("keys of events", () => {
  it("call those similar that differ in note, annotations and version of the object at most", () => {
    expect(differing(similarKey)).toEqual(["fieldPath", "related", "reason", "action", "type", "controller", "instance", "uid", "name"]);
  });

  it("give one allowance to a reporter, an object and a type", () => {
    expect(differing(spamKey)).toEqual(["type", "controller", "instance", "uid", "name"]);
  });

  it("do not run into each other where one text ends and the next begins", () => {
    expect(similarKey({ ...draft, reason: "RA", action: "B" })).not.toBe(similarKey({ ...draft, reason: "R", action: "AB" }));
    expect(seriesKey(similarKey(draft), "")).not.toBe(similarKey(draft));
    expect(similarKey({ ...draft, reason: "line\nbreak" })).not.toContain("\n");
  });
});
