import { describe, expect, it } from "vitest";

import type { Schema } from "../schema/schema.ts";
import type { JsonObject } from "../json/json-value.ts";
import type { ApplyScope } from "./apply-scope.ts";
import { managerIdentity } from "./managed-fields.ts";
import type { Manager } from "./managed-fields.ts";
import { builtInMergeType } from "./merge-type.ts";
import { pruneFields } from "./prune-fields.ts";
import sampleSchema from "./sample-schema.vectors.json" with { type: "json" };
import { toFieldSet } from "./to-field-set.ts";

const type = builtInMergeType(sampleSchema as Schema);
const scope: ApplyScope = { apiVersion: "v1", kind: "Sample", typeOf: (apiVersion) => (apiVersion === "v9" ? undefined : type) };
const manager = (name: string, spec: JsonObject, apiVersion = "v1"): Manager => ({
  manager: name,
  operation: "Apply",
  apiVersion,
  subresource: "",
  time: undefined,
  fields: toFieldSet({ spec }, type),
});

function prune(merged: JsonObject, before: JsonObject, now: JsonObject, others: readonly Manager[] = [], lastVersion = "v1"): unknown {
  const applier = manager("a", now);
  const managers = new Map([applier, ...others].map((each) => [managerIdentity(each), each]));
  return pruneFields({ value: { spec: merged }, type, apiVersion: "v1" }, managers, applier, manager("a", before, lastVersion), scope)
    .value["spec"];
}

describe("pruneFields", () => {
  it("removes what the applier gave up and no other manager owns", () => {
    expect(prune({ text: "a", whole: 1, flag: true }, { text: "a", whole: 1 }, { text: "a" })).toEqual({ text: "a", flag: true });
    expect(prune({ text: "a", whole: 1 }, { text: "a", whole: 1 }, { text: "a" }, [manager("b", { whole: 1 })])).toEqual({
      text: "a",
      whole: 1,
    });
  });

  it("removes the parent with its last member", () => {
    expect(
      prune({ text: "a", map: { k: "1" }, items: [{ name: "a" }] }, { text: "a", map: { k: "1" }, items: [{ name: "a" }] }, { text: "a" }),
    ).toEqual({ text: "a" });
  });

  it("keeps an item that another manager has a part of", () => {
    expect(
      prune({ items: [{ name: "a", value: "1", words: ["x"] }] }, { text: "t", items: [{ name: "a", value: "1" }] }, { text: "t" }, [
        manager("b", { items: [{ name: "a", words: ["x"] }] }),
      ]),
    ).toEqual({ items: [{ name: "a", words: ["x"] }] });
  });

  it("finds what was applied in its version", () => {
    expect(prune({ text: "a", whole: 1 }, { text: "a", whole: 1 }, { text: "a" }, [], "v2")).toEqual({ text: "a" });
    expect(prune({ text: "a", whole: 1 }, { whole: 1 }, { text: "a" }, [], "v9")).toEqual({ text: "a", whole: 1 });
  });

  it("returns the object itself when nothing was given up", () => {
    const merged = { value: { spec: { text: "a" } }, type, apiVersion: "v1" };
    expect(pruneFields(merged, new Map(), manager("a", { text: "a", whole: 1 }), manager("a", { text: "b" }), scope)).toBe(merged);
    expect(pruneFields(merged, new Map(), manager("a", { text: "a" }), undefined, scope)).toBe(merged);
  });
});
