import type { Container } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { setContainerDefaults } from "./container-defaults.ts";

const made = (container: Partial<Container>): Container => {
  const object = { name: "c", ...container };
  setContainerDefaults(object);
  return object;
};

describe("a container", () => {
  it("pulls as its tag demands, and says why it ended in a file", () => {
    expect(made({ image: "nginx" })).toEqual({
      name: "c",
      image: "nginx",
      imagePullPolicy: "Always",
      terminationMessagePath: "/dev/termination-log",
      terminationMessagePolicy: "File",
    });
    expect(made({ image: "nginx", imagePullPolicy: "Never" }).imagePullPolicy).toBe("Never");
  });

  it("speaks TCP", () => {
    expect(made({ ports: [{ containerPort: 80 }, { containerPort: 53, protocol: "UDP" }] }).ports?.map(({ protocol }) => protocol)).toEqual(
      ["TCP", "UDP"],
    );
  });

  it("takes fields of the pod in their present version, and needs the files it reads variables from", () => {
    const { env } = made({
      env: [
        { name: "a", valueFrom: { fieldRef: { fieldPath: "x" } } },
        { name: "b", valueFrom: { fileKeyRef: { key: "k", path: "p", volumeName: "v" } } },
        { name: "c" },
      ],
    });
    expect(env?.[0]?.valueFrom?.fieldRef?.apiVersion).toBe("v1");
    expect(env?.[1]?.valueFrom?.fileKeyRef?.optional).toBe(false);
  });

  it("has probes and rounded amounts", () => {
    const { livenessProbe, readinessProbe, startupProbe, resources } = made({
      livenessProbe: {},
      readinessProbe: {},
      startupProbe: {},
      resources: { limits: { cpu: "1u" } },
    });
    expect([livenessProbe, readinessProbe, startupProbe].map((probe) => probe?.periodSeconds)).toEqual([10, 10, 10]);
    expect(resources).toEqual({ limits: { cpu: "1m" } });
  });
});
