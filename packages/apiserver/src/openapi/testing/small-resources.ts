/** Resources for tests of documents. */
import type { Kind, Schema, Subresource } from "@drover/machinery";
import { Deployment } from "@drover/api/apps/v1";
import { Pod } from "@drover/api/core/v1";
import type { PublishedResource } from "../custom-definition.ts";

const builtIn = (kind: Kind): PublishedResource => ({ kind, isCustom: false, selectableFields: new Map() });

export const pods: PublishedResource = builtIn(Pod);
export const deployments: PublishedResource = builtIn(Deployment);

/** A custom resource of ex.io/v1, namespaced by default. */
export function customResource(kind: string, changes: Partial<PublishedResource["kind"]> = {}, openApiSchema?: Schema): PublishedResource {
  const plural = `${kind.toLowerCase()}s`;
  return {
    isCustom: true,
    selectableFields: new Map(),
    ...(openApiSchema === undefined ? {} : { openApiSchema }),
    kind: {
      group: "ex.io",
      version: "v1",
      kind,
      listKind: `${kind}List`,
      plural,
      singular: kind.toLowerCase(),
      shortNames: [],
      categories: [],
      scope: "Namespaced",
      subresources: {},
      verbs: ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
      ...changes,
    },
  };
}

export const statusAndScale: Readonly<Record<string, Subresource>> = {
  scale: { group: "autoscaling", version: "v1", kind: "Scale", verbs: ["get", "patch", "update"] },
  status: { group: "ex.io", version: "v1", kind: "Widget", verbs: ["get", "patch", "update"] },
};
