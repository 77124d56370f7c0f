/**
 * Webhooks as values: what the API server asks them about, and the functions that answer. No sockets and no registration here.
 *
 *     Webhooks → createWebhookHandler (HTTP)       Webhooks → webhookConfigurations (what the cluster must know)
 */
import type { DeepReadonly, JsonPatchOperation, KubeObject, LabelSelector, Log } from "@drover/machinery";

export type AdmissionOperation = "CREATE" | "UPDATE" | "DELETE" | "CONNECT";

/** Who sent the request that is reviewed. */
export interface AdmissionUser {
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** The request that is reviewed. */
export interface AdmissionRequest<T extends KubeObject = KubeObject> {
  readonly uid: string;
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly resource: { readonly group: string; readonly version: string; readonly resource: string };
  /** "" for the object itself. */
  readonly subresource: string;
  /** "" if the server has yet to generate it. */
  readonly name: string;
  /** "" for cluster-scoped objects. */
  readonly namespace: string;
  readonly operation: AdmissionOperation;
  readonly user: AdmissionUser;
  /** The object as it would be written; undefined for DELETE. */
  readonly object?: DeepReadonly<T>;
  /** The existing object; undefined for CREATE and CONNECT. */
  readonly oldObject?: DeepReadonly<T>;
  /** Whether nothing will be stored: the answer must have no side effects. */
  readonly isDryRun: boolean;
  /** CreateOptions, UpdateOptions, PatchOptions or DeleteOptions. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** Environment of one review. */
export interface AdmissionContext {
  /** Aborts when the API server no longer waits for the answer. */
  readonly signal: AbortSignal;
  readonly log: Log;
}

export interface AdmissionAnswer {
  readonly isAllowed: boolean;
  /** HTTP status of a refusal. @default 403 */
  readonly code?: number;
  /** Reason of a refusal, such as "Invalid". @default "Forbidden" */
  readonly reason?: string;
  /** What the user reads. @default "" */
  readonly message?: string;
  /** Causes of a refusal: the fields that are wrong. @default none */
  readonly causes?: readonly { readonly field: string; readonly reason: string; readonly message: string }[];
  /** Changes of the object; only of mutating webhooks. @default none */
  readonly patch?: readonly JsonPatchOperation[];
  /** Warnings that kubectl prints, also for refused requests. @default none */
  readonly warnings?: readonly string[];
  /** Annotations of the audit event. @default none */
  readonly auditAnnotations?: Readonly<Record<string, string>>;
}

/**
 * Answers a review. A rejection, a hang or an unusable answer is a refusal with the message and code 500 or 504, never an HTTP error; with
 * `failurePolicy: "Ignore"` it allows the request with a warning.
 */
export type AdmissionHandler = (request: AdmissionRequest, context: AdmissionContext) => AdmissionAnswer | Promise<AdmissionAnswer>;

/** One entry of `rules` of a webhook configuration. */
export interface AdmissionRule {
  readonly operations: readonly AdmissionOperation[];
  readonly apiGroups: readonly string[];
  readonly apiVersions: readonly string[];
  /** "webapps", "webapps/status" */
  readonly resources: readonly string[];
  /** @default "*" */
  readonly scope?: "Cluster" | "Namespaced" | "*";
}

/** A mutating or validating webhook. */
export interface AdmissionWebhook {
  readonly type: "mutating" | "validating";
  /** Name in the configuration, a domain name with at least three parts: "validate.webapps.demo.example.com". */
  readonly name: string;
  /** Path on the server: "/validate/demo.example.com/v1/webapps". */
  readonly path: string;
  /** What it is asked about: nothing more than the code needs. */
  readonly rules: readonly AdmissionRule[];
  /** CEL conditions that the API server checks before it calls. @default none */
  readonly matchConditions?: readonly { readonly name: string; readonly expression: string }[];
  /** @default every object */
  readonly objectSelector?: LabelSelector;
  /** Namespaces. @default all but kube-system, kube-node-lease and the operator's own for kinds that the operator did not define */
  readonly namespaceSelector?: LabelSelector;
  /** What the API server does when the webhook cannot be reached. @default "Fail" */
  readonly failurePolicy?: "Fail" | "Ignore";
  /** 1 to 10. @default 5 */
  readonly timeoutSeconds?: number;
  /** @default "None" */
  readonly sideEffects?: "None" | "NoneOnDryRun";
  /** Mutating webhooks only. @default "Never" */
  readonly reinvocationPolicy?: "Never" | "IfNeeded";
  readonly handle: AdmissionHandler;
}

/** Converts the objects of one resource between its versions. */
export interface ConversionWebhook {
  readonly group: string;
  /** The resource whose definition gets the address and the CA bundle: "webapps". */
  readonly resource: string;
  readonly kind: string;
  /** Returns the object in another version; pure. Throws if it cannot. */
  readonly convert: (object: DeepReadonly<KubeObject>, version: string) => KubeObject;
}

/** A ValidatingAdmissionPolicy and its binding: a rule that the API server evaluates itself. */
export interface AdmissionPolicy {
  /** "pods.shop-operator.drover.dev" */
  readonly name: string;
  readonly rules: readonly AdmissionRule[];
  readonly matchConditions?: readonly { readonly name: string; readonly expression: string }[];
  readonly objectSelector?: LabelSelector;
  readonly namespaceSelector?: LabelSelector;
  /** @default "Fail" */
  readonly failurePolicy?: "Fail" | "Ignore";
  readonly validations: readonly { readonly expression: string; readonly message: string; readonly reason?: string }[];
  /** @default ["Deny"] */
  readonly actions?: readonly ("Deny" | "Warn" | "Audit")[];
}

/** Everything that a program answers to the API server, and what it asks the server to decide itself. */
export interface Webhooks {
  readonly admission: readonly AdmissionWebhook[];
  readonly conversions: readonly ConversionWebhook[];
  readonly policies: readonly AdmissionPolicy[];
  /** Resources that the program defines itself: their webhooks are called in all namespaces. @default none */
  readonly definedResources?: readonly { readonly group: string; readonly resource: string }[];
}

/** How the API server reaches the webhooks: a Service in the cluster, or a URL during development. */
export type WebhookTarget =
  | { readonly service: { readonly namespace: string; readonly name: string; /** @default 443 */ readonly port?: number } }
  | { /** Without a path: "https://172.17.0.1:9443". */ readonly url: string };
