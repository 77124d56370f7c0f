/**
 * A user's program for `npm run check-packages`: compiled and run in a folder where only the packed drover is
 * installed. It uses every entry point; two lines must not compile, which shows that the types are found.
 */
import { clusterTransport, findAccess, nodeTransport } from "drover/client";
import { createClient, isNotFound, nodeHost, nodeRuntime, type Client, type WatchEvent } from "drover";
import { newNotFound } from "drover/machinery";
import { ConfigMap, Deployment, EventsV1Event, Node, Pod, type Container } from "drover/kinds";
import { harness, jsonResponse, scriptedTransport, statusResponse } from "drover/testing";

const runtime = nodeRuntime();
const fieldManager = "outside";

export async function connect(): Promise<Client> {
  const host = nodeHost();
  const access = await findAccess({ host, log: runtime.log });
  const transport = clusterTransport(access, { ...runtime, host, connect: nodeTransport, userAgent: "outside/1.0", isPair: () => true });
  return createClient({ ...runtime, transport, namespace: access.namespace, fieldManager });
}

export async function follow(client: Client): Promise<void> {
  for await (const event of client.watch(Pod)) {
    const typed: WatchEvent<Pod> = event;
    runtime.log.info(`${typed.type} ${EventsV1Event.kind}`);
  }
  // @ts-expect-error -- a node is in no namespace
  await client.get(Node, "n", { namespace: "shop" });
  // @ts-expect-error -- it is a text
  const port: number = client.namespace;
  runtime.log.info(String(port));
}

const web: Deployment = {
  metadata: { name: "web" },
  spec: { selector: {}, template: { spec: { containers: [{ name: "app", image: "shop:1" }] } } },
};
const server = scriptedTransport([
  jsonResponse({ apiVersion: "apps/v1", kind: "Deployment", ...web }),
  statusResponse(newNotFound({ group: "apps", resource: "deployments" }, "api")),
]);
const scripted = createClient({ ...runtime, transport: server, namespace: "shop", fieldManager });
const images = (await scripted.get(Deployment, "web")).spec?.template.spec?.containers.map(({ image }: Container) => image);
const isMissing = await scripted.get(Deployment, "api").then(() => false, isNotFound);
if (String(images) !== "shop:1" || !isMissing) throw new Error(`the server said ${String(images)} and ${String(isMissing)}`);

const t = await harness(() => ({
  controllers: [],
  run: (signal) =>
    new Promise((resolve) => {
      signal.addEventListener("abort", () => resolve());
    }),
}));
await t.create(ConfigMap, { metadata: { name: "tried" }, data: { colour: "red" } });
await t.settled();
const { data } = await t.get(ConfigMap, "tried");
await t.close();
if (data?.["colour"] !== "red") throw new Error(`the server of the harness said ${JSON.stringify(data)}`);
