import { describe, expect, it } from "vitest";
import { texts } from "../../../testing/workload-sample.ts";
import { validateContainerPorts, validateHostNetworkPorts, validateHostPorts } from "./container-ports.ts";

describe("container ports", () => {
  it("require a number and a protocol", () => {
    expect(validateContainerPorts([{ containerPort: 80, protocol: "TCP" }], "p")).toEqual([]);
    expect(texts(validateContainerPorts([{ containerPort: 0, hostPort: 70000, protocol: "HTTP" as "TCP" }], "p"))).toEqual([
      "p[0].containerPort: Required value",
      "p[0].hostPort: Invalid value: 70000: must be between 1 and 65535, inclusive",
      'p[0].protocol: Unsupported value: "HTTP": supported values: "SCTP", "TCP", "UDP"',
    ]);
  });

  it("require unique names", () => {
    expect(
      texts(
        validateContainerPorts(
          [
            { containerPort: 80, protocol: "TCP", name: "a" },
            { containerPort: 81, protocol: "TCP", name: "a" },
          ],
          "p",
        ),
      ),
    ).toEqual(['p[1].name: Duplicate value: "a"']);
  });

  it("require unique host ports", () => {
    const port = { containerPort: 80, hostPort: 8080, protocol: "TCP" as const };
    expect(
      texts(
        validateHostPorts(
          [
            { name: "a", ports: [port] },
            { name: "b", ports: [port] },
          ],
          "c",
        ),
      ),
    ).toEqual(['c[1].ports[0].hostPort: Duplicate value: "TCP//8080"']);
  });

  it("require equal host and container ports with host networking, except in templates", () => {
    const spec = { hostNetwork: true, containers: [{ name: "c", ports: [{ containerPort: 80 }] }] };
    expect(texts(validateHostNetworkPorts(spec, "s", { isPod: true }))).toEqual([
      "s.containers[0].ports[0].hostPort: Invalid value: 0: must match `containerPort` when `hostNetwork` is true",
    ]);
    expect(validateHostNetworkPorts(spec, "s", { isPod: false })).toEqual([]);
  });
});
