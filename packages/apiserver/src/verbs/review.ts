/** POST of a review, which is answered and never stored. */
import { answerReview } from "../access/reviews.ts";
import type { ReviewKind } from "../access/reviews.ts";
import type { Authenticator } from "../access/authenticator.ts";
import type { Authorizer } from "../access/authorizer.ts";
import type { Answer } from "../negotiation/answer.ts";
import type { Backend, RequestContext } from "../request/request-context.ts";
import { admitCreation } from "./admit-creation.ts";
import { namespaceOf, settleNamespace } from "./names.ts";
import { recordCreate, wipeSystemMetadata } from "./prepare-create.ts";
import { readObject } from "./read-object.ts";
import { createOptions } from "./write-options.ts";

export interface Access {
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
  /** Audiences of this server's tokens. */
  readonly audiences: readonly string[];
}

export async function createReview(
  backend: Backend,
  context: RequestContext,
  kind: ReviewKind,
  { authenticator, authorizer, audiences }: Access,
): Promise<Answer> {
  const { user, now } = context;
  const { fieldValidation, fieldManager, dryRun } = createOptions(context);
  const sent = await readObject(backend, context, fieldValidation);
  wipeSystemMetadata(sent);
  settleNamespace(context, sent);
  const body = recordCreate(backend, context, sent, fieldManager);
  const validate = await admitCreation(backend, context, { object: body, name: "", dryRun });
  await validate();
  return {
    kind: "value",
    code: 201,
    value: await answerReview(kind, body, { user, namespace: namespaceOf(context), authorizer, authenticator, audiences, now }),
  };
}
