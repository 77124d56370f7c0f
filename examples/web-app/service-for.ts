import type { Service } from "drover/kinds";

/** Returns the Service of a WebApp. */
export function serviceFor({ metadata: { name = "" } }: { readonly metadata: { readonly name?: string } }): Service {
  return {
    metadata: { name, labels: { app: name } },
    spec: { selector: { app: name }, ports: [{ port: 80, targetPort: 8080, protocol: "TCP" }] },
  };
}
