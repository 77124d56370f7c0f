import { ConfigMap, Namespace, Secret } from "@drover/api/core/v1";
import { ClusterRole } from "@drover/api/rbac/v1";
import { withFields } from "@drover/machinery";
import type { Kind } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineResource } from "../resource/define-resource.ts";
import { reference } from "../schema/reference.ts";
import { declareController } from "./declared-controller.ts";
import type { AnyDeclaration } from "./declared-controller.ts";

const WebApp = defineResource({
  group: "demo.example.com",
  version: "v1",
  kind: "WebApp",
  spec: z.object({ tls: reference(Secret, z.string()).optional() }),
});
const declared = (declaration: AnyDeclaration, kind: Kind = WebApp): ReturnType<typeof declareController> =>
  declareController("shop", kind, declaration);
const desired = (): Readonly<Record<string, undefined>> => ({});

describe("declareController", () => {
  it("derives names from the kind and the operator", () => {
    expect(declared({ cleanup: () => undefined })).toMatchObject({
      name: "webapp",
      title: "controller of WebApp",
      setName: "shop-webapp",
      fieldManager: "shop",
      finalizer: "demo.example.com/shop",
      deadlineMs: Infinity,
      resyncMs: 36_000_000,
    });
    expect(declared({ cleanup: () => undefined }, ConfigMap).finalizer).toBe("drover.dev/shop");
    expect(declared({ cleanup: () => undefined, finalizer: "example.com/dns", name: "other" })).toMatchObject({
      finalizer: "example.com/dns",
      name: "other",
    });
  });

  it("sets a finalizer only if something must be done before the object is deleted", () => {
    expect(declared({ reconcile: () => undefined }).finalizer).toBeUndefined();
    expect(declared({ owns: { copy: ConfigMap }, desired }).finalizer).toBeUndefined();
    expect(declared({ owns: { role: ClusterRole }, desired }).finalizer).toBe("demo.example.com/shop");
    expect(declared({ owns: { role: ClusterRole }, desired }, Namespace).finalizer).toBeUndefined();
  });

  it("refuses limited kinds where whole objects are needed, and takes them elsewhere", () => {
    const limited = withFields(ConfigMap, ["data"]) as Kind;
    const reconcile = (): undefined => undefined;
    expect(() => declared({ owns: { map: limited }, reconcile })).toThrow(/ConfigMap is limited to some fields, so .* drifted/);
    expect(() => declared({ reconcile }, withFields(WebApp, ["spec"]) as Kind)).toThrow(/WebApp is limited .* cannot be validated/);
    expect(() => declared({ status: () => ({}) as never }, withFields(Namespace, ["spec"]) as Kind)).toThrow(
      /cannot be written with a status/,
    );
    expect(declared({ reads: [limited], reconcile }, withFields(Namespace, ["spec"]) as Kind).kind.fields).toEqual(["spec"]);
  });

  it("takes the references from the schema of the kind", () => {
    expect(declared({ reconcile: () => undefined }).references).toEqual([{ kind: Secret, path: [{ field: "spec" }, { field: "tls" }] }]);
    expect(declared({ reconcile: () => undefined }, ConfigMap).references).toEqual([]);
  });
});
