/** Cordoned nodes. */
import { tolerates, unschedulableTaint } from "@drover/controller-manager";
import { final } from "../refusal.ts";
import type { FilterPlugin } from "../refusal.ts";

const cordoned = final("node(s) were unschedulable");

export const nodeUnschedulable: FilterPlugin =
  ({ pod }) =>
  ({ node }) =>
    node.spec?.unschedulable === true && !tolerates(pod.spec?.tolerations, unschedulableTaint) ? cordoned : undefined;
