import type { ValidatingAdmissionPolicy } from "@drover/api/admissionregistration/v1";
import { describe, expect, it } from "vitest";
import { echoServer } from "../testing/echo-server.ts";
import { idleContext } from "../testing/idle-context.ts";
import { policyStatusController, writeStatus } from "./policy-status-controller.ts";

const policy = (generation: number, observedGeneration?: number): ValidatingAdmissionPolicy => ({
  metadata: { name: "p", generation },
  ...(observedGeneration === undefined ? {} : { status: { observedGeneration } }),
});
const warning = { fieldRef: "spec.validations[0].expression", warning: "no such field" };

describe("writeStatus", () => {
  it("applies the warnings and the generation", async () => {
    const { client, asked } = echoServer();
    await writeStatus({ client }, policy(2, 1), () => [warning]);
    expect(asked).toMatchObject([
      { body: { metadata: { name: "p" }, status: { observedGeneration: 2, typeChecking: { expressionWarnings: [warning] } } } },
    ]);
  });

  it("applies an empty result", async () => {
    const { client, asked } = echoServer();
    await writeStatus({ client }, policy(1), () => []);
    expect(asked[0]?.body).toMatchObject({ status: { observedGeneration: 1, typeChecking: {} } });
  });

  it("does nothing for a policy that was checked, or is gone", async () => {
    const { client, asked } = echoServer();
    await writeStatus({ client }, policy(1, 1), () => [warning]);
    await writeStatus({ client }, undefined, () => [warning]);
    expect(asked).toEqual([]);
  });
});

describe("policyStatusController", () => {
  it("has upstream's names, and declares its permissions", () => {
    const { context, controllers } = idleContext();
    const descriptor = policyStatusController(() => []);
    descriptor.add(context);
    expect([descriptor.name, descriptor.aliases]).toEqual([
      "validatingadmissionpolicy-status-controller",
      ["validatingadmissionpolicy-status"],
    ]);
    expect(controllers[0]?.needs.map(({ resource, subresource, verbs }) => [resource, subresource ?? "", ...verbs].join(" "))).toEqual([
      "validatingadmissionpolicies status patch",
      "validatingadmissionpolicies  list watch",
    ]);
  });
});
