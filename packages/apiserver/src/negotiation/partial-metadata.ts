/** PartialObjectMetadata: objects reduced to their metadata. */
import { structShape } from "@drover/api/shapes";
import { newFailure } from "@drover/machinery";
import type { JsonObject } from "@drover/machinery";
import { commonMetadata } from "../codec/common-metadata.ts";
import { newTally } from "../codec/tally.ts";
import { writeStruct } from "../codec/write-typed.ts";
import type { Resource } from "../registry/resource.ts";
import { StatusError } from "../status-error.ts";

/** `version` is that of meta.k8s.io. The metadata has Go's order also for custom resources, whose own keys are sorted. */
export function partialMetadata(object: JsonObject, version: string): JsonObject {
  return {
    kind: "PartialObjectMetadata",
    apiVersion: `meta.k8s.io/${version}`,
    metadata: writeStruct(commonMetadata(object), structShape("meta/v1.ObjectMeta"), newTally()),
  };
}

/** The Go type of kube-apiserver that error messages name. */
export const goTypeOf = ({ kind, isCustom }: Pick<Resource, "kind" | "isCustom">, suffix: "" | "List"): string =>
  isCustom ? `*unstructured.Unstructured${suffix}` : `*${kind.group.split(".")[0] || "core"}.${kind.kind}${suffix}`;

/** The 406 of a list requested as one object, or an object as a list. `goType` names the actual type. */
export function wrongNumber(wanted: "PartialObjectMetadata" | "PartialObjectMetadataList", goType: string): StatusError {
  const is = wanted === "PartialObjectMetadata" ? "a list" : "not a list";
  return new StatusError(newFailure(406, "NotAcceptable", `you requested ${wanted}, but the requested object is ${is} (${goType})`));
}
