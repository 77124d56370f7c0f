/** Policies for tests, on a server of their own. */
import type { JsonObject } from "@drover/machinery";
import type { TestAnswer, TestServer } from "./test-server.ts";

const root = "/apis/admissionregistration.k8s.io/v1";
export const configMapsPath = "/api/v1/namespaces/default/configmaps";

export const configMapRule = (extra: JsonObject = {}): JsonObject => ({
  operations: ["CREATE", "UPDATE"],
  apiGroups: [""],
  apiVersions: ["v1"],
  resources: ["configmaps"],
  ...extra,
});

/** A policy for ConfigMaps, and its binding. */
export interface PolicyFixture {
  readonly name?: string;
  readonly policy: JsonObject;
  readonly binding?: JsonObject;
}

async function enact(server: TestServer, kind: string, name: string, policy: JsonObject, binding: JsonObject): Promise<void> {
  const made: readonly (readonly [plural: string, spec: JsonObject])[] = [
    [`${kind}admissionpolicies`, { matchConstraints: { resourceRules: [configMapRule()] }, ...policy }],
    [`${kind}admissionpolicybindings`, { policyName: name, ...binding }],
  ];
  for (const [plural, spec] of made) {
    const { status, text } = await server.call("POST", `${root}/${plural}`, { metadata: { name }, spec });
    if (status !== 201) throw new Error(text);
  }
}

/** Creates a validating policy with a binding that denies. */
export const enactValidating = (server: TestServer, { name = "p", policy, binding = {} }: PolicyFixture): Promise<void> =>
  enact(server, "validating", name, policy, { validationActions: ["Deny"], ...binding });

/** Creates a mutating policy with a binding. */
export const enactMutating = (server: TestServer, { name = "p", policy, binding = {} }: PolicyFixture): Promise<void> =>
  enact(server, "mutating", name, { failurePolicy: "Fail", reinvocationPolicy: "Never", ...policy }, binding);

/** Creates a ConfigMap. */
export const createConfigMap = (server: TestServer, name: string, extra: JsonObject = {}): Promise<TestAnswer> =>
  server.call("POST", configMapsPath, { metadata: { name }, ...extra });

export const messageOf = ({ object }: TestAnswer): unknown => object["message"];
