/**
 * What an operator must be allowed to do, from what it declares: for the check before the start, and as roles to be granted.
 *
 *     OperatorPlan → controllerNeeds, eventNeeds → permission check at start, printOperatorRoles
 */
import { eventNeed, leaseNeed, needOf, printRoles } from "@drover/controller";
import type { PermissionNeed } from "@drover/controller";
import type { Kind } from "@drover/machinery";
import type { Resource } from "../resource/resource.ts";
import type { DeclaredController } from "./declared-controller.ts";
import { watchedKinds } from "./operator-plan.ts";
import type { OperatorPlan } from "./operator-plan.ts";

/** For whom roles are written. */
export interface OperatorRolesOptions {
  /** Where the service account and the lease are. @default "default" */
  readonly namespace?: string;
  /** @default the name of the operator */
  readonly serviceAccount?: string;
  /** Only these namespaces are watched, so that roles do for kinds that have namespaces. @default all */
  readonly watchNamespaces?: readonly string[];
  /** Whether it may stand for the lease. @default true */
  readonly leaderElection?: boolean;
  /** Whether it may install the definitions of its resources. @default true */
  readonly install?: boolean;
}

/** Everything, for a service account. */
export function printOperatorRoles(plan: OperatorPlan, options: OperatorRolesOptions): string {
  const { namespace = "default", serviceAccount = plan.name, watchNamespaces, leaderElection = true, install = true } = options;
  const kinds = watchedKinds(plan);
  const needs = [
    ...kinds.flatMap((kind) => inNamespaces(kind, watchNamespaces, [needOf(kind, ["get", "list", "watch"])])),
    ...plan.controllers.flatMap((controller) => controllerNeeds(controller, watchNamespaces)),
    ...eventNeeds(plan, watchNamespaces),
    ...(leaderElection ? [leaseNeed(namespace)] : []),
    ...(install && kinds.some(isResource) ? [definitionNeed] : []),
  ];
  return printRoles(needs, { name: plan.name, subject: { kind: "ServiceAccount", name: serviceAccount, namespace } });
}

const definitionNeed: PermissionNeed = {
  group: "apiextensions.k8s.io",
  resource: "customresourcedefinitions",
  verbs: ["create", "get", "list", "patch", "watch"],
};

/** Events are where the objects are that they are about; those about objects without a namespace may be anywhere. */
export function eventNeeds({ controllers }: OperatorPlan, namespaces: readonly string[] | undefined): readonly PermissionNeed[] {
  const isEverywhere = namespaces === undefined || controllers.some(({ kind }) => kind.scope === "Cluster");
  return isEverywhere ? [eventNeed] : namespaces.map((namespace) => ({ ...eventNeed, namespace }));
}

/**
 * Whether it comes from `defineResource`, and so is ours to install. What `kindFromCrd` made is somebody else's: it
 * knows no references.
 */
export const isResource = (kind: Kind): kind is Resource =>
  typeof (kind as Partial<Resource>).definition === "function" && (kind as Partial<Resource>).references !== undefined;

/** What the runs of one controller write; what it watches its sources say themselves. */
export function controllerNeeds(
  { kind, slots, finalizer, declaration: { desired, status, needs = [] } }: DeclaredController,
  namespaces: readonly string[] | undefined,
): readonly PermissionNeed[] {
  const own = [
    // The finalizer, and the inventory of the set, are patched into the object.
    ...(finalizer === undefined && desired === undefined ? [] : [needOf(kind, ["patch"])]),
    // An owner that blocks its deletion may only be named by who may finalize it, where the server checks that.
    ...(desired === undefined ? [] : [needOf(kind, ["update"], { subresource: "finalizers" })]),
    ...(status === undefined ? [] : [needOf(kind, ["get"]), needOf(kind, ["update"], { subresource: "status" })]),
  ];
  const owned =
    desired === undefined
      ? []
      : slots.flatMap((slot) => inNamespaces(slot.kind, namespaces, [needOf(slot.kind, ["create", "delete", "get", "list", "patch"])]));
  return [...inNamespaces(kind, namespaces, own), ...owned, ...needs];
}

/** The same for each namespace that is watched. */
function inNamespaces(
  { scope }: Kind,
  namespaces: readonly string[] | undefined,
  needs: readonly PermissionNeed[],
): readonly PermissionNeed[] {
  return namespaces === undefined || scope === "Cluster"
    ? needs
    : namespaces.flatMap((namespace) => needs.map((need) => ({ ...need, namespace })));
}
