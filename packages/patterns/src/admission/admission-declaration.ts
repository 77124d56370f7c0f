/**
 * Types of `admit`, and of `default` and `validate` in `defineResource`: what the functions get and return.
 *
 * Rules in CEL become a ValidatingAdmissionPolicy, which the API server evaluates itself. Functions become webhooks.
 */
import type { AdmissionOperation, AdmissionRequest, AdmissionUser, PermissionNeed } from "@drover/controller";
import type { Client } from "@drover/client";
import type { DeepReadonly, KubeObject, LabelSelector, Log } from "@drover/machinery";
import type { AdmissionVerdict } from "./admission-problem.ts";

/** Second argument of `default`. */
export interface DefaultContext {
  readonly operation: "CREATE" | "UPDATE";
  /** Who sent the request. */
  readonly user: AdmissionUser;
}

/**
 * The object with defaults, or only the parts that `default` sets: `{ spec: { ...spec, replicas: 1 } }`. A part replaces the whole part
 * of the object; in `metadata`, fields that are left out stay.
 */
export type ChangedObject<T extends KubeObject> = DeepReadonly<Partial<Omit<T, "metadata" | "status">>> & {
  readonly metadata?: DeepReadonly<Partial<T["metadata"]>>;
};

/** What `validate` and `mutate` get. */
export interface AdmitContext<T extends KubeObject = KubeObject> {
  /** The object as it would be written; for DELETE the existing object. */
  readonly object: DeepReadonly<T>;
  /** The existing object; undefined for CREATE and CONNECT. */
  readonly oldObject: DeepReadonly<T> | undefined;
  readonly operation: AdmissionOperation;
  /** Who sent the request. */
  readonly user: AdmissionUser;
  /** "" for cluster-scoped objects. */
  readonly namespace: string;
  /** Whether nothing will be stored: do not write. */
  readonly isDryRun: boolean;
  /** The whole request: its resource, subresource and options. */
  readonly request: AdmissionRequest<T>;
  /** Adds a warning that kubectl prints, whether or not the request is refused. At most 100; keep each below 120 characters. */
  readonly warn: (message: string) => void;
  /** Aborts when the API server no longer waits for the answer. */
  readonly signal: AbortSignal;
  readonly log: Log;
  /** Reads other objects from the API server, with the permissions of the operator: declare them in `needs`. */
  readonly client: Client;
}

/**
 * Returns nothing if the request is fine, else the problems. A thrown error refuses the request with its message.
 *
 * Must not write: the API server may ask twice, and for requests that it refuses later.
 */
export type Validate<T extends KubeObject = KubeObject> = (context: AdmitContext<T>) => AdmissionVerdict | Promise<AdmissionVerdict>;

/**
 * Returns the object with defaults, or nothing to leave it unchanged. Pure and synchronous; a second call must change nothing more.
 * Objects already have the defaults of the schema.
 */
export type Default<T extends KubeObject = KubeObject> = (object: DeepReadonly<T>, context: DefaultContext) => ChangedObject<T> | undefined;

/** Returns the changed object or the changed parts, or nothing to leave it unchanged. A second call must change nothing more. */
export type Mutate<T extends KubeObject = KubeObject> = (
  context: AdmitContext<T>,
) => ChangedObject<T> | undefined | Promise<ChangedObject<T> | undefined>;

/** How the API server calls a webhook. */
export interface WebhookCallOptions {
  /** Whether the API server refuses or accepts requests while the webhook cannot be reached, or if CEL fails. @default "Fail" */
  readonly failurePolicy?: "Fail" | "Ignore";
  /** How long the API server waits for an answer: 1 to 10. @default 5 */
  readonly timeoutSeconds?: number;
  /** Permissions that the functions need for `client`; used by `roles`. @default none */
  readonly needs?: readonly PermissionNeed[];
}

/** `webhook` of `defineResource`: how `default` and `validate` are called. */
export interface ResourceWebhookOptions extends WebhookCallOptions {
  /** Whether `validate` is asked about deletions too. @default false */
  readonly deletions?: boolean;
}

/** The functions of a resource, without its types. */
export interface ResourceAdmission {
  readonly default?: Default;
  readonly validate?: Validate;
  readonly options: ResourceWebhookOptions;
}

/** The second argument of `app.admit`. */
export interface AdmitDeclaration<T extends KubeObject = KubeObject, Sub extends string = string> extends WebhookCallOptions {
  /** Name in registrations, a DNS label; unique within the operator. @default the plural of the kind: "pods" */
  readonly name?: string;
  /** @default ["CREATE", "UPDATE"] */
  readonly operations?: readonly AdmissionOperation[];
  /** Subresources instead of the object itself: ["exec"] for `kubectl exec`, with the operation CONNECT. @default the object itself */
  readonly subresources?: readonly Sub[];
  /**
   * CEL conditions that must all hold, else neither rules nor functions are asked: `object.spec.type == "LoadBalancer"`. The API server
   * evaluates them. @default always
   */
  readonly when?: string | readonly string[];
  /** Labels of the object, or of its old state. Users can evade it by leaving out the label. @default every object */
  readonly objectSelector?: LabelSelector;
  /** Labels of the object's namespace. @default all; for functions, all but kube-system, kube-node-lease and the operator's own */
  readonly namespaceSelector?: LabelSelector;
  /**
   * Must be true for functions that decide about every object of a kind that other programs use, while `failurePolicy` is "Fail": if the
   * operator is down, none of these objects can be written. @default false
   */
  readonly everywhere?: boolean;
  /** CEL rules over `object`, `oldObject` and `request`, and their messages. They hold also while the operator is down. @default none */
  readonly rules?: readonly (readonly [expression: string, message: string])[];
  /** What happens to requests that violate a rule. @default ["Deny"] */
  readonly actions?: readonly ("Deny" | "Warn" | "Audit")[];
  /** Changes objects before they are validated. @default none */
  readonly mutate?: Mutate<T>;
  /** Whether `mutate` is called again if a later webhook changed the object. @default "Never" */
  readonly reinvocationPolicy?: "Never" | "IfNeeded";
  /** Refuses requests. @default none */
  readonly validate?: Validate<T>;
  /** "NoneOnDryRun" if the functions write something unless `isDryRun`. @default "None" */
  readonly sideEffects?: "None" | "NoneOnDryRun";
}
