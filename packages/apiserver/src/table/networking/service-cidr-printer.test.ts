import { ServiceCIDR } from "@drover/api/networking/v1";
import { describe, expect, it } from "vitest";
import { printed } from "../../testing/printed.ts";

describe("ServiceCIDR table", () => {
  it("lists all ranges", () =>
    expect(printed(ServiceCIDR, { spec: { cidrs: ["10.0.0.0/24", "fd00::/64"] } })).toEqual({
      Name: "web",
      CIDRs: "10.0.0.0/24,fd00::/64",
      Age: "5m",
    }));
});
