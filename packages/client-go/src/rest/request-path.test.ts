import fc from "fast-check";
import { expect, it } from "vitest";
import { escapePath, joinPath, unescapePath } from "./request-path.ts";

it.each([
  [["a", "b"], "a/b"],
  [["/a/", "/b/"], "/a/b"],
  [["", ""], ""],
  [["a", ""], "a"],
  [["/", "../.."], "/"],
  [["a", "../../b"], "../b"],
  [["/a/./b", "..", "c"], "/a/c"],
  [["a", ".."], "."],
  [["//a//b"], "/a/b"],
])("joins %j as Go does", (parts, joined) => {
  expect(joinPath(...parts)).toBe(joined);
});

it("escapes so that taking it back gives the same path, and only what a request line may hold is left", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (path) => {
      const escaped = escapePath(path);
      expect(escaped).toMatch(/^[A-Za-z0-9\-_.~$&+,/:;=@%]*$/);
      expect(unescapePath(escaped)).toBe(path);
    }),
  );
});

it("writes half a character as U+FFFD and refuses broken escapes", () => {
  expect(escapePath("\ud800")).toBe("%EF%BF%BD");
  expect(unescapePath("%zz")).toBeUndefined();
});
