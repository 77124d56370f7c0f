import { Lease } from "@drover/api/coordination/v1";
import { describe, expect, it } from "vitest";
import { printed } from "../../testing/printed.ts";

describe("Lease table", () => {
  it("has the holder", () => {
    expect(printed(Lease, { spec: { holderIdentity: "me" } })).toEqual({ Name: "web", Holder: "me", Age: "5m" });
    expect(printed(Lease, {})).toMatchObject({ Holder: "" });
  });
});
