/**
 * The story of the specification's two examples, on any cluster: a frontend starts, its configuration changes, exactly
 * the pods that ran before are replaced, once; then the namespace is deleted, and nothing is left.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Deployment } from "@drover/api/apps/v1";
import { ConfigMap, Endpoints, Namespace, Pod, Service } from "@drover/api/core/v1";
import { EndpointSlice } from "@drover/api/discovery/v1";
import type { Client } from "@drover/client";
import { isNotFound } from "@drover/machinery";
import { parseYamlDocuments } from "@drover/yaml";
import { expect } from "vitest";

export interface FrontendGround {
  readonly client: Client;
  readonly namespace: string;
  /** Lets time pass until it holds; rejects when it never does. */
  readonly until: (what: string, holds: () => Promise<boolean>) => Promise<void>;
}

const example = (name: string): string => readFileSync(join(import.meta.dirname, "..", "..", "examples", name), "utf8");
const kinds = { ConfigMap, Deployment, Service } as const;

/** Creates the namespace and the objects of `examples/frontend.yaml`; resolves with the pods when they are ready. */
export async function frontendComesUp(ground: FrontendGround): Promise<readonly Pod[]> {
  const { client, namespace } = ground;
  await client.create(Namespace, { metadata: { name: namespace } });
  for (const object of parseYamlDocuments(example("frontend.yaml")) as unknown as readonly Deployment[]) {
    const kind = kinds[object.kind as keyof typeof kinds] as typeof Deployment;
    await client.create(kind, { ...object, metadata: { ...object.metadata, namespace } });
  }
  return await readyPods(ground, () => true);
}

/** Applies the configuration of `examples/frontend-config.yaml` as `kubectl apply` does. */
export async function configurationChanges({ client, namespace }: FrontendGround): Promise<void> {
  const [changed] = parseYamlDocuments(example("frontend-config.yaml")) as unknown as readonly ConfigMap[];
  await client.patch(ConfigMap, "frontend-config", { type: "merge", body: { data: changed?.data ?? {} } }, { namespace });
}

/** Waits for three ready pods that all satisfy it, and no other. */
export async function readyPods({ client, namespace, until }: FrontendGround, are: (pod: Pod) => boolean): Promise<readonly Pod[]> {
  let pods: readonly Pod[] = [];
  await until("three pods are ready", async () => {
    pods = (await client.list(Pod, { namespace })).items;
    return (
      pods.length === 3 &&
      pods.every(
        (pod) =>
          are(pod) &&
          pod.metadata.deletionTimestamp === undefined &&
          pod.status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True") === true,
      )
    );
  });
  return pods;
}

/** Endpoints and EndpointSlices have the addresses of these pods. */
export async function addressesAre({ client, namespace, until }: FrontendGround, pods: readonly Pod[]): Promise<void> {
  const wanted = pods.map(({ status }) => status?.podIP ?? "").toSorted();
  const same = (found: readonly string[]): boolean => JSON.stringify(found.toSorted()) === JSON.stringify(wanted);
  await until("the endpoints follow", async () => {
    const slices = (await client.list(EndpointSlice, { namespace })).items.flatMap(({ endpoints }) => endpoints ?? []);
    const { subsets = [] } = await client
      .get(Endpoints, "frontend", { namespace })
      .catch((error: unknown) => (isNotFound(error) ? { subsets: [] } : Promise.reject(error as Error)));
    return (
      same(slices.filter(({ conditions }) => conditions?.ready === true).flatMap(({ addresses }) => addresses)) &&
      same(subsets.flatMap(({ addresses = [] }) => addresses.map(({ ip }) => ip)))
    );
  });
}

export async function namespaceGoes({ client, namespace, until }: FrontendGround): Promise<void> {
  await client.delete(Namespace, namespace);
  await until(
    "the namespace is gone",
    async () =>
      await client.get(Namespace, namespace).then(
        () => false,
        (error: unknown) => isNotFound(error),
      ),
  );
  for (const kind of [Pod, ConfigMap, Deployment, Service, EndpointSlice] as unknown as readonly (typeof Pod)[])
    expect([kind.kind, (await client.list(kind, { namespace })).items]).toEqual([kind.kind, []]);
}

/** The whole story. `told` has the output of logger and recycler. */
export async function frontendStory(
  ground: FrontendGround,
  told: { readonly logger: readonly string[]; readonly recycler: readonly string[] },
): Promise<void> {
  const { namespace, until } = ground;
  const before = await frontendComesUp(ground);
  await addressesAre(ground, before);
  await until(
    "the recycler has seen the configuration",
    async () =>
      await ground.client.get(ConfigMap, "frontend-recycler", { namespace }).then(
        () => true,
        () => false,
      ),
  );
  const linesOf = (pods: readonly Pod[]): readonly string[] =>
    pods.map(({ metadata: { name = "" }, spec }) => `pod ${namespace}/${name} is on ${spec?.nodeName ?? ""}`).toSorted();
  const here = (lines: readonly string[]): readonly string[] => lines.filter((line) => line.includes(` ${namespace}/frontend-`)).toSorted();
  // The logger is a separate program, which may start after the pods are ready.
  await until("the logger has named the first nodes", () => Promise.resolve(here(told.logger).length >= before.length));
  await configurationChanges(ground);
  const old = new Set(before.map(({ metadata }) => metadata.uid));
  const after = await readyPods(ground, ({ metadata }) => !old.has(metadata.uid));
  await addressesAre(ground, after);
  const named = linesOf([...before, ...after]);
  await until("the logger has named every node", () => Promise.resolve(here(told.logger).length >= named.length));
  expect(here(told.logger)).toEqual(named);
  expect(here(told.recycler).filter((line) => line.endsWith("is deleted"))).toEqual(
    before.map(({ metadata: { name = "" } }) => `pod ${namespace}/${name} is deleted`).toSorted(),
  );
  await namespaceGoes(ground);
}
