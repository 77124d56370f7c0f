import { Service } from "@drover/api/core/v1";
import type { JsonObject, JsonValue } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { printed } from "../../testing/printed.ts";

const externalIP = (spec: JsonObject, status: JsonObject = {}): JsonValue => printed(Service, { spec, status })["External-IP"] ?? null;
const loadBalancer = { loadBalancer: { ingress: [{ ip: "2.2.2.2" }, { ip: "1.1.1.1" }] } };

describe("Service table", () => {
  it("has type, addresses and ports", () => {
    const spec = {
      clusterIP: "10.0.0.1",
      clusterIPs: ["10.0.0.1"],
      selector: { a: "b" },
      ports: [{ port: 80 }, { port: 443, nodePort: 30443, protocol: "UDP" }],
    };
    expect(printed(Service, { spec })).toEqual({
      Name: "web",
      Type: "ClusterIP",
      "Cluster-IP": "10.0.0.1",
      "External-IP": "<none>",
      "Port(s)": "80/TCP,443:30443/UDP",
      Age: "5m",
      Selector: "a=b",
    });
    expect(printed(Service, { spec: {} })).toMatchObject({ "Cluster-IP": "<none>", "Port(s)": "<none>", Selector: "<none>" });
  });

  it("prints external IPs, load balancer addresses or the external name", () => {
    expect(externalIP({ externalIPs: ["1.2.3.4", "1.2.3.5"] })).toBe("1.2.3.4,1.2.3.5");
    expect(externalIP({ type: "NodePort" })).toBe("<none>");
    expect(externalIP({ type: "LoadBalancer" })).toBe("<pending>");
    expect(externalIP({ type: "LoadBalancer" }, loadBalancer)).toBe("1.1.1.1,2.2.2.2");
    expect(externalIP({ type: "LoadBalancer", externalIPs: ["1.2.3.4"] }, loadBalancer)).toBe("1.1.1.1,2.2.2.2,1.2.3.4");
    expect(externalIP({ type: "ExternalName", externalName: "example.com" })).toBe("example.com");
    expect(externalIP({ type: "Pigeon" })).toBe("<unknown>");
  });
});
