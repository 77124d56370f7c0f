import { describe, expect, it } from "vitest";
import type { ListPage, ListRecord } from "./history.ts";
import { checkList } from "./list-state.ts";
import { content, everything, truthOf, version } from "./small-history.ts";

const one = content("1");
const truth = truthOf(["a", one], ["b", one], ["c", one], ["a", undefined]);
const item = (id: string, revision: number): ListPage["items"][number] => ({ id, version: version(revision, one) });
const page = (items: readonly ListPage["items"][number][], facts: Partial<ListPage> = {}): ListPage => ({
  code: 200,
  revision: 13,
  items,
  hasMore: false,
  remaining: undefined,
  compacted: [1, 1],
  ...facts,
});
const list = (pages: readonly ListPage[], facts: Partial<ListRecord> = {}): ListRecord => ({
  name: "client 0",
  path: "/",
  scope: everything,
  isUnfiltered: true,
  mode: "latest",
  asked: 0,
  floor: 12,
  newestAtEnd: 14,
  pages,
  invoked: 0,
  returned: 0,
  ...facts,
});
const whole = page([item("a", 11), item("b", 12), item("c", 13)]);

describe("checkList", () => {
  it("accepts the state at the list's revision, on one page or several", () => {
    expect(checkList(list([whole]), truth)).toEqual([]);
    expect(checkList(list([page([item("a", 11)], { hasMore: true, remaining: 2 }), page([item("b", 12), item("c", 13)])]), truth)).toEqual(
      [],
    );
  });

  it("reports missing, extra, reordered and different items", () => {
    expect(checkList(list([page([item("a", 11), item("b", 12)])]), truth)).toHaveLength(1);
    expect(checkList(list([page([item("b", 12), item("c", 13), item("d", 13)], { revision: 14 })]), truth)).toHaveLength(1);
    expect(checkList(list([page([item("b", 12), item("a", 11), item("c", 13)])]), truth)).toHaveLength(2);
    expect(checkList(list([page([{ id: "a", version: version(11, content("2")) }, item("b", 12), item("c", 13)])]), truth)).toHaveLength(1);
  });

  it("reports a wrong remainingItemCount", () => {
    expect(checkList(list([page([item("a", 11)], { hasMore: true, remaining: 1 })]), truth)).toHaveLength(1);
    expect(checkList(list([page([item("a", 11)], { hasMore: true, remaining: 2 })], { isUnfiltered: false }), truth)).toHaveLength(1);
  });

  it("reports a revision that the request does not allow", () => {
    expect(checkList(list([whole], { floor: 14 }), truth)).toHaveLength(1);
    expect(checkList(list([whole], { mode: "exact", asked: 12 }), truth)).toHaveLength(1);
    expect(checkList(list([whole], { mode: "not-older-than", asked: 14 }), truth)).toHaveLength(1);
    expect(checkList(list([whole], { newestAtEnd: 12, floor: 12 }), truth)).toHaveLength(1);
    expect(
      checkList(
        list([page([item("a", 11)], { hasMore: true, remaining: 2 }), page([item("b", 12), item("c", 13)], { revision: 14 })]),
        truth,
      ),
    ).toHaveLength(1);
  });

  it("accepts a 410 only if the revision is compacted", () => {
    const refused = (compacted: ListPage["compacted"]): ListPage => page([], { code: 410, revision: 0, compacted });
    expect(checkList(list([refused([1, 13])], { mode: "exact", asked: 12 }), truth)).toEqual([]);
    expect(checkList(list([refused([1, 12])], { mode: "exact", asked: 12 }), truth)).toHaveLength(1);
    expect(checkList(list([page([item("a", 11)], { hasMore: true, remaining: 2 }), refused([1, 14])]), truth)).toEqual([]);
    expect(checkList(list([refused([1, 14])]), truth)).toHaveLength(1);
    expect(checkList(list([{ ...whole, compacted: [14, 14] }], { mode: "exact", asked: 13 }), truth)).toHaveLength(1);
  });

  it("accepts a 504 for a revision that never came, and no other failure", () => {
    expect(checkList(list([page([], { code: 504 })], { mode: "exact", asked: 13 }), truth)).toEqual([]);
    expect(checkList(list([page([], { code: 504 })], { mode: "exact", asked: 12 }), truth)).toHaveLength(1);
    expect(checkList(list([page([], { code: 500 })]), truth)).toEqual(["page 1 was answered with 500"]);
  });
});
