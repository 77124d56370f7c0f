/** POST of a service account's `token`: issues a token. */
import type { TokenRequest } from "@drover/api/authentication/v1";
import { Pod } from "@drover/api/core/v1";
import {
  apiVersionOf,
  builtInMergeType,
  fieldInvalid,
  formatTime,
  groupVersionKindFrom,
  newBadRequest,
  newConflict,
  newInvalid,
  newNotFound,
  printGroupVersionKind,
  quoteGo,
  recordUpdate,
} from "@drover/machinery";
import type { ApplyScope, FieldError, JsonObject, ObjectMeta, Schema } from "@drover/machinery";
import { schemaFor } from "@drover/api/schemas";
import type { ServiceAccountTokens, TokenSubject } from "../access/service-account-tokens.ts";
import { warnAfterSeconds } from "../admission/service-account.ts";
import { metaOf } from "../registry/meta-of.ts";
import { keyOf } from "../registry/object-store.ts";
import type { Answer } from "../negotiation/answer.ts";
import type { Backend, RequestContext } from "../request/request-context.ts";
import { StatusError } from "../status-error.ts";
import { jsonOf, typedBody, typedObject } from "../typed-object.ts";
import { admitCreation } from "./admit-creation.ts";
import { getStored } from "./get-object.ts";
import { settleNamespace } from "./names.ts";
import { readObject } from "./read-object.ts";
import { createOptions } from "./write-options.ts";

/** Records the writer as manager of the fields, as for objects that are stored. */
function recorded(object: JsonObject, manager: string, now: number): JsonObject {
  delete metaOf(object).managedFields;
  return recordUpdate({ scope: requestScope, live: undefined, object, manager, now }).object;
}

const kind = { group: "authentication.k8s.io", version: "v1", kind: "TokenRequest" } as const;
const schema: Schema = schemaFor(kind) ?? {};
const requestScope: ApplyScope = {
  apiVersion: apiVersionOf(kind),
  kind: kind.kind,
  subresource: "token",
  // Go writes these fields also when they are unset, so no writer owns them then.
  emptyObject: {
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    metadata: {},
    spec: { audiences: null, boundObjectRef: null },
    status: { token: "", expirationTimestamp: null },
  },
  typeOf: (apiVersion) => (apiVersion === apiVersionOf(kind) ? builtInMergeType(schema) : undefined),
};
const shortestSeconds = 600;
const longestSeconds = 2 ** 32;
const yearSeconds = 365 * 24 * 60 * 60;

export async function requestToken(backend: Backend, context: RequestContext, tokens: ServiceAccountTokens): Promise<Answer> {
  const { info, now } = context;
  const { fieldValidation, fieldManager, dryRun } = createOptions(context);
  const codec = backend.bodyCodec(kind);
  const sent = await readObject(backend, context, fieldValidation, { codec, kind });
  settleNamespace(context, sent);
  const body = recorded(sent, fieldManager, now);
  const validate = await admitCreation(backend, context, { object: body, name: info.name, dryRun, codec });
  const request = typedBody<TokenRequest>(kind, body);
  checkRequestName(metaOf(body), context);
  const account = metaOf(backend.objects.views(context.resource).object(await getStored(backend, context)));
  settleMetadata(metaOf(body), account, context);
  checkSpec(request);
  await validate();
  const { expirationSeconds = 3600 } = request.spec ?? {};
  const given = request.spec?.audiences ?? [];
  const audiences = given.length === 0 ? [tokens.issuer] : given;
  const bound = await boundObject(backend, context, request);
  const subject: TokenSubject = { namespace: info.namespace, name: info.name, uid: account.uid ?? "", ...bound };
  // What kubelets ask for lives a year, so that programs that do not read the file again go on for a while.
  const isLong = bound.bound?.kind === "pod" && expirationSeconds === warnAfterSeconds && audiences.every((one) => one === tokens.issuer);
  const lifetime = isLong ? { lifetimeSeconds: yearSeconds, warnAfterSeconds } : { lifetimeSeconds: expirationSeconds };
  const token = tokens.issue(subject, { audiences, ...lifetime, id: backend.runtime.uid() });
  const status = { token, expirationTimestamp: formatTime(now + expirationSeconds * 1000) };
  const spec = { audiences, expirationSeconds, boundObjectRef: request.spec?.boundObjectRef ?? null };
  return {
    kind: "value",
    code: 201,
    value: jsonOf({ kind: kind.kind, apiVersion: apiVersionOf(kind), metadata: request.metadata, spec, status }),
  };
}

function checkRequestName(meta: ObjectMeta, { info }: RequestContext): void {
  if (meta.name && meta.name !== info.name) {
    const error = fieldInvalid("metadata.name", meta.name, "must match the service account name if specified");
    throw new StatusError(newInvalid(kind, info.name, [error]));
  }
}

function settleMetadata(meta: ObjectMeta, account: ObjectMeta, { info, now }: RequestContext): void {
  const { uid = "" } = account;
  if (meta.uid && meta.uid !== uid)
    throw new StatusError(
      newConflict(
        { group: kind.group, resource: kind.kind },
        info.name,
        `the UID in the token request (${meta.uid}) does not match the UID of the service account (${uid})`,
      ),
    );
  meta.uid = uid;
  meta.name = info.name;
  meta.namespace = info.namespace;
  meta.creationTimestamp = formatTime(now);
}

function checkSpec({ spec = {} }: TokenRequest): void {
  const { expirationSeconds = 3600 } = spec;
  const errors: FieldError[] = [];
  if (expirationSeconds < shortestSeconds)
    errors.push(fieldInvalid("spec.expirationSeconds", expirationSeconds, "may not specify a duration less than 10 minutes"));
  if (expirationSeconds > longestSeconds)
    errors.push(fieldInvalid("spec.expirationSeconds", expirationSeconds, "may not specify a duration larger than 2^32 seconds"));
  if (errors.length > 0) throw new StatusError(newInvalid(kind, "", errors));
}

/** By kind, whatever version of the core group is named. */
const boundKinds: ReadonlyMap<string, readonly ["pod" | "secret" | "node", plural: string]> = new Map([
  ["Pod", ["pod", "pods"]],
  ["Secret", ["secret", "secrets"]],
  ["Node", ["node", "nodes"]],
]);

/** Returns the object the token is bound to, which must exist. A pod must run under the account, and comes with its node. */
async function boundObject(
  backend: Backend,
  { info }: RequestContext,
  { spec }: TokenRequest,
): Promise<Pick<TokenSubject, "bound" | "podNode">> {
  const { objects, registry } = backend;
  const reference = spec?.boundObjectRef;
  // The codec writes null for an unset reference.
  if (reference === undefined || reference === null) return {};
  const { apiVersion = "", kind: boundKind = "", name = "", uid = "" } = reference;
  const asked = groupVersionKindFrom(apiVersion, boundKind);
  const [word, plural] = (asked.group === "" ? boundKinds.get(boundKind) : undefined) ?? [];
  const resource = plural === undefined ? undefined : registry.find({ group: "", version: "v1", resource: plural });
  if (word === undefined || plural === undefined || resource === undefined)
    throw new StatusError(newBadRequest(`cannot bind token to object of type ${printGroupVersionKind(asked)}`));
  const found = await objects.get(resource, keyOf(resource, word === "node" ? "" : info.namespace, name));
  if (found === undefined) throw new StatusError(newNotFound({ group: "", resource: plural }, name));
  const pod = word === "pod" ? typedObject(Pod, found.object) : undefined;
  if (pod !== undefined && pod.spec?.serviceAccountName !== info.name)
    throw new StatusError(
      newBadRequest(`cannot bind token for serviceaccount ${quoteGo(info.name)} to pod running with different serviceaccount name.`),
    );
  const { uid: foundUid = "" } = metaOf(found.object);
  if (uid !== "" && uid !== foundUid) {
    throw new StatusError(
      newConflict(
        { group: "", resource: boundKind },
        name,
        `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`,
      ),
    );
  }
  const node = pod?.spec?.nodeName ?? "";
  return { bound: { kind: word, name, uid: foundUid }, ...(node === "" ? {} : { podNode: await podNodeOf(backend, node) }) };
}

async function podNodeOf({ objects, registry }: Backend, name: string): Promise<{ readonly name: string; readonly uid: string }> {
  const resource = registry.find({ group: "", version: "v1", resource: "nodes" });
  const found = resource === undefined ? undefined : await objects.get(resource, keyOf(resource, "", name));
  return { name, uid: found === undefined ? "" : (metaOf(found.object).uid ?? "") };
}
