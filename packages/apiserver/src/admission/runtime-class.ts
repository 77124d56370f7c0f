/** RuntimeClass: pods get the overhead, the node selector and the tolerations of their runtime class. */
import type { RuntimeClass } from "@drover/api/node/v1";
import { quoteGo } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import type { ObjectStore } from "../registry/object-store.ts";
import type { Resource } from "../registry/resource.ts";
import type { AdmissionPlugin, AdmissionRequest } from "./admission.ts";
import { areSameAmounts } from "./amounts.ts";
import { mergeLabels } from "./label-map.ts";
import { createdPod } from "./pod-write.ts";
import type { WrittenPod } from "./pod-write.ts";
import { refusal } from "./refusal.ts";
import { mergeTolerations } from "./tolerations.ts";

type Class = DeepReadonly<RuntimeClass>;

/** `classes` is the resource of runtime classes. */
export function runtimeClass(objects: ObjectStore, classes: Resource): AdmissionPlugin {
  const find = async (request: AdmissionRequest, name: string): Promise<Class> => {
    const { stored } = await objects.store.get(`${classes.storagePrefix}${name}`);
    if (stored === undefined) throw refusal(request, `pod rejected: RuntimeClass ${quoteGo(name)} not found`);
    return objects.views(classes).shared(stored) as unknown as Class;
  };
  return {
    name: "RuntimeClass",
    mutate: (request) => {
      const found = createdPod(request);
      const name = found?.spec.runtimeClassName;
      if (found === undefined || name === undefined) return undefined;
      return find(request, name).then((chosen) => applyClass(request, found, chosen));
    },
    validate: (request) => {
      const found = createdPod(request);
      if (found === undefined) return undefined;
      const { overhead, runtimeClassName: name } = found.spec;
      if (name !== undefined) return find(request, name).then((chosen) => checkOverhead(request, overhead, chosen));
      checkOverhead(request, overhead, undefined);
      return undefined;
    },
  };
}

const mismatch = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";

function applyClass(request: AdmissionRequest, { spec }: WrittenPod, { overhead, scheduling }: Class): void {
  if (overhead !== undefined) {
    const { podFixed = {} } = overhead;
    if (Object.keys(spec.overhead ?? {}).length > 0 && !areSameAmounts(podFixed, spec.overhead)) throw refusal(request, mismatch);
    if (Object.keys(podFixed).length > 0) spec.overhead = { ...podFixed };
    else delete spec.overhead;
  }
  if (scheduling === undefined) return;
  const { nodeSelector = {}, tolerations = [] } = scheduling;
  const own = spec.nodeSelector ?? {};
  const conflict = Object.keys(nodeSelector).find((key) => Object.hasOwn(own, key) && own[key] !== nodeSelector[key]);
  if (conflict !== undefined)
    throw refusal(
      request,
      `conflict: runtimeClass.scheduling.nodeSelector[${conflict}] = ${nodeSelector[conflict] ?? ""}; pod.spec.nodeSelector[${conflict}] = ${own[conflict] ?? ""}`,
    );
  const selector = mergeLabels(own, nodeSelector);
  if (Object.keys(selector).length > 0) spec.nodeSelector = selector;
  const merged = mergeTolerations(spec.tolerations ?? [], tolerations);
  if (merged.length > 0) spec.tolerations = merged;
}

function checkOverhead(request: AdmissionRequest, given: WrittenPod["spec"]["overhead"], chosen: Class | undefined): void {
  if (chosen?.overhead === undefined) {
    if (given !== undefined) throw refusal(request, "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead");
  } else if (!areSameAmounts(chosen.overhead.podFixed, given)) throw refusal(request, mismatch);
}
