/** A new node takes no pods until somebody has seen that it is ready. */
import type { Node, Taint } from "@drover/api/core/v1";
import type { AdmissionPlugin } from "./admission.ts";

const notReady: Taint = { key: "node.kubernetes.io/not-ready", effect: "NoSchedule" };

export const taintNodesByCondition: AdmissionPlugin = {
  name: "TaintNodesByCondition",
  mutate: ({ operation, resource: { kind }, subresource, object }) => {
    if (object === undefined || operation !== "CREATE" || kind.group !== "" || kind.kind !== "Node" || subresource !== "") return;
    const node = object as unknown as Node;
    const spec = (node.spec ??= {});
    const taints = spec.taints ?? [];
    if (!taints.some(({ key, effect }) => key === notReady.key && effect === notReady.effect)) spec.taints = [...taints, { ...notReady }];
  },
};
