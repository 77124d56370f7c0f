/** POST of a pod's `binding`, or of a Binding that names the pod: assigns the pod to a node. */
import { Binding, Pod } from "@drover/api/core/v1";
import type { JsonObject } from "@drover/machinery";
import { bindPod, refuseBinding } from "../builtin/strategies/pod/pod-binding.ts";
import { metaOf } from "../registry/meta-of.ts";
import { noResource } from "../request/route.ts";
import type { Answer } from "../negotiation/answer.ts";
import type { Backend, RequestContext } from "../request/request-context.ts";
import { StatusError } from "../status-error.ts";
import { deepCopy, newBadRequest, newConflict } from "@drover/machinery";
import { typedObject } from "../typed-object.ts";
import { admitCreation } from "./admit-creation.ts";
import { settleNamespace } from "./names.ts";
import { readObject } from "./read-object.ts";
import { updateObject } from "./update-pipeline.ts";
import { createOptions } from "./write-options.ts";

export async function createBinding(backend: Backend, context: RequestContext): Promise<Answer> {
  const pods = backend.registry.find({ group: "", version: "v1", resource: "pods" });
  if (pods === undefined) throw noResource();
  const options = createOptions(context);
  const codec = backend.bodyCodec(Binding);
  const body = await readObject(backend, context, options.fieldValidation, { codec, kind: Binding });
  settleNamespace(context, body);
  const { dryRun } = options;
  const admitted = { object: body, name: context.info.name || (metaOf(body).name ?? ""), dryRun, codec };
  const validate = await admitCreation(backend, context, admitted);
  const binding = typedObject(Binding, body);
  const { name = "", uid, resourceVersion } = metaOf(body);
  const podName = context.info.name === "" ? name : context.info.name;
  if (name !== podName) throw new StatusError(newBadRequest("name in URL does not match name in Binding object"));
  refuseBinding(binding);
  await validate();
  if (podName === "") throw new StatusError(newBadRequest("Name parameter required."));
  const build = (current: JsonObject | undefined): JsonObject => {
    const pod = deepCopy(current ?? {});
    const meta = metaOf(pod);
    if (uid !== undefined && uid !== meta.uid)
      throw preconditionFailed(podName, `UID in precondition: ${uid}, UID in object meta: ${meta.uid ?? ""}`);
    if (resourceVersion !== undefined && resourceVersion !== meta.resourceVersion)
      throw preconditionFailed(
        podName,
        `ResourceVersion in precondition: ${resourceVersion}, ResourceVersion in object meta: ${meta.resourceVersion ?? ""}`,
      );
    bindPod(typedObject(Pod, pod), binding, context.now);
    return pod;
  };
  const podContext: RequestContext = { ...context, resource: pods, info: { ...context.info, name: podName } };
  const answer = await updateObject(backend, podContext, { name: podName, subresource: "binding", options, build, isAdmitted: false });
  return answer.kind === "object"
    ? { kind: "value", code: 201, value: { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 } }
    : answer;
}

const preconditionFailed = (name: string, why: string): StatusError =>
  new StatusError(newConflict({ group: "", resource: "pods" }, name, `Precondition failed: ${why}`));
