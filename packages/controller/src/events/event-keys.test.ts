import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EventDraft } from "./event-draft.ts";
import { seriesKey, similarKey, spamKey } from "./event-keys.ts";

const pod = { apiVersion: "v1", kind: "Pod", namespace: "shop", name: "web-0", uid: "u", resourceVersion: "1" };
const draft: EventDraft = {
  namespace: "shop",
  type: "Normal",
  reason: "R",
  action: "A",
  note: "n",
  regarding: pod,
  reportingController: "c",
  reportingInstance: "i",
};
const variants: Readonly<Record<string, Partial<EventDraft>>> = {
  version: { regarding: { ...pod, resourceVersion: "2" } },
  note: { note: "m" },
  annotations: { annotations: { a: "b" } },
  fieldPath: { regarding: { ...pod, fieldPath: "x" } },
  related: { related: pod },
  reason: { reason: "S" },
  action: { action: "B" },
  type: { type: "Warning" },
  controller: { reportingController: "d" },
  instance: { reportingInstance: "j" },
  uid: { regarding: { ...pod, uid: "v" } },
  name: { regarding: { ...pod, name: "x" } },
};
const differing = (keyOf: (draft: EventDraft) => string): readonly string[] =>
  Object.entries(variants)
    .filter(([, more]) => keyOf({ ...draft, ...more }) !== keyOf(draft))
    .map(([name]) => name);

describe("keys of events", () => {
  it("similarKey is equal for events that differ only in note, annotations and version of the object", () => {
    expect(differing(similarKey)).toEqual(["fieldPath", "related", "reason", "action", "type", "controller", "instance", "uid", "name"]);
  });

  it("spamKey is equal for the same reporter, object and type", () => {
    expect(differing(spamKey)).toEqual(["type", "controller", "instance", "uid", "name"]);
  });

  it("are unambiguous where one text ends and the next begins", () => {
    expect(similarKey({ ...draft, reason: "RA", action: "B" })).not.toBe(similarKey({ ...draft, reason: "R", action: "AB" }));
    expect(seriesKey(similarKey(draft), "")).not.toBe(similarKey(draft));
    expect(seriesKey(similarKey({ ...draft, reason: "line" }), "break")).not.toBe(similarKey({ ...draft, reason: "line\nbreak" }));
    const { uid: _, ...anonymous } = pod;
    expect(similarKey({ ...draft, regarding: { ...pod, uid: "" } })).not.toBe(similarKey({ ...draft, regarding: anonymous }));
  });

  it("differ for different texts, whatever these contain", () => {
    const texts = fc.record({ reason: fc.string(), action: fc.string(), note: fc.string(), reportingController: fc.string() });
    fc.assert(
      fc.property(texts, texts, (one, other) => {
        const isSimilar =
          one.reason === other.reason && one.action === other.action && one.reportingController === other.reportingController;
        const [mine, theirs] = [similarKey({ ...draft, ...one }), similarKey({ ...draft, ...other })];
        expect(mine === theirs).toBe(isSimilar);
        expect(seriesKey(mine, one.note) === seriesKey(theirs, other.note)).toBe(isSimilar && one.note === other.note);
        expect(seriesKey(mine, one.note)).not.toBe(theirs);
      }),
    );
  });
});
