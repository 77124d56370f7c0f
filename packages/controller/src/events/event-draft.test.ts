import { byteLength, deepFreeze } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { eventDraft, eventFrom } from "./event-draft.ts";
import type { EventDraft, NewEvent } from "./event-draft.ts";

const reporter = { controller: "example.com/web", instance: "web-1" };
const pod = { apiVersion: "v1", kind: "Pod", metadata: { namespace: "shop", name: "web-0", uid: "u" } };
const event: NewEvent = { regarding: pod, type: "Normal", reason: "Pulled", action: "Pull", note: "done" };
const draftOf = (more: Partial<NewEvent>): EventDraft => {
  const draft = eventDraft({ ...event, ...more }, reporter);
  if (typeof draft === "string") throw new Error(draft);
  return draft;
};

describe("eventDraft", () => {
  it("returns an event without name and time", () => {
    expect(draftOf({ related: { ...pod, metadata: { name: "b" } } })).toEqual({
      namespace: "shop",
      type: "Normal",
      reason: "Pulled",
      action: "Pull",
      note: "done",
      regarding: { apiVersion: "v1", kind: "Pod", namespace: "shop", name: "web-0", uid: "u" },
      related: { apiVersion: "v1", kind: "Pod", name: "b" },
      reportingController: "example.com/web",
      reportingInstance: "web-1",
    });
  });

  it("uses the namespace of the object, or default if it has none", () => {
    expect([draftOf({}).namespace, draftOf({ regarding: { apiVersion: "v1", kind: "Node", metadata: { name: "n" } } }).namespace]).toEqual([
      "shop",
      "default",
    ]);
  });

  it("truncates texts to the server's limits: 1,024 bytes of note, 128 of reason and action", () => {
    const { note, reason, action } = draftOf({ note: "ä".repeat(2000), reason: "R".repeat(200), action: "€".repeat(200) });
    expect([byteLength(note), note.endsWith("ä…"), byteLength(reason), byteLength(action)]).toEqual([1023, true, 128, 126]);
  });

  const problems: readonly [Partial<Record<keyof NewEvent, unknown>>, string][] = [
    [{ regarding: { metadata: { name: "x" } } }, "regarding needs apiVersion, kind and a name"],
    [{ regarding: undefined }, "regarding needs apiVersion, kind and a name"],
    [{ type: "Bad" }, 'type must be "Normal" or "Warning", not "Bad"'],
    [{ reason: "" }, "reason must not be empty"],
    [{ action: "" }, "action must not be empty"],
    [{ note: 5 }, "note must be a string"],
  ];
  for (const [wrong, sentence] of problems)
    it(`returns the problem: ${sentence}`, () => expect(eventDraft({ ...event, ...wrong } as NewEvent, reporter)).toBe(sentence));

  it("drops an incomplete related object and keeps the rest", () => {
    expect(draftOf({ related: { metadata: { name: "x" } } })).not.toHaveProperty("related");
  });

  it("does not change its arguments", () => {
    const annotations = deepFreeze({ a: "b" });
    const made = eventFrom(draftOf(deepFreeze({ ...event, annotations })), { name: "n", eventTime: "t", note: "other" });
    expect(made).toMatchObject({ metadata: { name: "n", namespace: "shop", annotations: { a: "b" } }, eventTime: "t", note: "other" });
    expect([made.metadata.annotations === annotations, "namespace" in made, "annotations" in made]).toEqual([false, false, false]);
  });
});
