/** Objects of which only the metadata is wanted. */
import { newFailure } from "@drover/machinery";
import type { JsonObject } from "@drover/machinery";
import type { Resource } from "../registry/resource.ts";
import { StatusError } from "../status-error.ts";

/** `version` is that of meta.k8s.io. */
export function partialMetadata(object: JsonObject, version: string): JsonObject {
  return { kind: "PartialObjectMetadata", apiVersion: `meta.k8s.io/${version}`, metadata: object["metadata"] ?? {} };
}

/** How the server calls its own types, which nobody should depend on. */
export const goTypeOf = ({ kind, isCustom }: Pick<Resource, "kind" | "isCustom">, suffix: "" | "List"): string =>
  isCustom ? `*unstructured.Unstructured${suffix}` : `*${kind.group.split(".")[0] || "core"}.${kind.kind}${suffix}`;

/** 406: a list was asked for as one object, or an object as a list. `goType` is how the server calls what there is. */
export function wrongNumber(wanted: "PartialObjectMetadata" | "PartialObjectMetadataList", goType: string): StatusError {
  const is = wanted === "PartialObjectMetadata" ? "a list" : "not a list";
  return new StatusError(newFailure(406, "NotAcceptable", `you requested ${wanted}, but the requested object is ${is} (${goType})`));
}
