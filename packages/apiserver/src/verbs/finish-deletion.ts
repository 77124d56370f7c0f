/** The end of an object whose last finalizer goes. */
import type { JsonObject } from "@drover/machinery";
import type { Answer } from "../negotiation/answer.ts";
import type { Backend, RequestContext } from "../request/request-context.ts";
import type { Stored } from "../storage/store.ts";
import { unstoredAnswer } from "./object-answer.ts";
import { asKubeObject } from "./validation.ts";

export interface LastChange {
  readonly key: string;
  readonly stored: Stored;
  /** The object as it would have been stored. */
  readonly object: JsonObject;
  readonly dryRun: boolean;
}

/** Deletes instead of storing, and answers with the object the client asked for; undefined when somebody was faster. */
export async function finishDeletion(
  backend: Backend,
  { resource }: RequestContext,
  { key, stored, object, dryRun }: LastChange,
): Promise<Answer | undefined> {
  if (!dryRun) {
    if ((await backend.objects.delete(key, stored.modRevision)) === undefined) return undefined;
    resource.strategy.afterDelete?.(asKubeObject(object));
    await resource.afterWrite?.();
  }
  return unstoredAnswer(resource, 200, object);
}
