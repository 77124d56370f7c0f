/** A Kubernetes API server in the same process. Everything exported here is public API. */

export { createApiServer } from "./api-server.ts";
export type { ApiServer, ApiServerOptions } from "./api-server.ts";
export type { ApiServerHost } from "./host.ts";
export type { Limits } from "./request/request-context.ts";
export { StatusError } from "./status-error.ts";
export type { PodLogs } from "./verbs/pod-streams.ts";
export type { PodLogOptions } from "./verbs/pod-log-options.ts";

// Authentication and authorization
export { alwaysAllow } from "./access/always-allow.ts";
export type { Authentication, Authenticator, Credentials } from "./access/authenticator.ts";
export type { Attributes, Authorizer, Decision, NonResourceRule, ResourceRule, Rules } from "./access/authorizer.ts";
export type { StaticToken } from "./access/bearer-tokens.ts";
export type { TokenSigner } from "./access/token-signer.ts";
export type { AuthorizationMode } from "./request/authorization-mode.ts";
export type { User } from "./access/user.ts";
export type { Peer, PeerCertificate } from "./access/peer.ts";

// Admission
export type { AdmissionOperation, AdmissionPlugin, AdmissionRequest } from "./admission/admission.ts";
export { admissionPluginProblem } from "./admission/plugin-choice.ts";
export type { AdmissionPluginChoice, PluginListNames } from "./admission/plugin-choice.ts";

// Audit
export type {
  AuditEvent,
  AuditGroupResources,
  AuditLevel,
  AuditObjectReference,
  AuditOptions,
  AuditPolicy,
  AuditRecord,
  AuditRule,
  AuditSink,
  AuditStage,
  AuditUser,
} from "./audit/audit-event.ts";
export { readAuditPolicy } from "./audit/audit-policy.ts";

// Webhooks
export { WebhookFailure } from "./webhook/webhook-call.ts";
export type { CallWebhook, ServiceAddress, WebhookCall, WebhookReply } from "./webhook/webhook-call.ts";
export type { WebhookOptions, WebhookService } from "./webhook/webhook-options.ts";

// Storage
export { MemoryStore } from "./storage/memory-store.ts";
export type { MemoryStoreOptions, StoreSnapshot } from "./storage/memory-store.ts";
export { CompactedError, FutureRevisionError } from "./storage/store.ts";
export type {
  ListOptions,
  PutOptions,
  ReadOptions,
  Revision,
  Store,
  StoreBatch,
  StoreEvent,
  Stored,
  StoredPage,
  StoreWatch,
  WatchOptions,
  WriteOutcome,
} from "./storage/store.ts";
