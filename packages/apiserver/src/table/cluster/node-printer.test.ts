import { Node } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { printed } from "../../testing/printed.ts";

describe("Node table", () => {
  it("has status, roles, version and system information", () => {
    const nodeInfo = {
      kubeletVersion: "v1.36.3",
      osImage: "Debian",
      kernelVersion: "6.1",
      architecture: "arm64",
      containerRuntimeVersion: "containerd://2.0",
    };
    const addresses = [
      { type: "ExternalIP", address: "5.6.7.8" },
      { type: "InternalIP", address: "1.2.3.4" },
      { type: "InternalIP", address: "1.2.3.5" },
    ];
    expect(
      printed(Node, {
        metadata: { labels: { "node-role.kubernetes.io/worker": "" } },
        status: { conditions: [{ type: "Ready", status: "True" }], nodeInfo, addresses },
      }),
    ).toEqual({
      Name: "web",
      Status: "Ready",
      Roles: "worker",
      Age: "5m",
      Version: "v1.36.3",
      "Internal-IP": "1.2.3.4",
      "External-IP": "5.6.7.8",
      "OS-Image": "Debian",
      "Kernel-Version": "6.1 (arm64)",
      "Container-Runtime": "containerd://2.0",
    });
  });

  it("prints <none> and <unknown> for unset fields", () => {
    expect(printed(Node, {})).toMatchObject({
      Status: "Unknown",
      Roles: "<none>",
      Version: "",
      "Internal-IP": "<none>",
      "OS-Image": "<unknown>",
      "Kernel-Version": "<unknown>",
      "Container-Runtime": "<unknown>",
    });
    expect(printed(Node, { status: { nodeInfo: { architecture: "arm64" } } })).toMatchObject({ "Kernel-Version": "<unknown> (arm64)" });
  });

  it("prints readiness and schedulability; the last Ready condition counts", () => {
    const conditions = [
      { type: "Ready", status: "True" },
      { type: "Ready", status: "Unknown" },
    ];
    expect(printed(Node, { spec: { unschedulable: true }, status: { conditions } })).toMatchObject({
      Status: "NotReady,SchedulingDisabled",
    });
  });

  it("prints sorted unique roles, including the legacy label", () => {
    const labels = {
      "node-role.kubernetes.io/worker": "",
      "node-role.kubernetes.io/etcd": "x",
      "node-role.kubernetes.io/": "none",
      "kubernetes.io/role": "worker",
    };
    expect(printed(Node, { metadata: { labels } })).toMatchObject({ Roles: "etcd,worker" });
    expect(printed(Node, { metadata: { labels: { "kubernetes.io/role": "" } } })).toMatchObject({ Roles: "<none>" });
  });
});
