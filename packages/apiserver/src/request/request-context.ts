/** One request on its way through the server, and the services that verbs use. */
import type { GroupVersionKind, HttpRequest, JsonObject, Query, RequestInfo, Runtime } from "@drover/machinery";
import type { User } from "../access/user.ts";
import type { AdmissionPlugin } from "../admission/admission.ts";
import type { AuditTrail } from "../audit/audit-trail.ts";
import type { Codec } from "../codec/codec.ts";
import type { ApplyScopes } from "../registry/apply-scopes.ts";
import type { ObjectStore } from "../registry/object-store.ts";
import type { Registry } from "../registry/registry.ts";
import type { Resource } from "../registry/resource.ts";
import type { AuditAnnotations } from "./audit-annotations.ts";
import type { Warnings } from "./warnings.ts";

export interface RequestContext {
  readonly request: HttpRequest;
  readonly info: RequestInfo;
  readonly query: Query;
  readonly user: User;
  readonly resource: Resource;
  /** Milliseconds since 1970; the same for everything this request writes. */
  readonly now: number;
  readonly warnings: Warnings;
  readonly annotations: AuditAnnotations;
  /** Milliseconds until `?timeout=` expires. @default no timeout */
  readonly remainingMs?: () => number;
  /** Records bodies for the audit log. @default the request is not recorded */
  readonly audit?: Pick<AuditTrail, "requestObject" | "requestPatch">;
}

/** Timeouts and size limits of the server. */
export interface Limits {
  /** Maximum size of a request body. */
  readonly bodyBytesMax: number;
  /** Maximum size of a stored object. */
  readonly objectBytesMax: number;
  /** Maximum size of a list in one response, in characters of its stored objects. */
  readonly listBytesMax: number;
  /** How long a read waits for a revision that does not exist yet. */
  readonly freshnessTimeoutMs: number;
  /** Interval between bookmarks. */
  readonly bookmarkPeriodMs: number;
  /** Minimum duration of a watch without `timeoutSeconds`; each lasts up to twice as long, at random. */
  readonly watchTimeoutMs: number;
}

/** Throws a `StatusError` to refuse a write. The old object is undefined for a new one. */
export type GrantGuard = (context: RequestContext, object: JsonObject, old: JsonObject | undefined) => Promise<void>;

/** The services that every verb uses. */
export interface Backend {
  readonly runtime: Runtime;
  readonly objects: ObjectStore;
  readonly registry: Registry;
  readonly scopes: ApplyScopes;
  readonly admission: Required<AdmissionPlugin>;
  /** Refuses a write that grants what its user does not hold; called after mutating admission. @default nothing is refused */
  readonly guardGrants?: GrantGuard;
  /** Returns the codec for bodies that are not objects of a resource: DeleteOptions, Scale, Eviction. */
  readonly bodyCodec: (kind: GroupVersionKind) => Codec;
  readonly limits: Limits;
}
