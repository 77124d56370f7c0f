/**
 * Decides from its status whether an object is ready. Pure: a status change triggers the next reconcile.
 *
 *     kind, live object → true | reason
 */
import { getOwn } from "@drover/machinery";
import type { DeepReadonly, GroupKind, KubeObject } from "@drover/machinery";
import { kindWords } from "./set-identity.ts";

type Readiness = true | string;
interface Condition {
  readonly type?: unknown;
  readonly status?: unknown;
  readonly reason?: unknown;
  readonly message?: unknown;
}

/**
 * Returns true, or a reason for people. Kinds without a notion of readiness are ready once they exist. Custom resources
 * are ready if their `Ready` condition is True; without one, if `observedGeneration` (if present) is current.
 */
export function isReady(kind: GroupKind, object: DeepReadonly<KubeObject>): Readiness {
  if (object.metadata.deletionTimestamp !== undefined) return "is being deleted";
  return (checks.get(kindWords(kind)) ?? customReady)(object);
}

type Check = (object: DeepReadonly<KubeObject>) => Readiness;
const checks: ReadonlyMap<string, Check> = new Map<string, Check>([
  ["Namespace", (object) => phaseIs(object, ["Active"])],
  [
    "CustomResourceDefinition.apiextensions.k8s.io",
    (object) =>
      conditionIs(object, "NamesAccepted", "False")
        ? `its names are not accepted: ${conditionWords(object, "NamesAccepted")}`
        : needsCondition(object, "Established"),
  ],
  ["Deployment.apps", deploymentReady],
  ["StatefulSet.apps", statefulSetReady],
  ["DaemonSet.apps", daemonSetReady],
  [
    "ReplicaSet.apps",
    (object) => observed(object) ?? counted(object, "availableReplicas", number(object, ["spec", "replicas"], 1), "available"),
  ],
  [
    "Job.batch",
    (object) =>
      conditionIs(object, "Failed", "True")
        ? `failed: ${conditionWords(object, "Failed")}`
        : conditionIs(object, "Complete", "True") || "has not completed",
  ],
  [
    "Pod",
    (object) =>
      phaseIs(object, ["Succeeded"]) === true ||
      conditionIs(object, "Ready", "True") ||
      `is ${text(object, ["status", "phase"]) || "not started"}`,
  ],
  ["PersistentVolumeClaim", (object) => phaseIs(object, ["Bound"])],
  ["PersistentVolume", (object) => phaseIs(object, ["Available", "Bound"])],
  [
    "Service",
    (object) =>
      text(object, ["spec", "type"]) !== "LoadBalancer" ||
      list(object, ["status", "loadBalancer", "ingress"]).length > 0 ||
      "has no load balancer address",
  ],
  ["APIService.apiregistration.k8s.io", (object) => needsCondition(object, "Available")],
  // Their conditions do not express readiness.
  ["HorizontalPodAutoscaler.autoscaling", () => true],
  ["PodDisruptionBudget.policy", () => true],
  ["Node", (object) => needsCondition(object, "Ready")],
]);

function deploymentReady(object: DeepReadonly<KubeObject>): Readiness {
  const late = observed(object);
  if (late !== undefined) return late;
  if (condition(object, "Progressing")?.reason === "ProgressDeadlineExceeded")
    return `makes no progress: ${conditionWords(object, "Progressing")}`;
  const replicas = number(object, ["spec", "replicas"], 1);
  const updated = counted(object, "updatedReplicas", replicas, "updated");
  if (updated !== true) return updated;
  if (number(object, ["status", "replicas"], 0) > number(object, ["status", "updatedReplicas"], 0))
    return "still has pods of an older template";
  return counted(object, "availableReplicas", replicas, "available");
}

function statefulSetReady(object: DeepReadonly<KubeObject>): Readiness {
  const late = observed(object);
  if (late !== undefined) return late;
  const replicas = number(object, ["spec", "replicas"], 1);
  const ready = counted(object, "readyReplicas", replicas, "ready");
  if (ready !== true || text(object, ["spec", "updateStrategy", "type"]) === "OnDelete") return ready;
  const partition = number(object, ["spec", "updateStrategy", "rollingUpdate", "partition"], 0);
  if (partition > 0) return counted(object, "updatedReplicas", Math.max(0, replicas - partition), "updated");
  return (
    text(object, ["status", "currentRevision"]) === text(object, ["status", "updateRevision"]) || "still has pods of an older template"
  );
}

function daemonSetReady(object: DeepReadonly<KubeObject>): Readiness {
  const late = observed(object);
  if (late !== undefined) return late;
  const desired = number(object, ["status", "desiredNumberScheduled"], -1);
  if (desired < 0) return "its controller has not observed it";
  const updated =
    text(object, ["spec", "updateStrategy", "type"]) === "OnDelete" ? true : counted(object, "updatedNumberScheduled", desired, "updated");
  return updated === true ? counted(object, "numberAvailable", desired, "available") : updated;
}

function customReady(object: DeepReadonly<KubeObject>): Readiness {
  const late = read(object, ["status", "observedGeneration"]) === undefined ? undefined : observed(object);
  if (late !== undefined) return late;
  return condition(object, "Ready") === undefined || needsCondition(object, "Ready");
}

/** The status says nothing about a generation that the controller has not observed. */
function observed(object: DeepReadonly<KubeObject>): string | undefined {
  const { generation } = object.metadata;
  const seen = number(object, ["status", "observedGeneration"], 0);
  return generation === undefined || seen >= generation ? undefined : `its controller has observed generation ${seen} of ${generation}`;
}

function counted(object: DeepReadonly<KubeObject>, field: string, wanted: number, word: string): Readiness {
  const have = number(object, ["status", field], 0);
  return have >= wanted || `${have} of ${wanted} ${word}`;
}

function phaseIs(object: DeepReadonly<KubeObject>, phases: readonly string[]): Readiness {
  const phase = text(object, ["status", "phase"]);
  return phases.includes(phase) || `is ${phase || "without a phase"}`;
}

const needsCondition = (object: DeepReadonly<KubeObject>, type: string): Readiness =>
  conditionIs(object, type, "True") || `is not ${type}${conditionWords(object, type) === "" ? "" : `: ${conditionWords(object, type)}`}`;
const conditionIs = (object: DeepReadonly<KubeObject>, type: string, status: string): boolean => condition(object, type)?.status === status;

function conditionWords(object: DeepReadonly<KubeObject>, type: string): string {
  const { reason = "", message = "" } = condition(object, type) ?? {};
  return [reason, message].filter((part) => typeof part === "string" && part !== "").join(", ");
}

function condition(object: DeepReadonly<KubeObject>, sought: string): Condition | undefined {
  return list(object, ["status", "conditions"]).find(
    (entry): entry is Condition => typeof entry === "object" && entry !== null && "type" in entry && entry.type === sought,
  );
}

function list(object: DeepReadonly<KubeObject>, path: readonly string[]): readonly unknown[] {
  const value = read(object, path);
  return Array.isArray(value) ? value : [];
}

function text(object: DeepReadonly<KubeObject>, path: readonly string[]): string {
  const value = read(object, path);
  return typeof value === "string" ? value : "";
}

function number(object: DeepReadonly<KubeObject>, path: readonly string[], otherwise: number): number {
  const value = read(object, path);
  return typeof value === "number" || typeof value === "bigint" ? Number(value) : otherwise;
}

/** Reads a field of an object of unknown shape. */
function read(object: DeepReadonly<KubeObject>, path: readonly string[]): unknown {
  let value: unknown = object;
  for (const name of path) value = isMap(value) ? getOwn(value, name) : undefined;
  return value;
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
