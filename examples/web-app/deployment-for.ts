import type { Deployment } from "drover/kinds";

/** Returns the Deployment of a WebApp. */
export function deploymentFor({
  metadata: { name = "" },
  spec: { image, replicas },
}: {
  readonly metadata: { readonly name?: string };
  readonly spec: { readonly image: string; readonly replicas: number };
}): Deployment {
  const labels = { app: name };
  return {
    metadata: { name, labels },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "web", image, ports: [{ containerPort: 8080, protocol: "TCP" }] }] } },
    },
  };
}
