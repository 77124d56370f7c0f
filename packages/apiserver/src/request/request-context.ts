/** One request on its way through the server, and what the verbs work with. */
import type { GroupVersionKind, HttpRequest, Query, RequestInfo, Runtime } from "@drover/machinery";
import type { User } from "../access/user.ts";
import type { AdmissionPlugin } from "../admission/admission.ts";
import type { Codec } from "../codec/codec.ts";
import type { ObjectStore } from "../registry/object-store.ts";
import type { Registry } from "../registry/registry.ts";
import type { Resource } from "../registry/resource.ts";
import type { Warnings } from "./warnings.ts";

export interface RequestContext {
  readonly request: HttpRequest;
  readonly info: RequestInfo;
  readonly query: Query;
  readonly user: User;
  readonly resource: Resource;
  /** Milliseconds since 1970, the same for everything this request writes. */
  readonly now: number;
  readonly warnings: Warnings;
}

/** How long the server waits and how much it takes. */
export interface Limits {
  /** How large the body of a request may be. */
  readonly bodyBytesMax: number;
  /** How large an object may be when it is stored. */
  readonly objectBytesMax: number;
  /** How long a reader waits for a revision that has not happened yet. */
  readonly freshnessTimeoutMs: number;
  /** How often bookmarks are sent. */
  readonly bookmarkPeriodMs: number;
  /** How long a watch lasts at least that names no time; at most twice as long. */
  readonly watchTimeoutMs: number;
}

/** What every verb has at hand. */
export interface Backend {
  readonly runtime: Runtime;
  readonly objects: ObjectStore;
  readonly registry: Registry;
  readonly admission: Required<AdmissionPlugin>;
  /** How bodies are read that are no objects of a resource: DeleteOptions, Scale, Eviction … */
  readonly bodyCodec: (kind: GroupVersionKind) => Codec;
  readonly limits: Limits;
}
