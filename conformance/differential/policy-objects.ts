/** Policies of probes: each matches only the probe's own namespace. */
import type { JsonObject, JsonValue } from "@drover/machinery";
import type { Answer } from "./exchange.ts";
import type { ProbeSession } from "./session.ts";

const root = "/apis/admissionregistration.k8s.io/v1";
/** Paths of the four kinds. */
export const policyPaths = {
  validating: `${root}/validatingadmissionpolicies`,
  validatingBinding: `${root}/validatingadmissionpolicybindings`,
  mutating: `${root}/mutatingadmissionpolicies`,
  mutatingBinding: `${root}/mutatingadmissionpolicybindings`,
} as const satisfies Readonly<Record<string, string>>;

export const rule = (resources: readonly string[] = ["configmaps"], extra: JsonObject = {}): JsonObject => ({
  operations: ["CREATE", "UPDATE"],
  apiGroups: [""],
  apiVersions: ["v1"],
  resources: [...resources],
  ...extra,
});

/** Constraints that match ConfigMaps of the probe's namespace. */
export const constraints = (s: ProbeSession, extra: JsonObject = {}): JsonObject => ({
  namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": s.namespace } },
  resourceRules: [rule()],
  ...extra,
});

export interface Enacted {
  /** The rest of the policy's spec. */
  readonly policy: JsonObject;
  /** The rest of the binding's spec. @default denies */
  readonly binding?: JsonObject;
  /** Of policy and binding, after the namespace. @default "a" */
  readonly name?: string;
}

/** Creates a policy with a binding; records nothing. */
export async function enact(s: ProbeSession, { policy, binding = { validationActions: ["Deny"] }, name = "a" }: Enacted): Promise<void> {
  const whole = `${s.namespace}-${name}`;
  await s.quietly("POST", policyPaths.validating, { metadata: { name: whole }, spec: { matchConstraints: constraints(s), ...policy } });
  await s.quietly("POST", policyPaths.validatingBinding, { metadata: { name: whole }, spec: { policyName: whole, ...binding } });
}

/** The same for a mutating policy. */
export async function enactMutation(s: ProbeSession, { policy, binding = {}, name = "a" }: Enacted): Promise<void> {
  const whole = `${s.namespace}-${name}`;
  await s.quietly("POST", policyPaths.mutating, {
    metadata: { name: whole },
    spec: { matchConstraints: constraints(s), failurePolicy: "Fail", reinvocationPolicy: "Never", ...policy },
  });
  await s.quietly("POST", policyPaths.mutatingBinding, { metadata: { name: whole }, spec: { policyName: whole, ...binding } });
}

export const applying = (expression: string): JsonObject => ({ patchType: "ApplyConfiguration", applyConfiguration: { expression } });
export const patching = (expression: string): JsonObject => ({ patchType: "JSONPatch", jsonPatch: { expression } });

/** Validations that always fail, and say the value of an expression of type string. */
export const saying = (...expressions: readonly string[]): JsonValue =>
  expressions.map((messageExpression, index) => ({ expression: "false", messageExpression, message: `cannot say ${index}` }));

/** Validations that always fail, each with a text that shows whether an expression holds. */
export const isRefused = ({ status }: Answer): boolean => status >= 400 && status < 500;
export const isWarned = ({ headers }: Answer): boolean => headers["warning"] !== undefined;
export const isMade = ({ status }: Answer): boolean => status === 201;
