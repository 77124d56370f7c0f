import { describe, expect, it } from "vitest";
import { eachListItem, extractList, fillItemKinds, isList, lenList, listAccessor, setList } from "./list.ts";
import type { KubeList } from "./object.ts";
import { deepFreeze } from "../json/readonly.ts";

const pod = (name: string): { metadata: { name: string } } => ({ metadata: { name } });
const pods = deepFreeze({ apiVersion: "v1", kind: "PodList", metadata: { resourceVersion: "7" }, items: [pod("a"), pod("b")] });

describe("lists of any type", () => {
  it("are recognized by their items", () => {
    expect(isList(pods)).toBe(true);
    expect(isList({ items: [] })).toBe(true);
    for (const value of [undefined, null, [], {}, { items: {} }, { items: null }, Object.create({ items: [] })])
      expect(isList(value)).toBe(false);
  });

  it("return their items, one by one or all", () => {
    expect(extractList(pods)).toBe(pods.items);
    const seen: unknown[] = [];
    eachListItem(pods, (item, index) => seen.push([item, index]));
    expect(seen).toEqual([
      [pod("a"), 0],
      [pod("b"), 1],
    ]);
    expect(lenList(pods)).toBe(2);
  });

  it("may have null items", () => {
    expect(extractList({ items: null })).toEqual([]);
    expect(lenList({ items: null })).toBe(0);
  });

  it("are walked until the visitor throws", () => {
    const seen: unknown[] = [];
    expect(() =>
      eachListItem(pods, (item) => {
        seen.push(item);
        throw new Error("enough");
      }),
    ).toThrow("enough");
    expect(seen).toEqual([pod("a")]);
  });

  it("must have items", () => {
    expect(() => extractList({ kind: "Pod" })).toThrow("Pod is not a list: no items field in this object");
    expect(() => extractList({ items: "x" })).toThrow("object is not a list: the items field must be a list of objects");
    expect(() => eachListItem(undefined, () => {})).toThrow("undefined is not a list");
    expect(lenList({})).toBe(0);
  });

  it("can get other items", () => {
    const list: KubeList<{ metadata: { name: string } }> = { metadata: {}, items: [] };
    setList(list, pods.items);
    expect(list.items).toEqual(pods.items);
    expect(list.items).not.toBe(pods.items);
  });
});

describe("listAccessor", () => {
  it("reads and writes metadata, and removes empty values", () => {
    const list = { metadata: {}, items: [] };
    const meta = listAccessor(list);
    expect([meta.getResourceVersion(), meta.getContinue(), meta.getSelfLink(), meta.getRemainingItemCount()]).toEqual([
      "",
      "",
      "",
      undefined,
    ]);
    meta.setResourceVersion("7");
    meta.setContinue("token");
    meta.setSelfLink("/x");
    meta.setRemainingItemCount(0);
    expect(list.metadata).toEqual({ resourceVersion: "7", continue: "token", selfLink: "/x", remainingItemCount: 0 });
    expect([meta.getResourceVersion(), meta.getContinue(), meta.getSelfLink(), meta.getRemainingItemCount()]).toEqual([
      "7",
      "token",
      "/x",
      0,
    ]);
    meta.setContinue("");
    meta.setRemainingItemCount(undefined);
    expect(list.metadata).toEqual({ resourceVersion: "7", selfLink: "/x" });
  });

  it("rejects what is not a list", () => {
    for (const value of [undefined, {}, { metadata: {} }, { items: [] }])
      expect(() => listAccessor(value)).toThrow("object does not implement the List interfaces");
  });
});

describe("fillItemKinds", () => {
  it("sets the kind from the list", () => {
    expect(fillItemKinds(pods).items).toEqual([
      { apiVersion: "v1", kind: "Pod", ...pod("a") },
      { apiVersion: "v1", kind: "Pod", ...pod("b") },
    ]);
    expect(Object.keys(fillItemKinds(pods).items[0] ?? {})).toEqual(["apiVersion", "kind", "metadata"]);
  });

  it("keeps existing kinds, and shares unchanged items", () => {
    const known = { apiVersion: "x/v1", kind: "Other", metadata: {} };
    const list = deepFreeze({
      apiVersion: "v1",
      kind: "PodList",
      metadata: {},
      items: [known, { kind: "", apiVersion: "", ...pod("b") }, { kind: "Half", metadata: {} }],
    });
    const filled = fillItemKinds(list);
    expect(filled.items[0]).toBe(list.items[0]);
    expect(filled.items[1]).toEqual({ apiVersion: "v1", kind: "Pod", ...pod("b") });
    expect(filled.items[2]).toBe(list.items[2]);
    expect(fillItemKinds(filled)).toBe(filled);
  });

  it("returns the list itself when it does not name its items", () => {
    for (const list of [
      { ...pods, kind: "List" },
      { ...pods, kind: "" },
      { ...pods, apiVersion: "" },
      { metadata: {}, items: [pod("a")] },
    ])
      expect(fillItemKinds(list)).toBe(list);
  });

  it("keeps keys of any name", () => {
    const list = {
      apiVersion: "v1",
      kind: "ConfigMapList",
      metadata: {},
      items: [JSON.parse('{"metadata":{},"__proto__":{"polluted":1},"constructor":2}') as { metadata: object }],
    };
    const [item = {}] = fillItemKinds(list).items;
    expect(Object.keys(item)).toEqual(["apiVersion", "kind", "metadata", "__proto__", "constructor"]);
    expect((item as Record<string, unknown>)["polluted"]).toBeUndefined();
  });
});
