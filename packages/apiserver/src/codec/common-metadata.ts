/** The metadata of an object that all its versions share: without annotations that stand for fields of other versions. */
import { isJsonObject } from "@drover/machinery";
import type { JsonObject, JsonValue } from "@drover/machinery";

/** kube-apiserver turns these into fields before it reads the metadata. */
const ownAnnotations: ReadonlyMap<string, readonly string[]> = new Map([
  ["apps/v1 DaemonSet", ["deprecated.daemonset.template.generation"]],
  ["apps/v1 Deployment", ["deprecated.deployment.rollback.to"]],
  [
    "autoscaling/v1 HorizontalPodAutoscaler",
    ["behavior", "conditions", "current-metrics", "metrics"].map((name) => `autoscaling.alpha.kubernetes.io/${name}`),
  ],
]);

const textOf = (value: JsonValue | undefined): string => (typeof value === "string" ? value : "");

export function commonMetadata({ apiVersion, kind, metadata }: JsonObject): JsonObject {
  if (!isJsonObject(metadata)) return {};
  const { annotations } = metadata;
  const own = isJsonObject(annotations) ? ownAnnotations.get(`${textOf(apiVersion)} ${textOf(kind)}`) : undefined;
  if (own === undefined || !isJsonObject(annotations) || !own.some((name) => Object.hasOwn(annotations, name))) return metadata;
  const others = Object.entries(annotations).filter(([name]) => !own.includes(name));
  const { annotations: _, ...rest } = metadata;
  return others.length === 0 ? rest : { ...metadata, annotations: Object.fromEntries(others) };
}
