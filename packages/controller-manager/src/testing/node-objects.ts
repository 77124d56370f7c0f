/** Nodes for tests. */
import type { Node, Taint } from "@drover/api/core/v1";
import { deepFreeze } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";

export interface NodeParts {
  readonly name?: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** "key:effect" */
  readonly taints?: readonly `${string}:${NonNullable<Taint["effect"]>}`[];
  /** @default "True" */
  readonly ready?: "True" | "False" | "Unknown";
}

export function node({ name = "n1", labels = {}, taints = [], ready = "True" }: NodeParts = {}): DeepReadonly<Node> {
  return deepFreeze({
    apiVersion: "v1" as const,
    kind: "Node" as const,
    metadata: { name, uid: `${name}-uid`, resourceVersion: "1", labels: { ...labels } },
    spec: {
      taints: taints.map((text) => {
        const at = text.lastIndexOf(":");
        return { key: text.slice(0, at), effect: text.slice(at + 1) as NonNullable<Taint["effect"]> };
      }),
    },
    status: { conditions: [{ type: "Ready", status: ready }] },
  });
}
