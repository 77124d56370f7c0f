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

describe("the list of controllers", () => {
  it("runs all that are not disabled by default for a star, in the order they are known", () => {
    expect(selected("*")).toEqual(["deployment-controller", "replicaset-controller"]);
    expect(selected("bootstrapsigner", "*")).toEqual(["deployment-controller", "replicaset-controller", "bootstrap-signer-controller"]);
  });

  it("runs what it names and nothing else without a star", () => {
    expect(selected("replicaset")).toEqual(["replicaset-controller"]);
    expect(selected()).toEqual([]);
    expect(selected("-replicaset")).toEqual([]);
  });

  it("leaves out what it forbids, by name or alias, wherever that stands", () => {
    expect(selected("*", "-deployment")).toEqual(["replicaset-controller"]);
    expect(selected("-deployment-controller", "*")).toEqual(["replicaset-controller"]);
  });

  it("goes by what is said first of one", () => {
    expect(selected("deployment", "-deployment-controller")).toEqual(["deployment-controller"]);
    expect(selected("-deployment", "deployment", "*")).toEqual(["replicaset-controller"]);
  });

  it("refuses a name that is nobody's, and says which there are", () => {
    for (const name of ["deploymnet", "-deploymnet"])
      expect(() => selected("*", name)).toThrow(
        'unknown controller "deploymnet"; known controllers: deployment-controller, replicaset-controller, bootstrap-signer-controller',
      );
  });
});

describe("a registry", () => {
  it("has each name and alias once", () => {
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
