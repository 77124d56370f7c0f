import { describe, expect, it } from "vitest";
import { deleteBody, listQuery, watchQuery, writeQuery } from "./option-query.ts";

describe("option queries", () => {
  it("are empty when nothing is asked for", () => {
    expect([listQuery({}), writeQuery({}), deleteBody({})]).toEqual(["", "", undefined]);
  });

  it("ask for bookmarks on every watch unless told not to", () => {
    expect(watchQuery({})).toBe("allowWatchBookmarks=true&watch=true");
    expect(watchQuery({ allowWatchBookmarks: false })).toBe("watch=true");
  });

  it("of a watch hold what it may be asked for", () => {
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

  it("hold no signal, no timeout and nothing that is undefined", () => {
    const call = { signal: new AbortController().signal, timeoutMs: 5, namespace: "shop" };
    expect([listQuery(call), watchQuery(call), writeQuery(call), deleteBody(call)]).toEqual([
      "",
      "allowWatchBookmarks=true&watch=true",
      "",
      undefined,
    ]);
  });

  it("of a write hold dry run and force as the server reads them", () => {
    expect(writeQuery({ dryRun: "All", force: false, fieldManager: "a b" })).toBe("dryRun=All&fieldManager=a+b&force=false");
  });

  it("of a deletion are its body, zero seconds included", () => {
    expect(deleteBody({ gracePeriodSeconds: 0 })).toEqual({ apiVersion: "v1", kind: "DeleteOptions", gracePeriodSeconds: 0 });
  });
});
