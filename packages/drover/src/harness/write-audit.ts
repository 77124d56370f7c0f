/**
 * Records writes that changed something although nothing was to do: a second run of all keys must have none.
 *
 *     Traffic → WriteAudit.send → the object before, the write, the object after → findings
 */
import { bodyText } from "@drover/client/testing";
import { fieldChanges } from "@drover/controller";
import type { FieldChange } from "@drover/controller";
import { decodeJson, definedOnly, formatResourcePath, lenList, parseResourcePath } from "@drover/machinery";
import type { HttpRequest, HttpResponse, JsonObject, KubeObject, RequestInfo, ResourcePath, Transport } from "@drover/machinery";

/** One write that changed an object. */
export interface AuditedWrite {
  readonly method: string;
  /** The path without its query. */
  readonly path: string;
  readonly verb: string;
  /** "Deployment default/web" */
  readonly object: string;
  /** Changed fields; empty for a created or deleted object, and if only managed fields changed. */
  readonly fields: readonly FieldChange[];
  /** What happened to the object. */
  readonly change: "came" | "changed" | "went";
}

/** Resources that are not part of the desired state: events, leases, and reviews, which only ask. */
const uncounted: ReadonlySet<string> = new Set([
  "events",
  "leases",
  "subjectaccessreviews",
  "selfsubjectaccessreviews",
  "localsubjectaccessreviews",
  "selfsubjectrulesreviews",
  "tokenreviews",
  "selfsubjectreviews",
]);
const writes: ReadonlySet<string> = new Set(["create", "update", "patch", "delete", "deletecollection"]);

/** Guarantees: requests are sent unchanged; a write that keeps the object's version is not recorded. */
export class WriteAudit {
  readonly #found: AuditedWrite[] = [];

  get found(): readonly AuditedWrite[] {
    return this.#found;
  }

  async send(request: HttpRequest, info: RequestInfo, next: Transport): Promise<HttpResponse> {
    const place = isCounted(request, info) ? parseResourcePath(info.path) : undefined;
    if (place === undefined) return next(request);
    const before = await objectAt(place, next);
    const response = await next(request);
    if (response.status >= 300) return response;
    const text = await bodyText(response.body);
    const after = (await objectAt(place, next)) ?? (info.verb === "create" ? parsed(text) : undefined);
    if (versionOf(before) !== versionOf(after)) this.#note(request, info, place, before, after);
    else if (info.verb === "deletecollection" && lenList(parsed(text)) > 0) this.#note(request, info, place, undefined, undefined);
    return { ...response, body: text };
  }

  #note(
    { method }: HttpRequest,
    { path, verb }: RequestInfo,
    { resource, namespace, name }: ResourcePath,
    before: KubeObject | undefined,
    after: KubeObject | undefined,
  ): void {
    const known = after ?? before;
    const key = [known?.metadata.namespace ?? namespace, known?.metadata.name ?? name].filter((part) => part !== undefined).join("/");
    const fields = before === undefined || after === undefined ? [] : fieldChanges(before, after, { fieldsMax: 4 }).fields;
    this.#found.push({
      method,
      path,
      verb,
      object: `${known?.kind ?? resource} ${key}`,
      fields,
      change: after === undefined ? "went" : before === undefined ? "came" : "changed",
    });
  }
}

const isCounted = ({ path }: HttpRequest, { verb, resource }: RequestInfo): boolean =>
  writes.has(verb) && !uncounted.has(resource) && !/[?&]dryRun=/.test(path);

/** Returns the object of a request, also for subresources; undefined if it does not exist. */
async function objectAt({ group, version, resource, namespace, name }: ResourcePath, next: Transport): Promise<KubeObject | undefined> {
  if (name === undefined) return undefined;
  const path = formatResourcePath({ group, version, resource, name, ...definedOnly({ namespace }) });
  const { status, body } = await next({ method: "GET", path, headers: { accept: "application/json" } });
  const text = await bodyText(body);
  return status === 200 ? parsed(text) : undefined;
}

const parsed = (text: string): KubeObject => decodeJson(text) as JsonObject & KubeObject;

const versionOf = (object: KubeObject | undefined): string | undefined => object?.metadata.resourceVersion;
