import { describe, expect, it } from "vitest";

import { deepFreeze } from "../json/readonly.ts";
import type { JsonValue } from "../json/json-value.ts";
import { insertAt, JsonPatchDraft, readPlace, removeAt, replaceAt } from "./json-patch-draft.ts";
import type { JsonPlace } from "./json-patch-draft.ts";

const place = (found: JsonPlace | undefined): JsonPlace => found ?? { container: [], key: "nowhere" };

describe("JsonPatchDraft", () => {
  it("writes to copies, and copies each object once", () => {
    const document: JsonValue = { a: { b: [1] }, c: { d: 1 } };
    deepFreeze(document);
    const draft = new JsonPatchDraft(document);
    const first = place(draft.findForWriting("/a/b/0"));
    replaceAt(first, 2);
    expect(place(draft.findForWriting("/a/b/-")).container).toBe(first.container);
    expect(draft.root).toEqual({ a: { b: [2] }, c: { d: 1 } });
    expect((draft.root as { c: JsonValue }).c).toBe(document["c"]);
  });

  it("copies nothing while reading", () => {
    const document: JsonValue = { a: [1] };
    const draft = new JsonPatchDraft(document);
    expect(draft.findForReading("/a/0")?.container).toBe(document["a"]);
    expect(draft.root).toBe(document);
  });

  it("finds no place behind a scalar, a null, a missing member or a bad index", () => {
    const draft = new JsonPatchDraft({ a: 1, n: null, l: [[]] });
    for (const path of ["", "x", "/a/b", "/n/b", "/x/b", "/l/7/0", "/l/x/0"]) expect(draft.findForReading(path)).toBeUndefined();
    expect(new JsonPatchDraft(5).findForWriting("/a")).toBeUndefined();
  });

  it("duplicates what it owns, so that two places never share a writable value", () => {
    const draft = new JsonPatchDraft({ a: { b: { c: 1 } }, ["__proto__"]: 1 });
    replaceAt(place(draft.findForWriting("/a/b/c")), 2);
    const { value } = readPlace(place(draft.findForReading("/a"))) as { value: JsonValue };
    insertAt(place(draft.findForWriting("/copy")), draft.duplicate(value));
    replaceAt(place(draft.findForWriting("/a/b/c")), 3);
    expect(draft.root).toEqual({ a: { b: { c: 3 } }, copy: { b: { c: 2 } }, ["__proto__"]: 1 });
  });
});

describe("JsonPlace", () => {
  it("parses indexes as Go does, from the end when negative", () => {
    const at = (key: string): unknown => readPlace({ container: ["x", "y"], key });
    for (const key of ["1", "01", "+1", "-1", "0000000000000000000000000001"]) expect(at(key)).toEqual({ value: "y" });
    expect(at("-0")).toEqual({ value: "x" });
    expect(at("2")).toBe("Unable to access invalid index: 2: invalid index referenced");
    expect(at("-3")).toBe("Unable to access invalid index: -3: invalid index referenced");
    expect(at("9223372036854775807")).toContain("invalid index referenced");
    for (const key of ["9223372036854775808", "-9223372036854775809", "9".repeat(400_000)]) expect(at(key)).toContain("value out of range");
    for (const key of ["", "-", "1.0", "0x1", " 1", "1_0", "١"])
      expect(at(key)).toBe(`strconv.Atoi: parsing ${JSON.stringify(key)}: invalid syntax`);
  });

  it("inserts before an index, at the end for -, and one further than it reads", () => {
    const insert = (key: string): unknown => {
      const container = [0, 1];
      return insertAt({ container, key }, 9) ?? container;
    };
    expect(insert("0")).toEqual([9, 0, 1]);
    expect(insert("2")).toEqual([0, 1, 9]);
    expect(insert("-")).toEqual([0, 1, 9]);
    expect(insert("-1")).toEqual([0, 1, 9]);
    expect(insert("-3")).toEqual([9, 0, 1]);
    expect(insert("3")).toBe("Unable to access invalid index: 3: invalid index referenced");
    expect(insert("x")).toBe("value was not a proper array index: 'x': strconv.Atoi: parsing \"x\": invalid syntax");
  });

  it("ignores inherited members", () => {
    expect(readPlace({ container: {}, key: "toString" })).toEqual({ value: undefined });
    expect(removeAt({ container: {}, key: "toString" })).toBe("Unable to remove nonexistent key: toString: missing value");
    const container = {};
    insertAt({ container, key: "__proto__" }, { polluted: true });
    expect(Object.keys(container)).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(container)).toBe(Object.prototype);
  });
});
