/** `LiveObjects` on a scripted transport that serves pods, namespaces and no other kind. */
import { Namespace, Pod } from "@drover/api/core/v1";
import { createClient } from "@drover/client";
import { jsonResponse, scriptedTransport, statusResponse } from "@drover/client/testing";
import { NoKindMatchError, newNotFound } from "@drover/machinery";
import type { HttpResponse, Kind, ObjectMeta } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { LiveObjects } from "../live-objects.ts";

export interface LiveStage {
  readonly live: LiveObjects;
  /** "GET shop/web", followed by the body if there is one. */
  readonly requests: () => readonly string[];
  readonly resets: () => number;
  readonly assertDone: () => void;
}

/** Responds with these answers in order. */
export function liveStage(...answers: readonly (HttpResponse | Error)[]): LiveStage {
  const { clock, random, log } = testRuntime();
  const transport = scriptedTransport(answers);
  let resets = 0;
  const kinds: readonly Kind[] = [Pod, Namespace];
  const live = new LiveObjects({
    client: createClient({ transport, clock, log, namespace: "default" }),
    random,
    signal: new AbortController().signal,
    mapper: {
      describe: (asked) => {
        const kind = kinds.find((known) => known.group === asked.group && known.version === asked.version && known.kind === asked.kind);
        return kind === undefined ? Promise.reject(new NoKindMatchError(asked, [asked.version])) : Promise.resolve(kind);
      },
      reset: () => void resets++,
    },
  });
  return {
    live,
    resets: () => resets,
    assertDone: transport.assertDone,
    requests: () =>
      transport.requests.map(
        ({ method, pathname, body }) =>
          `${method} ${pathname.replace(/^\/api\/v1\/(?:namespaces\/(?=.*\/pods))?/, "").replace("/pods/", "/")}${body === "" ? "" : ` ${body}`}`,
      ),
  };
}

/** Response with the metadata of a pod. */
export const podAnswer = (metadata: ObjectMeta): HttpResponse =>
  jsonResponse({ apiVersion: "meta.k8s.io/v1", kind: "PartialObjectMetadata", metadata });

export const notFound = (name: string): HttpResponse => statusResponse(newNotFound({ group: "", resource: "pods" }, name));
