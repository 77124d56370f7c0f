/** PodTolerationRestriction: annotations of a namespace give its pods tolerations and limit them. Off by default. */
import type { Toleration } from "@drover/api/core/v1";
import { structShape } from "@drover/api/shapes";
import type { Shape } from "@drover/api/shapes";
import { decodeJson, getOwn, JsonError, newFailure } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import { podQosClass } from "@drover/api/quota";
import { readTyped } from "../codec/read-typed.ts";
import { UnmarshalError } from "../codec/unmarshal-error.ts";
import type { ObjectStore } from "../registry/object-store.ts";
import type { Resource } from "../registry/resource.ts";
import { StatusError } from "../status-error.ts";
import type { AdmissionPlugin, AdmissionRequest } from "./admission.ts";
import { namespaceAnnotations } from "./pod-node-selector.ts";
import { writtenPod } from "./pod-write.ts";
import { areAllowed, mergeTolerations } from "./tolerations.ts";

const defaults = "scheduler.alpha.kubernetes.io/defaultTolerations";
const allowed = "scheduler.alpha.kubernetes.io/tolerationsWhitelist";
const memoryPressure: Toleration = { key: "node.kubernetes.io/memory-pressure", operator: "Exists", effect: "NoSchedule" };

/** `namespaces` is the resource of namespaces. */
export function podTolerationRestriction(objects: ObjectStore, namespaces: Resource): AdmissionPlugin {
  const listed = async ({ namespace }: AdmissionRequest, annotation: string): Promise<readonly DeepReadonly<Toleration>[]> =>
    parseTolerations(getOwn((await namespaceAnnotations(objects, namespaces, namespace)) ?? {}, annotation) ?? "");
  const check = async (request: AdmissionRequest): Promise<void> => {
    const tolerations = writtenPod(request)?.spec.tolerations ?? [];
    if (tolerations.length === 0 || areAllowed(tolerations, await listed(request, allowed))) return;
    const why = "pod tolerations (possibly merged with namespace default tolerations) conflict with its namespace whitelist";
    throw new StatusError(newFailure(500, "", why));
  };
  return {
    name: "PodTolerationRestriction",
    mutate: async (request) => {
      const found = writtenPod(request);
      if (found === undefined) return;
      const { pod, spec } = found;
      const added = [
        ...(request.operation === "CREATE" ? await listed(request, defaults) : []),
        ...((pod.status?.qosClass ?? podQosClass(spec)) === "BestEffort" ? [] : [memoryPressure]),
      ];
      if (added.length > 0) spec.tolerations = mergeTolerations(spec.tolerations ?? [], added);
      await check(request);
    },
    validate: async (request) => {
      if (writtenPod(request) !== undefined) await check(request);
    },
  };
}

const itemShape = (): Shape => structShape("core/v1.Toleration");

/** Reads the text as Go does. Throws a 500 with Go's message for anything but a list of tolerations. */
function parseTolerations(text: string): readonly DeepReadonly<Toleration>[] {
  if (text === "") return [];
  try {
    decodeJson(text);
    const { value } = readTyped(text, { kind: "list", goType: "[]v1.Toleration", item: itemShape() }, { foldsNames: true });
    return ((value ?? []) as unknown as (Toleration | null)[]).map((each) => each ?? {});
  } catch (error) {
    if (!(error instanceof JsonError) && !(error instanceof UnmarshalError)) throw error;
    throw new StatusError(newFailure(500, "", error instanceof JsonError ? error.detail : error.message));
  }
}
