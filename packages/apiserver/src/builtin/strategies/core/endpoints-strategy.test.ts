import { printFieldError } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import type { Endpoints } from "@drover/api/core/v1";
import { endpointsStrategy } from "./endpoints-strategy.ts";

const metadata = { name: "a" };

describe("Endpoints strategy", () => {
  it("requires addresses, and port names if there are several", () => {
    const errors = endpointsStrategy.validate?.({
      metadata,
      subsets: [
        {
          ports: [
            { port: 80, protocol: "TCP" },
            { port: 81, protocol: "TCP", name: "b" },
          ],
        },
      ],
    });
    expect((errors ?? []).map(printFieldError)).toEqual([
      "subsets[0]: Required value: must specify `addresses` or `notReadyAddresses`",
      "subsets[0].ports[0].name: Required value",
    ]);
  });

  it("skips validation when subsets are unchanged", () => {
    const old: Endpoints = { metadata, subsets: [{}] };
    expect(endpointsStrategy.validateUpdate?.(structuredClone(old), old)).toEqual([]);
    expect(endpointsStrategy.validateUpdate?.({ metadata, subsets: [{}, {}] }, old)).toHaveLength(2);
  });

  it("warns unless the endpoints controller wrote them", () => {
    const subsets = [{ addresses: [{ ip: "FD00::1" }] }];
    expect(endpointsStrategy.warningsOnCreate?.({ metadata, subsets })).toHaveLength(1);
    expect(
      endpointsStrategy.warningsOnCreate?.({
        metadata: { name: "a", labels: { "endpoints.kubernetes.io/managed-by": "endpoint-controller" } },
        subsets,
      }),
    ).toEqual([]);
  });
});
