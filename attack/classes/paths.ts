/** Paths and small objects that many attacks use. */
export const maps = "/api/v1/namespaces/default/configmaps";
export const pods = "/api/v1/namespaces/default/pods";
export const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
export const apps = (resource: string): string => `/apis/apps/v1/namespaces/default/${resource}`;
export const jobs = "/apis/batch/v1/namespaces/default/jobs";

export const template = {
  metadata: { labels: { app: "a" } },
  spec: { containers: [{ name: "c", image: "i" }] },
};

/** A CRD of group attack.example with this schema below `spec`, and more fields of its version. */
export const crd = (plural: string, spec: object, version: object = {}): object => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `${plural}.attack.example` },
  spec: {
    group: "attack.example",
    scope: "Namespaced",
    names: { plural, kind: plural[0]?.toUpperCase() + plural.slice(1) },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: { spec, status: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
          },
        },
        ...version,
      },
    ],
  },
});

export const custom = (plural: string): string => `/apis/attack.example/v1/namespaces/default/${plural}`;

/** An object of such a CRD. */
export const customObject = (plural: string, name: string, spec: unknown): object => ({
  apiVersion: "attack.example/v1",
  kind: plural[0]?.toUpperCase() + plural.slice(1),
  metadata: { name },
  spec,
});
