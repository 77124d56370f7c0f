/**
 * LimitRanger: sets the default requests and limits of a namespace's LimitRanges, and refuses pods and claims outside of them.
 *
 *     NamespacedObjects → setDefaultRequirements (mutate), podViolations and claimViolations (validate)
 */
import type { Container, LimitRange, PersistentVolumeClaim, Pod } from "@drover/api/core/v1";
import { compareBytes, newForbidden, setOwn } from "@drover/machinery";
import type { DeepReadonly, JsonObject, QuantityValue } from "@drover/machinery";
import { metaOf } from "../registry/meta-of.ts";
import type { ObjectStore } from "../registry/object-store.ts";
import type { Resource } from "../registry/resource.ts";
import { StatusError } from "../status-error.ts";
import type { AdmissionPlugin, AdmissionRequest } from "./admission.ts";
import { claimViolations, limitsOf, podViolations } from "./limit-constraints.ts";
import { NamespacedObjects } from "./namespaced-objects.ts";
import type { NamespacedObject } from "./namespaced-objects.ts";

const annotation = "kubernetes.io/limit-ranger";

type Ranges = readonly NamespacedObject<LimitRange>[];

/** `limitRanges` is the resource of limit ranges. */
export function limitRanger(objects: ObjectStore, limitRanges: Resource): AdmissionPlugin {
  const stored = new NamespacedObjects<LimitRange>(objects, limitRanges);
  const withRanges =
    (step: (request: AdmissionRequest, ranges: Ranges) => void) =>
    (request: AdmissionRequest): Promise<void> | void => {
      if (!isLimited(request)) return undefined;
      const ranges = stored.in(request.namespace);
      return ranges instanceof Promise ? ranges.then((found) => step(request, found)) : step(request, ranges);
    };
  return { name: "LimitRanger", mutate: withRanges(setDefaults), validate: withRanges(refuse) };
}

/** New pods, pods that are resized, and every write of a claim itself; not objects that are being deleted. */
function isLimited({ operation, resource: { kind }, subresource, object, old }: AdmissionRequest): boolean {
  if (kind.group !== "" || object === undefined || (operation !== "CREATE" && operation !== "UPDATE")) return false;
  if (old !== undefined && metaOf(old).deletionTimestamp !== undefined) return false;
  if (kind.kind === "Pod") return operation === "CREATE" ? subresource === "" : subresource === "resize";
  return kind.kind === "PersistentVolumeClaim" && subresource === "";
}

function setDefaults({ resource, object }: AdmissionRequest, ranges: Ranges): void {
  if (resource.kind.kind !== "Pod" || object === undefined) return;
  for (const { object: range } of ranges) setDefaultRequirements(range, object);
}

/** Fills in what containers do not declare, and says so in an annotation. */
export function setDefaultRequirements(range: DeepReadonly<LimitRange>, object: JsonObject): void {
  const pod = object as unknown as Pod;
  const items = limitsOf(range).filter(({ type }) => type === "Container");
  const requests = Object.assign({}, ...items.map(({ defaultRequest }) => defaultRequest)) as Record<string, QuantityValue>;
  const limits = Object.assign({}, ...items.map((item) => item.default)) as Record<string, QuantityValue>;
  const notes = [
    ...(pod.spec?.containers ?? []).flatMap((container) => fillContainer(container, "container", requests, limits)),
    ...(pod.spec?.initContainers ?? []).flatMap((container) => fillContainer(container, "init container", requests, limits)),
  ];
  if (notes.length === 0) return;
  const meta = metaOf(object);
  meta.annotations = { ...meta.annotations, [annotation]: `LimitRanger plugin set: ${notes.join("; ")}` };
}

function fillContainer(
  container: Container,
  what: string,
  requests: Readonly<Record<string, QuantityValue>>,
  limits: Readonly<Record<string, QuantityValue>>,
): string[] {
  const fill = (field: "requests" | "limits", defaults: Readonly<Record<string, QuantityValue>>): string[] => {
    const given = container.resources?.[field] ?? {};
    const missing = Object.entries(defaults).filter(([name]) => !Object.hasOwn(given, name));
    if (missing.length === 0) return [];
    const filled = { ...given };
    for (const [name, amount] of missing) setOwn(filled, name, amount);
    container.resources = { ...container.resources, [field]: filled };
    const names = missing.map(([name]) => name).toSorted(compareBytes);
    return [`${names.join(", ")} ${field === "requests" ? "request" : "limit"} for ${what} ${container.name}`];
  };
  return [...fill("requests", requests), ...fill("limits", limits)];
}

/** The first range that is violated decides, with all it has to say. */
function refuse({ resource: { kind }, name, object }: AdmissionRequest, ranges: Ranges): void {
  for (const { object: range } of ranges) {
    const found =
      kind.kind === "Pod"
        ? podViolations(range, object as unknown as Pod)
        : claimViolations(range, object as unknown as PersistentVolumeClaim);
    const [first, ...others] = new Set(found);
    if (first === undefined) continue;
    const why = others.length === 0 ? first : `[${[first, ...others].join(", ")}]`;
    throw new StatusError(newForbidden({ group: kind.group, resource: kind.plural }, name, why));
  }
}
