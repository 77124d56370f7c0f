/**
 * An operator on controller-runtime (operator/) on `drover up`: reconciler, leader election, and webhooks that default,
 * validate and convert. Two replicas run with the token and roles of its service account.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { authority } from "../../packages/client/src/transport/testing/certificates.ts";
import { freePorts, programPath, until } from "../servers/real-program.ts";
import type { RealProgram } from "../servers/real-program.ts";
import { softwareClusters, softwareMissing, softwarePath } from "./software-cluster.ts";
import type { Printed, SoftwareCluster } from "./software-cluster.ts";
import { operatorObjects } from "./operator-objects.ts";

const clusters = softwareClusters({ long: process.env["DROVER_LONG"] === "1" });
const programsAreMissing = softwareMissing("site-operator");

describe.each(clusters)(
  "an operator on controller-runtime on $name",
  { timeout: 180_000 },
  ({ missing: clusterMissing, start: startCluster }) => {
    const missing = programsAreMissing ?? clusterMissing;
    const ca = authority("webhooks");
    let cluster: SoftwareCluster;
    let leader: RealProgram;
    /** Starts a replica and waits until its webhook server listens. */
    let startReplica: (name: string, port: number) => Promise<RealProgram>;
    beforeAll(async () => {
      if (missing !== undefined) return;
      cluster = await startCluster();
      const { certificate, key } = ca.issue({ commonName: "webhook", addresses: ["127.0.0.1"] });
      const certificates = join(cluster.folder, "certificates");
      mkdirSync(certificates);
      writeFileSync(join(certificates, "tls.crt"), certificate);
      writeFileSync(join(certificates, "tls.key"), key, { mode: 0o600 });
      const [port = 0] = await freePorts(1);
      await cluster.apply(...operatorObjects({ url: `https://127.0.0.1:${port}`, authority: ca.certificate }));
      const kubeconfig = await cluster.kubeconfigOf("operators", "site-operator");
      startReplica = async (name, webhookPort) => {
        const [health] = await freePorts(1);
        const flags = [`--port=${webhookPort}`, `--certificates=${certificates}`, `--health=127.0.0.1:${health}`, "--namespace=operators"];
        const program = cluster.start(name, softwarePath("site-operator"), [`--kubeconfig=${kubeconfig}`, ...flags]);
        const ready = async (): Promise<boolean> => (await fetch(`http://127.0.0.1:${health}/readyz`).catch(() => undefined))?.ok ?? false;
        await until([program], "the operator was", ready);
        return program;
      };
      leader = await startReplica("leader", port);
      await cluster.kubectl("wait", "--for=condition=Established", "crd/sites.shop.drover.dev", "--timeout=30s");
    }, 180_000);
    afterAll(() => cluster?.stop(), 60_000);
    beforeEach((context) => {
      if (missing !== undefined) context.skip(missing);
    });

    const site = (name: string, spec: object, version = "v1"): object => ({
      apiVersion: `shop.drover.dev/${version}`,
      kind: "Site",
      metadata: { name, namespace: "default" },
      spec,
    });
    const tried = (...args: readonly string[]): Promise<Printed> => cluster.run(programPath("kubectl"), args);

    it("makes a Deployment of a Site, with the defaults of its webhook, and reports when it is ready", async () => {
      await cluster.apply(site("web", { image: "shop:1" }));
      await cluster.kubectl("wait", "--for=condition=Ready", "site/web", "--timeout=60s");
      expect(await cluster.kubectl("get", "site", "web", "-o", "jsonpath={.metadata.labels} {.spec} {.status.readyReplicas}")).toBe(
        '{"defaulted-by":"webhook"} {"image":"shop:1","replicas":2} 2',
      );
      expect(
        await cluster.kubectl("get", "deployment", "web", "-o", "jsonpath={.metadata.ownerReferences[0].kind} {.status.readyReplicas}"),
      ).toBe("Site 2");
      expect(
        await cluster.eventually(
          /Created/,
          "get",
          "events",
          "--field-selector=reason=Created",
          "-o",
          "jsonpath={.items[*].reason} {.items[*].message}",
        ),
      ).toBe("Created created Deployment web");
      expect(await cluster.kubectl("get", "sites", "--no-headers")).toMatch(/^web +shop:1 +True\n$/);
    });

    it("refuses and warns in its validating webhook", async () => {
      await expect(cluster.apply(site("untagged", { image: "shop" }))).rejects.toThrow(
        'The Site "untagged" is invalid: spec.image: Invalid value: "shop": needs a tag',
      );
      expect(await cluster.apply(site("latest", { image: "shop:latest", replicas: 0 }))).toBe(
        "site.shop.drover.dev/latest created\nWarning: spec.image: latest changes without notice\n",
      );
      await cluster.kubectl("annotate", "site", "latest", "protected=true");
      expect(await tried("delete", "site", "latest")).toEqual({
        code: 1,
        output: 'Error from server (Forbidden): admission webhook "validate.shop.drover.dev" denied the request: this site is protected\n',
      });
      expect(await tried("delete", "site", "latest", "--dry-run=server")).toMatchObject({ code: 1 });
    });

    it("converts between versions, also for its own webhooks", async () => {
      expect(await cluster.kubectl("get", "sites.v1beta1.shop.drover.dev", "web", "-o", "jsonpath={.apiVersion} {.spec}")).toBe(
        'shop.drover.dev/v1beta1 {"image":"shop:1","size":"medium"}',
      );
      await cluster.apply(site("old", { image: "old:1", size: "large" }, "v1beta1"));
      await cluster.kubectl("wait", "--for=condition=Ready", "site/old", "--timeout=60s");
      expect(await cluster.kubectl("get", "sites.v1.shop.drover.dev", "old", "-o", "jsonpath={.metadata.labels} {.spec}")).toBe(
        '{"defaulted-by":"webhook"} {"image":"old:1","replicas":5}',
      );
      await expect(cluster.apply(site("odd", { image: "old:1", size: "odd" }, "v1beta1"))).rejects.toThrow('there is no size "odd"');
      expect(await tried("patch", "sites.v1beta1.shop.drover.dev", "old", "--type=merge", "-p", '{"spec":{"size":"small"}}')).toEqual({
        code: 1,
        output:
          'Error from server (Forbidden): admission webhook "validate.shop.drover.dev" denied the request: a site may not shrink from 5 to 1 replicas at once\n',
      });
    });

    it("follows changes of the Site and repairs its Deployment", async () => {
      await cluster.kubectl("patch", "site", "web", "--type=merge", "-p", '{"spec":{"image":"shop:2","replicas":3}}');
      await cluster.eventually(
        /^shop:2 3$/,
        "get",
        "deployment",
        "web",
        "-o",
        "jsonpath={.spec.template.spec.containers[0].image} {.status.readyReplicas}",
      );
      await cluster.kubectl("scale", "deployment", "web", "--replicas=1");
      await cluster.eventually(/^3$/, "get", "deployment", "web", "-o", "jsonpath={.status.readyReplicas}");
      await cluster.kubectl("delete", "deployment", "web");
      await cluster.eventually(/^3$/, "get", "deployment", "web", "-o", "jsonpath={.status.readyReplicas}");
    });

    it("keeps its finalizer until it has said farewell; the Deployment goes with the Site", async () => {
      await cluster.kubectl("delete", "site", "web", "--timeout=60s");
      expect(await cluster.kubectl("get", "configmap", "web-farewell", "-o", "name")).toBe("configmap/web-farewell\n");
      await cluster.eventually(/not found/, "get", "deployment", "web");
    });

    it("has one leader; the second replica takes over when the first ends", async () => {
      const [port = 0] = await freePorts(1);
      await startReplica("follower", port);
      const holder = ["get", "lease", "site-operator", "-n", "operators", "-o", "jsonpath={.spec.holderIdentity}"] as const;
      const before = await cluster.kubectl(...holder);
      await cluster.end(leader);
      await cluster.eventually(/./, ...holder);
      // Its webhooks are on another port.
      await cluster.apply(...operatorObjects({ url: `https://127.0.0.1:${port}`, authority: ca.certificate }));
      await cluster.kubectl("patch", "site", "old", "--type=merge", "-p", '{"spec":{"replicas":4}}');
      await cluster.eventually(/^4$/, "get", "deployment", "old", "-o", "jsonpath={.status.readyReplicas}");
      expect(await cluster.kubectl(...holder)).not.toBe(before);
    });
  },
);
