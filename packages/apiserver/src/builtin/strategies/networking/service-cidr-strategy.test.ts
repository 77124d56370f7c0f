import { printFieldError } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { ipAddressStrategy, serviceCidrStrategy } from "./service-cidr-strategy.ts";

const metadata = { name: "a" };
const update = (now: string[], before: string[]): string[] =>
  (serviceCidrStrategy.validateUpdate?.({ metadata, spec: { cidrs: now } }, { metadata, spec: { cidrs: before } }) ?? []).map(
    printFieldError,
  );

describe("ServiceCIDR strategy", () => {
  it("requires one range, or two of different families", () => {
    const texts = (cidrs: string[]): string[] => (serviceCidrStrategy.validate?.({ metadata, spec: { cidrs } }) ?? []).map(printFieldError);
    expect(texts(["10.0.0.0/24", "fd00::/64"])).toEqual([]);
    expect(texts([])).toEqual(["spec.cidrs: Required value: at least one CIDR required"]);
    expect(texts(["10.0.0.0/24", "10.1.0.0/24"])).toHaveLength(1);
    expect(texts(["a", "b", "c"])).toEqual(['spec.cidrs: Invalid value: {"CIDRs":["a","b","c"]}: may only hold up to 2 values']);
  });

  it("allows adding a second range only", () => {
    expect(update(["10.0.0.0/24", "fd00::/64"], ["10.0.0.0/24"])).toEqual([]);
    expect(update(["10.1.0.0/24"], ["10.0.0.0/24"])).toEqual(['spec.cidrs[0]: Invalid value: "10.1.0.0/24": field is immutable']);
    expect(update(["10.0.0.0/24"], ["10.0.0.0/24", "fd00::/64"])).toEqual([
      'spec.cidrs: Invalid value: ["10.0.0.0/24"]: field is immutable',
    ]);
  });
});

describe("IPAddress strategy", () => {
  it("requires an immutable parentRef", () => {
    const parentRef = { resource: "services", name: "s", namespace: "n" };
    expect(ipAddressStrategy.validate?.({ metadata, spec: { parentRef } })).toEqual([]);
    expect(
      (
        ipAddressStrategy.validateUpdate?.(
          { metadata, spec: { parentRef: { ...parentRef, name: "t" } } },
          { metadata, spec: { parentRef } },
        ) ?? []
      ).map(printFieldError),
    ).toEqual(['spec.parentRef: Invalid value: {"Group":"","Resource":"services","Namespace":"n","Name":"t"}: field is immutable']);
  });
});
