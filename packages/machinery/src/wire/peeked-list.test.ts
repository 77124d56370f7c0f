import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { peekList } from "./peeked-list.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes);
const itemsOf = (text: string): unknown[] | undefined => {
  const list = peekList(bytesOf(text));
  if (list === undefined) return undefined;
  const items: unknown[] = [];
  for (let index = 0; index < list.bounds.length; index += 2)
    items.push(JSON.parse(textOf(bytesOf(text).slice(list.bounds[index], list.bounds[index + 1]))));
  return items;
};

describe("peekList", () => {
  it("finds the items of a list of built-in kinds, and of one with sorted keys", () => {
    const items = '[{"metadata":{"name":"a","managedFields":[{"f:x":{}}]},"spec":{"x":[{"metadata":{}}]}},{"metadata":{"name":"b"}}]';
    for (const text of [
      `{"kind":"PodList","metadata":{"resourceVersion":"7"},"items":${items}}`,
      `{"items":${items},"kind":"WidgetList"}\n`,
    ]) {
      expect(itemsOf(text)).toEqual(JSON.parse(items));
      expect(JSON.parse(textOf(peekList(bytesOf(text))?.envelope))).toEqual({ ...(JSON.parse(text) as object), items: [] });
    }
    expect(itemsOf('{"kind":"PodList","items":[]}')).toEqual([]);
  });
  it("is undefined for anything unusual", () => {
    for (const text of [
      '{"items":null}',
      '{"kind":"PodList"}',
      '{"items":[],"items":[]}',
      '{ "items":[]}',
      '{"items":[1]}',
      '{"items":[{},]}',
      '{"items":[{}',
      '{"items":[{}]',
      '{"items":[{}]}}',
      '{"items":[{}]} x',
      '{"items":[ {}]}',
      String.raw`{"items":[],"it\u0065ms":[{}]}`,
      "[]",
      "",
    ])
      expect(peekList(bytesOf(text)), text).toBeUndefined();
  });
  it("finds all objects", () => {
    fc.assert(
      fc.property(fc.array(fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true })), (items) => {
        expect(itemsOf(`{"a":{"items":[1]},"items":${JSON.stringify(items)},"b":[]}`)).toEqual(JSON.parse(JSON.stringify(items)));
      }),
      { numRuns: (fc.readConfigureGlobal()?.numRuns ?? 200) / 10 },
    );
  });
});
