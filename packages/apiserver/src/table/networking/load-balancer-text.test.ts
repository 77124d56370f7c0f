import { describe, expect, it } from "vitest";
import { loadBalancerText } from "./load-balancer-text.ts";

describe("the places of a load balancer", () => {
  it("are named once each and in order, an address before a name", () => {
    expect(loadBalancerText([{ hostname: "b.c" }, { ip: "2.2.2.2", hostname: "a.b" }, { ip: "1.1.1.1" }, { hostname: "b.c" }, {}])).toBe(
      "1.1.1.1,2.2.2.2,b.c",
    );
    expect(loadBalancerText(undefined)).toBe("");
  });
});
