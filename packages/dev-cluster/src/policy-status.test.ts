/** Policies on our cluster: the controller writes what the server's type check finds. */
import { ValidatingAdmissionPolicy } from "@drover/api/admissionregistration/v1";
import { testRuntime } from "@drover/machinery/testing";
import { expect, it } from "vitest";
import { startCluster } from "./index.ts";

it("a cluster writes the type check of a policy into its status", async () => {
  const runtime = testRuntime();
  const cluster = await startCluster({ runtime, nodes: 0 });
  const { client } = cluster;
  await client.create(ValidatingAdmissionPolicy, {
    metadata: { name: "p" },
    spec: {
      matchConstraints: {
        resourceRules: [{ operations: ["CREATE"], apiGroups: ["apps"], apiVersions: ["v1"], resources: ["deployments"] }],
      },
      validations: [{ expression: "object.spec.replicas > 1" }, { expression: "object.spec.nope > 1" }],
    },
  });
  await runtime.clock.advance(10_000);
  const { metadata, status } = await client.get(ValidatingAdmissionPolicy, "p");
  expect(status?.observedGeneration).toBe(metadata.generation);
  expect(status?.typeChecking?.expressionWarnings?.map(({ fieldRef }) => fieldRef)).toEqual(["spec.validations[1].expression"]);
  const stopped = cluster.stop();
  await runtime.clock.advance(60_000);
  await stopped;
});
