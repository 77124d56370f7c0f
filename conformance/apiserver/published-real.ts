/** The custom resources of published-sample.ts on a real server. */
import { setTimeout as delay } from "node:timers/promises";
import { sampleDefinitions, sampleGroupVersions } from "./published-sample.ts";
import type { RealServer } from "../servers/real-server.ts";

const aggregated = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

/** Creates the definitions and waits until all documents include them, which happens step by step. */
export async function defineSample(server: RealServer): Promise<void> {
  for (const definition of sampleDefinitions) {
    const { status, body } = await server.send({
      method: "POST",
      path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(definition),
    });
    if (status !== 201) throw new Error(`${definition.metadata.name}: ${body}`);
  }
  while (!(await isPublished(server))) await delay(100);
}

async function isPublished(server: RealServer): Promise<boolean> {
  const get = async (path: string, accept = "application/json"): Promise<string> =>
    (await server.send({ method: "GET", path, headers: { accept } })).body;
  const [v2, v3, discovery] = [await get("/openapi/v2"), await get("/openapi/v3"), await get("/apis", aggregated)];
  const served = sampleDefinitions.flatMap(({ spec: { group, names, versions } }) =>
    versions.filter((version) => version.served).map((version) => ({ group, plural: names.plural, version: version.name })),
  );
  const documents = await Promise.all(served.map(({ group, version }) => get(`/openapi/v3/apis/${group}/${version}`)));
  return (
    sampleGroupVersions.every((name) => v3.includes(`"apis/${name}"`)) &&
    served.every(
      ({ group, version, plural }, at) =>
        v2.includes(`"/apis/${group}/${version}/${plural}`) &&
        documents[at]?.includes(`/${plural}"`) &&
        discovery.includes(`"resource":"${plural}"`),
    )
  );
}
