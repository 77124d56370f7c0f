import { Lease } from "@drover/api/coordination/v1";
import { describe, expect, it } from "vitest";
import { printed } from "../../testing/printed.ts";

describe("the table of leases", () => {
  it("says who holds them", () => {
    expect(printed(Lease, { spec: { holderIdentity: "me" } })).toEqual({ Name: "web", Holder: "me", Age: "5m" });
    expect(printed(Lease, {})).toMatchObject({ Holder: "" });
  });
});
