/** At every moment: no two running pods have one address, and no pod changes its address. */
import type { Pod } from "@drover/api/core/v1";
import type { DeepReadonly, KubeObject } from "@drover/machinery";
import type { HistoryCheck } from "./history-check.ts";

export function addressCheck(): HistoryCheck {
  const holders = new Map<string, string>();
  return ({ resource, key, before, after }) => {
    if (resource !== "pods") return [];
    const problems: string[] = [];
    const had = addressOf(before);
    const has = addressOf(after);
    const uid = after?.metadata.uid ?? "";
    if (had !== undefined && had !== has && holders.get(had) === before?.metadata.uid) holders.delete(had);
    if (had !== undefined && has !== undefined && had !== has && before?.metadata.uid === uid)
      problems.push(`pods/${key} had the address ${had}, and now has ${has}`);
    const holder = has === undefined ? undefined : holders.get(has);
    if (holder !== undefined && holder !== uid)
      problems.push(`pods/${key} got the address ${has ?? ""}, which the pod with uid ${holder} has`);
    if (has !== undefined) holders.set(has, uid);
    return problems;
  };
}

function addressOf(object: DeepReadonly<KubeObject> | undefined): string | undefined {
  const pod = object as DeepReadonly<Pod> | undefined;
  const phase = pod?.status?.phase;
  return phase === "Succeeded" || phase === "Failed" || pod?.spec?.hostNetwork === true ? undefined : pod?.status?.podIP;
}
