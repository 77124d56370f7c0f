import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { Deployment } from "@drover/api/apps/v1";
import { TokenReview } from "@drover/api/authentication/v1";
import { HorizontalPodAutoscaler } from "@drover/api/autoscaling/v1";
import { ComponentStatus, Event } from "@drover/api/core/v1";
import { Event as NewEvent } from "@drover/api/events/v1";
import { customResource } from "../openapi/testing/small-resources.ts";
import { storageVersionHash } from "./storage-version-hash.ts";

const sha256 = (text: string): Uint8Array => new Uint8Array(createHash("sha256").update(text).digest());
const hashOf = (resource: Parameters<typeof storageVersionHash>[0]): string | undefined => storageVersionHash(resource, sha256);

describe("storageVersionHash", () => {
  it("equals kube-apiserver's hash of the resource", () => {
    expect(hashOf({ kind: Deployment, isCustom: false })).toBe("8aSe+NMegvE=");
  });

  it("is equal for two versions with the same storage version", () => {
    expect(hashOf({ kind: HorizontalPodAutoscaler, isCustom: false })).toBe("qwQve8ut294=");
    expect(hashOf({ kind: NewEvent, isCustom: false })).toBe(hashOf({ kind: Event, isCustom: false }));
  });

  it("uses the storage version of a CustomResourceDefinition", () => {
    expect(hashOf({ ...customResource("Widget", { version: "v1beta1" }), storageVersion: "v1" })).toBe("RDFwhYKgK0s=");
    expect(hashOf(customResource("Widget"))).toBe("RDFwhYKgK0s=");
  });

  it("is absent for resources that are not stored", () => {
    for (const kind of [TokenReview, ComponentStatus]) expect(hashOf({ kind, isCustom: false })).toBeUndefined();
  });
});
