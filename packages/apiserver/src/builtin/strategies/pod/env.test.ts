import { describe, expect, it } from "vitest";
import { texts } from "../../../testing/workload-sample.ts";
import { validateEnv, validateEnvFiles, validateEnvFrom } from "./env.ts";

describe("environment variables", () => {
  it("require printable names", () => {
    expect(validateEnv([{ name: "A b-1" }], "e")).toEqual([]);
    expect(texts(validateEnv([{ name: "" }, { name: "A=B" }], "e"))).toEqual([
      "e[0].name: Required value",
      "e[1].name: Invalid value: \"A=B\": a valid environment variable name must consist only of printable ASCII characters other than '='",
    ]);
  });

  it("require exactly one source", () => {
    const secretKeyRef = { name: "s", key: "k" };
    expect(texts(validateEnv([{ name: "A", valueFrom: {} }], "e"))).toEqual([
      'e[0].valueFrom: Invalid value: "": must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`',
    ]);
    expect(texts(validateEnv([{ name: "A", value: "x", valueFrom: { secretKeyRef } }], "e"))).toEqual([
      'e[0].valueFrom: Invalid value: "": may not be specified when `value` is not empty',
    ]);
    expect(texts(validateEnv([{ name: "A", valueFrom: { secretKeyRef, configMapKeyRef: secretKeyRef } }], "e"))).toEqual([
      'e[0].valueFrom: Invalid value: "": may not have more than one field specified at a time',
    ]);
  });

  it("require the name of an envFrom source", () => {
    expect(validateEnvFrom([{ configMapRef: { name: "a" } }], "e")).toEqual([]);
    expect(texts(validateEnvFrom([{}, { secretRef: {} }], "e"))).toEqual([
      'e: Invalid value: "": must specify one of: `configMapRef` or `secretRef`',
      "e[1].secretRef.name: Required value",
    ]);
  });

  it("from a file require an emptyDir volume", () => {
    const env = (volumeName: string): object => ({ name: "A", valueFrom: { fileKeyRef: { volumeName, path: "p", key: "k" } } });
    const spec = {
      volumes: [
        { name: "host", hostPath: { path: "/" } },
        { name: "own", emptyDir: {} },
      ],
      containers: [{ name: "c", env: [env("own"), env("host"), env("none")] as { name: string }[] }],
    };
    expect(texts(validateEnvFiles(spec, "s"))).toEqual([
      's.containers[0].env[1].valueFrom.fileKeyRef.volumeName: Invalid value: "host": referenced volume must be of type emptyDir',
      's.containers[0].env[2].valueFrom.fileKeyRef.volumeName: Not found: "none"',
    ]);
  });
});
