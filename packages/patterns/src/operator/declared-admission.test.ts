import { Namespace, Pod } from "@drover/api/core/v1";
import { describe, expect, expectTypeOf, it } from "vitest";
import { createOperator, isMistakeError } from "../index.ts";
import type { AdmitDeclaration } from "../index.ts";
import { admissionPolicies, admissionWebhooks, declareAdmission } from "./declared-admission.ts";
import type { AnyAdmission } from "./declared-admission.ts";
import { ask, noClient, patched, reviewOf } from "./review-scene.ts";

const shopOnly = { namespaceSelector: { matchLabels: { team: "shop" } } };
const pod = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "web", labels: { a: "1" } },
  spec: { containers: [{ name: "c", image: "x" }] },
};

function mistake(declaration: object, kind: typeof Pod | typeof Namespace = Pod): string {
  try {
    declareAdmission(kind, declaration);
  } catch (error) {
    if (isMistakeError(error)) return error.message;
    throw error;
  }
  return "no mistake";
}

describe("app.admit", () => {
  it("types objects, subresources and operations", () => {
    const app = createOperator({ name: "shop" });
    app.admit(Pod, {
      ...shopOnly,
      subresources: ["status"],
      mutate: ({ object }) => {
        expectTypeOf(object.spec?.nodeName).toEqualTypeOf<string | undefined>();
        return { metadata: { labels: { a: "1" } } };
      },
      validate: ({ oldObject }) => (oldObject?.spec?.nodeName === "" ? { field: "spec.nodeName", message: "is empty" } : undefined),
    });
    // @ts-expect-error Pods have no such subresource.
    expect(() => app.admit(Pod, { name: "x", ...shopOnly, subresources: ["engine"], validate: () => undefined })).toThrow(
      'Pod has no subresource "engine"',
    );
    // @ts-expect-error Numbers are no answers.
    expect(() => app.admit(Pod, { ...shopOnly, validate: () => 1 })).toThrow('another admission is named "pods"');
  });

  it("turns rules into a policy without a webhook", () => {
    const admission = declareAdmission(Pod, {
      rules: [["object.spec.containers.all(c, c.image.startsWith('registry.example.com/'))", "use images of registry.example.com"]],
      when: "object.metadata.namespace != 'infra'",
      actions: ["Warn", "Audit"],
    });
    expect(admissionWebhooks(admission, "shop", noClient)).toEqual([]);
    expect(admissionPolicies(admission, "shop")).toEqual([
      {
        name: "pods.shop.drover.dev",
        rules: [{ operations: ["CREATE", "UPDATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["pods"], scope: "Namespaced" }],
        matchConditions: [{ name: "when-1", expression: "object.metadata.namespace != 'infra'" }],
        actions: ["Warn", "Audit"],
        validations: [
          {
            expression: "object.spec.containers.all(c, c.image.startsWith('registry.example.com/'))",
            message: "use images of registry.example.com",
          },
        ],
      },
    ]);
  });

  it("turns functions into webhooks that share selectors, timeout and policy", async () => {
    const declaration: AdmitDeclaration<Pod> = {
      ...shopOnly,
      name: "sidecars",
      operations: ["CREATE", "DELETE"],
      timeoutSeconds: 3,
      failurePolicy: "Ignore",
      reinvocationPolicy: "IfNeeded",
      mutate: async ({ object }) => {
        await Promise.resolve();
        return { metadata: { labels: { ...object.metadata.labels, sidecar: "yes" } } };
      },
      validate: ({ operation }) => (operation === "DELETE" ? undefined : ["no"]),
    };
    const webhooks = admissionWebhooks(declareAdmission(Pod, declaration as AnyAdmission), "shop", noClient);
    expect(webhooks).toMatchObject([
      {
        name: "mutate.sidecars.shop.drover.dev",
        path: "/mutate/sidecars",
        rules: [{ operations: ["CREATE"] }],
        timeoutSeconds: 3,
        failurePolicy: "Ignore",
        reinvocationPolicy: "IfNeeded",
        ...shopOnly,
      },
      { name: "validate.sidecars.shop.drover.dev", path: "/validate/sidecars", rules: [{ operations: ["CREATE", "DELETE"] }] },
    ]);
    expect(webhooks[1]).not.toHaveProperty("reinvocationPolicy");
    expect(patched(pod, await ask(webhooks, "mutating", reviewOf(pod)))).toMatchObject({
      metadata: { name: "web", labels: { a: "1", sidecar: "yes" } },
    });
    expect(await ask(webhooks, "validating", reviewOf(pod))).toMatchObject({ isAllowed: false, message: 'Pod "web" is invalid: no' });
  });

  it("removes fields of a whole object that mutate returns without them", async () => {
    const admission = declareAdmission(Pod, {
      ...shopOnly,
      mutate: ({ object: { metadata, ...rest } }) => ({ ...rest, metadata: { name: metadata.name ?? "" } }),
    });
    const answer = await ask(admissionWebhooks(admission, "shop", noClient), "mutating", reviewOf(pod));
    expect(answer.patch).toEqual([{ op: "remove", path: "/metadata/labels" }]);
  });
});

describe("mistakes in app.admit", () => {
  const validate = (): undefined => undefined;

  it.each([
    ["an empty declaration", {}, "admission of Pod: it decides nothing"],
    ["a timeout over ten seconds", { ...shopOnly, validate, timeoutSeconds: 11 }, "is not an integer from 1 to 10"],
    ["a fraction of a second", { ...shopOnly, validate, timeoutSeconds: 1.5 }, "is not an integer from 1 to 10"],
    ["an unknown operation", { ...shopOnly, validate, operations: ["PATCH"] }, '"PATCH" is not an operation'],
    ["no operation", { ...shopOnly, validate, operations: [] }, "the list is empty"],
    ["CONNECT without a subresource", { ...shopOnly, validate, operations: ["CONNECT"] }, 'subresources: ["exec"]'],
    ["mutate for deletions only", { ...shopOnly, mutate: validate, operations: ["DELETE"] }, "DELETE has no object to change"],
    ["all pods in all namespaces", { validate }, "while the operator is down, no Pod could be written in any namespace"],
    ["an empty selector, which selects all", { validate, objectSelector: {} }, "or, if it must be so, everywhere: true"],
    ["a name that is no label", { ...shopOnly, validate, name: "My Pods" }, "is not a DNS label"],
    ["a rule with self", { rules: [["self.spec.hostNetwork", "no"]] }, "self is only known in rules of defineResource"],
    ["a pattern that RE2 does not know", { rules: [["object.metadata.name.matches('(?=a)')", "no"]] }, "is not valid RE2"],
    ["a rule without a message", { rules: [["true", " "]] }, "is empty or has more than one line"],
    ["an empty condition", { when: [""], rules: [["true", "no"]] }, "the expression is empty"],
    ["actions without rules", { ...shopOnly, validate, actions: ["Warn"] }, "actions belong to rules"],
    ["a timeout of rules", { rules: [["true", "no"]], timeoutSeconds: 3 }, "timeoutSeconds: it has no effect without functions"],
    ["reinvocation without mutate", { ...shopOnly, validate, reinvocationPolicy: "IfNeeded" }, "it has no effect without mutate"],
    ["Deny with Warn", { rules: [["true", "no"]], actions: ["Deny", "Warn"] }, "would say everything twice"],
  ])("%s", (_, declaration, text) => {
    expect(mistake(declaration)).toContain(text);
  });

  it("allows broad functions that are declared as such, ignore failures, or are narrowed by a condition", () => {
    expect(mistake({ validate, everywhere: true })).toBe("no mistake");
    expect(mistake({ validate, failurePolicy: "Ignore" })).toBe("no mistake");
    expect(mistake({ validate, when: "object.metadata.name == 'a'" })).toBe("no mistake");
    expect(mistake({ rules: [["'self' != object.metadata.name", "no"]] })).toBe("no mistake");
    expect(mistake({ validate }, Namespace)).toContain("no Namespace could be written in the cluster");
  });
});
