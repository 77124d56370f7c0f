import type { Container } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { setContainerDefaults } from "./container-defaults.ts";

const made = (container: Partial<Container>): Container => {
  const object = { name: "c", ...container };
  setContainerDefaults(object);
  return object;
};

describe("defaults of containers", () => {
  it("set the pull policy by image tag, and the termination message path and policy", () => {
    expect(made({ image: "nginx" })).toEqual({
      name: "c",
      image: "nginx",
      imagePullPolicy: "Always",
      terminationMessagePath: "/dev/termination-log",
      terminationMessagePolicy: "File",
    });
    expect(made({ image: "nginx", imagePullPolicy: "Never" }).imagePullPolicy).toBe("Never");
  });

  it("set the port protocol TCP", () => {
    expect(made({ ports: [{ containerPort: 80 }, { containerPort: 53, protocol: "UDP" }] }).ports?.map(({ protocol }) => protocol)).toEqual(
      ["TCP", "UDP"],
    );
  });

  it("set the apiVersion of field references, and require files of file references", () => {
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

  it("cover probes and round quantities", () => {
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
