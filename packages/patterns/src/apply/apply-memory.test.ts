import { Deployment } from "@drover/api/apps/v1";
import { describe, expect, it } from "vitest";
import { createApplyMemory } from "./apply-memory.ts";

const values = new Map([["spec.minReadySeconds", ""]]);

describe("ApplyMemory", () => {
  it("remembers how the server stored the object with this hash only", () => {
    const memory = createApplyMemory();
    memory.remember("u", { hash: "h", values });
    expect(memory.rendering("u", "h")?.values).toBe(values);
    expect(memory.rendering("u", "other")).toBeUndefined();
    memory.remember("u", { hash: "i", values: new Map() });
    expect(memory.rendering("u", "h")).toBeUndefined();
  });

  it("evicts the least recently used object first (§9.15)", () => {
    const memory = createApplyMemory({ objectsMax: 2 });
    for (const uid of ["a", "b"]) memory.remember(uid, { hash: "h", values });
    memory.rendering("a", "h");
    memory.remember("c", { hash: "h", values });
    expect(["a", "b", "c"].map((uid) => memory.rendering(uid, "h") !== undefined)).toEqual([true, false, true]);
  });

  it("remembers a rejection for the exact version only", () => {
    const memory = createApplyMemory();
    memory.rememberRefusal("u", "h", "7", "d");
    const refused = [["h", "7", "d"] as const, ["h", "8", "d"] as const, ["i", "7", "d"] as const, ["h", "7", "e"] as const].map(
      ([hash, version, differences]) => memory.wasRefused("u", hash, version, differences),
    );
    expect(refused).toEqual([true, false, false, false]);
  });

  it("returns an inventory only for an older version of the owner", () => {
    const memory = createApplyMemory();
    memory.rememberInventory("o", { text: "v1/configmaps/ConfigMap/Namespaced", resourceVersion: "10", atMs: 0 });
    expect(["9", "10", "11"].map((version) => memory.inventory("o", version, 0) !== undefined)).toEqual([true, false, false]);
    expect(memory.inventory("o", "no number", 0)).toBeDefined();
    expect(memory.inventory("other", "9", 0)).toBeUndefined();
  });

  it("returns no inventory that the cache has not shown for a minute: it was lost with a restore of the server (SEC2)", () => {
    const memory = createApplyMemory();
    memory.rememberInventory("o", { text: "v1/configmaps/ConfigMap/Namespaced", resourceVersion: "10", atMs: 0 });
    expect([60_000, 60_001].map((nowMs) => memory.inventory("o", "9", nowMs) !== undefined)).toEqual([true, false]);
  });

  it("reads the schema of a kind once", () => {
    const memory = createApplyMemory();
    expect(memory.shape(Deployment)).toBe(memory.shape(Deployment));
  });
});
