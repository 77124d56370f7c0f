/**
 * Pods made and deleted for an owner, who is told of it by events.
 *
 *     template, owner → podFromTemplate → createPod → SuccessfulCreate or FailedCreate on the owner
 */
import { Pod } from "@drover/api/core/v1";
import type { PodTemplateSpec } from "@drover/api/core/v1";
import type { Client } from "@drover/client";
import type { EventRecorder } from "@drover/controller";
import { checkSubdomainName, deepCopy, definedOnly, errorText, hasStatusCause, isNotFound } from "@drover/machinery";
import type { DeepReadonly, KubeObject, OwnerReference } from "@drover/machinery";

/** Where pods are made, and who is told. */
export interface PodControl {
  readonly client: Client;
  readonly events: EventRecorder;
  /** That of the run: what fails because the run is over is told to nobody. */
  readonly signal: AbortSignal;
}

/** An owner that has pods. Of an object from a cache or a client all is there. */
export type PodOwner = DeepReadonly<KubeObject>;

/** Whether a refusal means that the namespace is going away, so that nothing can be created in it any more. */
export function isNamespaceTerminating(error: unknown): boolean {
  return hasStatusCause(error, "NamespaceTerminating");
}

/** What is not in the template. */
export interface CreatePodOptions {
  /** What the pod's name begins with. @default the owner's name and a dash */
  readonly generateName?: string;
}

/**
 * The pod a template asks for. Throws for a template without labels, whose pod would match no selector, and for a
 * reference that does not make its owner the controller.
 */
export function podFromTemplate(
  template: DeepReadonly<PodTemplateSpec>,
  owner: PodOwner,
  controllerRef: OwnerReference,
  { generateName = podNamePrefix(owner.metadata.name ?? "") }: CreatePodOptions = {},
): Pod {
  checkControllerRef(controllerRef);
  const { labels = {}, annotations, finalizers } = template.metadata ?? {};
  if (Object.keys(labels).length === 0) throw new Error("unable to create pods, no labels");
  return deepCopy({
    metadata: {
      generateName,
      labels,
      ownerReferences: [controllerRef],
      ...definedOnly({ annotations, finalizers }),
    },
    ...definedOnly({ spec: template.spec }),
  });
}

/** Creates a pod of the template in the owner's namespace. Rejects as the server refuses, when the owner has been told. */
export async function createPod(
  template: DeepReadonly<PodTemplateSpec>,
  owner: PodOwner,
  controllerRef: OwnerReference,
  { client, events, signal }: PodControl,
  options: CreatePodOptions = {},
): Promise<Pod> {
  const pod = podFromTemplate(template, owner, controllerRef, options);
  try {
    const created = await client.create(Pod, pod, { namespace: owner.metadata.namespace ?? "" });
    events.eventf({
      regarding: owner,
      related: created,
      type: "Normal",
      reason: "SuccessfulCreate",
      action: "CreatePod",
      note: `Created pod: ${created.metadata.name}`,
    });
    return created;
  } catch (error) {
    if (!signal.aborted && !isNamespaceTerminating(error))
      events.eventf({
        regarding: owner,
        type: "Warning",
        reason: "FailedCreate",
        action: "CreatePod",
        note: `Error creating: ${errorText(error)}`,
      });
    throw error;
  }
}

/**
 * Deletes a pod of the owner. Rejects as the server refuses, when the owner has been told; of a pod that is gone
 * already nobody is told.
 */
export async function deletePod(name: string, owner: PodOwner, { client, events, signal }: PodControl): Promise<void> {
  try {
    await client.delete(Pod, name, { namespace: owner.metadata.namespace ?? "" });
  } catch (error) {
    if (!signal.aborted && !isNotFound(error))
      events.eventf({
        regarding: owner,
        type: "Warning",
        reason: "FailedDelete",
        action: "DeletePod",
        note: `Error deleting: ${errorText(error)}`,
      });
    throw error;
  }
  events.eventf({ regarding: owner, type: "Normal", reason: "SuccessfulDelete", action: "DeletePod", note: `Deleted pod: ${name}` });
}

function checkControllerRef({ apiVersion, kind, controller, blockOwnerDeletion }: OwnerReference): void {
  if (apiVersion === "") throw new Error("controllerRef has empty APIVersion");
  if (kind === "") throw new Error("controllerRef has empty Kind");
  if (controller !== true) throw new Error("controllerRef.Controller is not set to true");
  if (blockOwnerDeletion !== true) throw new Error("controllerRef.BlockOwnerDeletion is not set");
}

/** The dash makes names easier to read, where they can begin so. */
function podNamePrefix(owner: string): string {
  return checkSubdomainName(`${owner}-`, { prefix: true }).length === 0 ? `${owner}-` : owner;
}
