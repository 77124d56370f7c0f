import type { Container } from "@drover/api/core/v1";
import { definedOnly } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { findPort } from "./service-port.ts";
import { podOf } from "./testing/endpoint-objects.ts";

const container = (name: string, ...ports: readonly (readonly [name: string, port: number, protocol?: "UDP"])[]): Container => ({
  name,
  ports: ports.map(([portName, containerPort, protocol]) => ({
    name: portName,
    containerPort,
    ...definedOnly({ protocol }),
  })),
});
const sidecar = (name: string, ...ports: readonly (readonly [name: string, port: number])[]): Container => ({
  ...container(name, ...ports),
  restartPolicy: "Always",
});
const named = { port: 80, targetPort: "http" };

describe("S033: findPort", () => {
  it("returns a number as it is, or the service's own port", () => {
    expect([
      findPort(podOf("a"), { port: 80, targetPort: 93 }),
      findPort(podOf("a"), { port: 80 }),
      findPort(podOf("a"), { port: 80, targetPort: 0 }),
    ]).toEqual([93, 80, 80]);
  });

  it.each([
    ["in the first container", [container("a", ["http", 1]), container("b", ["other", 2])], [], 1],
    ["in the second container", [container("a", ["other", 1]), container("b", ["http", 2])], [], 2],
    ["the first of two of that name", [container("a", ["http", 1]), container("b", ["http", 2])], [], 1],
    ["not of another protocol", [container("a", ["http", 1, "UDP"])], [], undefined],
    ["not where no container has it", [container("a", ["other", 1])], [], undefined],
    ["in a sidecar", [container("a")], [sidecar("s", ["http", 3])], 3],
    ["not in an ordinary init container", [container("a")], [container("i", ["http", 3])], undefined],
    ["in a container before a sidecar", [container("a", ["http", 1])], [sidecar("s", ["http", 3])], 1],
  ] as const)("finds a name %s", (_, containers, initContainers, expected) => {
    expect(findPort(podOf("a", { spec: { containers: [...containers], initContainers: [...initContainers] } }), named)).toBe(expected);
  });
});
