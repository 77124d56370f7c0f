/**
 * Writes the result of type checking into the status of ValidatingAdmissionPolicies. The API server checks the types: it has the
 * schemas and the CEL engine.
 *
 *     a policy with a new generation → checkTypes → status.typeChecking, status.observedGeneration
 */
import { ValidatingAdmissionPolicy } from "@drover/api/admissionregistration/v1";
import type { ExpressionWarning } from "@drover/api/admissionregistration/v1";
import { done, kindSource, needOf } from "@drover/controller";
import type { ReconcileContext, Result } from "@drover/controller";
import type { DeepReadonly } from "@drover/machinery";
import type { ControllerContext, ControllerDescriptor } from "../host/controller-descriptor.ts";
import { controllerSettings } from "../host/controller-settings.ts";
import { sharedInformer } from "../host/shared-informer.ts";

const name = "validatingadmissionpolicy-status-controller";
/** Same name as kube-controller-manager's, so that either can take over from the other. */
const fieldManager = "validatingadmissionpolicy-status";

/** Returns a warning per expression that does not fit the kinds of a policy. */
export type CheckPolicyTypes = (policy: DeepReadonly<ValidatingAdmissionPolicy>) => readonly ExpressionWarning[];

/** Creates kube-controller-manager's "validatingadmissionpolicy-status-controller" on this check. */
export function policyStatusController(checkTypes: CheckPolicyTypes): ControllerDescriptor {
  return { name, aliases: ["validatingadmissionpolicy-status"], add: (context) => addPolicyStatus(context, checkTypes) };
}

function addPolicyStatus(context: ControllerContext, checkTypes: CheckPolicyTypes): void {
  const {
    manager,
    manager: { cluster },
  } = context;
  const policies = sharedInformer(cluster, ValidatingAdmissionPolicy);
  const controller = manager.controller({
    ...controllerSettings(context, name, { workers: 1 }),
    writes: [needOf(ValidatingAdmissionPolicy, ["patch"], { subresource: "status" })],
    reconcile: (run) => writeStatus(run, policies.get(run.key), checkTypes),
  });
  controller.watch(kindSource(ValidatingAdmissionPolicy, { cluster, writers: false }));
}

/** Checks a policy that has changed since the last check. */
export async function writeStatus(
  { client }: Pick<ReconcileContext, "client">,
  policy: DeepReadonly<ValidatingAdmissionPolicy> | undefined,
  checkTypes: CheckPolicyTypes,
): Promise<Result> {
  if (policy === undefined) return done;
  const { metadata, status } = policy;
  const { generation = 0 } = metadata;
  if (generation <= (status?.observedGeneration ?? 0)) return done;
  const expressionWarnings = [...checkTypes(policy)];
  await client.resource(ValidatingAdmissionPolicy).status.apply(
    {
      metadata: { name: metadata.name ?? "" },
      status: { observedGeneration: generation, typeChecking: expressionWarnings.length === 0 ? {} : { expressionWarnings } },
    },
    { fieldManager, force: true },
  );
  return done;
}
