/** TaintNodesByCondition: new nodes start with the not-ready taint. */
import { Node } from "@drover/api/core/v1";
import type { Taint } from "@drover/api/core/v1";
import { typedObject } from "../typed-object.ts";
import type { AdmissionPlugin } from "./admission.ts";

const notReady: Taint = { key: "node.kubernetes.io/not-ready", effect: "NoSchedule" };

export const taintNodesByCondition: AdmissionPlugin = {
  name: "TaintNodesByCondition",
  mutate: ({ operation, resource: { kind }, subresource, object }) => {
    if (object === undefined || operation !== "CREATE" || kind.group !== "" || kind.kind !== "Node" || subresource !== "") return;
    const node = typedObject(Node, object);
    const spec = (node.spec ??= {});
    const taints = spec.taints ?? [];
    if (!taints.some(({ key, effect }) => key === notReady.key && effect === notReady.effect)) spec.taints = [...taints, { ...notReady }];
  },
};
