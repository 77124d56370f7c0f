import { describe, expect, it } from "vitest";
import { readReconcileOptions } from "./reconcile-options.ts";

const read = (words: string): unknown => readReconcileOptions(words === "" ? [] : words.split(" "));

describe("readReconcileOptions", () => {
  it("reads an object or all, and whether to wait", () => {
    const plain = { from: {}, json: false, waitSeconds: undefined };
    expect(read("widget/shop -n web")).toEqual({ ...plain, object: { kind: "widget", name: "shop", namespace: "web" } });
    expect(read("--all --controller maps --wait --json")).toEqual({
      ...plain,
      object: undefined,
      controller: "maps",
      waitSeconds: 60,
      json: true,
    });
    expect(read("cm a --wait --timeout 5 --pod op-0")).toMatchObject({ waitSeconds: 5, from: { target: { name: "op-0" } } });
    expect(read("-h")).toBe("help");
  });

  it.each([
    ["", "drover reconcile KIND/NAME"],
    ["cm/a --all", "not both"],
    ["--all -n shop", "--all has none"],
    ["cm/a --timeout 5", "no effect without --wait"],
    ["cm/a --wait --timeout 0", "--timeout needs seconds from 1 to 99999"],
    ["cm", 'not "cm"'],
  ])("drover reconcile %s is refused with the fix", (words, message) => {
    expect(read(words)).toEqual({ mistake: expect.stringContaining(message) as string });
  });
});
