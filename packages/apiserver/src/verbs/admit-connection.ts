/** Admission of `exec`, `attach`, `portforward` and `proxy`: CONNECT, with the options in the query as the object. */
import { isJsonObject } from "@drover/machinery";
import type { JsonObject, Query } from "@drover/machinery";
import { DecodeError } from "../codec/codec.ts";
import type { Codec } from "../codec/codec.ts";
import type { Backend, RequestContext } from "../request/request-context.ts";
import { WriteAdmission } from "./write-admission.ts";

/** Runs all plug-ins. Throws a `StatusError`. */
export async function admitConnection(backend: Backend, context: RequestContext): Promise<void> {
  const { info, resource, query } = context;
  const { name, subresource, parts } = info;
  const path = parts.slice(3).join("/");
  const object = connectOptions(resource.kind.kind, subresource, query, path);
  const write = { operation: "CONNECT", subresource, name, object, old: undefined, dryRun: false, codec: plainCodec } as const;
  const request = new WriteAdmission(context, write);
  await backend.admission.mutate(request);
  await backend.admission.validate(request);
}

/** Returns PodExecOptions, PodAttachOptions, PodPortForwardOptions, or the ProxyOptions of a pod, service or node. */
export function connectOptions(kind: string, subresource: string, query: Query, path: string): JsonObject {
  const flag = (name: string): JsonObject => {
    const text = query.get(name)?.[0];
    return text === undefined || text === "" || text === "0" || text.toLowerCase() === "false" ? {} : { [name]: true };
  };
  const command = query.get("command");
  const container = query.get("container")?.[0] ?? "";
  const streams = (): JsonObject => ({
    ...flag("stdin"),
    ...flag("stdout"),
    ...flag("stderr"),
    ...flag("tty"),
    ...(container === "" ? {} : { container }),
  });
  const typed = (name: string, members: JsonObject): JsonObject => ({ kind: name, apiVersion: "v1", ...members });
  if (subresource === "exec") return typed("PodExecOptions", { ...streams(), command: command === undefined ? null : [...command] });
  if (subresource === "attach") return typed("PodAttachOptions", streams());
  if (subresource === "portforward") {
    const ports = (query.get("ports") ?? []).map(Number);
    return typed("PodPortForwardOptions", ports.length === 0 ? {} : { ports });
  }
  return typed(`${kind}ProxyOptions`, path === "" ? {} : { path: `/${path}` });
}

/** Options have no defaults, and nothing reads them after admission. */
const plainCodec: Codec = {
  decodeBody: () => {
    throw new DecodeError("the options of a connection have no body");
  },
  decodeValue: (value) => {
    if (!isJsonObject(value)) throw new DecodeError("the options of a connection are an object");
    return { object: value, problems: [] };
  },
  reshape: (object) => object,
};
