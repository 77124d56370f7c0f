/**
 * What an answer of the server says about a write of ours: which object, and what the cache must
 * show before it is up to date.
 *
 *     POST, PUT, PATCH, DELETE + the answer's text → answeredWrites → [{ key, uid, seen }]
 */
import {
  compareResourceVersions,
  decodeJson,
  deepFreeze,
  getOwn,
  isJsonObject,
  objectKey,
  peekIdentity,
  requestInfo,
} from "@drover/machinery";
import type { GroupResource, ObjectKey } from "@drover/machinery";
import type { ObjectVersion } from "../source/object-version.ts";
import { identityOf } from "../source/parsed-version.ts";
import type { VersionIdentity } from "../source/parsed-version.ts";

/** A write the server has confirmed. */
export interface OwnWrite {
  readonly key: ObjectKey;
  readonly uid: string;
  /** What the cache must have seen: this version or a newer one, the mark of deletion, or the end. */
  readonly seen:
    | { readonly type: "version"; readonly resourceVersion: string }
    | { readonly type: "terminating" }
    | { readonly type: "gone" };
  /** Of the object as the server answered with it; "" when it is gone. */
  readonly resourceVersion: string;
  /**
   * The object as the server answered with it, read when somebody asks for it; undefined when it is gone, or the answer
   * was about something else.
   */
  readonly object: Readonly<Record<string, unknown>> | undefined;
}

/** A request that writes objects of a resource. */
export interface WriteRequest extends GroupResource {
  readonly isDeletion: boolean;
  readonly isSubresource: boolean;
  /** From the path; undefined for a create or the deletion of a collection. */
  readonly key: ObjectKey | undefined;
}

const writing: ReadonlySet<string> = new Set(["create", "update", "patch", "delete", "deletecollection"]);

/** What a request writes; undefined when it writes nothing that a cache would show: a read, a dry run, a path that is no resource. */
export function writeRequest(method: string, path: string): WriteRequest | undefined {
  if (method === "GET" || method === "HEAD") return undefined;
  let info;
  try {
    info = requestInfo(method, path);
  } catch {
    return undefined;
  }
  const { isResourceRequest, verb, apiGroup, resource, name, namespace, subresource } = info;
  if (!isResourceRequest || !writing.has(verb) || /[?&]dryRun=[^&]/.test(path)) return undefined;
  const key = name === "" ? undefined : objectKey(name, resource === "namespaces" ? "" : namespace);
  return { group: apiGroup, resource, isDeletion: verb.startsWith("delete"), isSubresource: subresource !== "", key };
}

/**
 * The writes that the text of an answer confirms; none when it is about something else, or is no JSON: whoever reads
 * the answer itself will say so.
 */
export function answeredWrites(request: WriteRequest, text: string): readonly OwnWrite[] {
  // One object is the usual case, and nobody may ever look into it. The server ends it with a new line.
  const identity = peekIdentity(encoder.encode(text.trimEnd()));
  if (identity === undefined) return parsedWrites(request, parsed(text));
  const { name, namespace, uid, resourceVersion, isTerminating } = identity;
  return ownWrite(request, { key: objectKey(name, namespace), uid, resourceVersion, isTerminating }, () => parsed(text));
}

const encoder = new TextEncoder();

function parsed(text: string): unknown {
  try {
    return decodeJson(text);
  } catch {
    return undefined;
  }
}

function parsedWrites(request: WriteRequest, body: unknown): readonly OwnWrite[] {
  if (!isRecord(body)) return [];
  if (getOwn(body, "kind") === "Status") return request.isDeletion ? deletedByStatus(request, body) : [];
  const items = getOwn(body, "items");
  const objects = Array.isArray(items) ? (items as unknown[]) : [body];
  return objects.flatMap((object) => {
    try {
      return ownWrite(request, identityOf(object), () => object);
    } catch {
      return [];
    }
  });
}

/** Whether the cache, which has this version, shows the write. */
export function isSeen({ uid, seen }: OwnWrite, version: ObjectVersion | undefined): boolean {
  if (seen.type === "gone") return version?.uid !== uid;
  if (seen.type === "terminating") return version?.uid !== uid || version.isTerminating;
  if (version === undefined) return false;
  // Versions that cannot be compared are only equal or not; then time decides.
  return version.resourceVersion === seen.resourceVersion || compareResourceVersions(version.resourceVersion, seen.resourceVersion) === 1;
}

function ownWrite(
  { key: named, isDeletion, isSubresource }: WriteRequest,
  identity: VersionIdentity,
  read: () => unknown,
): readonly OwnWrite[] {
  const { uid, resourceVersion, isTerminating } = identity;
  if (uid === "" || resourceVersion === "") return [];
  const key = named ?? identity.key;
  if (!isDeletion)
    return [
      isSubresource
        ? { key, uid, seen: { type: "version", resourceVersion }, resourceVersion, object: undefined }
        : readLate({ key, uid, seen: { type: "version", resourceVersion }, resourceVersion }, read),
    ];
  // A collection is answered with as it was before: whether its objects are gone or only marked is still to be seen.
  if (named === undefined) return [{ key, uid, seen: { type: "terminating" }, resourceVersion: "", object: undefined }];
  // An object that is answered with and not marked was removed at once: this is its last state.
  return [
    isTerminating
      ? readLate({ key, uid, seen: { type: "terminating" }, resourceVersion }, read)
      : { key, uid, seen: { type: "gone" }, resourceVersion: "", object: undefined },
  ];
}

function readLate(write: Omit<OwnWrite, "object">, read: () => unknown): OwnWrite {
  let object: OwnWrite["object"];
  let isRead = false;
  return {
    ...write,
    get object() {
      if (!isRead) {
        const value = read();
        object = isRecord(value) ? deepFreeze(value) : undefined;
        isRead = true;
      }
      return object;
    },
  };
}

function deletedByStatus({ key, isSubresource }: WriteRequest, body: Readonly<Record<string, unknown>>): readonly OwnWrite[] {
  const details = getOwn(body, "details");
  const uid = isRecord(details) ? getOwn(details, "uid") : undefined;
  if (key === undefined || isSubresource || getOwn(body, "status") !== "Success" || typeof uid !== "string" || uid === "") return [];
  return [{ key, uid, seen: { type: "gone" }, resourceVersion: "", object: undefined }];
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => isJsonObject(value as never);
