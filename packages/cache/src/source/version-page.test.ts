import { ApiError } from "@drover/machinery";
import { ResponseError } from "@drover/client";
import type { KubeObject } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { readVersionPage } from "./version-page.ts";
import { VersionReader } from "./version-reader.ts";
import type { VersionPage } from "./version-source.ts";

const about = { attempt: "list pods in shop", method: "GET" };
const read = (body: string | Uint8Array, decode: "late" | "eager" = "late", headers = {}): VersionPage<KubeObject> => {
  const reader = new VersionReader<KubeObject>({
    target: { group: "", version: "v1", kind: "Pod" },
    projection: "full",
    keepManagedFields: false,
    decode,
    afterLook: "parsed",
    freeze: true,
  });
  return readVersionPage({ status: 200, headers, body }, about, reader);
};
const listOf = (...items: string[]): string =>
  `{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"7","continue":"more"},"items":[${items.join(",")}]}\n`;
const item = (name: string, rest = ""): string => `{"metadata":{"name":"${name}","resourceVersion":"5","managedFields":[{}]}${rest}}`;

describe("readVersionPage", () => {
  it("reads items, resource version and continue token, from text and from bytes", () => {
    const text = listOf(item("a"), item("b"));
    for (const body of [text, new TextEncoder().encode(text)]) {
      for (const decode of ["late", "eager"] as const) {
        const page = read(body, decode);
        expect(page).toMatchObject({ resourceVersion: "7", continue: "more", poison: [] });
        expect(page.items.map(({ key, isParsed }) => [key, isParsed])).toEqual([
          ["a", decode === "eager"],
          ["b", decode === "eager"],
        ]);
        expect(page.items[0]?.object).toEqual({ apiVersion: "v1", kind: "Pod", metadata: { name: "a", resourceVersion: "5" } });
      }
    }
  });

  it("reads lists without items, without metadata, and with whitespace", () => {
    expect(read(listOf())).toMatchObject({ items: [], resourceVersion: "7" });
    expect(read('{"kind":"PodList","items":null}')).toEqual({ items: [], resourceVersion: "", continue: undefined, poison: [] });
    expect(read('{ "items": [ {"metadata": {"name": "a"}} ], "metadata": {"resourceVersion": "7", "continue": ""} }')).toMatchObject({
      items: [{ key: "a" }],
      resourceVersion: "7",
      continue: undefined,
    });
  });

  it("reports items that cannot be decoded as poison, and keeps the rest", () => {
    const text = listOf(item("a"), '{"metadata":{}}', item("b", ',"spec":tru'), item("c"));
    const late = read(text);
    expect(late.items.map(({ key }) => key)).toEqual(["a", "b", "c"]);
    expect(late.poison).toMatchObject([{ key: undefined }]);
    expect(() => late.items[1]?.object).toThrow('Pod "b" at version 5 cannot be decoded');
    const eager = read(text, "eager");
    expect(eager.items.map(({ key }) => key)).toEqual(["a", "c"]);
    expect(eager.poison).toMatchObject([{ key: undefined }, { key: "b", resourceVersion: "5" }]);
  });

  it("rejects a body that is not a list of objects, and says what it is", () => {
    for (const decode of ["late", "eager"] as const) {
      expect(() => read('{"kind":"Pod","metadata":{"name":"a"}}', decode)).toThrow(
        "list pods in shop: expected a list with items, but the server answered with a Pod",
      );
      expect(() => read('{"kind":"Table","rows":[]}', decode)).toThrow(/a Table instead of objects/);
      expect(() =>
        read('{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","reason":"Expired","code":410}', decode),
      ).toThrow(ApiError);
      expect(() => read(listOf(item("a")).slice(0, -4), decode)).toThrow(ResponseError);
      expect(() => read("[]", decode)).toThrow("something else");
      expect(() => read("<html>", decode, { "content-type": "text/html" })).toThrow(/text\/html instead of JSON/);
      expect(() => read(listOf(item("a")), decode, { "content-type": "text/html" })).toThrow(/text\/html instead of JSON/);
    }
  });
});
