/** Removes an object whose update dropped its last finalizer. */
import type { JsonObject } from "@drover/machinery";
import type { Answer } from "../negotiation/answer.ts";
import type { Backend, RequestContext } from "../request/request-context.ts";
import type { Stored } from "../storage/store.ts";
import { unstoredAnswer } from "./object-answer.ts";
import { asKubeObject } from "./validation.ts";

export interface LastChange {
  readonly key: string;
  readonly stored: Stored;
  /** The object as the update would have stored it. */
  readonly object: JsonObject;
  readonly dryRun: boolean;
}

/** Deletes instead of storing and answers with the updated object; undefined when another write came first. */
export async function finishDeletion(
  backend: Backend,
  { resource, request: { pause } }: RequestContext,
  { key, stored, object, dryRun }: LastChange,
): Promise<Answer | undefined> {
  if (!dryRun) {
    if ((await backend.objects.delete(key, stored.modRevision)) === undefined) return undefined;
    await resource.strategy.afterDelete?.(asKubeObject(object));
    await resource.afterWrite?.(pause);
  }
  return unstoredAnswer(resource, 200, object);
}
