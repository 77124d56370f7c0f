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
  it("takes the state at the revision of the list, on one page or on several", () => {
    expect(checkList(list([whole]), truth)).toEqual([]);
    expect(checkList(list([page([item("a", 11)], { hasMore: true, remaining: 2 }), page([item("b", 12), item("c", 13)])]), truth)).toEqual(
      [],
    );
  });

  it("objects to items that are missing, in excess, in another order, or other than they were", () => {
    expect(checkList(list([page([item("a", 11), item("b", 12)])]), truth)).toHaveLength(1);
    expect(checkList(list([page([item("b", 12), item("c", 13), item("d", 13)], { revision: 14 })]), truth)).toHaveLength(1);
    expect(checkList(list([page([item("b", 12), item("a", 11), item("c", 13)])]), truth)).toHaveLength(2);
    expect(checkList(list([page([{ id: "a", version: version(11, content("2")) }, item("b", 12), item("c", 13)])]), truth)).toHaveLength(1);
  });

  it("objects to a wrong number of what is left", () => {
    expect(checkList(list([page([item("a", 11)], { hasMore: true, remaining: 1 })]), truth)).toHaveLength(1);
    expect(checkList(list([page([item("a", 11)], { hasMore: true, remaining: 2 })], { isUnfiltered: false }), truth)).toHaveLength(1);
  });

  it("objects to a revision that was not asked for", () => {
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

  it("lets a list be refused whose revision is forgotten, and only then", () => {
    const refused = (compacted: ListPage["compacted"]): ListPage => page([], { code: 410, revision: 0, compacted });
    expect(checkList(list([refused([1, 13])], { mode: "exact", asked: 12 }), truth)).toEqual([]);
    expect(checkList(list([refused([1, 12])], { mode: "exact", asked: 12 }), truth)).toHaveLength(1);
    expect(checkList(list([page([item("a", 11)], { hasMore: true, remaining: 2 }), refused([1, 14])]), truth)).toEqual([]);
    expect(checkList(list([refused([1, 14])]), truth)).toHaveLength(1);
    expect(checkList(list([{ ...whole, compacted: [14, 14] }], { mode: "exact", asked: 13 }), truth)).toHaveLength(1);
  });

  it("lets a list give up waiting for a revision that never came, and takes no other failure", () => {
    expect(checkList(list([page([], { code: 504 })], { mode: "exact", asked: 13 }), truth)).toEqual([]);
    expect(checkList(list([page([], { code: 504 })], { mode: "exact", asked: 12 }), truth)).toHaveLength(1);
    expect(checkList(list([page([], { code: 500 })]), truth)).toEqual(["page 1 was answered with 500"]);
  });
});
