import type { CustomResourceDefinition, CustomResourceDefinitionSpec } from "@drover/api/apiextensions/v1";
import type { APIService } from "@drover/api/apiregistration/v1";
import { describe, expect, it } from "vitest";
import { setApiServiceDefaults, setCustomResourceDefinitionDefaults } from "./extension-defaults.ts";

const made = (spec: Partial<CustomResourceDefinitionSpec>): CustomResourceDefinition => {
  const definition: CustomResourceDefinition = {
    metadata: {},
    spec: { group: "g", scope: "Cluster", names: { plural: "ps", kind: "Pod" }, versions: [], ...spec },
  };
  setCustomResourceDefinitionDefaults(definition);
  return definition;
};
const version = (name: string, storage: boolean): CustomResourceDefinitionSpec["versions"][number] => ({ name, storage, served: true });

describe("defaults of CustomResourceDefinition", () => {
  it("derive singular and listKind from the kind", () => {
    expect(made({}).spec.names).toEqual({ plural: "ps", kind: "Pod", singular: "pod", listKind: "PodList" });
    expect(made({ names: { plural: "ps", kind: "Pod", singular: "x", listKind: "Y" } }).spec.names).toMatchObject({
      singular: "x",
      listKind: "Y",
    });
    expect(made({ names: { plural: "ps", kind: "" } }).spec.names).toEqual({ plural: "ps", kind: "" });
  });

  it("set storedVersions to the storage version", () => {
    expect(made({ versions: [version("v1", false), version("v2", true), version("v3", true)] }).status).toEqual({ storedVersions: ["v2"] });
    expect(made({}).status).toEqual({});
  });

  it("set the conversion strategy None, and port 443 of a webhook service", () => {
    expect(made({}).spec.conversion).toEqual({ strategy: "None" });
    const webhook = { clientConfig: { service: { name: "s", namespace: "n" } }, conversionReviewVersions: ["v1"] };
    expect(made({ conversion: { strategy: "Webhook", webhook } }).spec.conversion?.webhook?.clientConfig?.service?.port).toBe(443);
  });

  it("drop an empty webhook of the strategy None", () => {
    expect(made({ conversion: { strategy: "None", webhook: { conversionReviewVersions: null as never } } }).spec.conversion).toEqual({
      strategy: "None",
    });
  });
});

describe("defaults of APIService", () => {
  it("set the service port 443", () => {
    const service: APIService = { metadata: {}, spec: { groupPriorityMinimum: 1, versionPriority: 1, service: { name: "s" } } };
    setApiServiceDefaults(service);
    expect(service.spec?.service?.port).toBe(443);
  });
});
