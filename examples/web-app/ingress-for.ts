import type { Ingress } from "drover/kinds";

/** Returns the Ingress of a WebApp. Called only when `spec.host` is set. */
export function ingressFor({
  metadata: { name = "" },
  spec: { host = "" },
}: {
  readonly metadata: { readonly name?: string };
  readonly spec: { readonly host?: string | undefined };
}): Ingress {
  return {
    metadata: { name, labels: { app: name } },
    spec: { rules: [{ host, http: { paths: [{ path: "/", pathType: "Prefix", backend: { service: { name, port: { number: 80 } } } }] } }] },
  };
}
