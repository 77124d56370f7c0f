import { expect, it } from "vitest";

import type { Schema } from "../schema/schema.ts";
import { fieldSetOf, sameFieldSet } from "./field-set.ts";
import { builtInMergeType } from "./merge-type.ts";
import { withNamedFields } from "./named-fields.ts";
import sampleSchema from "./sample-schema.vectors.json" with { type: "json" };

const type = builtInMergeType(sampleSchema as Schema);

it("withNamedFields adds named fields above paths, and no others", () => {
  const set = fieldSetOf(["f:spec", "f:items", 'k:{"name":"a"}', "f:words", 'v:"x"'], ["f:spec", "f:free", "f:a", "f:b"], ["f:status"]);
  const named = fieldSetOf(
    ["f:spec"],
    ["f:spec", "f:items"],
    ["f:spec", "f:items", 'k:{"name":"a"}', "f:words"],
    ["f:spec", "f:items", 'k:{"name":"a"}', "f:words", 'v:"x"'],
    ["f:spec", "f:free"],
    ["f:spec", "f:free", "f:a", "f:b"],
    ["f:status"],
  );
  expect(withNamedFields(set, type)).toEqual(named);
  expect(sameFieldSet(withNamedFields(named, type), named)).toBe(true);
});

it("withNamedFields leaves unknown fields alone", () => {
  const set = fieldSetOf(["f:zzz", "f:a"], ["v:1", "f:spec", "f:text"]);
  expect(withNamedFields(set, type)).toEqual(set);
});
