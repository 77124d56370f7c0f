/**
 * The events API of a server, for tests: stores events, rejects what a real server rejects, and fails on request.
 *
 *     const server = eventServer();
 *     createEventBroadcaster({ client: server.client(clock, log), … })
 */
import type { Event } from "@drover/api/events/v1";
import { createClient } from "@drover/client";
import type { Client } from "@drover/client";
import { jsonResponse, scriptedTransport, statusResponse } from "@drover/client/testing";
import type { ScriptedRequest } from "@drover/client/testing";
import { byteLength, checkDns1123Subdomain, newAlreadyExists, newBadRequest, newNotFound } from "@drover/machinery";
import type { GroupResource, HttpResponse, Runtime } from "@drover/machinery";

/** Fault of one request: another response, a connection that fails before the work, or one that fails after it. */
export type EventFault = { readonly answer: HttpResponse } | { readonly lost: "before" | "after" };

/** The server, and what tests inspect. */
export interface EventServer {
  /** Events by namespace and name, in order of creation. */
  readonly events: Map<string, Event>;
  /** Every request: "POST shop", "PATCH shop/web.17…". */
  readonly requests: string[];
  /** Called before each request. */
  fault: (request: ScriptedRequest) => EventFault | undefined | Promise<EventFault | undefined>;
  /** Returns a client of the server. */
  client(runtime: Pick<Runtime, "clock" | "log">): Client;
  /** Returns the number of occurrences on the server. */
  occurrences(): number;
}

const resource: GroupResource = { group: "events.k8s.io", resource: "events" };

/** Returns an empty server without faults. */
export function eventServer(): EventServer {
  const events = new Map<string, Event>();
  const requests: string[] = [];
  const transport = scriptedTransport(async (request) => {
    const [, namespace = "", name] =
      /^\/apis\/events\.k8s\.io\/v1\/namespaces\/([^/]+)\/events(?:\/([^/]+))?$/.exec(request.pathname) ?? [];
    requests.push(`${request.method} ${namespace}${name === undefined ? "" : `/${name}`}`);
    const fault = await server.fault(request);
    if (fault !== undefined && "answer" in fault) return fault.answer;
    if (fault?.lost === "before") throw new Error("the connection was refused");
    const answer =
      name === undefined
        ? created(events, namespace, JSON.parse(request.body) as Event)
        : patched(events, `${namespace}/${name}`, JSON.parse(request.body) as Partial<Event>);
    if (fault?.lost === "after") throw new Error("the connection was lost");
    return answer;
  });
  const server: EventServer = {
    events,
    requests,
    fault: () => undefined,
    client: ({ clock, log }) => createClient({ transport, clock, log, namespace: "default" }),
    occurrences: () => [...events.values()].reduce((sum, { series }) => sum + (series?.count ?? 1), 0),
  };
  return server;
}

function created(events: Map<string, Event>, namespace: string, event: Event): HttpResponse {
  const { name = "", namespace: said } = event.metadata;
  const problems = [
    ...checkDns1123Subdomain(name),
    ...(said === namespace ? [] : ["namespace"]),
    ...[event.reason, event.action, event.reportingInstance].flatMap((word = "") =>
      word === "" || byteLength(word) > 128 ? [`word ${word}`] : [],
    ),
    ...(byteLength(event.note ?? "") > 1024 ? ["note"] : []),
    ...((event.series?.count ?? 2) < 2 ? ["series"] : []),
    ...(event.regarding?.namespace === undefined && namespace !== "default" ? ["regarding"] : []),
  ];
  if (problems.length > 0) return statusResponse(newBadRequest(problems.join("; ")));
  const key = `${namespace}/${name}`;
  if (events.has(key)) return statusResponse(newAlreadyExists(resource, name));
  events.set(key, event);
  return jsonResponse(event, { status: 201 });
}

function patched(events: Map<string, Event>, key: string, patch: Partial<Event>): HttpResponse {
  const event = events.get(key);
  if (event === undefined) return statusResponse(newNotFound(resource, key));
  if (Object.keys(patch).join(",") !== "series") return statusResponse(newBadRequest("only the series may change"));
  const next = { ...event, ...patch };
  events.set(key, next);
  return jsonResponse(next);
}
