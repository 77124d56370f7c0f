import { describe, expect, it } from "vitest";
import { compileSchema, decodeJson, deepFreeze, encodeJson } from "@drover/machinery";
import type { JsonObject, JsonValue, Schema } from "@drover/machinery";
import fc from "fast-check";
import { DecodeError } from "../codec/codec.ts";
import { customCodec } from "./custom-codec.ts";

const schema: Schema = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      properties: {
        size: { type: "integer", default: 3 },
        maybe: { type: "string", nullable: true },
        plain: { type: "string" },
        free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        nested: { type: "object", default: {}, properties: { deep: { type: "boolean", default: true } } },
        list: { type: "array", items: { type: "object", properties: { a: { type: "integer", default: 1 } } } },
        resource: { type: "object", "x-kubernetes-embedded-resource": true, properties: { spec: { type: "object" } } },
      },
    },
  },
};
const codec = customCodec({ group: "ex.io", version: "v1", kind: "Widget" }, compileSchema(schema));
const widget = (rest: JsonObject): JsonObject => ({ apiVersion: "ex.io/v1", kind: "Widget", metadata: { name: "a" }, ...rest });

function refusal(body: string, mediaType: "application/json" | "application/yaml" = "application/json"): string {
  try {
    codec.decodeBody(body, mediaType);
  } catch (error) {
    if (error instanceof DecodeError && error.bare) return error.message;
    throw error;
  }
  return "";
}

describe("the codec of a custom resource", () => {
  it("sets defaults, including those inside defaulted objects", () => {
    expect(codec.decodeBody(JSON.stringify(widget({ spec: { list: [{}, { a: 2 }] } })), "application/json")).toEqual({
      object: widget({ spec: { size: 3, nested: { deep: true }, list: [{ a: 1 }, { a: 2 }] } }),
      problems: [],
    });
    expect(codec.decodeBody(JSON.stringify(widget({})), "application/json").object).toEqual(widget({}));
  });

  it("drops nulls that the schema does not allow, or replaces them with the default", () => {
    const { object } = codec.decodeValue(widget({ spec: { size: null, maybe: null, plain: null } }));
    expect(object["spec"]).toEqual({ size: 3, maybe: null, nested: { deep: true } });
  });

  it("prunes unknown fields in metadata, object and embedded resources, and reports them", () => {
    const body = widget({
      metadata: { name: "a", zz: 1, yy: 2 },
      other: 1,
      spec: { bogus: 1, abc: 2, free: { any: 1 }, resource: { apiVersion: "v1", kind: "Pod", metadata: { name: "x", foo: 1 }, z: 1 } },
    });
    const { object, problems } = codec.decodeBody(JSON.stringify(body), "application/json");
    expect(problems).toEqual(
      ["metadata.yy", "metadata.zz", "other", "spec.abc", "spec.bogus", "spec.resource.z", "spec.resource.metadata.foo"].map(
        (path) => `unknown field "${path}"`,
      ),
    );
    expect(object).toEqual(
      widget({
        spec: { size: 3, nested: { deep: true }, free: { any: 1 }, resource: { apiVersion: "v1", kind: "Pod", metadata: { name: "x" } } },
      }),
    );
  });

  it("keeps the last of duplicate fields and reports it", () => {
    const { object, problems } = codec.decodeBody(
      '{"apiVersion":"ex.io/v1","kind":"Widget","metadata":{"name":"a"},"spec":{"size":1,"size":2},"spec":{"plain":"x","bogus":1}}',
      "application/json",
    );
    expect(problems).toEqual(['duplicate field "spec.size"', 'duplicate field "spec"', 'unknown field "spec.bogus"']);
    expect(object["spec"]).toEqual({ size: 3, plain: "x", nested: { deep: true } });
  });

  it("decodes the first document of a YAML body", () => {
    const { object, problems } = codec.decodeBody(
      "kind: Widget\napiVersion: ex.io/v1\nmetadata: {name: a}\nspec: {size: 1, size: 2}\n---\nkind: Other",
      "application/yaml",
    );
    expect(object).toMatchObject({ spec: { size: 2 } });
    expect(problems).toEqual(['yaml: unmarshal errors:\n  line 4: key "size" already set in map']);
  });

  it("keeps 64-bit integers and unusual keys", () => {
    const { object } = codec.decodeBody(
      '{"apiVersion":"ex.io/v1","kind":"Widget","metadata":{"name":"a"},"spec":{"size":2.0,"free":{"big":9007199254740993,"__proto__":{"a":1},"":2}}}',
      "application/json",
    );
    const free = (object["spec"] as JsonObject)["free"] as JsonObject;
    expect([free["big"], Object.hasOwn(free, "__proto__"), free[""]]).toEqual([9007199254740993n, true, 2]);
  });

  it("keeps the fields of another kind, which validation refuses", () => {
    const other = { apiVersion: "ex.io/v1", kind: "Other", metadata: { name: "a", zz: 1 }, spec: { bogus: 1 } };
    expect(codec.decodeBody(JSON.stringify(other), "application/json")).toEqual({
      object: { ...other, metadata: { name: "a" } },
      problems: ['unknown field "metadata.zz"'],
    });
    expect(codec.decodeValue(widget({ apiVersion: "ex.io/v9" })).object["apiVersion"]).toBe("ex.io/v9");
  });

  it("adds metadata to an object without it", () => {
    expect(codec.decodeValue({ apiVersion: "ex.io/v1", kind: "Widget" }).object["metadata"]).toEqual({});
  });
});

describe("reshape of a custom resource", () => {
  it("returns the object unchanged without a conversion", () => {
    const object = widget({});
    expect(codec.reshape(object)).toBe(object);
  });

  it("converts through the storage version", () => {
    const conversion = {
      toStored: (object: JsonObject) => ({ ...object, to: true }),
      fromStored: (object: JsonObject) => ({ ...object, from: true }),
    };
    const converted = customCodec({ group: "ex.io", version: "v1", kind: "Widget" }, compileSchema(schema), { conversion });
    expect(converted.reshape({ a: 1 })).toEqual({ a: 1, to: true, from: true });
  });
});

describe("a body that is not the custom resource", () => {
  const unrecognized = "the object provided is unrecognized (must be of type Widget): ";
  it.each([
    [
      "{bad",
      `${unrecognized}couldn't get version/kind; json parse error: invalid character 'b' looking for beginning of object key string ({bad)`,
    ],
    ["", `${unrecognized}couldn't get version/kind; json parse error: unexpected end of JSON input (<empty>)`],
    ["null", `${unrecognized}Object 'Kind' is missing in 'null' (6e756c6c)`],
    ["{}", `${unrecognized}Object 'Kind' is missing in '{}' ({})`],
    [
      '{"apiVersion":"ex.io/v1","kind":3}',
      `${unrecognized}couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct field .kind of type string ({"apiVersion":"ex.io/v1","kind ...)`,
    ],
    ['{"kind":"Widget"}', "the API version in the data () does not match the expected API version (ex.io/v1)"],
    [
      '{"kind":"Widget","apiVersion":"ex.io/v2"}',
      "the API version in the data (ex.io/v2) does not match the expected API version (ex.io/v1)",
    ],
    ['{"kind":"Widget","apiVersion":"a/b/c"}', `${unrecognized}unexpected GroupVersion string: a/b/c ({"kind":"Widget","apiVersion": ...)`],
    [
      '{"apiVersion":"ex.io/v1","kind":"Foo","metadata":1}',
      'Foo in version "v1" cannot be handled as a Widget: json: cannot unmarshal number into Go value of type v1.ObjectMeta',
    ],
    [
      '{"apiVersion":"ex.io/v1","kind":"Widget","metadata":{"name":1}}',
      'Widget in version "v1" cannot be handled as a Widget: json: cannot unmarshal number into Go struct field ObjectMeta.name of type string',
    ],
    [
      '{"apiVersion":"ex.io/v1","kind":"Widget","spec":{"resource":{"apiVersion":1}}}',
      'Widget in version "v1" cannot be handled as a Widget: spec.resource.apiVersion: Invalid value: 1: must be a string',
    ],
  ])("%j is refused", (body, message) => {
    expect(refusal(body)).toBe(message);
  });

  it("is refused as YAML", () => {
    expect(refusal("", "application/yaml")).toBe(`${unrecognized}Object 'Kind' is missing in '' (<empty>)`);
    expect(refusal("kind: y", "application/yaml")).toBe(
      `${unrecognized}couldn't get version/kind; json parse error: json: cannot unmarshal bool into Go struct field .kind of type string (6b696e643a2079)`,
    );
  });

  it("is refused for a number out of range", () => {
    expect(() =>
      codec.decodeBody('{"apiVersion":"ex.io/v1","kind":"Widget","metadata":{"name":"a"},"spec":{"size":1e400}}', "application/json"),
    ).toThrow(new DecodeError("json: cannot unmarshal number 1e400 into Go value of type float64"));
  });

  it("is refused with other words as the result of a patch", () => {
    expect(() => codec.decodeValue({ apiVersion: "ex.io/v1", metadata: {} })).toThrow(
      new DecodeError(`Object 'Kind' is missing in '{"apiVersion":"ex.io/v1","metadata":{}}'`),
    );
    expect(() => codec.decodeValue(widget({ metadata: { labels: { a: 1 } } }))).toThrow(
      new DecodeError("json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string"),
    );
  });
});

describe("a decoded custom object", () => {
  const anyValue = fc.jsonValue({ maxDepth: 1 });
  const anyPart = fc.oneof(
    anyValue,
    fc.array(fc.dictionary(fc.constantFrom("a", "b"), anyValue, { maxKeys: 2 }), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("apiVersion", "kind", "metadata", "spec"), anyValue, { maxKeys: 4 }),
  );
  const anyWidget = fc.record({
    spec: fc.oneof(
      { weight: 1, arbitrary: anyValue },
      {
        weight: 9,
        arbitrary: fc.dictionary(fc.constantFrom("size", "maybe", "plain", "free", "nested", "list", "resource", "odd"), anyPart, {
          maxKeys: 4,
        }),
      },
    ),
  });
  const numRuns = Math.ceil((fc.readConfigureGlobal()?.numRuns ?? 100) / 5);

  it("is unchanged when decoded again, and shares nothing with its input", () => {
    fc.assert(
      fc.property(anyWidget, (rest) => {
        const value = deepFreeze(decodeJson(JSON.stringify(widget(rest as JsonObject)))) as JsonValue;
        let object: JsonObject;
        try {
          ({ object } = codec.decodeValue(value));
        } catch (error) {
          expect(error).toBeInstanceOf(DecodeError);
          return;
        }
        const again = codec.decodeBody(encodeJson(object), "application/json");
        expect(again).toEqual({ object: codec.decodeValue(object).object, problems: [] });
        expect(again.object).toEqual(object);
        expect(isOwned(object)).toBe(true);
      }),
      { numRuns },
    );
  });
});

/** Whether no part of it is frozen. */
function isOwned(value: JsonValue): boolean {
  return typeof value !== "object" || value === null || (!Object.isFrozen(value) && Object.values(value).every((inner) => isOwned(inner)));
}
