import { describe, expect, it } from "vitest";
import { loadBalancerText } from "./load-balancer-text.ts";

describe("loadBalancerText", () => {
  it("lists unique sorted addresses, an IP before a host name", () => {
    expect(loadBalancerText([{ hostname: "b.c" }, { ip: "2.2.2.2", hostname: "a.b" }, { ip: "1.1.1.1" }, { hostname: "b.c" }, {}])).toBe(
      "1.1.1.1,2.2.2.2,b.c",
    );
    expect(loadBalancerText(undefined)).toBe("");
  });
});
