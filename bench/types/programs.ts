/** The same program with each library, which reads a Pod and writes a Deployment, and an empty program. */

export interface Program {
  readonly name: string;
  /** From the npm registry. */
  readonly packages: readonly string[];
  /** From packages/, as they are published. */
  readonly local: readonly string[];
  readonly text: string;
}

const nodeTypes = "@types/node@20.19.25";

const program = (imports: string, pod: string, deployment: string): string => `${imports}

export function images(pod: ${pod}): string[] {
  return (pod.spec?.containers ?? []).flatMap((container) => (container.image === undefined ? [] : [container.image]));
}

export function isReady(pod: ${pod}): boolean {
  return pod.status?.conditions?.some((condition) => condition.type === "Ready" && condition.status === "True") ?? false;
}

export function deployment(name: string, image: string, replicas: number): ${deployment} {
  const labels = { app: name };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, labels },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: "main", image, ports: [{ containerPort: 8080 }], resources: { limits: { cpu: "500m", memory: "128Mi" } } }] },
      },
    },
  };
}
`;

/** The measured programs. The first is empty: it pays only for the standard library and the types of Node. */
export const programs: readonly [Program, Program, Program] = [
  { name: "empty file", packages: [nodeTypes], local: [], text: "export {};\n" },
  {
    name: "drover",
    packages: [nodeTypes],
    local: ["machinery", "api"],
    text: program(
      'import type { Deployment } from "@drover/api/apps/v1";\nimport type { Pod } from "@drover/api/core/v1";',
      "Pod",
      "Deployment",
    ),
  },
  {
    name: "client-node",
    packages: [nodeTypes, "@kubernetes/client-node@1.4.0"],
    local: [],
    text: program('import type { V1Deployment, V1Pod } from "@kubernetes/client-node";', "V1Pod", "V1Deployment"),
  },
];
