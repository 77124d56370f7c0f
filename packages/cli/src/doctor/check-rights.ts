/** Whether this user may do what the roles of an operator grant. */
import { SelfSubjectAccessReview } from "@drover/api/authorization/v1";
import type { ExaminedCluster } from "./examined-cluster.ts";
import { ok, unchecked } from "./finding.ts";
import type { Findings } from "./finding.ts";
import type { NeededRight } from "./rules-file.ts";

const check = "permissions";
/** Requests at a time. */
const atOnce = 10;
const shown = 10;

/** Asks about each right. */
export async function checkRights({ client }: ExaminedCluster, rights: readonly NeededRight[], signal: AbortSignal): Promise<Findings> {
  const missing: NeededRight[] = [];
  try {
    for (let at = 0; at < rights.length; at += atOnce) {
      const answers = rights.slice(at, at + atOnce).map(async (right) => {
        const spec = { resourceAttributes: right };
        const { status } = await client.create(SelfSubjectAccessReview, { metadata: {}, spec }, { signal });
        if (status?.allowed !== true) missing.push(right);
      });
      await Promise.all(answers);
    }
  } catch (error) {
    signal.throwIfAborted();
    return [unchecked(check, "ask what you may do", error)];
  }
  if (missing.length === 0) return [ok(check, `all ${rights.length} rights of the file are granted`)];
  const named = missing.slice(0, shown).map(printRight).join(", ");
  return [
    {
      check,
      verdict: "fail",
      says: `you may not ${named}${missing.length > shown ? ` and ${missing.length - shown} more` : ""}`,
      fix: "apply the roles and their bindings as an administrator: kubectl apply -f FILE",
    },
  ];
}

function printRight({ verb, group, resource, subresource, name, namespace }: NeededRight): string {
  const what = `${resource}${group === "" ? "" : `.${group}`}${subresource === undefined ? "" : `/${subresource}`}`;
  return `${verb} ${what}${name === undefined ? "" : ` ${name}`}${namespace === undefined ? "" : ` in ${namespace}`}`;
}
