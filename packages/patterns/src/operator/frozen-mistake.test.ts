import { deepFreeze } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { asMistake } from "./frozen-mistake.ts";
import { MistakeError } from "./mistake-error.ts";

const object: { spec: { replicas?: number; list: number[] } } = { spec: { replicas: 1, list: [2, 1] } };
deepFreeze(object);

describe("asMistake", () => {
  it("turns every kind of write to a frozen object into a MistakeError", () => {
    const writes: readonly (() => unknown)[] = [
      () => void (object.spec.replicas = 2),
      () => delete object.spec.replicas,
      () => Object.assign(object.spec, { more: 1 }),
      () => object.spec.list.push(2),
    ];
    for (const write of writes) expect(() => asMistake("x", write)).toThrow(MistakeError);
  });

  it("passes other errors through", () => {
    const error = new TypeError("undefined is not a function");
    expect(() =>
      asMistake("x", () => {
        throw error;
      }),
    ).toThrow(error);
    expect(asMistake("x", () => 7)).toBe(7);
  });
});
