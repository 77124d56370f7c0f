/**
 * Derives the permissions of an operator from its declarations: for the check at start, and as RBAC roles.
 *
 *     OperatorPlan → controllerNeeds, eventNeeds → permission check at start, printOperatorRoles
 */
import { eventNeed, leaseCandidateNeed, leaseNeed, needOf, printRoles, shardsNeed, webhookNeeds } from "@drover/controller";
import type { PermissionNeed } from "@drover/controller";
import type { Kind } from "@drover/machinery";
import type { DeclaredController } from "./declared-controller.ts";
import { optionalKinds } from "./declared-optional.ts";
import { isResource, watchedKinds } from "./operator-plan.ts";
import { writesConditions } from "./status-step.ts";
import type { OperatorPlan } from "./operator-plan.ts";
import { hasWebhooks, operatorWebhooks } from "./operator-webhooks.ts";

/** Options for generated roles. */
export interface OperatorRolesOptions {
  /** Namespace of the service account and the lease. @default "default" */
  readonly namespace?: string;
  /** Name of the service account. @default the name of the operator */
  readonly serviceAccount?: string;
  /** The operator watches only these namespaces, so Roles suffice for namespaced kinds. @default all */
  readonly watchNamespaces?: readonly string[];
  /**
   * Whether to include permissions for leader election; "coordinated" adds those for LeaseCandidates. @default true, unless `shards` is set
   */
  readonly leaderElection?: boolean | "coordinated";
  /** Whether to include permissions for shards. @default false */
  readonly shards?: boolean;
  /** Whether to include permissions to install the CRDs of its resources. @default true */
  readonly install?: boolean;
  /**
   * What the operator does about its webhooks: "apply" registers them, "inject" only adds CA certificates to registrations that an admin
   * has made, "off" neither, false serves none. @default "apply"
   */
  readonly webhooks?: "apply" | "inject" | "off" | false;
}

/** Prints all roles and bindings for a service account. */
export function printOperatorRoles(plan: OperatorPlan, options: OperatorRolesOptions): string {
  const {
    namespace = "default",
    serviceAccount = plan.name,
    watchNamespaces,
    shards = false,
    leaderElection = !shards,
    install = true,
    webhooks: registration = "apply",
  } = options;
  const kinds = watchedKinds(plan);
  const needs = [
    ...kinds.flatMap((kind) => inNamespaces(kind, watchNamespaces, [needOf(kind, ["get", "list", "watch"])])),
    ...plan.controllers.flatMap((controller) => controllerNeeds(controller, watchNamespaces)),
    ...eventNeeds(plan, watchNamespaces),
    ...(leaderElection === false ? [] : [leaseNeed(namespace)]),
    ...(leaderElection === "coordinated" ? [leaseCandidateNeed(namespace)] : []),
    ...(shards ? [shardsNeed(namespace)] : []),
    ...(install && kinds.some(isResource) ? [definitionNeed] : []),
    ...(optionalKinds(plan).length > 0 ? [definitionReadNeed] : []),
    ...servingNeeds(plan, { namespace, registration }),
  ];
  return printRoles(needs, { name: plan.name, subject: { kind: "ServiceAccount", name: serviceAccount, namespace } });
}

/** Needs of webhooks and policies; none if none are declared. */
function servingNeeds(
  plan: OperatorPlan,
  { namespace, registration }: { readonly namespace: string; readonly registration: "apply" | "inject" | "off" | false },
): readonly PermissionNeed[] {
  const webhooks = operatorWebhooks(plan);
  if (registration === false || !hasWebhooks(webhooks)) return [];
  const declared = [
    ...watchedKinds(plan).flatMap((kind) => (isResource(kind) ? (kind.admission?.options.needs ?? []) : [])),
    ...plan.admissions.flatMap(({ declaration: { needs = [] } }) => needs),
  ];
  return [...declared, ...webhookNeeds(webhooks, { namespace, name: plan.name, registration })];
}

const definitionNeed: PermissionNeed = {
  group: "apiextensions.k8s.io",
  resource: "customresourcedefinitions",
  verbs: ["create", "get", "list", "patch", "watch"],
};

/** To see whether optional kinds are served, and in which versions. */
const definitionReadNeed: PermissionNeed = { ...definitionNeed, verbs: ["get", "list", "watch"] };

/** Events are in the namespace of their object; those about cluster-scoped objects may be in any. */
export function eventNeeds({ controllers }: OperatorPlan, namespaces: readonly string[] | undefined): readonly PermissionNeed[] {
  const isEverywhere = namespaces === undefined || controllers.some(({ kind }) => kind.scope === "Cluster");
  return isEverywhere ? [eventNeed] : namespaces.map((namespace) => ({ ...eventNeed, namespace }));
}

/** Permissions for the writes of one controller. Sources report what they watch themselves. */
export function controllerNeeds(
  { kind, slots, optional, finalizer, declaration: { desired, status, needs = [] } }: DeclaredController,
  namespaces: readonly string[] | undefined,
): readonly PermissionNeed[] {
  const own = [
    // Finalizer and inventory are patched into the object.
    ...(finalizer === undefined && desired === undefined ? [] : [needOf(kind, ["patch"])]),
    // Where the server checks it, an owner reference with blockOwnerDeletion requires update on the owner's finalizers.
    ...(desired === undefined ? [] : [needOf(kind, ["update"], { subresource: "finalizers" })]),
    ...(status === undefined && !writesConditions(kind)
      ? []
      : [needOf(kind, ["get"]), needOf(kind, ["update"], { subresource: "status" })]),
  ];
  const owned =
    desired === undefined
      ? []
      : slots.flatMap((slot) => inNamespaces(slot.kind, namespaces, [needOf(slot.kind, ["create", "delete", "get", "list", "patch"])]));
  return [...inNamespaces(kind, namespaces, own), ...owned, ...(optional.length > 0 ? [definitionReadNeed] : []), ...needs];
}

/** Repeats the needs for each watched namespace. */
function inNamespaces(
  { scope }: Kind,
  namespaces: readonly string[] | undefined,
  needs: readonly PermissionNeed[],
): readonly PermissionNeed[] {
  return namespaces === undefined || scope === "Cluster"
    ? needs
    : namespaces.flatMap((namespace) => needs.map((need) => ({ ...need, namespace })));
}
