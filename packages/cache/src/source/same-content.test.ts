import { describe, expect, it } from "vitest";
import { sameContent } from "./same-content.ts";
import { versionOfJson } from "./parsed-version.ts";
import { VersionReader } from "./version-reader.ts";
import type { ObjectVersion } from "./object-version.ts";

const reader = new VersionReader({
  target: { group: "", version: "v1", kind: "Pod" },
  projection: "full",
  keepManagedFields: false,
  decode: "late",
  afterLook: "parsed",
  freeze: true,
});
const read = (text: string): ObjectVersion => reader.read(new TextEncoder().encode(text));
const meta = '"metadata":{"name":"a","uid":"u","resourceVersion":"7"}';
const watched = `{"kind":"Pod","apiVersion":"v1",${meta},"spec":{"x":1,"y":2}}`;
const parsed = (text: string): ObjectVersion => versionOfJson(JSON.parse(text));

describe("sameContent", () => {
  it.each<[string, string, boolean]>([
    ["the same bytes", watched, true],
    ["a list item without kind and apiVersion", `{${meta},"spec":{"x":1,"y":2}}`, true],
    ["another order of members", `{${meta},"spec":{"y":2,"x":1}}`, true],
    ["another value of equal length", `{"kind":"Pod","apiVersion":"v1",${meta},"spec":{"x":1,"y":3}}`, false],
    ["a missing member", `{${meta},"spec":{"x":1}}`, false],
    ["bytes that are not JSON", `{${meta},"spec":{"x":1,"y":}}`, false],
  ])("compares with %s, parsed or not, and parses nothing for good", (_, text, isSame) => {
    const [a, b] = [read(watched), read(text)];
    expect([sameContent(a, b), sameContent(b, a), sameContent(parsed(watched), b)]).toEqual([isSame, isSame, isSame]);
    expect([a.isParsed, b.isParsed]).toEqual([false, false]);
  });
});
