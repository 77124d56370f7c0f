/** A manager with webhooks on an embedded API server, without sockets: the server verifies certificates as a real one does. */
import { createApiServer } from "@drover/apiserver";
import { nodeHost } from "@drover/apiserver/node";
import { createCluster } from "@drover/cache";
import type { HttpRequest, Transport } from "@drover/machinery";
import { nodeCrypto } from "@drover/machinery/node";
import { testRuntime } from "@drover/machinery/testing";
import type { TestRuntime } from "@drover/machinery/testing";
import { createManager } from "../../manager/manager.ts";
import type { ManagerOptions } from "../../manager/manager-options.ts";
import { addWebhooks } from "../add-webhooks.ts";
import { certificatesIn } from "../certificates-state.ts";
import type { Webhooks } from "../webhook.ts";
import type { ListenTls, ServingPair, WebhookServingOptions } from "../webhook-serving.ts";

/** A port of the rig. */
interface Port {
  readonly handler: Transport;
  pair: ServingPair;
  isOpen: boolean;
}

/** The network between the API server and the replicas: calls go to the first open port. */
export class WebhookNetwork {
  readonly ports: Port[] = [];
  /** Every pair that was ever served, in order. */
  readonly served: ServingPair[] = [];
  /** Calls that failed because the bundle does not verify the certificate, or no port is open. */
  failures = 0;

  readonly listen: ListenTls = (handler, { host, port }, { pair }) => {
    const open: Port = { handler, pair, isOpen: true };
    this.ports.push(open);
    this.served.push(pair);
    return Promise.resolve({
      address: `${host}:${port}`,
      use: (next) => {
        if (!nodeCrypto.isPair(next.certificatePem, next.privateKeyPem)) throw new Error("the key does not belong to the certificate");
        open.pair = next;
        this.served.push(next);
      },
      run: (signal) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => {
            open.isOpen = false;
            resolve();
          });
        }),
    });
  };

  async call(url: string, body: string, caBundle = ""): Promise<{ status: number; headers: HttpRequest["headers"]; body: string }> {
    const port = this.ports.find(({ isOpen }) => isOpen);
    const leaf = port === undefined ? undefined : nodeCrypto.readCertificate(port.pair.certificatePem);
    if (port === undefined || !certificatesIn(`${caBundle}\n`).some((authority) => leaf?.isIssuedBy(authority))) {
      this.failures++;
      return { status: 502, headers: {}, body: port === undefined ? "no port is open" : "the certificate is not trusted" };
    }
    const { pathname, search } = new URL(url);
    const headers = { "content-type": "application/json" };
    const answer = await port.handler({ method: "POST", path: `${pathname}${search}`, headers, body });
    return { status: answer.status, headers: answer.headers, body: answer.body as string };
  }
}

/** Starts an API server whose webhook calls go over the network. */
export async function webhookScene(runtime: TestRuntime = testRuntime()) {
  const network = new WebhookNetwork();
  const server = await createApiServer({
    runtime,
    host: nodeHost,
    webhooks: { handle: ({ url, body, caBundle }) => network.call(url, body, caBundle) },
  });
  const ends: (() => Promise<void>)[] = [];
  const cluster = createCluster({ runtime, namespace: "default", transport: server.handle });

  const start = (webhooks: Webhooks, options: Partial<WebhookServingOptions> & { readonly manager?: Partial<ManagerOptions> } = {}) => {
    const { manager: managerOptions = {}, ...serving } = options;
    const own = createCluster({ runtime, namespace: "default", transport: server.handle });
    const manager = createManager({ runtime, cluster: own, permissions: "off", ...managerOptions });
    addWebhooks(manager, webhooks, {
      listen: network.listen,
      crypto: nodeCrypto,
      target: { service: { namespace: "default", name: "shop" } },
      namespace: "default",
      name: "shop",
      closeDelayMs: 0,
      ...serving,
    });
    const stopping = new AbortController();
    const running = manager.run(stopping.signal);
    const stop = async (): Promise<void> => {
      stopping.abort();
      await runtime.clock.runUntil(() => manager.state().phase === "ended");
      await running;
    };
    ends.push(stop);
    return { manager, stop, stopping, running };
  };
  const end = async (): Promise<void> => {
    for (const stop of ends) await stop();
    server.close();
  };
  return { ...runtime, runtime, network, server, client: cluster.client, start, end };
}
