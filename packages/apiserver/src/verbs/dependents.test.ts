import { describe, expect, it } from "vitest";
import { finalizersForDeletion } from "./dependents.ts";

describe("finalizersForDeletion", () => {
  it.each([
    [{}, [], false, undefined],
    [{}, [], true, ["orphan"]],
    [{ propagationPolicy: "Orphan" }, [], false, ["orphan"]],
    [{ propagationPolicy: "Foreground" }, ["x/y"], false, ["x/y", "foregroundDeletion"]],
    [{ propagationPolicy: "Background" }, ["orphan", "x/y"], true, ["x/y"]],
    [{ orphanDependents: true }, ["foregroundDeletion"], false, ["orphan"]],
    [{ orphanDependents: false }, ["foregroundDeletion"], true, []],
    [{}, ["foregroundDeletion"], true, undefined],
    [{}, ["orphan"], false, undefined],
    [{ propagationPolicy: "Foreground" }, ["foregroundDeletion", "foregroundDeletion", "x/y", "x/y"], false, undefined],
  ] as const)("with options %j, finalizers %j, orphansByDefault %s returns %j", (options, finalizers, byDefault, expected) => {
    expect(finalizersForDeletion({ finalizers: [...finalizers] }, options, byDefault)).toEqual(expected);
  });
});
