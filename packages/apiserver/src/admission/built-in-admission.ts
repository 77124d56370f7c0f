/** The admission plug-ins of kube-apiserver that are implemented here. */
import { assert } from "@drover/machinery";
import type { Runtime } from "@drover/machinery";
import type { Authorizer } from "../access/authorizer.ts";
import type { ApiServerHost } from "../host.ts";
import type { ApplyScopes } from "../registry/apply-scopes.ts";
import type { ObjectStore } from "../registry/object-store.ts";
import type { Registry } from "../registry/registry.ts";
import type { Resource } from "../registry/resource.ts";
import type { WebhookClient } from "../webhook/webhook-client.ts";
import type { AdmissionPlugin } from "./admission.ts";
import { alwaysDeny } from "./always-deny.ts";
import { alwaysPullImages } from "./always-pull-images.ts";
import { certificateApproval, certificateSigning, certificateSubjectRestriction } from "./certificates.ts";
import { persistentVolumeClaimResize } from "./claim-resize.ts";
import { defaultIngressClass, defaultStorageClass } from "./default-class.ts";
import { defaultTolerationSeconds } from "./default-tolerations.ts";
import { extendedResourceToleration } from "./extended-resource-toleration.ts";
import { KeptObjects } from "./kept-objects.ts";
import { limitPodHardAntiAffinityTopology } from "./hard-anti-affinity.ts";
import { inactivePlugins } from "./inactive-plugins.ts";
import { limitRanger } from "./limit-ranger.ts";
import { namespaceAutoProvision, namespaceExists } from "./namespace-exists.ts";
import { namespaceLifecycle } from "./namespace-lifecycle.ts";
import { nodeRestriction } from "./node-restriction/node-restriction.ts";
import { storedReaders } from "./node-restriction/stored-readers.ts";
import { taintNodesByCondition } from "./node-taints.ts";
import { ownerReferencesPermissionEnforcement } from "./owner-permission.ts";
import { chosenPlugins } from "./plugin-choice.ts";
import type { AdmissionPluginChoice } from "./plugin-choice.ts";
import { nodeDeclaredFeatureValidator, podResizeValidator } from "./pod-node.ts";
import { podNodeSelector } from "./pod-node-selector.ts";
import { EvaluationMetrics } from "./pod-security/evaluation-metrics.ts";
import { namespacePolicy } from "./pod-security/pod-policy.ts";
import { podSecurity } from "./pod-security/pod-security.ts";
import { podTolerationRestriction } from "./pod-toleration-restriction.ts";
import { podTopologyLabels } from "./pod-topology-labels.ts";
import { policyPlugins } from "./policy/policy-plugins.ts";
import { priority } from "./priority.ts";
import { resourceQuota } from "./resource-quota.ts";
import { runtimeClass } from "./runtime-class.ts";
import { serviceAccount } from "./service-account.ts";
import { denyServiceExternalIPs } from "./service-external-ips.ts";
import { storageObjectInUseProtection } from "./storage-protection.ts";
import { admissionWebhooks } from "./webhook/admission-webhooks.ts";

/** What plug-ins may use. */
export interface AdmissionServices {
  readonly runtime: Runtime;
  readonly objects: ObjectStore;
  readonly registry: Registry;
  readonly scopes: ApplyScopes;
  readonly authorizer: Authorizer;
  readonly host: ApiServerHost;
  /** Creates a namespace if it does not exist, through all other plug-ins. Rejects with a `StatusError`. */
  readonly createNamespace: (name: string) => Promise<void>;
  readonly webhooks: WebhookClient;
}

/** Returns the chosen plug-ins in the order of kube-apiserver. Throws a TypeError for a wrong choice. */
export function builtInAdmission(services: AdmissionServices, choice: AdmissionPluginChoice): readonly AdmissionPlugin[] {
  const { objects, registry, authorizer, runtime } = services;
  const resource = (group: string, plural: string): Resource => {
    const found = registry.find({ group, version: "v1", resource: plural });
    assert(found !== undefined, `the built-in resource ${plural} is not served`);
    return found;
  };
  const [namespaces, pods, nodes] = [resource("", "namespaces"), resource("", "pods"), resource("", "nodes")];
  const all: readonly AdmissionPlugin[] = [
    namespaceAutoProvision(objects, namespaces, services.createNamespace),
    namespaceLifecycle(objects, namespaces),
    namespaceExists(objects, namespaces),
    limitPodHardAntiAffinityTopology,
    limitRanger(objects, resource("", "limitranges")),
    serviceAccount({ objects, runtime, accounts: resource("", "serviceaccounts") }),
    nodeRestriction({ authorizer, ...storedReaders(objects, resource) }),
    taintNodesByCondition,
    alwaysPullImages,
    podSecurity({
      objects,
      pods,
      policies: new KeptObjects(objects, namespaces, namespacePolicy),
      metrics: new EvaluationMetrics(runtime.metrics),
      clock: runtime.clock,
    }),
    podNodeSelector(objects, namespaces),
    priority(objects, resource("scheduling.k8s.io", "priorityclasses")),
    defaultTolerationSeconds,
    podTolerationRestriction(objects, namespaces),
    extendedResourceToleration,
    defaultStorageClass(objects, resource("storage.k8s.io", "storageclasses")),
    storageObjectInUseProtection,
    ownerReferencesPermissionEnforcement(authorizer, registry),
    persistentVolumeClaimResize(objects, resource("storage.k8s.io", "storageclasses")),
    runtimeClass(objects, resource("node.k8s.io", "runtimeclasses")),
    certificateApproval(authorizer),
    certificateSigning(authorizer),
    certificateSubjectRestriction,
    defaultIngressClass(objects, resource("networking.k8s.io", "ingressclasses")),
    denyServiceExternalIPs,
    podTopologyLabels(objects, nodes),
    nodeDeclaredFeatureValidator(objects, nodes),
    podResizeValidator(objects, nodes),
    ...policyPlugins(services, resource),
    ...admissionWebhooks(services, resource),
    resourceQuota(services, resource("", "resourcequotas")),
    alwaysDeny,
    ...inactivePlugins,
  ];
  return chosenPlugins(choice).map((name) => {
    const plugin = all.find((each) => each.name === name);
    assert(plugin !== undefined, `the admission plug-in ${name} is not implemented`);
    return plugin;
  });
}
