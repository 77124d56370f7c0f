/** Answers that consist of one object. */
import { encodeJson } from "@drover/machinery";
import type { JsonObject } from "@drover/machinery";
import { objectMessage } from "../codec/object-message.ts";
import type { Resource } from "../registry/resource.ts";
import type { Answer } from "../negotiation/answer.ts";
import type { Backend } from "../request/request-context.ts";
import type { Stored } from "../storage/store.ts";

/** Answers with a stored object. */
export function objectAnswer({ objects }: Backend, resource: Resource, code: number, stored: Stored): Answer {
  const views = objects.views(resource);
  return {
    kind: "object",
    code,
    resource,
    body: { text: () => views.text(stored), object: () => views.object(stored), message: () => views.message(stored) },
  };
}

/** Answers with an object that is not stored, or no longer. */
export function unstoredAnswer(resource: Resource, code: number, object: JsonObject): Answer {
  return {
    kind: "object",
    code,
    resource,
    body: { text: () => encodeJson(object), object: () => object, message: () => objectMessage(object) },
  };
}
