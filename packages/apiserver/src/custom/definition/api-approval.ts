/** API approval of definitions in Kubernetes' community groups, recorded in an annotation. */
import { formatCheck, getOwn, quoteGo } from "@drover/machinery";
import type { ObjectMeta } from "@drover/machinery";
import { parseWebhookUrl } from "./webhook-url.ts";

/** Holds a link to the approval, or a reason that starts with "unapproved". */
export const approvalAnnotation = "api-approved.kubernetes.io";

export interface Approval {
  readonly state: "invalid" | "approved" | "bypassed" | "missing";
  readonly reason: string;
}

/** Returns what the annotation says; undefined for groups that need no approval. */
export function approvalOf(group: string, { annotations }: ObjectMeta): Approval | undefined {
  if (!/(?:^|\.)(?:k8s|kubernetes)\.io$/.test(group)) return undefined;
  const value = getOwn(annotations ?? {}, approvalAnnotation) ?? "";
  const needed = `protected groups must have approval annotation ${quoteGo(approvalAnnotation)}`;
  const link = "see https://github.com/kubernetes/enhancements/pull/1111";
  if (value === "") return { state: "missing", reason: `${needed}, ${link}` };
  if (value.startsWith("unapproved")) return { state: "bypassed", reason: `not approved: ${quoteGo(value)}` };
  if (hasHost(value)) return { state: "approved", reason: `approved in ${value}` };
  return { state: "invalid", reason: `${needed} with either a URL or a reason starting with "unapproved", ${link}` };
}

function hasHost(text: string): boolean {
  const url = parseWebhookUrl(text);
  return formatCheck("uri")?.(text) === true && typeof url === "object" && url.scheme !== "" && url.host !== "";
}
