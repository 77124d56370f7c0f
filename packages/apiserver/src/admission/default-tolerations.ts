/** DefaultTolerationSeconds: pods tolerate not-ready and unreachable nodes for five minutes unless they say otherwise. */
import { Pod } from "@drover/api/core/v1";
import type { Toleration } from "@drover/api/core/v1";
import { typedObject } from "../typed-object.ts";
import type { AdmissionPlugin } from "./admission.ts";

const seconds = 300;
const taints: readonly string[] = ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"];

export const defaultTolerationSeconds: AdmissionPlugin = {
  name: "DefaultTolerationSeconds",
  mutate: ({ operation, resource: { kind }, subresource, object }) => {
    if (
      object === undefined ||
      kind.group !== "" ||
      kind.kind !== "Pod" ||
      subresource !== "" ||
      (operation !== "CREATE" && operation !== "UPDATE")
    )
      return;
    const { spec } = typedObject(Pod, object);
    if (spec === undefined) return;
    const given = spec.tolerations ?? [];
    const missing = taints.filter((taint) => !given.some((toleration) => tolerates(toleration, taint)));
    if (missing.length > 0)
      spec.tolerations = [
        ...given,
        ...missing.map((key): Toleration => ({ key, operator: "Exists", effect: "NoExecute", tolerationSeconds: seconds })),
      ];
  },
};

/** A toleration without a key matches every taint, one without an effect every effect. */
function tolerates({ key = "", effect = "NoExecute" }: Toleration, taint: string): boolean {
  return (key === taint || key === "") && effect === "NoExecute";
}
