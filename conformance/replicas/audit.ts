/**
 * The server's record of the replicas' requests: its audit log, line by line.
 *
 *     startRealServer({ audit: auditRules(…) }) → AuditLog → AuditedRequest → terms.ts
 */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/** One answered request. */
export interface AuditedRequest {
  /** The user agent of the client. */
  readonly by: string;
  readonly verb: string;
  /** "leases", "configmaps", "configmaps/status" */
  readonly resource: string;
  readonly name: string;
  /** When the server received it, by its clock. */
  readonly receivedMs: number;
  readonly answeredMs: number;
  readonly status: number;
  /**
   * The version in the answer as a number: the position of the last write to this object among the writes to all
   * objects, because it counts the commits of the one etcd.
   */
  readonly commit?: number;
  /** Of a lease: its current holder, empty for none, and its duration from the last renewal. */
  readonly lease?: { readonly holder: string; readonly durationMs: number };
}

/**
 * The rules of an audit policy that records every write to leases and config maps in a namespace, every read of a
 * lease, and nothing else.
 */
export function auditRules(namespace: string): readonly object[] {
  const [leases, maps] = [
    { group: "coordination.k8s.io", resources: ["leases"] },
    { group: "", resources: ["configmaps"] },
  ];
  const writes = ["create", "update", "patch", "delete", "deletecollection"];
  return [
    { level: "RequestResponse", omitManagedFields: true, namespaces: [namespace], verbs: writes, resources: [leases, maps] },
    { level: "Metadata", namespaces: [namespace], verbs: ["get"], resources: [leases] },
    { level: "None" },
  ];
}

/** The audit log of a running server. */
export class AuditLog {
  readonly #file: string;
  readonly #requests: AuditedRequest[] = [];
  #readBytes = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** Everything answered so far, in the order of the lines. An incomplete last line is left for the next call. */
  requests(): readonly AuditedRequest[] {
    const fresh = readFrom(this.#file, this.#readBytes);
    const end = fresh.lastIndexOf("\n") + 1;
    this.#readBytes += end;
    this.#requests.push(...parseAudit(fresh.toString("utf8", 0, end)));
    return [...this.#requests];
  }
}

function readFrom(file: string, start: number): Buffer {
  const descriptor = openSync(file, "r");
  try {
    const fresh = Buffer.alloc(fstatSync(descriptor).size - start);
    return fresh.subarray(0, readSync(descriptor, fresh, 0, fresh.length, start));
  } finally {
    closeSync(descriptor);
  }
}

/** Parses the lines of an audit log. Throws for a malformed line. */
export function parseAudit(text: string): AuditedRequest[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => request(JSON.parse(line) as AuditEvent));
}

/** The fields of an `audit.k8s.io/v1` Event that are read. */
interface AuditEvent {
  readonly verb: string;
  readonly userAgent?: string;
  readonly objectRef: { readonly resource: string; readonly subresource?: string; readonly name?: string };
  readonly responseStatus?: { readonly code?: number };
  readonly responseObject?: {
    readonly kind?: string;
    readonly metadata?: { readonly name?: string; readonly resourceVersion?: string };
    readonly spec?: { readonly holderIdentity?: string; readonly leaseDurationSeconds?: number };
  };
  readonly requestReceivedTimestamp: string;
  readonly stageTimestamp: string;
}

function request({
  verb,
  userAgent = "",
  objectRef,
  responseStatus,
  responseObject,
  requestReceivedTimestamp,
  stageTimestamp,
}: AuditEvent): AuditedRequest {
  const { resource, subresource, name = responseObject?.metadata?.name ?? "" } = objectRef;
  const resourceVersion = responseObject?.metadata?.resourceVersion;
  const { holderIdentity = "", leaseDurationSeconds = 0 } = responseObject?.spec ?? {};
  return {
    by: userAgent,
    verb,
    name,
    resource: subresource === undefined ? resource : `${resource}/${subresource}`,
    receivedMs: Date.parse(requestReceivedTimestamp),
    answeredMs: Date.parse(stageTimestamp),
    status: responseStatus?.code ?? 0,
    ...(resourceVersion === undefined ? {} : { commit: Number(resourceVersion) }),
    ...(responseObject?.kind === "Lease" ? { lease: { holder: holderIdentity, durationMs: leaseDurationSeconds * 1000 } } : {}),
  };
}
