/** Handles one request from the request line to the response: authenticate, impersonate, authorize, route, serve, render. */
import { ResourcePathError, errorText, isInstanceOf, newInternalError, newUnauthorized, requestInfo } from "@drover/machinery";
import type { HttpHeaders, HttpRequest, HttpResponse, RequestInfo } from "@drover/machinery";
import type { Authenticator } from "../access/authenticator.ts";
import type { Attributes, Authorizer } from "../access/authorizer.ts";
import { forbidden } from "../access/forbidden.ts";
import { impersonatedUser } from "../access/impersonation.ts";
import type { User } from "../access/user.ts";
import type { Peer } from "../access/peer.ts";
import { chooseRepresentation } from "../negotiation/representation.ts";
import { render } from "../negotiation/render.ts";
import { notFoundPage, statusResponse } from "../negotiation/object-response.ts";
import type { Classification } from "../flow-control/flow-schemas.ts";
import { isLongRunning } from "../long-running.ts";
import { firstHeader, splitPath } from "../plain-request.ts";
import type { PlainRequest } from "../plain-request.ts";
import { StatusError } from "../status-error.ts";
import type { Answer } from "../negotiation/answer.ts";
import type { Backend, RequestContext } from "./request-context.ts";
import type { ServerMetrics } from "./server-metrics.ts";
import type { StoredFlowSchemas } from "./stored-flow-schemas.ts";
import { timeoutResponse, withRequestTimeout } from "./request-timeout.ts";
import { route } from "./route.ts";
import type { Route } from "./route.ts";
import { AuditAnnotations } from "./audit-annotations.ts";
import { Warnings } from "./warnings.ts";

export interface RequestHandler {
  readonly backend: Backend;
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
  readonly metrics: ServerMetrics;
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
  const auditId = firstHeader(request.headers, "audit-id") || handler.backend.runtime.uid();
  const began = handler.metrics.begin();
  const asked: Asked = { request, info, warnings, flow: undefined };
  const response = await answered(handler, asked, peer);
  handler.metrics.end(began, info, response.status);
  const warning = warnings.headers();
  const { flow } = asked;
  return {
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
}

/** A request whose path could be parsed. */
interface Asked extends Pick<RequestContext, "request" | "info" | "warnings"> {
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
  const { request } = asked;
  try {
    return await answer(handler, asked, peer);
  } catch (error) {
    request.signal?.throwIfAborted();
    // An admission plug-in may have thrown it.
    if (isInstanceOf(error, StatusError)) return withHeaders(statusResponse(request, error.status), error.headers);
    handler.backend.runtime.log.error("request failed", { method: request.method, path: request.path, error });
    return statusResponse(request, newInternalError(errorText(error)));
  }
}

/** The response to a request line whose path cannot be parsed. */
const badLine: HttpResponse = { status: 400, headers: { "content-type": "text/plain; charset=utf-8" }, body: "400 Bad Request" };

const withHeaders = (response: HttpResponse, headers: HttpHeaders): HttpResponse => ({
  ...response,
  headers: { ...response.headers, ...headers },
});

async function answer(handler: RequestHandler, asking: Asked, peer: Peer): Promise<HttpResponse> {
  const { backend, authenticator, authorizer } = handler;
  const { request, info, warnings } = asking;
  const requestor = await authenticated(authenticator, request, peer);
  const asked = attributesOf(info, requestor);
  const user = await impersonatedUser(request.headers, asked, authorizer);
  const attributes = { ...asked, user };
  if (info.verb === "watch" || !isLongRunning(info)) {
    const schemas = handler.flowSchemas.current();
    asking.flow = (schemas instanceof Promise ? await schemas : schemas).classify(user, info);
  }
  const decision = await authorizer.authorize(attributes);
  if (decision.decision !== "allow") throw forbidden(attributes, decision);
  // No path of the server begins with two slashes, although they name a resource.
  if (request.path.startsWith("//")) return notFoundPage();
  if (!info.isResourceRequest) return (await handler.servePath(request, info)) ?? notFoundPage();
  const found = route(request.method, info, backend.registry);
  if (found === undefined) return notFoundPage();
  return await serve(handler, { request, info, user, warnings }, found);
}

async function authenticated(authenticator: Authenticator, request: PlainRequest, peer: Peer): Promise<User> {
  const found = await authenticator({ headers: request.headers, peer });
  if (found.kind === "user") return found.user;
  throw new StatusError(newUnauthorized("Unauthorized"));
}

function attributesOf(
  { verb, isResourceRequest, path, apiGroup, apiVersion, resource, subresource, namespace, name }: RequestInfo,
  user: User,
): Attributes {
  return { user, verb, isResourceRequest, path, group: apiGroup, version: apiVersion, resource, subresource, namespace, name };
}

async function serve(
  { backend, serveResource, gzip }: RequestHandler,
  { request, info, user, warnings }: Pick<RequestContext, "request" | "info" | "user" | "warnings">,
  { resource, verb }: Route,
): Promise<HttpResponse> {
  const { clock } = backend.runtime;
  const [, query] = splitPath(request.path);
  const isCollection = info.parts.length === 1;
  const hasTable = resource.kind.verbs.some((own) => own !== "create");
  const choice = chooseRepresentation(request, query, {
    isCustom: resource.isCustom,
    isWatch: verb === "watch",
    isCollection,
    hasTable,
  });
  if (resource.deprecation !== undefined) warnings.add(resource.deprecation);
  const context: RequestContext = { request, info, query, user, resource, warnings, annotations: new AuditAnnotations(), now: clock.now() };
  const result = await withRequestTimeout(clock, query, verb, () => serveResource(backend, context, verb));
  if (result === undefined) return timeoutResponse;
  const response = render(result, choice, () => clock.now());
  return request.method === "GET" ? compressed(response, request, gzip) : response;
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
