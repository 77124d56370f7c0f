import { describe, expect, it } from "vitest";
import { isInitial, nextChange, withChange, withFailed } from "./handler-buffer-state.ts";
import type { Pending } from "./handler-buffer-state.ts";
import { AddedChange, DeletedChange, UpdatedChange } from "../store/change.ts";
import type { StoreChange } from "../store/change.ts";
import { podVersion } from "../testing/pod-version.ts";
import type { TestPod } from "../testing/pod-version.ts";

type PodChange = StoreChange<TestPod>;

const version = (uid: string, at: number): ReturnType<typeof podVersion> => podVersion("shop/web", at, { uid });
const added = (uid: string, at: number, isInInitialList = false): PodChange =>
  new AddedChange({ version: version(uid, at), isInInitialList });
const updated = (uid: string, from: number, to: number, isResync = false): PodChange =>
  new UpdatedChange({ version: version(uid, to), before: version(uid, from), isResync });
const deleted = (uid: string, at: number): PodChange => new DeletedChange({ version: version(uid, at), isFinalStateUnknown: false });

const after = (changes: readonly PodChange[], pending?: Pending<TestPod>): Pending<TestPod> | undefined =>
  changes.reduce<Pending<TestPod> | undefined>((state, change) => withChange(state, change), pending);

/** All that a handler would be told of it, as short words: "added u1@2", "updated u1@1→3". */
function words(pending: Pending<TestPod> | undefined): string[] {
  if (pending === undefined) return [];
  const [change, rest] = nextChange(pending);
  if (change === undefined) return [];
  const { uid, resourceVersion } = change;
  const from = change.type === "updated" ? `${change.resourceVersionBefore}→` : "";
  return [`${change.type} ${uid}@${from}${resourceVersion}`, ...words(rest)];
}

describe("what waits for a slow handler, key by key", () => {
  const rows: [string, PodChange[], string[]][] = [
    ["one of each is told as it is", [updated("u1", 1, 2)], ["updated u1@1→2"]],
    ["an addition takes in later updates", [added("u1", 1), updated("u1", 1, 2), updated("u1", 2, 3)], ["added u1@3"]],
    ["updates become one, from the first state to the last", [updated("u1", 1, 2), updated("u1", 2, 3)], ["updated u1@1→3"]],
    ["an addition nobody saw and its deletion are nothing", [added("u1", 1), updated("u1", 1, 2), deleted("u1", 3)], []],
    ["an update gives way to the deletion", [updated("u1", 1, 2), deleted("u1", 3)], ["deleted u1@3"]],
    [
      "the end of one object and the beginning of the next are two",
      [deleted("u1", 2), added("u2", 3), updated("u2", 3, 4)],
      ["deleted u1@2", "added u2@4"],
    ],
    ["what came and went behind a deletion is nothing", [deleted("u1", 2), added("u2", 3), deleted("u2", 4)], ["deleted u1@2"]],
    [
      "only the first end and the last beginning count",
      [deleted("u1", 2), added("u2", 3), deleted("u2", 4), added("u3", 5)],
      ["deleted u1@2", "added u3@5"],
    ],
    ["an update, an end and a beginning", [updated("u1", 1, 2), deleted("u1", 3), added("u2", 4)], ["deleted u1@3", "added u2@4"]],
  ];
  for (const [sentence, changes, expected] of rows) it(sentence, () => expect(words(after(changes))).toEqual(expected));

  it("is a resync only while nothing has changed", () => {
    expect(after([updated("u1", 1, 1, true), updated("u1", 1, 1, true)])?.now).toMatchObject({ isResync: true });
    expect(after([updated("u1", 1, 1, true), updated("u1", 1, 2)])?.now).toMatchObject({ isResync: false });
    expect(after([updated("u1", 1, 2), updated("u1", 2, 2, true)])?.now).toMatchObject({ isResync: false });
  });

  it("remembers that an addition was of the initial list, whatever it takes in", () => {
    expect(isInitial(after([added("u1", 1, true), updated("u1", 1, 2)]))).toBe(true);
    expect(isInitial(after([added("u1", 1, true), deleted("u1", 2)]))).toBe(false);
    expect(isInitial(after([deleted("u0", 1), added("u1", 2)]))).toBe(false);
  });
});

describe("what is told again after a failure", () => {
  const rows: [string, PodChange, PodChange[], string[]][] = [
    ["the same when nothing came meanwhile", added("u1", 1), [], ["added u1@1"]],
    ["an addition with what came meanwhile", added("u1", 1), [updated("u1", 1, 2)], ["added u1@2"]],
    ["an update from its own first state", updated("u1", 1, 2), [updated("u1", 2, 3)], ["updated u1@1→3"]],
    [
      "not the addition but the deletion: the handler may have taken note before it failed",
      added("u1", 1),
      [deleted("u1", 2)],
      ["deleted u1@2"],
    ],
    ["a deletion before the next beginning", deleted("u1", 2), [added("u2", 3)], ["deleted u1@2", "added u2@3"]],
    [
      "not the update but the end and the next beginning",
      updated("u1", 1, 2),
      [deleted("u1", 3), added("u2", 4)],
      ["deleted u1@3", "added u2@4"],
    ],
  ];
  for (const [sentence, failed, meanwhile, expected] of rows) {
    it(sentence, () => expect(words(withFailed(failed, after(meanwhile)))).toEqual(expected));
  }

  it("is a deletion, and not nothing, when an addition that failed once is deleted before it was told again", () => {
    expect(words(after([updated("u1", 1, 2), deleted("u1", 3)], withFailed(added("u1", 1), undefined)))).toEqual(["deleted u1@3"]);
  });
});
