import { Pod } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { remainingEstimate, remainingKind, UnexpectedItemsError } from "./remaining-content.ts";

describe("remaining content of a namespace", () => {
  it("is counted, and by finalizer", () => {
    const left = remainingKind(Pod, [{ metadata: { finalizers: ["a", "b"] } }, { metadata: { finalizers: ["a"] } }, { metadata: {} }]);
    expect([left.count, [...left.finalizers]]).toEqual([
      3,
      [
        ["a", 2],
        ["b", 1],
      ],
    ]);
  });

  it("is estimated by grace period or 15 s for finalizers, else unknown", () => {
    const [none, held, plain] = [
      remainingKind(Pod, []),
      remainingKind(Pod, [{ metadata: { finalizers: ["a"] } }]),
      remainingKind(Pod, [{ metadata: {} }]),
    ];
    expect([
      remainingEstimate(none, 30),
      remainingEstimate(held, 30),
      remainingEstimate(plain, 30),
      remainingEstimate(held, 0),
      remainingEstimate(plain, 0),
    ]).toEqual([0, 30, 30, 15, undefined]);
  });

  it("without a reason is an error in upstream's words", () => {
    expect(new UnexpectedItemsError("shop", Pod).message).toBe(
      "unexpected items still remain in namespace: shop for gvr: /v1, Resource=pods",
    );
  });
});
