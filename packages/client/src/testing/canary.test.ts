import { inspect } from "node:util";
import { Secret } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { canary, canaryIn, canaryJwt, everyForm } from "./canary.ts";

describe("canaryIn", () => {
  it.each([
    canary,
    `a ${canary} b`,
    btoa(canary),
    btoa(`me:${canary}`),
    btoa(`x${canary}`),
    btoa(`yy${canary}zz`),
    btoa(`long user:${canary}\n`),
    canaryJwt,
    `Bearer ${canaryJwt}`,
    `..${canaryJwt.split(".")[1] ?? ""}..`,
  ])("finds the canary in %s", (text) => {
    expect(canaryIn(`before ${text} after`)).toBeDefined();
  });

  it("finds nothing in other texts", () => {
    expect(canaryIn("c4n4ry")).toBeUndefined();
    expect(canaryIn(everyForm({ token: new Secret(canary) }, inspect))).toBeUndefined();
  });

  it.each<[string, unknown]>([
    ["deep in an object", { a: { b: { c: { d: { e: [{ f: canary }] } } } } }],
    ["in a hidden field", Object.defineProperty({}, "hidden", { value: canary })],
    ["in an error", new Error(canary)],
    ["in its cause", new Error("a", { cause: new Error("b", { cause: { c: canary } }) })],
    ["in one of many", new AggregateError([new Error(canary)])],
    ["on a function", Object.assign(() => 0, { settings: { token: canary } })],
    ["in a map", new Map([["k", canary]])],
    ["in what it prints as JSON", { toJSON: () => canary }],
  ])("finds it %s", (_, value) => {
    expect(canaryIn(everyForm(value, inspect))).toBeDefined();
  });
});
