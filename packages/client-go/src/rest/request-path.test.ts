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

it("escapePath is inverted by unescapePath and leaves only characters that a request line may contain", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (path) => {
      const escaped = escapePath(path);
      expect(escaped).toMatch(/^[A-Za-z0-9\-_.~$&+,/:;=@%]*$/);
      expect(unescapePath(escaped)).toBe(path);
    }),
  );
});

it("escapePath writes a lone surrogate as U+FFFD, and unescapePath rejects malformed escapes", () => {
  expect(escapePath("\ud800")).toBe("%EF%BF%BD");
  expect(unescapePath("%zz")).toBeUndefined();
});
