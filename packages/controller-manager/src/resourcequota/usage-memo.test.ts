import type { QuotaEvaluator } from "@drover/api/quota";
import { Quantity } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { UsageMemo } from "./usage-memo.ts";

describe("UsageMemo", () => {
  it("asks once for each object, but every time for one that is being deleted", () => {
    let asked = 0;
    const evaluator: Pick<QuotaEvaluator, "usage"> = { usage: () => new Map([["pods", Quantity.of(BigInt(++asked))]]) };
    const memo = new UsageMemo();
    const [stays, goes] = [{ metadata: {} }, { metadata: { deletionTimestamp: "2026-01-01T00:00:00Z" } }];
    const ask = (object: object): string => String(memo.of(evaluator as QuotaEvaluator, object).get("pods"));
    expect([ask(stays), ask(stays), ask({ metadata: {} }), ask(goes), ask(goes)]).toEqual(["1", "1", "2", "3", "4"]);
  });
});
