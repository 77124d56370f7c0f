/** Dispatches a request for a resource to its verb. */
import type { Verb } from "@drover/machinery";
import { isReviewKind } from "../access/reviews.ts";
import type { ServiceAccountTokens } from "../access/service-account-tokens.ts";
import type { Answer } from "../negotiation/answer.ts";
import type { Backend, RequestContext } from "../request/request-context.ts";
import { createBinding } from "./binding.ts";
import { createObject } from "./create-object.ts";
import { deleteCollection } from "./delete-collection.ts";
import { deleteObject } from "./delete-object.ts";
import { createEviction } from "./eviction.ts";
import { getObject } from "./get-object.ts";
import { listObjects } from "./list-objects.ts";
import { patchObject } from "./patch-object.ts";
import { answerStream } from "./pod-streams.ts";
import type { PodStreams } from "./pod-streams.ts";
import { putObject } from "./put-object.ts";
import { createReview } from "./review.ts";
import type { Access } from "./review.ts";
import { getScale, patchScale, putScale } from "./scale-verbs.ts";
import { requestToken } from "./token-request.ts";
import { watchObjects } from "./watch-objects.ts";

type Serve = (backend: Backend, context: RequestContext) => Promise<Answer> | Answer;

const verbs: Readonly<Record<Verb, Serve>> = {
  create: createObject,
  delete: deleteObject,
  deletecollection: deleteCollection,
  get: getObject,
  list: listObjects,
  patch: patchObject,
  update: putObject,
  watch: watchObjects,
};

const scaleVerbs: Readonly<Partial<Record<Verb, Serve>>> = { get: getScale, patch: patchScale, update: putScale };

/** Subresources that stream instead of showing the object. */
const streams: ReadonlySet<string> = new Set(["attach", "exec", "log", "portforward", "proxy"]);

export interface ServeOptions extends Access, PodStreams {
  readonly tokens: ServiceAccountTokens;
}

/** Serves a request. Assumes that `route` found the verb. */
export async function serveResource(options: ServeOptions, backend: Backend, context: RequestContext, verb: Verb): Promise<Answer> {
  const {
    info: { subresource },
    resource: { kind, isCustom },
  } = context;
  if (!isCustom) {
    if (streams.has(subresource)) return await answerStream(backend, context, options);
    if (subresource === "binding" || kind.kind === "Binding") return await createBinding(backend, context);
    if (subresource === "eviction") return await createEviction(backend, context);
    if (subresource === "token") return await requestToken(backend, context, options.tokens);
    if (isReviewKind(kind.kind)) return await createReview(backend, context, kind.kind, options);
  }
  const serve = subresource === "scale" ? scaleVerbs[verb] : undefined;
  return await (serve ?? verbs[verb])(backend, context);
}
