/** `log`, `exec`, `attach`, `portforward` and `proxy`: what a kubelet would have to answer, and there is none. */
import type { Pod } from "@drover/api/core/v1";
import { newBadRequest, newFailure } from "@drover/machinery";
import type { Answer } from "../request/answer.ts";
import type { Backend, RequestContext } from "../request/request-context.ts";
import { StatusError } from "../status-error.ts";
import { getStored } from "./get-object.ts";

/** Says what the real server says when the pod has no node, or the node cannot be reached. */
export async function refuseStream(backend: Backend, context: RequestContext): Promise<Answer> {
  const stored = await getStored(backend, context);
  const { metadata, spec } = backend.objects.views(context.resource).object(stored) as unknown as Pod;
  if (context.resource.kind.kind === "Pod" && !spec?.nodeName) throw new StatusError(newBadRequest(`pod ${metadata.name ?? ""} does not have a host assigned`));
  throw new StatusError(newFailure(500, "", "no preferred addresses found; known addresses: []"));
}
