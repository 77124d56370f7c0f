/**
 * PodSecurity: holds pods to the Pod Security Standards that the labels of their namespace choose.
 *
 *     labels of the namespace → PodPolicy → enforce: a 403 · audit: an annotation · warn: a warning
 *
 * Workloads with a template are never refused, only warned about. New labels of a namespace that its pods violate give warnings.
 */
import { Namespace, Pod } from "@drover/api/core/v1";
import { jsonEqual, newForbidden, newInternalError, newInvalid, printFieldErrors, quoteGo } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import { prefixOf } from "../../registry/object-store.ts";
import type { ObjectStore } from "../../registry/object-store.ts";
import type { Resource } from "../../registry/resource.ts";
import { StatusError } from "../../status-error.ts";
import { typedObject } from "../../typed-object.ts";
import type { AdmissionPlugin, AdmissionRequest } from "../admission.ts";
import type { KeptObjects } from "../kept-objects.ts";
import { violationsOf, violationText } from "./evaluate-pod.ts";
import type { EvaluationMetrics } from "./evaluation-metrics.ts";
import { existingPodWarnings } from "./existing-pods.ts";
import type { ExistingPods } from "./existing-pods.ts";
import type { CheckedPod, Violation } from "./pod-check.ts";
import { compareLevels, isOpen, isSameLevelVersion, labelPrefix, policyOfLabels, printLevelVersion } from "./pod-policy.ts";
import type { LevelVersion, PodPolicy } from "./pod-policy.ts";
import { checkedPod, templateAt, templatePathOf } from "./pod-template.ts";

/** What PodSecurity uses of the server. */
export interface PodSecurityServices {
  readonly objects: ObjectStore;
  /** The resource of pods. */
  readonly pods: Resource;
  /** The policy of every namespace. */
  readonly policies: KeptObjects<PodPolicy>;
  readonly metrics: EvaluationMetrics;
  readonly clock: ExistingPods["clock"];
}

/** Subresources that do not change what a pod may do. */
const ignored: ReadonlySet<string> = new Set(["exec", "attach", "binding", "eviction", "log", "portforward", "proxy", "status"]);

export function podSecurity(services: PodSecurityServices): AdmissionPlugin {
  const { policies } = services;
  return {
    name: "PodSecurity",
    validate: (request) => {
      const {
        operation,
        resource: { kind },
        subresource,
        namespace,
      } = request;
      if (operation !== "CREATE" && operation !== "UPDATE") return undefined;
      if (kind.group === "" && kind.plural === "pods")
        return ignored.has(subresource) ? undefined : policies.use((all) => checkPod(services, request, all.get(namespace)));
      if (subresource !== "") return undefined;
      if (kind.group === "" && kind.plural === "namespaces") return checkNamespace(services, request);
      const path = templatePathOf(kind);
      return path === undefined ? undefined : policies.use((all) => checkTemplate(services, request, path, all.get(namespace)));
    },
  };
}

function checkPod({ metrics }: PodSecurityServices, request: AdmissionRequest, policy: PodPolicy | undefined): void {
  const { object, old, operation, namespace } = request;
  if (policy === undefined) {
    metrics.countError(request, { fatal: true });
    const status = newInternalError(`failed to lookup namespace ${quoteGo(namespace)}`);
    request.annotate(`${labelPrefix}error`, `${status.message ?? ""}: namespaces ${quoteGo(namespace)} not found`);
    throw new StatusError(status);
  }
  if (isOpen(policy)) {
    metrics.countOpen(request);
    request.annotate(`${labelPrefix}enforce-policy`, "privileged:latest");
    return;
  }
  if (object === undefined) return;
  const pod = typedObject(Pod, object);
  if (operation === "UPDATE" && old !== undefined && hasSameImages(pod, typedObject(Pod, old))) return;
  evaluate(metrics, request, policy, checkedPod(pod), { enforces: true });
}

function checkTemplate(
  { metrics }: PodSecurityServices,
  request: AdmissionRequest,
  path: readonly string[],
  policy: PodPolicy | undefined,
): void {
  const { object, namespace } = request;
  if (policy === undefined) {
    metrics.countError(request, { fatal: true });
    request.annotate(`${labelPrefix}error`, `failed to lookup namespace ${quoteGo(namespace)}: namespaces ${quoteGo(namespace)} not found`);
    return;
  }
  const { warn, audit, errors } = policy;
  if (errors.length === 0 && warn.level === "privileged" && audit.level === "privileged") return;
  const template = object === undefined ? undefined : templateAt(object, path);
  if (template !== undefined) evaluate(metrics, request, policy, template, { enforces: false });
}

/** Throws the 403 of a pod that violates what is enforced. */
function evaluate(
  metrics: EvaluationMetrics,
  request: AdmissionRequest,
  { enforce, audit, warn, errors }: PodPolicy,
  pod: CheckedPod,
  { enforces }: { readonly enforces: boolean },
): void {
  const { group, plural } = request.resource.kind;
  if (errors.length > 0) {
    metrics.countError(request, { fatal: false });
    request.annotate(`${labelPrefix}error`, `Failed to parse policy: ${printFieldErrors(errors)}`);
  }
  const known = new Map<string, readonly Violation[]>();
  const violations = (wanted: LevelVersion): readonly Violation[] => {
    const key = printLevelVersion(wanted);
    const found = known.get(key) ?? violationsOf(wanted, pod);
    known.set(key, found);
    return found;
  };
  const text = (wanted: LevelVersion): string => `PodSecurity ${quoteGo(printLevelVersion(wanted))}: ${violationText(violations(wanted))}`;
  const isRefused = enforces && violations(enforce).length > 0;
  if (enforces) {
    request.annotate(`${labelPrefix}enforce-policy`, printLevelVersion(enforce));
    metrics.countEvaluation(request, isRefused ? "deny" : "allow", enforce, "enforce");
  }
  if (violations(audit).length > 0) {
    request.annotate(`${labelPrefix}audit-violations`, `would violate ${text(audit)}`);
    metrics.countEvaluation(request, "deny", audit, "audit");
  }
  if (isRefused) throw new StatusError(newForbidden({ group, resource: plural }, request.name, `violates ${text(enforce)}`));
  if (violations(warn).length === 0) return;
  request.warn(`would violate ${text(warn)}`);
  metrics.countEvaluation(request, "deny", warn, "warn");
}

/** An update that adds no container and changes no image was checked before. */
function hasSameImages({ spec: now }: DeepReadonly<Pod>, { spec: before }: DeepReadonly<Pod>): boolean {
  const isSame = (field: "containers" | "initContainers"): boolean => {
    const [all, old] = [now?.[field] ?? [], before?.[field] ?? []];
    return all.length === old.length && all.every(({ image = "" }, index) => image === (old[index]?.image ?? ""));
  };
  const ephemeral = before?.ephemeralContainers ?? [];
  return (
    isSame("containers") &&
    isSame("initContainers") &&
    (now?.ephemeralContainers ?? []).every(({ name, image = "" }) => {
      const old = ephemeral.find((each) => each.name === name);
      return old !== undefined && image === (old.image ?? "");
    })
  );
}

/** Throws the 422 of invalid labels; warns if pods violate new ones. */
function checkNamespace(services: PodSecurityServices, request: AdmissionRequest): Promise<void> | undefined {
  const { operation, object, old, name } = request;
  if (object === undefined) return undefined;
  const { enforce, errors } = policyOfLabels(typedObject(Namespace, object).metadata.labels);
  const before = operation === "UPDATE" && old !== undefined ? policyOfLabels(typedObject(Namespace, old).metadata.labels) : undefined;
  if (errors.length > 0 && (before === undefined || before.errors.length === 0 || !jsonEqual(errors, before.errors)))
    throw new StatusError(newInvalid({ group: "", kind: "Namespace" }, name, errors));
  if (before === undefined || enforce.level === "privileged" || isSameLevelVersion(enforce, before.enforce)) return undefined;
  if (enforce.version === before.enforce.version && compareLevels(enforce.level, before.enforce.level) <= 0) return undefined;
  return warnAboutPods(services, request, enforce);
}

async function warnAboutPods(
  { objects, pods, clock }: PodSecurityServices,
  request: AdmissionRequest,
  enforce: LevelVersion,
): Promise<void> {
  const { items } = await objects.store.list(prefixOf(pods, request.name));
  const views = objects.views(pods);
  const found = items.map((stored) => typedObject(Pod, views.object(stored)));
  for (const warning of existingPodWarnings(enforce, { namespace: request.name, pods: found, clock })) request.warn(warning);
}
