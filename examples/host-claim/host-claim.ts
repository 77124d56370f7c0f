/** Teams claim hosts. Claims get defaults and are checked in code; an Ingress may only use hosts that its namespace has claimed. */
import { condition, defineResource, operator } from "drover";
import { Ingress } from "drover/kinds";
import { z } from "zod";

export const HostClaim = defineResource({
  group: "demo.drover.dev",
  version: "v1",
  kind: "HostClaim",
  spec: z.object({ host: z.string().min(1).optional(), contact: z.string().optional() }),
  columns: { Host: ".spec.host", Contact: ".spec.contact" },
  default: ({ metadata: { name = "" }, spec }, { user }) => ({
    spec: { ...spec, host: spec.host ?? `${name}.example.com`, contact: spec.contact ?? user.username },
  }),
  validate: ({ object, oldObject }) =>
    oldObject === undefined || oldObject.spec.host === object.spec.host
      ? []
      : [{ field: "spec.host", message: "cannot be changed; delete the claim and create another" }],
});

export const app = operator({ name: "host-claim-operator" });

app.controller(HostClaim, {
  status: ({ object }) => ({ conditions: [condition("Ready", true, "Claimed", `${object.spec.host ?? ""} is claimed`)] }),
});

// Looks at other objects, so it is a function. It asks the API server, because a cache may not have the claim of a moment ago.
app.admit(HostClaim, {
  name: "unique-hosts",
  validate: async ({ object, namespace, client, signal }) => {
    for await (const other of client.listAll(HostClaim, { namespace: "*", signal })) {
      const isSame = other.metadata.namespace === namespace && other.metadata.name === object.metadata.name;
      if (!isSame && other.spec.host === object.spec.host)
        return { field: "spec.host", reason: "Duplicate", message: `is claimed in namespace ${other.metadata.namespace ?? ""}` };
    }
    return undefined;
  },
});

app.admit(Ingress, {
  // In CEL: the API server checks it without this program.
  rules: [["!has(object.spec.rules) || object.spec.rules.all(rule, has(rule.host))", "name a host in every rule"]],
  // An Ingress without a claim does less harm than a cluster in which no Ingress can be changed while this program is down.
  failurePolicy: "Ignore",
  validate: async ({ object, namespace, client, signal }) => {
    const claimed = new Set<string | undefined>();
    for await (const { spec } of client.listAll(HostClaim, { namespace, signal })) claimed.add(spec.host);
    return (object.spec?.rules ?? []).flatMap(({ host }, index) =>
      claimed.has(host) ? [] : [{ field: `spec.rules[${index}].host`, message: `no HostClaim in namespace ${namespace} claims it` }],
    );
  },
});
