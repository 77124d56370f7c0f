import { describe, expect, it } from "vitest";
import { texts } from "../../../testing/workload-sample.ts";
import { validateCare } from "./probes.ts";

const exec = { exec: { command: ["true"] } };

describe("container probes", () => {
  it("require exactly one handler", () => {
    expect(validateCare({ name: "c", readinessProbe: exec }, "c", 30)).toEqual([]);
    expect(texts(validateCare({ name: "c", readinessProbe: {} }, "c", 30))).toEqual([
      "c.readinessProbe: Required value: must specify a handler type",
    ]);
    expect(texts(validateCare({ name: "c", readinessProbe: { ...exec, grpc: { port: 1 } } }, "c", 30))).toEqual([
      "c.readinessProbe.grpc: Forbidden: may not specify more than 1 handler type",
    ]);
  });

  it("require successThreshold 1 for liveness and startup", () => {
    expect(texts(validateCare({ name: "c", livenessProbe: { ...exec, successThreshold: 2 } }, "c", 30))).toEqual([
      "c.livenessProbe.successThreshold: Invalid value: 2: must be 1",
    ]);
  });

  it("validate their handlers", () => {
    expect(
      texts(validateCare({ name: "c", readinessProbe: { httpGet: { port: 0, path: "/", scheme: "FTP" as "HTTP" } } }, "c", 30)),
    ).toEqual([
      "c.readinessProbe.httpGet.port: Invalid value: 0: must be between 1 and 65535, inclusive",
      'c.readinessProbe.httpGet.scheme: Unsupported value: "FTP": supported values: "HTTP", "HTTPS"',
    ]);
  });
});

describe("lifecycle hooks", () => {
  it("must not sleep longer than the grace period", () => {
    expect(validateCare({ name: "c", lifecycle: { preStop: { sleep: { seconds: 30 } } } }, "c", 30)).toEqual([]);
    expect(texts(validateCare({ name: "c", lifecycle: { preStop: { sleep: { seconds: 31 } } } }, "c", 30))).toEqual([
      "c.lifecycle.preStop.sleep: Invalid value: 31: must be non-negative and less than terminationGracePeriodSeconds (30)",
    ]);
  });
});
