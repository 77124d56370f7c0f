import { Ingress } from "@drover/api/networking/v1";
import type { JsonValue } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { printed } from "../../testing/printed.ts";

const hosts = (...names: readonly string[]): JsonValue =>
  printed(Ingress, { spec: { rules: names.map((host) => ({ host })) } })["Hosts"] ?? null;

describe("Ingress table", () => {
  it("has class, hosts, address and ports", () => {
    expect(
      printed(Ingress, {
        spec: { ingressClassName: "nginx", tls: [{}], rules: [{ host: "a.b" }] },
        status: { loadBalancer: { ingress: [{ hostname: "long.name.example.com" }] } },
      }),
    ).toEqual({
      Name: "web",
      Class: "nginx",
      Hosts: "a.b",
      Address: "long.name.example.com",
      Ports: "80, 443",
      Age: "5m",
    });
    expect(printed(Ingress, { spec: {} })).toMatchObject({ Class: "<none>", Hosts: "*", Address: "", Ports: "80" });
  });

  it("prints three hosts and counts all further rules", () => {
    expect(hosts("a", "b", "c")).toBe("a,b,c");
    expect(hosts("a", "b", "c", "d", "e")).toBe("a,b,c + 2 more...");
    expect(hosts("a", "b", "c", "")).toBe("a,b,c + 1 more...");
    expect(hosts("", "a", "b", "c", "d")).toBe("a,b,c + 2 more...");
    expect(hosts("", "", "", "", "a")).toBe("a");
    expect(hosts("", "")).toBe("*");
  });
});
