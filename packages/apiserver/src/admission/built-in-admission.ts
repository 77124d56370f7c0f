/** The admission plug-ins of kube-apiserver that are on by default and implemented here, in its order. */
import { assert } from "@drover/machinery";
import type { ObjectStore } from "../registry/object-store.ts";
import type { Registry } from "../registry/registry.ts";
import type { Resource } from "../registry/resource.ts";
import type { AdmissionPlugin } from "./admission.ts";
import { defaultTolerationSeconds } from "./default-tolerations.ts";
import { namespaceLifecycle } from "./namespace-lifecycle.ts";
import { taintNodesByCondition } from "./node-taints.ts";
import { priority } from "./priority.ts";
import { storageObjectInUseProtection } from "./storage-protection.ts";

export function builtInAdmission(objects: ObjectStore, registry: Registry): readonly AdmissionPlugin[] {
  const resource = (group: string, plural: string): Resource => {
    const found = registry.find({ group, version: "v1", resource: plural });
    assert(found !== undefined, `the built-in resource ${plural} is not served`);
    return found;
  };
  return [
    namespaceLifecycle(objects, resource("", "namespaces")),
    taintNodesByCondition,
    priority(objects, resource("scheduling.k8s.io", "priorityclasses")),
    defaultTolerationSeconds,
    storageObjectInUseProtection,
  ];
}
