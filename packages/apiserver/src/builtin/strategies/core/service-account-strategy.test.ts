import type { ServiceAccount } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { serviceAccountStrategy } from "./service-account-strategy.ts";

describe("ServiceAccount strategy", () => {
  it("keeps only the names of secrets", () => {
    const account: ServiceAccount = { metadata: { name: "a" }, secrets: [{ name: "s", kind: "Secret", uid: "u" }, {}] };
    serviceAccountStrategy.prepareForCreate?.(account, { now: 0, user: { name: "u", groups: [] }, dryRun: false });
    expect(account.secrets).toEqual([{ name: "s" }, {}]);
  });

  it("warns about a new deprecated annotation", () => {
    const account: ServiceAccount = { metadata: { name: "a", annotations: { "kubernetes.io/enforce-mountable-secrets": "true" } } };
    expect(serviceAccountStrategy.warningsOnCreate?.(account)).toHaveLength(1);
    expect(serviceAccountStrategy.warningsOnUpdate?.(account, account)).toEqual([]);
  });
});
