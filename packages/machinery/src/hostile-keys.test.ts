import { afterEach, describe, expect, it } from "vitest";
import {
  accessor,
  applyDefaults,
  applyJsonPatch,
  applyMergePatch,
  applyStrategicMergePatch,
  coerceObjectMeta,
  compileSchema,
  decodeJson,
  deepCopy,
  deepFreeze,
  diffJsonPatch,
  diffMergePatch,
  diffStrategicMergePatch,
  dropNulls,
  edit,
  encodeJson,
  jsonEqual,
  nestedField,
  parseFieldSelector,
  parseQuery,
  parseSelector,
  parseStatus,
  prune,
  removeNestedField,
  semanticEqual,
  setNestedField,
  threeWayMergePatch,
  threeWayStrategicMergePatch,
  validate,
  type JsonObject,
  type JsonValue,
  type Schema,
} from "./index.ts";

// Every one of these is a legal key of ConfigMap data or of labels, and each has swapped a prototype or hit an inherited member somewhere.
const keys = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "valueOf",
  "hasOwnProperty",
  "__defineGetter__",
  "__defineSetter__",
  "__lookupGetter__",
  "isPrototypeOf",
  "then",
  "toJSON",
  "",
  "a.b",
  "0",
] as const;

/** Text with a hostile key in a hostile key, everywhere user data can stand. */
const textOf = (outer: string, inner: string): string => {
  const map = `{${JSON.stringify(outer)}:{${JSON.stringify(inner)}:{"polluted":"yes"},"polluted":"yes"},"polluted":"yes"}`;
  return `{"apiVersion":"v1","kind":"Thing","metadata":{"name":"x","labels":{${JSON.stringify(outer)}:"v"},"annotations":{${JSON.stringify(inner)}:"v"}},"data":${map},"spec":{"items":[${map}],"map":${map}}}`;
};

const open: Schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
const mapOf = (values: Schema): Schema => ({ type: "object", additionalProperties: values });
const schema: Schema = {
  type: "object",
  properties: {
    data: mapOf(mapOf({ type: "object", default: {}, properties: { polluted: { type: "string", default: "d" } } })),
    spec: {
      type: "object",
      properties: {
        items: { type: "array", items: open, "x-kubernetes-patch-strategy": "merge", "x-kubernetes-patch-merge-key": "__proto__" },
        map: { ...open, properties: Object.fromEntries(keys.map((key) => [key, { type: "object", default: { polluted: "yes" } }])) },
      },
    },
  },
};
const compiled = compileSchema(schema);

/** Contents of the built-in prototypes, which hostile data must not change. */
const prototypes = (): unknown[] =>
  [Object, Array, Function, String].map(({ prototype }) => Object.entries(Object.getOwnPropertyDescriptors(prototype)));
const before = prototypes();

/** Runs what may refuse its input; refusing is fine, polluting is not. */
function attempt(action: () => unknown): unknown {
  try {
    return action();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return undefined;
  }
}

afterEach(() => {
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  expect(prototypes()).toEqual(before);
});

const plain: JsonObject = { apiVersion: "v1", kind: "Thing", metadata: { name: "x" }, data: {}, spec: { items: [], map: {} } };

/** Returns the object with a hostile key within a hostile key, decoded on each call. */
function hostile(
  outer: string,
  inner: string,
): { readonly text: string; readonly value: () => JsonObject; readonly expectSame: (result: JsonValue) => void } {
  const text = textOf(outer, inner);
  const value = (): JsonObject => decodeJson(text) as JsonObject;
  return {
    text,
    value,
    expectSame: (result) => expect(encodeJson(result, { sortKeys: true })).toBe(encodeJson(value(), { sortKeys: true })),
  };
}

describe.each(keys.map((key) => [key]))("the key %j, with any other inside,", (outer) => {
  it("survives decoding and encoding on both paths", () => {
    for (const inner of keys) {
      const { text, value, expectSame } = hostile(outer, inner);
      expect(Object.keys(value()["data"] as JsonObject)).toContain(outer);
      expectSame(decodeJson(text, { onDuplicateField: () => undefined }));
      expectSame(decodeJson(encodeJson(value())));
      expectSame(decodeJson(text, { dropManagedFields: true }));
    }
  });
  it("survives copying, freezing and editing", () => {
    for (const inner of keys) {
      const { value, expectSame } = hostile(outer, inner);
      expectSame(deepCopy(value()));
      const frozen = deepFreeze(value());
      const edited = edit(frozen as JsonObject, (draft) => void (draft["extra"] = 1));
      expect(jsonEqual(edited, { ...value(), extra: 1 })).toBe(true);
      expect(semanticEqual(frozen, value())).toBe(true);
    }
  });
  it("survives a JSON patch and its diff", () => {
    for (const inner of keys) {
      const { value, expectSame } = hostile(outer, inner);
      expectSame(applyJsonPatch(deepFreeze(plain) as JsonObject, diffJsonPatch(plain, value())));
      const escape = (key: string): string => key.replaceAll("~", "~0").replaceAll("/", "~1");
      for (const path of [
        `/${escape(outer)}/${escape(inner)}/polluted`,
        `/data/${escape(outer)}/${escape(inner)}`,
        "/constructor/prototype/polluted",
        "/__proto__/polluted",
      ]) {
        for (const op of ["add", "replace"] as const) attempt(() => applyJsonPatch(plain, [{ op, path, value: "yes" }]));
        attempt(() => applyJsonPatch(value(), [{ op: "copy", from: "/data", path }]));
        attempt(() => applyJsonPatch(value(), [{ op: "move", from: "/data", path }]));
        attempt(() => applyJsonPatch(value(), [{ op: "remove", path }]));
      }
    }
  });
  it("survives a merge patch, its diff and the three-way form", () => {
    for (const inner of keys) {
      const { value, expectSame } = hostile(outer, inner);
      expectSame(applyMergePatch(deepFreeze(plain) as JsonObject, value()));
      expectSame(applyMergePatch(plain, diffMergePatch(plain, value())));
      expectSame(applyMergePatch(plain, threeWayMergePatch({ original: plain, modified: value(), current: plain })));
    }
  });
  it("survives a strategic merge patch, its diff and the three-way form", () => {
    for (const inner of keys) {
      const { value } = hostile(outer, inner);
      const withoutList = edit(value(), (draft) => void ((draft["spec"] as JsonObject)["items"] = []));
      const merged = attempt(() => applyStrategicMergePatch(deepFreeze(plain) as JsonObject, withoutList, schema));
      if (merged !== undefined) expect(jsonEqual(merged, withoutList)).toBe(true);
      attempt(() => applyStrategicMergePatch(plain, value(), schema));
      attempt(() => diffStrategicMergePatch(plain, value(), schema));
      attempt(() => threeWayStrategicMergePatch({ original: plain, modified: value(), current: plain }, schema));
      for (const directive of ["$patch", `$setElementOrder/${outer}`, `$deleteFromPrimitiveList/${outer}`, "$retainKeys"]) {
        attempt(() =>
          applyStrategicMergePatch(value(), { [directive]: [inner], spec: { [directive]: { [outer]: { polluted: "yes" } } } }, schema),
        );
      }
    }
  });
  it("survives defaults, pruning, coercion and validation", () => {
    for (const inner of keys) {
      const { value } = hostile(outer, inner);
      const { value: pruned } = prune(deepFreeze(value()) as JsonObject, compiled);
      expect(Object.keys((pruned as JsonObject)["data"] as JsonObject)).toContain(outer);
      const defaulted = applyDefaults(pruned, compiled);
      expect(Object.keys((defaulted as JsonObject)["data"] as JsonObject)).toContain(outer);
      dropNulls(value(), compiled);
      validate(value(), compiled);
      attempt(() => coerceObjectMeta(value(), compiled));
    }
  });
  it("survives access by path, selectors, queries and Status bodies", () => {
    for (const inner of keys) {
      const { text, value } = hostile(outer, inner);
      const object = value();
      setNestedField(object, "yes", "data", outer, inner);
      expect(nestedField(object, "data", outer, inner)).toBe("yes");
      removeNestedField(object, "data", outer, inner);
      expect(nestedField(object, "data", outer, inner)).toBeUndefined();
      attempt(() => setNestedField({}, "yes", outer, inner, "polluted"));
      accessor(object).setLabels({ [outer]: "v" });
      attempt(() => parseSelector(`${outer}=${inner}`).matches({}));
      attempt(() => parseFieldSelector(`${outer}=${inner}`).matches({}));
      attempt(() => parseQuery(`${outer}[${inner}]=polluted&${outer}=polluted`));
      attempt(() => parseStatus(text));
    }
  });
});
