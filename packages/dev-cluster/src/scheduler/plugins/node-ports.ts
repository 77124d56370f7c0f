/** Host ports that other pods use. */
import { portsCollide } from "../host-ports.ts";
import { forNow } from "../refusal.ts";
import type { FilterPlugin } from "../refusal.ts";

const taken = forNow("node(s) didn't have free ports for the requested pod ports");

export const nodePorts: FilterPlugin = (pod) => {
  if (pod.ports.length === 0) return undefined;
  return ({ load }) => ([...load.pods].some(({ ports }) => portsCollide(pod.ports, ports)) ? taken : undefined);
};
