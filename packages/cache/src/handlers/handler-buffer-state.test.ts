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

/** The changes that a handler would receive, in short: "added u1@2", "updated u1@1→3". */
function words(pending: Pending<TestPod> | undefined): string[] {
  if (pending === undefined) return [];
  const [change, rest] = nextChange(pending);
  if (change === undefined) return [];
  const { uid, resourceVersion } = change;
  const from = change.type === "updated" ? `${change.resourceVersionBefore}→` : "";
  return [`${change.type} ${uid}@${from}${resourceVersion}`, ...words(rest)];
}

describe("withChange", () => {
  const rows: [string, PodChange[], string[]][] = [
    ["keeps a single change unchanged", [updated("u1", 1, 2)], ["updated u1@1→2"]],
    ["merges updates into a pending addition", [added("u1", 1), updated("u1", 1, 2), updated("u1", 2, 3)], ["added u1@3"]],
    ["merges updates into one, from the first state to the last", [updated("u1", 1, 2), updated("u1", 2, 3)], ["updated u1@1→3"]],
    ["drops an addition that is deleted before delivery", [added("u1", 1), updated("u1", 1, 2), deleted("u1", 3)], []],
    ["replaces a pending update by the deletion", [updated("u1", 1, 2), deleted("u1", 3)], ["deleted u1@3"]],
    [
      "keeps a deletion and the addition of the next object",
      [deleted("u1", 2), added("u2", 3), updated("u2", 3, 4)],
      ["deleted u1@2", "added u2@4"],
    ],
    [
      "drops an object that was added and deleted after a pending deletion",
      [deleted("u1", 2), added("u2", 3), deleted("u2", 4)],
      ["deleted u1@2"],
    ],
    [
      "keeps only the first deletion and the last addition",
      [deleted("u1", 2), added("u2", 3), deleted("u2", 4), added("u3", 5)],
      ["deleted u1@2", "added u3@5"],
    ],
    [
      "turns an update, a deletion and an addition into a deletion and an addition",
      [updated("u1", 1, 2), deleted("u1", 3), added("u2", 4)],
      ["deleted u1@3", "added u2@4"],
    ],
  ];
  for (const [sentence, changes, expected] of rows) it(sentence, () => expect(words(after(changes))).toEqual(expected));

  it("keeps isResync only while nothing has changed", () => {
    expect(after([updated("u1", 1, 1, true), updated("u1", 1, 1, true)])?.now).toMatchObject({ isResync: true });
    expect(after([updated("u1", 1, 1, true), updated("u1", 1, 2)])?.now).toMatchObject({ isResync: false });
    expect(after([updated("u1", 1, 2), updated("u1", 2, 2, true)])?.now).toMatchObject({ isResync: false });
  });

  it("keeps isInInitialList of an addition when it merges updates", () => {
    expect(isInitial(after([added("u1", 1, true), updated("u1", 1, 2)]))).toBe(true);
    expect(isInitial(after([added("u1", 1, true), deleted("u1", 2)]))).toBe(false);
    expect(isInitial(after([deleted("u0", 1), added("u1", 2)]))).toBe(false);
  });
});

describe("withFailed", () => {
  const rows: [string, PodChange, PodChange[], string[]][] = [
    ["repeats the failed change when nothing else happened", added("u1", 1), [], ["added u1@1"]],
    ["merges later updates into a failed addition", added("u1", 1), [updated("u1", 1, 2)], ["added u1@2"]],
    ["merges later updates into a failed update, from its first state", updated("u1", 1, 2), [updated("u1", 2, 3)], ["updated u1@1→3"]],
    [
      "replaces a failed addition by its deletion: the handler may have processed it before it failed",
      added("u1", 1),
      [deleted("u1", 2)],
      ["deleted u1@2"],
    ],
    ["keeps a failed deletion before the next addition", deleted("u1", 2), [added("u2", 3)], ["deleted u1@2", "added u2@3"]],
    [
      "replaces a failed update by the deletion and the next addition",
      updated("u1", 1, 2),
      [deleted("u1", 3), added("u2", 4)],
      ["deleted u1@3", "added u2@4"],
    ],
  ];
  for (const [sentence, failed, meanwhile, expected] of rows) {
    it(sentence, () => expect(words(withFailed(failed, after(meanwhile)))).toEqual(expected));
  }

  it("keeps a deletion when an addition that failed is deleted before its retry", () => {
    expect(words(after([updated("u1", 1, 2), deleted("u1", 3)], withFailed(added("u1", 1), undefined)))).toEqual(["deleted u1@3"]);
  });
});
