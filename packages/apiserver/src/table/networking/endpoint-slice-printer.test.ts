import { EndpointSlice } from "@drover/api/discovery/v1";
import { describe, expect, it } from "vitest";
import { printed } from "../../testing/printed.ts";

describe("EndpointSlice table", () => {
  it("prints ports by number, by name, or *", () => {
    expect(
      printed(EndpointSlice, {
        addressType: "IPv4",
        ports: [{ name: "a", port: 80 }, { name: "b" }],
        endpoints: [{ addresses: ["1.1.1.1", "1.1.1.2"] }, { addresses: ["1.1.1.3"] }],
      }),
    ).toEqual({
      Name: "web",
      AddressType: "IPv4",
      Ports: "80,b",
      Endpoints: "1.1.1.1,1.1.1.2,1.1.1.3",
      Age: "5m",
    });
  });

  it("prints the first three endpoints, or a word for none", () => {
    expect(
      printed(EndpointSlice, {
        addressType: "IPv4",
        ports: null,
        endpoints: [1, 2, 3, 4].map((last) => ({ addresses: [`1.1.1.${last}`] })),
      }),
    ).toMatchObject({ Ports: "<unset>", Endpoints: "1.1.1.1,1.1.1.2,1.1.1.3 + 1 more..." });
  });
});
