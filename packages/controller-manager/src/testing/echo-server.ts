/**
 * A transport that records requests and echoes writes back as if they succeeded. It applies no rules of an API server; conformance/ runs
 * the same controllers on the embedded server and on a real one.
 */
import { createClient } from "@drover/client";
import type { Client } from "@drover/client";
import { jsonResponse, statusResponse } from "@drover/client/testing";
import { newNotFound } from "@drover/machinery";
import type { HttpRequest, HttpResponse, KubeObject, Status } from "@drover/machinery";
import { ManualClock, testRuntime } from "@drover/machinery/testing";

/** A recorded request. */
export interface Asked {
  /** "POST pods", "PUT replicasets/web/status". */
  readonly what: string;
  readonly body: KubeObject & Readonly<Record<string, unknown>>;
}

export interface EchoServer {
  readonly client: Client;
  readonly clock: ManualClock;
  readonly asked: readonly Asked[];
  /** Method and path of each request, in order. */
  readonly requests: () => readonly string[];
  /** Responses to GET, by path in the namespace: "replicasets/web". A path that is missing here is not found. */
  readonly objects: Map<string, unknown>;
}

/** @param refuse - returns the Status that refuses a request, or undefined to accept it */
export function echoServer(refuse: (what: string, count: number) => Status | undefined = () => undefined): EchoServer {
  const clock = new ManualClock();
  const asked: Asked[] = [];
  const objects = new Map<string, unknown>();
  const answer = ({ method, path, body }: HttpRequest): HttpResponse => {
    const place = path.replace(/^.*\/namespaces\/shop\//, "").replace(/\?.*$/, "");
    const what = `${method} ${place}`;
    const given = typeof body === "string" && body !== "" ? (JSON.parse(body) as Asked["body"]) : { metadata: {} };
    asked.push({ what, body: given });
    const refusal = refuse(what, asked.length);
    if (refusal !== undefined) return statusResponse(refusal);
    if (method === "GET")
      return objects.has(place) ? jsonResponse(objects.get(place)) : statusResponse(newNotFound({ group: "", resource: place }, place));
    if (method === "DELETE") return jsonResponse({ kind: "Status", status: "Success" });
    const name = given.metadata.name ?? `${given.metadata.generateName ?? ""}${asked.length}`;
    const base = method === "PATCH" ? (objects.get(place) as KubeObject | undefined) : undefined;
    return jsonResponse(
      {
        ...base,
        ...given,
        metadata: { ...base?.metadata, ...given.metadata, name, namespace: "shop", resourceVersion: String(1000 + asked.length) },
      },
      { status: method === "POST" ? 201 : 200 },
    );
  };
  const { log } = testRuntime({ clock });
  return {
    client: createClient({ transport: (request) => Promise.resolve(answer(request)), clock, log, namespace: "default" }),
    clock,
    asked,
    objects,
    requests: () => asked.map(({ what }) => what),
  };
}
