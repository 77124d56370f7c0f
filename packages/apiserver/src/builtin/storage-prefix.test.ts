import { kinds } from "@drover/api";
import { Event as CoreEvent, ConfigMap, Endpoints, Node, ReplicationController, Service } from "@drover/api/core/v1";
import { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import { HorizontalPodAutoscaler as AutoscalerV1 } from "@drover/api/autoscaling/v1";
import { HorizontalPodAutoscaler as AutoscalerV2 } from "@drover/api/autoscaling/v2";
import { Event } from "@drover/api/events/v1";
import { Ingress } from "@drover/api/networking/v1";
import { describe, expect, it } from "vitest";
import { storagePrefixOf } from "./storage-prefix.ts";

describe("storagePrefixOf", () => {
  it("is the resource without its group", () => {
    expect(storagePrefixOf(ConfigMap)).toBe("/registry/configmaps/");
    expect(storagePrefixOf(AutoscalerV2)).toBe("/registry/horizontalpodautoscalers/");
  });

  it("is another word for resources with a former name", () => {
    expect([Node, Service, Endpoints, ReplicationController, Ingress].map(storagePrefixOf)).toEqual([
      "/registry/minions/",
      "/registry/services/specs/",
      "/registry/services/endpoints/",
      "/registry/controllers/",
      "/registry/ingress/",
    ]);
  });

  it("contains the group for apiextensions and apiregistration", () => {
    expect(storagePrefixOf(CustomResourceDefinition)).toBe("/registry/apiextensions.k8s.io/customresourcedefinitions/");
  });

  it("is shared by both groups of events and all versions, and otherwise unique", () => {
    expect(storagePrefixOf(Event)).toBe(storagePrefixOf(CoreEvent));
    expect(storagePrefixOf(AutoscalerV1)).toBe(storagePrefixOf(AutoscalerV2));
    const others = kinds.filter((kind) => kind !== Event && kind !== AutoscalerV1).map(storagePrefixOf);
    expect(new Set(others).size).toBe(others.length);
  });
});
