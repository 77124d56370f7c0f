import { describe, expect, it } from "vitest";
import { deleteBody, listQuery, watchQuery, writeQuery } from "./option-query.ts";

describe("option queries", () => {
  it("are empty without options", () => {
    expect([listQuery({}), writeQuery({}), deleteBody({})]).toEqual(["", "", undefined]);
  });

  it("request bookmarks on every watch unless disabled", () => {
    expect(watchQuery({})).toBe("allowWatchBookmarks=true&watch=true");
    expect(watchQuery({ allowWatchBookmarks: false })).toBe("watch=true");
  });

  it("of a watch contain all its options", () => {
    expect(
      watchQuery({
        resourceVersion: "7",
        resourceVersionMatch: "NotOlderThan",
        sendInitialEvents: true,
        timeoutSeconds: 300,
        labelSelector: { matchLabels: { a: "b" } },
      }),
    ).toBe(
      "allowWatchBookmarks=true&labelSelector=a%3Db&resourceVersion=7&resourceVersionMatch=NotOlderThan&sendInitialEvents=true&timeoutSeconds=300&watch=true",
    );
  });

  it("contain no signal, no timeout and nothing undefined", () => {
    const call = { signal: new AbortController().signal, timeoutMs: 5, namespace: "shop" };
    expect([listQuery(call), watchQuery(call), writeQuery(call), deleteBody(call)]).toEqual([
      "",
      "allowWatchBookmarks=true&watch=true",
      "",
      undefined,
    ]);
  });

  it("of a write contain dry run and force as the server parses them", () => {
    expect(writeQuery({ dryRun: "All", force: false, fieldManager: "a b" })).toBe("dryRun=All&fieldManager=a+b&force=false");
  });

  it("of a deletion are its body, with zero seconds", () => {
    expect(deleteBody({ gracePeriodSeconds: 0 })).toEqual({ apiVersion: "v1", kind: "DeleteOptions", gracePeriodSeconds: 0 });
  });
});
