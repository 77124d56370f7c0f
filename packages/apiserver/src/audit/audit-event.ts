/** Audit events as kube-apiserver logs them: `Event` of `audit.k8s.io/v1`. */
import type { JsonObject, JsonValue } from "@drover/machinery";

/** How much of a request is recorded, from nothing to both bodies. */
export type AuditLevel = "None" | "Metadata" | "Request" | "RequestResponse";

/**
 * When an event was generated. Only long-running requests have "ResponseStarted"; "Panic" replaces "ResponseComplete" for a request that
 * failed inside the server.
 */
export type AuditStage = "RequestReceived" | "ResponseStarted" | "ResponseComplete" | "Panic";

/** A user as events show it. */
export interface AuditUser {
  /** @default a request without a valid credential */
  readonly username?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** The object or collection that a request is for. */
export interface AuditObjectReference {
  readonly resource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly uid?: string;
  readonly apiGroup?: string;
  readonly apiVersion?: string;
  readonly resourceVersion?: string;
  readonly subresource?: string;
}

/** One stage of one request. Fields without a value are missing. */
export interface AuditEvent {
  readonly kind: "Event";
  readonly apiVersion: "audit.k8s.io/v1";
  readonly level: Exclude<AuditLevel, "None">;
  /** The same for all stages of a request; clients see it in the header `Audit-Id`. */
  readonly auditID: string;
  readonly stage: AuditStage;
  /** Path and query. */
  readonly requestURI: string;
  /** "get", "list", "create" …; for a path the HTTP method in lower case. */
  readonly verb: string;
  readonly user: AuditUser;
  readonly impersonatedUser?: AuditUser;
  readonly authenticationMetadata?: { readonly impersonationConstraint?: string };
  /** Addresses of proxies first; only the last one is certain. Missing for callers in the same process. */
  readonly sourceIPs?: readonly string[];
  readonly userAgent?: string;
  /** Missing for paths that are not resources. */
  readonly objectRef?: AuditObjectReference;
  /** Missing in the stage "RequestReceived". */
  readonly responseStatus?: JsonObject;
  /** At level "Request" and above: the decoded object, or the patch. */
  readonly requestObject?: JsonValue;
  /** At level "RequestResponse". */
  readonly responseObject?: JsonValue;
  readonly requestReceivedTimestamp: string;
  readonly stageTimestamp: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** An event on its way to the sink. */
export interface AuditRecord {
  /** The event as one line of JSON, with a newline at the end. */
  readonly line: string;
  /** Parses the line. */
  event(): AuditEvent;
}

/** Where events go. */
export interface AuditSink {
  /**
   * Receives events in order, the next ones when the returned promise has settled. Events of a call that fails are lost and counted;
   * while a call is pending, events wait in a bounded queue. Requests never wait.
   */
  readonly write: (records: readonly AuditRecord[]) => Promise<void> | void;
}

/** Options of `ApiServerOptions.audit`. */
export interface AuditOptions {
  /** Which requests are recorded, and how much of them; `readAuditPolicy` reads it from a file. */
  readonly policy: AuditPolicy;
  readonly sink: AuditSink;
}

/** `Policy` of `audit.k8s.io/v1`. */
export interface AuditPolicy {
  /** The first rule that matches a request decides; a request without one is not recorded. */
  readonly rules: readonly AuditRule[];
  /** Stages without events, beside those of the rule. @default none */
  readonly omitStages?: readonly AuditStage[];
  /** Whether objects are recorded without their managed fields, if the rule does not say it. @default false */
  readonly omitManagedFields?: boolean;
}

/** A rule matches a request that is on all of its lists; a missing or empty list matches everything. */
export interface AuditRule {
  readonly level: AuditLevel;
  /** Names of users. @default all */
  readonly users?: readonly string[];
  /** Groups, of which the user has at least one. @default all */
  readonly userGroups?: readonly string[];
  /** @default all */
  readonly verbs?: readonly string[];
  /** @default all resources */
  readonly resources?: readonly AuditGroupResources[];
  /** "" matches cluster-scoped resources. @default all */
  readonly namespaces?: readonly string[];
  /** Paths that are not resources; a `*` at the end matches any suffix. Excludes `resources` and `namespaces`. @default all */
  readonly nonResourceURLs?: readonly string[];
  /** Stages without events, beside those of the policy. @default none */
  readonly omitStages?: readonly AuditStage[];
  /** @default that of the policy */
  readonly omitManagedFields?: boolean;
}

/** Resources of a group. */
export interface AuditGroupResources {
  /** "" is the core group, "*" all groups. @default "" */
  readonly group?: string;
  /** "pods", "pods/log", "pods/*", "*\/scale" or "*". @default all resources and subresources of the group */
  readonly resources?: readonly string[];
  /** Needs `resources`. @default all */
  readonly resourceNames?: readonly string[];
}
