import { describe, expect, it } from "vitest";
import { checkOptions, unknownOption } from "./unknown-option.ts";
import type { OptionNames } from "./unknown-option.ts";

interface Options {
  readonly workers?: number;
  readonly cleanup?: () => void;
}
const known = { workers: true, cleanup: true } satisfies OptionNames<Options>;

describe("unknownOption", () => {
  it("finds nothing in options that exist, or that are undefined", () => {
    expect(unknownOption({ workers: 1, cleanup: undefined, other: undefined }, known)).toBeUndefined();
  });

  it("names the option, and the one that was probably meant", () => {
    expect(unknownOption({ worker: 1 }, known)).toEqual({ what: "there is no option worker", fix: "workers", code: "DRV0201" });
    expect(unknownOption({ onDelete: 1 }, known, { onDelete: "cleanup" })).toEqual({
      what: "there is no option onDelete",
      fix: "cleanup",
      code: "DRV0201",
    });
    expect(unknownOption({ banana: 1 }, known)?.fix).toBe("one of workers, cleanup");
    expect(unknownOption({ constructor: 1, x: 1 }, known, {})?.what).toBe("there is no option constructor");
  });

  it("names values that are no options at all", () => {
    expect(unknownOption(undefined, known)?.what).toBe("the options must be an object, not undefined");
    expect(unknownOption(null, known)?.what).toBe("the options must be an object, not null");
    expect(unknownOption([], known)?.what).toBe("the options must be an object, not a list");
    expect(unknownOption("x", known)?.what).toBe("the options must be an object, not string");
  });

  it("stays short and quick for hostile names", () => {
    const what = unknownOption({ ["x".repeat(1_000_000)]: 1 }, known)?.what ?? "";
    expect(what.length).toBeLessThan(100);
  });
});

it("checkOptions throws an error with function, option and fix", () => {
  expect(() => checkOptions("connect", { worker: 1 }, known)).toThrow("connect: there is no option worker [DRV0201]\n  fix: workers");
  expect(() => checkOptions("connect", {}, known)).not.toThrow();
});
