/**
 * Creates and deletes pods for an owner and records events on it.
 *
 *     template, owner → podFromTemplate → createPod → SuccessfulCreate or FailedCreate on the owner
 */
import { Pod } from "@drover/api/core/v1";
import type { PodTemplateSpec } from "@drover/api/core/v1";
import type { Client } from "@drover/client";
import type { EventRecorder } from "@drover/controller";
import { checkSubdomainName, deepCopy, definedOnly, errorText, findApiError, hasStatusCause, isNotFound } from "@drover/machinery";
import type { DeepReadonly, KubeObject, OwnerReference } from "@drover/machinery";

/** Client and event recorder of a run. */
export interface PodControl {
  readonly client: Client;
  readonly events: EventRecorder;
  /** Signal of the run. A failure after the run ended is not recorded. */
  readonly signal: AbortSignal;
}

/** An owner of pods, as a cache or a client returns it. */
export type PodOwner = DeepReadonly<KubeObject>;

/** Whether the error means that the namespace is terminating, so that nothing can be created in it. */
export function isNamespaceTerminating(error: unknown): boolean {
  return hasStatusCause(error, "NamespaceTerminating");
}

/** Whether the server refused the request. After any other error, such as a lost connection or a 504, it may have been carried out. */
export function isRefusal(error: unknown): boolean {
  const { code = 0 } = findApiError(error) ?? {};
  return code >= 400 && code < 500;
}

/** What the template does not contain. */
export interface CreatePodOptions {
  /** Prefix of the pod's name. @default the owner's name and a dash */
  readonly generateName?: string;
}

/**
 * Builds the pod of a template. Throws for a template without labels, whose pod would match no selector, and for a reference that
 * is not a controller reference.
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

/** Creates a pod of the template in the owner's namespace. Records an event, and rejects with the server's error. */
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

/** Deletes a pod of the owner. Records an event, except for a pod that is already gone, and rejects with the server's error. */
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

/** The dash makes names easier to read; left out where it would make the prefix invalid. */
function podNamePrefix(owner: string): string {
  return checkSubdomainName(`${owner}-`, { prefix: true }).length === 0 ? `${owner}-` : owner;
}
