import { printFieldError } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { serviceFixture } from "../../../testing/service-fixture.ts";
import { validatePortsTogether, validateServicePorts } from "./service-port-validation.ts";

describe("Service ports", () => {
  it("require unique names if there are several", () => {
    const ports = [
      { port: 80, protocol: "TCP", targetPort: 80 },
      { name: "a", port: 81, protocol: "TCP", targetPort: 81 },
      { name: "a", port: 82, protocol: "TCP", targetPort: 82 },
    ] as const;
    expect(validateServicePorts(serviceFixture({ ports: structuredClone(ports) as never })).map(printFieldError)).toEqual([
      "spec.ports[0].name: Required value",
      'spec.ports[2].name: Duplicate value: "a"',
    ]);
  });

  it("require a protocol and a valid targetPort", () => {
    expect(validateServicePorts(serviceFixture({ ports: [{ port: 80 }] })).map(printFieldError)).toEqual([
      "spec.ports[0].protocol: Required value",
      "spec.ports[0].targetPort: Invalid value: 0: must be between 1 and 65535, inclusive",
    ]);
  });

  it("are unique by port and protocol", () => {
    const ports = [
      { port: 80, protocol: "TCP" as const },
      { port: 80, protocol: "UDP" as const },
      { port: 80, protocol: "TCP" as const },
    ];
    expect(validatePortsTogether(serviceFixture({ ports })).map(printFieldError)).toEqual([
      'spec.ports[2]: Duplicate value: {"Name":"","Protocol":"TCP","AppProtocol":null,"Port":80,"TargetPort":0,"NodePort":0}',
    ]);
  });

  it("allow node ports by type, unique by protocol", () => {
    const ports = [
      { port: 80, protocol: "TCP" as const, nodePort: 30001 },
      { port: 81, protocol: "TCP" as const, nodePort: 30001 },
    ];
    expect(validatePortsTogether(serviceFixture({ ports })).map(printFieldError)).toEqual([
      "spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'",
      "spec.ports[1].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'",
      "spec.ports[1].nodePort: Duplicate value: 30001",
    ]);
    expect(validatePortsTogether(serviceFixture({ type: "NodePort", ports })).map(printFieldError)).toEqual([
      "spec.ports[1].nodePort: Duplicate value: 30001",
    ]);
  });
});
