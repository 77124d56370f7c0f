/**
 * A server that answers only discovery, in any format, from a description that a test may change while it runs.
 *
 *     const world = sampleWorld();
 *     const discovery = new DiscoveryClient(discoveryServer(world), { clock });
 */
import { apiVersionOf, newFailure, newServiceUnavailable } from "@drover/machinery";
import type { HttpResponse } from "@drover/machinery";
import { jsonResponse, scriptedTransport, statusResponse } from "./scripted-transport.ts";
import type { ScriptedRequest, ScriptedTransport } from "./scripted-transport.ts";

/** One resource, optionally with "status" and "scale". */
export interface SampleResource {
  readonly plural: string;
  readonly kind: string;
  readonly isClusterWide?: boolean;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: readonly ("status" | "scale")[];
}

/** One version of a group, and whether the API behind it responds. */
export interface SampleVersion {
  readonly version: string;
  readonly resources: readonly SampleResource[];
  readonly isBroken?: boolean;
}

/** What the server serves, and in which format. */
export interface SampleWorld {
  groups: readonly { readonly name: string; readonly versions: readonly SampleVersion[] }[];
  /** Format of `/api` and of `/apis`. */
  forms: { readonly api: SampleForm; readonly apis: SampleForm };
}

/** Response of an endpoint: "missing" is a 404. */
export type SampleForm = "v2" | "v2beta1" | "legacy" | "missing";

/** Pods and Namespaces in the core group, Deployments in two versions of apps, and an extension API. */
export function sampleWorld(form: SampleForm = "v2"): SampleWorld {
  return {
    forms: { api: form, apis: form },
    groups: [
      {
        name: "",
        versions: [
          {
            version: "v1",
            resources: [
              { plural: "pods", kind: "Pod", shortNames: ["po"], categories: ["all"], subresources: ["status"] },
              { plural: "namespaces", kind: "Namespace", isClusterWide: true, shortNames: ["ns"] },
            ],
          },
        ],
      },
      {
        name: "apps",
        versions: [
          {
            version: "v1",
            resources: [
              { plural: "deployments", kind: "Deployment", shortNames: ["deploy"], categories: ["all"], subresources: ["status", "scale"] },
            ],
          },
          {
            version: "v1beta1",
            resources: [
              { plural: "deployments", kind: "Deployment" },
              { plural: "relics", kind: "Relic" },
            ],
          },
        ],
      },
      {
        name: "metrics.k8s.io",
        versions: [{ version: "v1beta1", resources: [{ plural: "nodes", kind: "NodeMetrics", isClusterWide: true }] }],
      },
    ],
  };
}

/** Returns the server. Every change of the world changes its ETags. */
export function discoveryServer(world: SampleWorld): ScriptedTransport {
  return scriptedTransport((request) => answer(world, request));
}

function answer(world: SampleWorld, { path, headers }: ScriptedRequest): HttpResponse {
  const [, root = "", group = "", version = ""] = path.split("/");
  const accept = String(headers["accept"]);
  const served = world.groups.filter(({ name }) => (root === "api") === (name === ""));
  if (path === "/api" || path === "/apis")
    return rootDocument(world, root === "api" ? "api" : "apis", { served, accept, etag: headers["if-none-match"] });
  const home = root === "api" ? { name: "", version: group } : { name: group, version };
  const found = world.groups.find(({ name }) => name === home.name);
  if (found !== undefined && root === "apis" && version === "")
    return jsonResponse({ kind: "APIGroup", apiVersion: "v1", ...legacyGroup(found) });
  const described = found?.versions.find((candidate) => candidate.version === home.version);
  if (described === undefined) return missing;
  if (described.isBroken === true) return statusResponse(newServiceUnavailable("the extension does not answer"));
  return jsonResponse({
    kind: "APIResourceList",
    apiVersion: "v1",
    groupVersion: apiVersionOf({ group: home.name, version: home.version }),
    resources: described.resources.flatMap(legacyRows),
  });
}

const missing: HttpResponse = statusResponse(newFailure(404, "NotFound", "the server could not find the requested resource"));

type Group = SampleWorld["groups"][number];

function rootDocument(
  { forms }: SampleWorld,
  root: "api" | "apis",
  { served, accept, etag }: { readonly served: readonly Group[]; readonly accept: string; readonly etag: unknown },
): HttpResponse {
  const form = forms[root];
  if (form === "missing") return missing;
  if (form === "legacy" || !accept.includes(`v=${form};`)) {
    return jsonResponse(
      root === "api"
        ? { kind: "APIVersions", versions: served.flatMap(({ versions }) => versions.map(({ version }) => version)) }
        : { kind: "APIGroupList", apiVersion: "v1", groups: served.map(legacyGroup) },
    );
  }
  const items = served.map(({ name, versions }) => ({
    metadata: { name: name === "" ? undefined : name },
    versions: versions.map(aggregatedVersion),
  }));
  const body = JSON.stringify({ kind: "APIGroupDiscoveryList", apiVersion: `apidiscovery.k8s.io/${form}`, metadata: {}, items });
  const tag = `"${body.length}-${new TextEncoder().encode(body).reduce((sum, byte) => (sum * 31 + byte) % 1_000_003, 7)}"`;
  const responseHeaders = { "content-type": `application/json;g=apidiscovery.k8s.io;v=${form};as=APIGroupDiscoveryList`, etag: tag };
  return etag === tag ? { status: 304, headers: responseHeaders, body: "" } : { status: 200, headers: responseHeaders, body };
}

const scale: Readonly<Record<string, string>> = { group: "autoscaling", version: "v1", kind: "Scale" };
const verbs: readonly string[] = ["create", "delete", "get", "list", "patch", "update", "watch"];

const legacyGroup = ({ name, versions }: Group): object => {
  const listed = versions.map(({ version }) => ({ groupVersion: apiVersionOf({ group: name, version }), version }));
  return { name, versions: listed, preferredVersion: listed[0] };
};

function legacyRows({ plural, kind, isClusterWide = false, shortNames, categories, subresources = [] }: SampleResource): object[] {
  const row = { name: plural, singularName: kind.toLowerCase(), namespaced: !isClusterWide, kind, verbs, shortNames, categories };
  return [
    row,
    ...subresources.map((name) => ({
      name: `${plural}/${name}`,
      singularName: "",
      namespaced: !isClusterWide,
      verbs: ["get", "update"],
      ...(name === "scale" ? scale : { kind }),
    })),
  ];
}

function aggregatedVersion({ version, resources, isBroken = false }: SampleVersion): object {
  return {
    version,
    freshness: isBroken ? "Stale" : "Current",
    resources: resources.map(({ plural, kind, isClusterWide = false, shortNames, categories, subresources = [] }) => ({
      resource: plural,
      responseKind: { group: "", version: "", kind },
      scope: isClusterWide ? "Cluster" : "Namespaced",
      singularResource: kind.toLowerCase(),
      verbs,
      shortNames,
      categories,
      subresources: subresources.map((name) => ({
        subresource: name,
        responseKind: name === "scale" ? scale : { group: "", version: "", kind },
        verbs: ["get", "update"],
      })),
    })),
  };
}
