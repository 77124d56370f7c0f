import { expect, it } from "vitest";

import type { Schema } from "../schema/schema.ts";
import { emptyObjectOf } from "./empty-object.ts";

it("emptyObjectOf returns the always-present parts, lists and maps of a built-in kind", () => {
  const text: Schema = { type: "string", default: "" };
  const spec: Schema = {
    type: "object",
    default: {},
    required: ["list", "map", "name", "pointer"],
    properties: {
      list: { type: "array", items: text },
      map: { type: "object", additionalProperties: text },
      name: text,
      pointer: { type: "object", properties: { a: text } },
      optional: { type: "array", items: text },
      part: { type: "object", default: {}, properties: { a: text } },
    },
  };
  expect(
    emptyObjectOf(
      { type: "object", properties: { apiVersion: text, spec, status: { type: "object", properties: { a: text } } } },
      "v1",
      "Pod",
    ),
  ).toEqual({ apiVersion: "v1", kind: "Pod", spec: { list: null, map: null, part: {} } });
});
