/** What conditions mean for a summary, by type: which are errors, and what an object is doing if one does not hold. */
import type { DeepReadonly, KubeObject } from "@drover/machinery";

type Statuses = Readonly<Record<string, readonly string[]>>;

const whenTrue = (...types: readonly string[]): Statuses => Object.fromEntries(types.map((type) => [type, ["True"]]));

/** Kinds with their own list; conditions not listed there are no errors for them. */
const ofKinds: ReadonlyMap<string, Statuses> = new Map([
  ["helm.cattle.io/v1 HelmChart", whenTrue("Failed")],
  ["v1 Node", whenTrue("MemoryPressure", "DiskPressure", "NetworkUnavailable")],
  ["apps/v1 Deployment", { ...whenTrue("ReplicaFailure", "Stalled"), Progressing: ["False"] }],
]);

const ofOthers: Statuses = whenTrue(
  "OutOfDisk",
  "MemoryPressure",
  "DiskPressure",
  "NetworkUnavailable",
  "Unschedulable",
  "ReplicaFailure",
  "Stalled",
  "Failed",
);

/** Returns a function that reports whether a condition of the object is an error. */
export function errorConditions({ apiVersion = "", kind = "" }: DeepReadonly<KubeObject>): (type: string, status: string) => boolean {
  const statuses = ofKinds.get(`${apiVersion} ${kind}`) ?? ofOthers;
  return (type, status) => Object.hasOwn(statuses, type) && statuses[type]?.includes(status) === true;
}

/** True is fine, False is an error; while Unknown, the object is doing this. */
export const transitioningUnknown: ReadonlyMap<string, string> = new Map([
  ["Active", "activating"],
  ["AddonDeploy", "provisioning"],
  ["AgentDeployed", "provisioning"],
  ["BackingNamespaceCreated", "configuring"],
  ["Built", "building"],
  ["CertsGenerated", "provisioning"],
  ["ConfigOK", "configuring"],
  ["Created", "creating"],
  ["CreatorMadeOwner", "configuring"],
  ["DefaultNamespaceAssigned", "configuring"],
  ["DefaultNetworkPolicyCreated", "configuring"],
  ["DefaultProjectCreated", "configuring"],
  ["DockerProvisioned", "provisioning"],
  ["Deployed", "deploying"],
  ["Drained", "draining"],
  ["Downloaded", "downloading"],
  ["etcd", "provisioning"],
  ["Inactive", "deactivating"],
  ["Initialized", "initializing"],
  ["Installed", "installing"],
  ["NodesCreated", "provisioning"],
  ["Pending", "pending"],
  ["PodScheduled", "scheduling"],
  ["Provisioned", "provisioning"],
  ["Reconciled", "reconciling"],
  ["Refreshed", "refreshed"],
  ["Registered", "registering"],
  ["Removed", "removing"],
  ["Saved", "saving"],
  ["Updated", "updating"],
  ["Updating", "updating"],
  ["Upgraded", "upgrading"],
  ["Waiting", "waiting"],
  ["InitialRolesPopulated", "activating"],
  ["ScalingActive", "pending"],
  ["AbleToScale", "pending"],
  ["RunCompleted", "running"],
  ["Processed", "processed"],
]);

/** False is fine, True is transitioning. */
export const transitioningTrue: ReadonlyMap<string, string> = new Map([["Reconciling", "reconciling"]]);

/** True is fine, False is transitioning, Unknown is an error. With an empty word, the condition's reason is the state. */
export const transitioningFalse: ReadonlyMap<string, string> = new Map([
  ["Completed", "activating"],
  ["Ready", "unavailable"],
  ["Available", "updating"],
  ["BootstrapReady", ""],
  ["InfrastructureReady", ""],
  ["NodeHealthy", ""],
]);
