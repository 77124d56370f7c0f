import { describe, expect, it } from "vitest";
import type { ControllerDescriptor } from "./host/controller-descriptor.ts";
import { controllerRegistry } from "./controller-registry.ts";

const descriptor = (name: string, alias: string, isDisabledByDefault = false): ControllerDescriptor => ({
  name,
  aliases: [alias],
  isDisabledByDefault,
  add: () => undefined,
});
const known = [
  descriptor("deployment-controller", "deployment"),
  descriptor("replicaset-controller", "replicaset"),
  descriptor("bootstrap-signer-controller", "bootstrapsigner", true),
];
const selected = (...list: readonly string[]): readonly string[] =>
  controllerRegistry(known)
    .select(list)
    .map(({ name }) => name);

describe("ControllerRegistry.select", () => {
  it("selects for * all controllers that are not disabled by default, in registration order", () => {
    expect(selected("*")).toEqual(["deployment-controller", "replicaset-controller"]);
    expect(selected("bootstrapsigner", "*")).toEqual(["deployment-controller", "replicaset-controller", "bootstrap-signer-controller"]);
  });

  it("selects only named controllers without *", () => {
    expect(selected("replicaset")).toEqual(["replicaset-controller"]);
    expect(selected()).toEqual([]);
    expect(selected("-replicaset")).toEqual([]);
  });

  it("excludes -name and -alias anywhere in the list", () => {
    expect(selected("*", "-deployment")).toEqual(["replicaset-controller"]);
    expect(selected("-deployment-controller", "*")).toEqual(["replicaset-controller"]);
  });

  it("uses the first entry for a controller", () => {
    expect(selected("deployment", "-deployment-controller")).toEqual(["deployment-controller"]);
    expect(selected("-deployment", "deployment", "*")).toEqual(["replicaset-controller"]);
  });

  it("rejects an unknown controller and lists the known ones", () => {
    for (const name of ["deploymnet", "-deploymnet"])
      expect(() => selected("*", name)).toThrow(
        'unknown controller "deploymnet"; known controllers: deployment-controller, replicaset-controller, bootstrap-signer-controller',
      );
  });
});

describe("controllerRegistry", () => {
  it("rejects duplicate names and aliases", () => {
    expect(controllerRegistry(known).names).toEqual(["deployment-controller", "replicaset-controller", "bootstrap-signer-controller"]);
    for (const twin of [
      descriptor("deployment-controller", "x"),
      descriptor("x", "deployment"),
      descriptor("x", "deployment-controller"),
      descriptor("deployment", "x"),
    ]) {
      expect(() => controllerRegistry([...known, twin])).toThrow(/deployment-controller already has the name/);
    }
  });
});
