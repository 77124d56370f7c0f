/** POST of a service account's `token`: issues a token. */
import type { TokenRequest } from "@drover/api/authentication/v1";
import {
  apiVersionOf,
  fieldInvalid,
  formatTime,
  groupVersionKindFrom,
  newBadRequest,
  newConflict,
  newInvalid,
  newNotFound,
  printGroupVersionKind,
} from "@drover/machinery";
import type { FieldError, ObjectMeta } from "@drover/machinery";
import type { ServiceAccountTokens, TokenSubject } from "../access/service-account-tokens.ts";
import { metaOf } from "../registry/meta-of.ts";
import { keyOf } from "../registry/object-store.ts";
import type { Answer } from "../negotiation/answer.ts";
import type { Backend, RequestContext } from "../request/request-context.ts";
import { StatusError } from "../status-error.ts";
import { jsonOf, typedBody } from "../typed-object.ts";
import { admitCreation } from "./admit-creation.ts";
import { getStored } from "./get-object.ts";
import { settleNamespace } from "./names.ts";
import { readObject } from "./read-object.ts";
import { createOptions } from "./write-options.ts";

const kind = { group: "authentication.k8s.io", version: "v1", kind: "TokenRequest" } as const;
const shortestSeconds = 600;
const longestSeconds = 2 ** 32;

export async function requestToken(backend: Backend, context: RequestContext, tokens: ServiceAccountTokens): Promise<Answer> {
  const { info, now } = context;
  const { fieldValidation, dryRun } = createOptions(context);
  const codec = backend.bodyCodec(kind);
  const body = await readObject(backend, context, fieldValidation, { codec, kind });
  settleNamespace(context, body);
  const validate = await admitCreation(backend, context, { object: body, name: info.name, dryRun, codec });
  const request = typedBody<TokenRequest>(kind, body);
  const account = metaOf(backend.objects.views(context.resource).object(await getStored(backend, context)));
  settleMetadata(metaOf(body), context);
  checkSpec(request);
  await validate();
  const { expirationSeconds = 3600 } = request.spec ?? {};
  const audiences = request.spec?.audiences ?? [];
  const subject: TokenSubject = {
    namespace: info.namespace,
    name: info.name,
    uid: account.uid ?? "",
    ...(await boundObject(backend, context, request)),
  };
  const token = dryRun ? "" : tokens.issue(subject, { audiences, lifetimeSeconds: expirationSeconds, id: backend.runtime.uid() });
  const status = { token, expirationTimestamp: formatTime(now + expirationSeconds * 1000) };
  const spec = {
    audiences: audiences.length === 0 ? [tokens.issuer] : audiences,
    expirationSeconds,
    boundObjectRef: request.spec?.boundObjectRef ?? null,
  };
  return {
    kind: "value",
    code: 201,
    value: jsonOf({ kind: kind.kind, apiVersion: apiVersionOf(kind), metadata: request.metadata, spec, status }),
  };
}

function settleMetadata(meta: ObjectMeta, { info, now }: RequestContext): void {
  const errors: FieldError[] = [];
  if (meta.name && meta.name !== info.name)
    errors.push(fieldInvalid("metadata.name", meta.name, "must match the service account name if specified"));
  if (meta.namespace && meta.namespace !== info.namespace)
    errors.push(fieldInvalid("metadata.namespace", meta.namespace, "must match the service account namespace if specified"));
  if (errors.length > 0) throw new StatusError(newInvalid(kind, info.name, errors));
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

const boundKinds: ReadonlyMap<string, readonly ["pod" | "secret" | "node", plural: string]> = new Map([
  ["v1/Pod", ["pod", "pods"]],
  ["v1/Secret", ["secret", "secrets"]],
  ["v1/Node", ["node", "nodes"]],
]);

/** Returns the object the token is bound to, which must exist. */
async function boundObject(
  { objects, registry }: Backend,
  { info }: RequestContext,
  { spec }: TokenRequest,
): Promise<Pick<TokenSubject, "bound">> {
  const reference = spec?.boundObjectRef;
  // The codec writes null for an unset reference.
  if (reference === undefined || reference === null) return {};
  const { apiVersion = "", kind: boundKind = "", name = "", uid = "" } = reference;
  const [word, plural] = boundKinds.get(`${apiVersion}/${boundKind}`) ?? [];
  const resource = plural === undefined ? undefined : registry.find({ group: "", version: "v1", resource: plural });
  if (word === undefined || plural === undefined || resource === undefined)
    throw new StatusError(
      newBadRequest(`cannot bind token to object of type ${printGroupVersionKind(groupVersionKindFrom(apiVersion, boundKind))}`),
    );
  const found = await objects.get(resource, keyOf(resource, word === "node" ? "" : info.namespace, name));
  if (found === undefined) throw new StatusError(newNotFound({ group: "", resource: plural }, name));
  const { uid: foundUid = "" } = metaOf(found.object);
  if (uid !== "" && uid !== foundUid) {
    throw new StatusError(
      newConflict(
        { group: "", resource: plural },
        name,
        `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`,
      ),
    );
  }
  return { bound: { kind: word, name, uid: foundUid } };
}
