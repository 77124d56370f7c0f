/** A WebApp owns a Deployment, a Service and, once a pod is ready, an Ingress. Its host gets a DNS record. */
import { defineResource, hold, operator, condition } from "drover";
import { Deployment, Ingress, Service } from "drover/kinds";
import { z } from "zod";
import { deploymentFor } from "./deployment-for.ts";
import { dns } from "./dns.ts";
import { ingressFor } from "./ingress-for.ts";
import { serviceFor } from "./service-for.ts";

export const WebApp = defineResource({
  group: "demo.drover.dev",
  version: "v1",
  kind: "WebApp",
  shortNames: ["wa"],
  spec: z.object({ image: z.string().min(1), replicas: z.int().min(0).default(1), host: z.string().optional() }),
  status: z.object({ ready: z.int().default(0) }),
  rules: [["!has(self.spec.host) || self.spec.replicas > 0", "a host needs at least one replica"]],
  columns: { Ready: ".status.ready", Host: ".spec.host" },
});

export const app = operator({ name: "webapp-operator" });

app.controller(WebApp, {
  owns: { deployment: Deployment, service: Service, ingress: Ingress },
  desired: ({ object, owned }) => ({
    // pure function: undefined deletes the object, hold(reason) leaves it unchanged
    deployment: deploymentFor(object),
    service: serviceFor(object),
    ingress: !object.spec.host ? undefined : owned.deployment?.status?.readyReplicas ? ingressFor(object) : hold("waiting for pods"),
  }),
  reconcile: async ({ object, signal }) => {
    await dns.ensure(object, object.spec.host, { signal }); // and releases a host that the object had before
    return { after: "10m" };
  },
  cleanup: async ({ object, signal }) => {
    await dns.release(object, { signal });
  }, // adds a finalizer to each WebApp
  status: ({ object, owned }) => {
    // pure function; the operator writes the result only when it differs
    const ready = owned.deployment?.status?.readyReplicas ?? 0;
    return { ready, conditions: [condition("Ready", ready >= object.spec.replicas, "Replicas", `${ready} ready`)] };
  },
});
