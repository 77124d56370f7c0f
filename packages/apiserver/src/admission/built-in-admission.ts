/** The admission plug-ins of kube-apiserver that are implemented here. */
import { assert } from "@drover/machinery";
import type { Runtime } from "@drover/machinery";
import type { Authorizer } from "../access/authorizer.ts";
import type { ApiServerHost } from "../host.ts";
import type { ApplyScopes } from "../registry/apply-scopes.ts";
import type { ObjectStore } from "../registry/object-store.ts";
import type { Registry } from "../registry/registry.ts";
import type { Resource } from "../registry/resource.ts";
import type { AdmissionPlugin } from "./admission.ts";
import { defaultTolerationSeconds } from "./default-tolerations.ts";
import { limitRanger } from "./limit-ranger.ts";
import { namespaceLifecycle } from "./namespace-lifecycle.ts";
import { taintNodesByCondition } from "./node-taints.ts";
import { chosenPlugins } from "./plugin-choice.ts";
import type { AdmissionPluginChoice } from "./plugin-choice.ts";
import { priority } from "./priority.ts";
import { resourceQuota } from "./resource-quota.ts";
import { storageObjectInUseProtection } from "./storage-protection.ts";

/** What plug-ins may use. */
export interface AdmissionServices {
  readonly runtime: Runtime;
  readonly objects: ObjectStore;
  readonly registry: Registry;
  readonly scopes: ApplyScopes;
  readonly authorizer: Authorizer;
  readonly host: ApiServerHost;
}

/** Returns the chosen plug-ins in the order of kube-apiserver. Throws a TypeError for a wrong choice. */
export function builtInAdmission(services: AdmissionServices, choice: AdmissionPluginChoice): readonly AdmissionPlugin[] {
  const { objects, registry } = services;
  const resource = (group: string, plural: string): Resource => {
    const found = registry.find({ group, version: "v1", resource: plural });
    assert(found !== undefined, `the built-in resource ${plural} is not served`);
    return found;
  };
  const all: readonly AdmissionPlugin[] = [
    namespaceLifecycle(objects, resource("", "namespaces")),
    limitRanger(objects, resource("", "limitranges")),
    taintNodesByCondition,
    priority(objects, resource("scheduling.k8s.io", "priorityclasses")),
    defaultTolerationSeconds,
    storageObjectInUseProtection,
    resourceQuota(services, resource("", "resourcequotas")),
  ];
  return chosenPlugins(choice).map((name) => {
    const plugin = all.find((each) => each.name === name);
    assert(plugin !== undefined, `the admission plug-in ${name} is not implemented`);
    return plugin;
  });
}
