/** Mistakes in admission rules and webhooks. */
import { operator } from "drover";
import { Pod } from "drover/kinds";
import type { Mistake } from "./mistake.ts";
import { untyped } from "./widget.ts";

const somewhere = { namespaceSelector: { matchLabels: { team: "shop" } } };
const admitted = (declaration: object) => (): void => operator({ name: "shop" }).admit(Pod, untyped(declaration));
const validate = (): undefined => undefined;

export const webhooks: readonly Mistake[] = [
  { title: "an admission without rules", act: admitted({}), says: ["rules", "validate"] },
  {
    title: "an undefined kind",
    act: () => operator({ name: "shop" }).admit(untyped(undefined), { ...somewhere, validate }),
    says: ["app.admit", "import"],
  },
  { title: "a webhook for all pods of all namespaces", act: admitted({ validate }), says: ["namespaceSelector"] },
  { title: "a subresource that pods do not have", act: admitted({ ...somewhere, subresources: ["engine"], validate }), says: ["engine"] },
  { title: "a timeout of a minute", act: admitted({ ...somewhere, timeoutSeconds: 60, validate }), says: ["timeoutSeconds", "10"] },
  {
    title: "a misspelt option",
    act: admitted({ ...somewhere, failurepolicy: "Ignore", validate }),
    says: ["failurepolicy", "failurePolicy"],
  },
  {
    title: "two admissions of one name",
    act: () => {
      const app = operator({ name: "shop" });
      app.admit(Pod, { ...somewhere, validate });
      app.admit(Pod, { ...somewhere, validate });
    },
    says: ["pods", "name:"],
  },
  { title: "manifests of an operator without webhooks", act: () => operator({ name: "shop" }).webhooks(), says: ["webhooks", "admit"] },
];
