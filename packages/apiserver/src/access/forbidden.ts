/** The 403 of a denied request, in kube-apiserver's words. */
import { newForbidden, quoteGo } from "@drover/machinery";
import { StatusError } from "../status-error.ts";
import type { Attributes, Decision } from "./authorizer.ts";

/**
 * Returns `pods "x" is forbidden: User "alice" cannot get resource "pods" in API group "" in the namespace "default": <reason>`,
 * or one of its other forms.
 */
export function forbidden(attributes: Attributes, { reason = "" }: Pick<Decision, "reason">): StatusError {
  const { isResourceRequest, group, resource, name } = attributes;
  const why = withoutMarkup(message(attributes)) + (reason === "" ? "" : `: ${reason}`);
  const subject = isResourceRequest ? { group, resource } : { group: "", resource: "" };
  return new StatusError(newForbidden(subject, isResourceRequest ? name : "", why), { "x-content-type-options": "nosniff" });
}

function message({ user, verb, isResourceRequest, path, group, resource, subresource, namespace }: Attributes): string {
  const who = `User ${quoteGo(user.name)} cannot ${verb}`;
  if (!isResourceRequest) return `${who} path ${quoteGo(path)}`;
  const what = subresource === "" ? resource : `${resource}/${subresource}`;
  return `${who} resource ${quoteGo(what)} in API group ${quoteGo(group)} ${namespace === "" ? "at the cluster scope" : `in the namespace ${quoteGo(namespace)}`}`;
}

/** Escapes markup: a browser that shows the message must not interpret parts of a path as HTML. */
const withoutMarkup = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
