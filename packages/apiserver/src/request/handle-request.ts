/** Handles one request from the request line to the response: authenticate, impersonate, authorize, route, serve, render. */
import { ResourcePathError, encodeJson, errorText, isInstanceOf, newInternalError, newUnauthorized, requestInfo } from "@drover/machinery";
import type { HttpHeaders, HttpRequest, HttpResponse, RequestInfo } from "@drover/machinery";
import type { Authenticator } from "../access/authenticator.ts";
import type { Attributes, Authorizer } from "../access/authorizer.ts";
import type { Audit } from "../audit/audit.ts";
import type { AuditTrail } from "../audit/audit-trail.ts";
import { compactJson } from "../audit/raw-json.ts";
import type { Classification } from "../flow-control/flow-schemas.ts";
import { forbidden } from "../access/forbidden.ts";
import { impersonatedUser } from "../access/impersonation.ts";
import type { User } from "../access/user.ts";
import type { Peer } from "../access/peer.ts";
import { chooseRepresentation } from "../negotiation/representation.ts";
import { render } from "../negotiation/render.ts";
import { notFoundPage, statusResponse } from "../negotiation/object-response.ts";
import { firstHeader, headerText, splitPath } from "../plain-request.ts";
import type { PlainRequest } from "../plain-request.ts";
import { storeFailure } from "../registry/store-failure.ts";
import { StatusError } from "../status-error.ts";
import type { Answer } from "../negotiation/answer.ts";
import type { Backend, RequestContext } from "./request-context.ts";
import { isLongRunning } from "../long-running.ts";
import type { ServerMetrics } from "./server-metrics.ts";
import type { StoredFlowSchemas } from "./stored-flow-schemas.ts";
import { checkRequestTimeout, timeoutResponse, withRequestTimeout } from "./request-timeout.ts";
import type { RequestDeadline } from "./request-timeout.ts";
import { route } from "./route.ts";
import type { Route } from "./route.ts";
import { AuditAnnotations } from "./audit-annotations.ts";
import { Warnings } from "./warnings.ts";

export interface RequestHandler {
  readonly backend: Backend;
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
  readonly metrics: ServerMetrics;
  /** @default no request is recorded */
  readonly audit?: Audit;
  /** For the headers of priority and fairness. */
  readonly flowSchemas: StoredFlowSchemas;
  readonly gzip: (bytes: Uint8Array) => Uint8Array;
  /** Serves paths that are not resources; undefined means 404 page not found. */
  readonly servePath: (request: HttpRequest, info: RequestInfo) => Promise<HttpResponse | undefined> | HttpResponse | undefined;
  readonly serveResource: (backend: Backend, context: RequestContext, verb: Route["verb"]) => Promise<Answer>;
}

/** Answers a request. Rejects only when the client has aborted it; every other failure becomes a response. */
export async function handleRequest(handler: RequestHandler, request: HttpRequest, peer: Peer): Promise<HttpResponse> {
  const info = readInfo(request);
  if (info === undefined) return badLine;
  const warnings = new Warnings();
  const annotations = new AuditAnnotations();
  const auditId = firstHeader(request.headers, "audit-id") || handler.backend.runtime.uid();
  const began = handler.metrics.begin();
  const trail = handler.audit?.open({ request, info, peer, auditId, annotations });
  const asked: Asked = { request, info, warnings, annotations, trail, flow: undefined };
  const response = await answered(handler, asked, peer);
  handler.metrics.end(began, info, response.status);
  const warning = warnings.headers();
  const { flow } = asked;
  const whole: HttpResponse = {
    ...response,
    body: request.method === "HEAD" ? "" : response.body,
    headers: {
      "audit-id": auditId,
      "cache-control": "no-cache, private",
      ...response.headers,
      ...(flow === undefined
        ? {}
        : { "x-kubernetes-pf-flowschema-uid": flow.flowSchemaUid, "x-kubernetes-pf-prioritylevel-uid": flow.priorityLevelUid }),
      ...(warning.length === 0 ? {} : { warning }),
    },
  };
  return trail === undefined ? whole : trail.end(whole);
}

/** A request whose path could be parsed. */
interface Asked extends Pick<RequestContext, "request" | "info" | "warnings" | "annotations"> {
  readonly trail: AuditTrail | undefined;
  /** Set when the user is known. */
  flow: Classification | undefined;
}

function readInfo({ method, path }: HttpRequest): RequestInfo | undefined {
  try {
    return requestInfo(method, path);
  } catch (error) {
    if (error instanceof ResourcePathError) return undefined;
    throw error;
  }
}

async function answered(handler: RequestHandler, asked: Asked, peer: Peer): Promise<HttpResponse> {
  const { request, trail } = asked;
  try {
    return await answer(handler, asked, peer);
  } catch (error) {
    if (request.signal?.aborted === true) trail?.abandoned();
    request.signal?.throwIfAborted();
    // An admission plug-in may have thrown it.
    if (isInstanceOf(error, StatusError)) return refusal(asked, error);
    const failure = storeFailure(error);
    if (failure !== undefined) return refusal(asked, failure);
    trail?.panicked(error);
    handler.backend.runtime.log.error("request failed", { method: request.method, path: request.path, error });
    return statusResponse(request, newInternalError(errorText(error)));
  }
}

function refusal({ request, trail }: Asked, { status, headers }: StatusError): HttpResponse {
  trail?.responseStatus(status);
  trail?.responseObject(() => encodeJson(status));
  return withHeaders(statusResponse(request, status), headers);
}

/** The response to a request line whose path cannot be parsed. */
const badLine: HttpResponse = { status: 400, headers: { "content-type": "text/plain; charset=utf-8" }, body: "400 Bad Request" };

const withHeaders = (response: HttpResponse, headers: HttpHeaders): HttpResponse => ({
  ...response,
  headers: { ...response.headers, ...headers },
});

async function answer(handler: RequestHandler, asking: Asked, peer: Peer): Promise<HttpResponse> {
  const { backend, authenticator, authorizer } = handler;
  const { request, info, trail } = asking;
  checkTimeout(asking);
  const requestor = await authenticated(authenticator, request, peer);
  trail?.begin(attributesOf(info, requestor));
  if (requestor === undefined) throw new StatusError(newUnauthorized("Unauthorized"));
  const asked = attributesOf(info, requestor);
  const impersonation = await impersonatedUser(request.headers, asked, authorizer);
  if (impersonation !== undefined) trail?.impersonated(impersonation.user, impersonation.constraint);
  const attributes = impersonation === undefined ? asked : { ...asked, user: impersonation.user };
  if (info.verb === "watch" || !isLongRunning(info)) {
    const schemas = handler.flowSchemas.current();
    asking.flow = (schemas instanceof Promise ? await schemas : schemas).classify(attributes.user, info);
  }
  const decision = authorizer.decide?.(attributes) ?? (await authorizer.authorize(attributes));
  trail?.decided(decision);
  if (decision.decision !== "allow") throw forbidden(attributes, decision);
  // No path of the server begins with two slashes, although they name a resource.
  if (request.path.startsWith("//")) return notFoundPage();
  if (!info.isResourceRequest) return await servePath(handler, asking);
  const found = route(request.method, info, backend.registry);
  if (found === undefined) return notFoundPage();
  return await serve(handler, asking, attributes.user, found);
}

function checkTimeout({ request, info, trail }: Asked): void {
  if (!request.path.includes("timeout=") || isLongRunning(info)) return;
  try {
    checkRequestTimeout(splitPath(request.path)[1]);
  } catch (error) {
    trail?.begin(attributesOf(info, undefined));
    throw error;
  }
}

async function servePath(handler: RequestHandler, { request, info, trail }: Asked): Promise<HttpResponse> {
  const response = (await handler.servePath(request, info)) ?? notFoundPage();
  // Of all paths that are not resources, kube-apiserver logs the answers of discovery.
  if (trail?.wantsResponse === true && response.status === 200 && /^\/apis?(?:\/|$)/.test(info.path)) {
    const accept = headerText(request, "accept").replaceAll(/application\/(?:yaml|vnd\.kubernetes\.protobuf)/g, "application/json");
    const asJson = await handler.servePath({ ...request, headers: { ...request.headers, accept, "if-none-match": "" } }, info);
    const text = typeof asJson?.body === "string" ? compactJson(asJson.body) : undefined;
    if (text !== undefined) trail.responseObject(() => text);
  }
  return response;
}

/** Returns undefined without a valid credential. */
async function authenticated(authenticator: Authenticator, request: PlainRequest, peer: Peer): Promise<User | undefined> {
  const found = await authenticator({ headers: request.headers, peer });
  return found.kind === "user" ? found.user : undefined;
}

function attributesOf<T extends User | undefined>(
  { verb, isResourceRequest, path, apiGroup, apiVersion, resource, subresource, namespace, name, fieldSelector }: RequestInfo,
  user: T,
): Omit<Attributes, "user"> & { readonly user: T } {
  return {
    user,
    verb,
    isResourceRequest,
    path,
    group: apiGroup,
    version: apiVersion,
    resource,
    subresource,
    namespace,
    name,
    fieldSelector,
  };
}

/** Subresources that kube-apiserver does not print as tables, although it prints their objects. */
const untabled: readonly string[] = [
  "pods/ephemeralcontainers",
  "pods/resize",
  "namespaces/finalize",
  "certificatesigningrequests/approval",
  "resourceclaims/status",
  "podgroups/status",
  "customresourcedefinitions/status",
];

async function serve(
  { backend, serveResource, gzip }: RequestHandler,
  { request, info, warnings, annotations, trail }: Asked,
  user: User,
  { resource, verb }: Route,
): Promise<HttpResponse> {
  const { clock } = backend.runtime;
  const [, query] = splitPath(request.path);
  const isCollection = info.parts.length === 1;
  const hasTable =
    resource.kind.verbs.some((own) => own !== "create") &&
    (info.subresource === "" || !untabled.includes(`${resource.kind.plural}/${info.subresource}`));
  const choice = chooseRepresentation(request, query, {
    isCustom: resource.isCustom,
    isWatch: verb === "watch",
    isCollection,
    hasTable,
  });
  if (resource.deprecation !== undefined) {
    warnings.add(resource.deprecation);
    annotations.add("k8s.io/deprecated", "true");
  }
  const plain: RequestContext = { request, info, query, user, resource, warnings, annotations, now: clock.now() };
  const context = trail?.isRecording === true ? { ...plain, audit: trail } : plain;
  const result = await withRequestTimeout({ clock, query, verb, signal: request.signal }, (deadline) =>
    serveResource(backend, deadline === undefined ? context : limited(context, deadline), verb),
  );
  if (result === undefined) return timeoutResponse;
  const response = render(result, choice, () => clock.now());
  if (trail !== undefined) {
    const isPlain = choice.mediaType === "application/json" && !choice.isPretty;
    const plainly = { ...choice, mediaType: "application/json", isPretty: false } as const;
    recordAnswer(trail, result, () => (isPlain ? response : render(result, plainly, () => clock.now())));
  }
  return request.method === "GET" ? compressed(response, request, gzip) : response;
}

/** What waits for others, webhooks above all, waits no longer than the client does. */
const limited = (context: RequestContext, { signal, remainingMs }: RequestDeadline): RequestContext => ({
  ...context,
  request: { ...context.request, signal },
  remainingMs,
});

/** Records what is answered, as JSON whatever the client gets. */
function recordAnswer(audit: AuditTrail, result: Answer, asJson: () => HttpResponse): void {
  if (result.kind === "value" && result.value["kind"] === "Status") audit.responseStatus(result.value);
  if (result.kind === "object" || result.kind === "list" || result.kind === "value") audit.responseObject(() => asJson().body as string);
}

/** Smaller bodies are not worth compressing. */
const compressionMin = 128 * 1024;

function compressed(response: HttpResponse, { headers }: HttpRequest, gzip: RequestHandler["gzip"]): HttpResponse {
  const { body } = response;
  if (
    (typeof body !== "string" && !(body instanceof Uint8Array)) ||
    body.length <= compressionMin ||
    !/(?:^|[,\s])gzip(?:$|[,;\s])/.test(firstHeader(headers, "accept-encoding"))
  )
    return response;
  return {
    ...response,
    headers: { ...response.headers, "content-encoding": "gzip", vary: "Accept-Encoding" },
    body: gzip(typeof body === "string" ? new TextEncoder().encode(body) : body),
  };
}
