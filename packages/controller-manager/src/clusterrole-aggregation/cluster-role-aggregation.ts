/**
 * Keeps the rules of aggregated ClusterRoles equal to those of the roles that their selectors match.
 *
 *     every change of a ClusterRole → all aggregated roles → aggregatedRules → applied if they differ
 */
import { ClusterRole } from "@drover/api/rbac/v1";
import type { InformerView } from "@drover/cache";
import { done, kindSource, mappedHandler, needOf } from "@drover/controller";
import type { ReconcileContext, Result } from "@drover/controller";
import { objectKey } from "@drover/machinery";
import type { ControllerContext, ControllerDescriptor } from "../host/controller-descriptor.ts";
import { controllerSettings } from "../host/controller-settings.ts";
import { sharedInformer } from "../host/shared-informer.ts";
import { aggregatedRules, isAggregated, isSameRules } from "./aggregated-rules.ts";

const name = "clusterrole-aggregation-controller";
const byAggregation = "aggregated roles";

/** kube-controller-manager's "clusterrole-aggregation-controller". */
export const clusterRoleAggregationController: ControllerDescriptor = {
  name,
  aliases: ["clusterrole-aggregation"],
  add: addClusterRoleAggregation,
};

function addClusterRoleAggregation(context: ControllerContext): void {
  const {
    manager,
    manager: { cluster },
  } = context;
  const roles = sharedInformer(cluster, ClusterRole);
  // Aggregated roles are few among many: each change asks for all of them.
  roles.addIndexers({ [byAggregation]: ({ object }) => (isAggregated(object) ? [""] : []) });
  const controller = manager.controller({
    ...controllerSettings(context, name),
    writes: [needOf(ClusterRole, ["patch"])],
    reconcile: (run) => aggregate(run, roles),
  });
  controller.watch(
    kindSource(ClusterRole, {
      cluster,
      writers: false,
      handler: mappedHandler(() => roles.byIndex(byAggregation, "").map(({ metadata }) => objectKey(metadata.name ?? ""))),
    }),
  );
}

/** Takes the rules over from whoever else has set them. */
export async function aggregate(
  { key, client }: Pick<ReconcileContext, "key" | "client">,
  roles: Pick<InformerView<ClusterRole>, "get" | "list">,
): Promise<Result> {
  const role = roles.get(key);
  if (role === undefined || !isAggregated(role)) return done;
  const rules = aggregatedRules(role, roles.list());
  if (isSameRules(rules, role.rules)) return done;
  await client.apply(
    ClusterRole,
    { metadata: { name: role.metadata.name ?? "" }, ...(rules.length === 0 ? {} : { rules }) },
    { fieldManager: name, force: true },
  );
  return done;
}
