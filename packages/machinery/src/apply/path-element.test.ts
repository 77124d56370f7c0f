import fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  compareElements,
  elementJson,
  fieldElement,
  keyElement,
  keyNames,
  parseElement,
  PathElementError,
  printElement,
  printPath,
  valueElement,
} from "./path-element.ts";

const scalar = fc.oneof(fc.string(), fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null));
const element = fc.oneof(
  fc.string().map(fieldElement),
  scalar.map(valueElement),
  fc.nat().map((index) => `i:${index}`),
  fc.tuple(scalar, scalar).map(([a, b]) =>
    keyElement([
      ["a", a],
      ["b", b],
    ]),
  ),
);

describe("PathElement", () => {
  // Found by fuzzing: 1e400 was stored as Infinity, after which no manager of the object could be read any more.
  it.each(["v:1e400", 'k:{"port":-1e999}', 'k:{"a":[1E400]}', `v:1${"0".repeat(400)}`])("refuses a number out of range: %s", (text) => {
    expect(() => parseElement(text)).toThrow(PathElementError);
  });

  // Found next to the case above: JSON within a key of FieldsV1 is a string to the decoder of the body, which does not limit its depth.
  it.each([1001, 6000, 50_000])("refuses a value nested %d levels deep", (depth) => {
    const deep = "[".repeat(depth) + "]".repeat(depth);
    expect(() => parseElement(`v:${deep}`)).toThrow(PathElementError);
    expect(() => parseElement(`k:{"a":${deep}}`)).toThrow(PathElementError);
  });

  it("is written as in FieldsV1", () => {
    expect(fieldElement("a.b/c")).toBe("f:a.b/c");
    expect(
      keyElement([
        ["name", "web"],
        ["port", 80],
      ]),
    ).toBe('k:{"name":"web","port":80}');
    expect([valueElement("x"), valueElement(2), valueElement(true), valueElement(null)]).toEqual(['v:"x"', "v:2", "v:true", "v:null"]);
  });

  it("escapes values like the server's encoder", () => {
    expect(elementJson("<&>")).toBe('"\\u003c\\u0026\\u003e"');
    expect(elementJson("\b\f\n\r\t\u0001")).toBe('"\\u0008\\u000c\\n\\r\\t\\u0001"');
    expect(elementJson("\\b")).toBe('"\\\\b"');
    expect([elementJson(1e-7), elementJson(1e21), elementJson(0), elementJson(2n ** 60n)]).toEqual([
      "1e-07",
      "1e+21",
      "0",
      "1152921504606846976",
    ]);
  });

  it("has one canonical form for all spellings", () => {
    expect(parseElement('k:{ "b": 1, "a": "x" }')).toBe('k:{"a":"x","b":1}');
    expect([parseElement("v:1.0"), parseElement('v:"\\u0061"'), parseElement("i:007"), parseElement("f:k:{}")]).toEqual([
      "v:1",
      'v:"a"',
      "i:7",
      "f:k:{}",
    ]);
  });

  it("is returned itself when canonical", () => {
    fc.assert(
      fc.property(element, (text) => {
        expect(parseElement(text)).toBe(text);
      }),
    );
  });

  it("of an unknown type differs from an invalid one", () => {
    expect(parseElement("z:what")).toBeUndefined();
    for (const text of ["", "f", "name", "i:x", "v:{", "k:[1]"]) expect(() => parseElement(text)).toThrow(PathElementError);
  });

  it("sorts by field, key, value, index, each by content", () => {
    const ordered = [
      "f:",
      "f:a",
      "f:z",
      "f:é",
      "f:\uffff",
      "f:😀",
      'k:{"a":1}',
      'k:{"a":1,"b":1}',
      'k:{"a":9}',
      'k:{"a":10}',
      'k:{"a":"9"}',
      'k:{"name":"a"}',
      'k:{"name":"a b"}',
      'k:{"name":"a-b"}',
      'k:{"name":"ab"}',
      "v:2",
      "v:10",
      'v:"10"',
      'v:"a"',
      "v:false",
      "v:true",
      "v:[]",
      "v:[1]",
      "v:{}",
      "v:null",
      "i:9",
      "i:10",
    ];
    expect(ordered.toReversed().toSorted(compareElements)).toEqual(ordered);
  });

  it("has a consistent order", () => {
    fc.assert(
      fc.property(element, element, element, (a, b, c) => {
        expect(Math.sign(compareElements(a, b))).toBe(-Math.sign(compareElements(b, a)) + 0);
        expect(compareElements(a, b) === 0).toBe(a === b);
        if (compareElements(a, b) < 0 && compareElements(b, c) < 0) expect(compareElements(a, c)).toBeLessThan(0);
      }),
    );
  });

  it("prints as a path in messages", () => {
    expect(printPath(["f:spec", "f:ports", 'k:{"containerPort":80,"protocol":"TCP"}', "f:x"])).toBe(
      '.spec.ports[containerPort=80,protocol="TCP"].x',
    );
    expect(['v:"a\\"b"', "v:true", "v:null", "i:3"].map((text) => printElement(text))).toEqual(['[="a\\"b"]', "[=true]", "[=null]", "[3]"]);
  });

  it("prints integers as floats where the server decoded floats", () => {
    expect(printElement("v:1000000")).toBe("[=1000000]");
    expect(printElement("v:1000000", { integers: false })).toBe("[=1e+06]");
    expect(printElement("v:80", { integers: false })).toBe("[=80]");
  });

  it("returns its key field names", () => {
    expect(keyNames('k:{"b":1,"a":2}')).toEqual(["a", "b"]);
    expect(keyNames("f:k:{}")).toEqual([]);
  });
});
