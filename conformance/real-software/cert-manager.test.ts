/**
 * cert-manager on `drover up`: helm installs its chart, and its controller, cainjector and webhook run with the tokens
 * and roles of the chart's service accounts. The pods of the chart are simulated; the programs run beside the cluster.
 * Our API server reaches the webhook through its Service, which forwards to the program; the real one by URL, which the
 * chart provides for.
 */
import { X509Certificate } from "node:crypto";
import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { freePorts } from "../servers/real-program.ts";
import type { RealProgram } from "../servers/real-program.ts";
import { softwareClusters, softwareMissing, softwarePath } from "./software-cluster.ts";
import type { SoftwareCluster } from "./software-cluster.ts";

const programs = ["cert-manager-controller", "cert-manager-cainjector", "cert-manager-webhook"] as const;
const clusters = softwareClusters({ long: process.env["DROVER_LONG"] === "1" });
const programsAreMissing = softwareMissing("helm", ...programs, "cert-manager-module");
const namespace = "cert-manager";
const group = "cert-manager.io/v1";

/** A chart as a release of cert-manager has it: that of the module with its CRDs, by links. */
function linkChart(folder: string): string {
  const deploy = join(softwarePath("cert-manager-module"), "deploy");
  const [source, chart] = [join(deploy, "charts", "cert-manager"), join(folder, "chart")];
  mkdirSync(join(chart, "templates"), { recursive: true });
  symlinkSync(join(source, "Chart.template.yaml"), join(chart, "Chart.yaml"));
  symlinkSync(join(source, "values.yaml"), join(chart, "values.yaml"));
  for (const from of [join(source, "templates"), join(deploy, "crds")])
    for (const name of readdirSync(from)) if (!name.endsWith(".md")) symlinkSync(join(from, name), join(chart, "templates", name));
  return chart;
}

describe.each(clusters)(
  "cert-manager on $name",
  { timeout: 180_000 },
  ({ missing: clusterMissing, forwardsServices, start: startCluster }) => {
    const missing = programsAreMissing ?? clusterMissing;
    let cluster: SoftwareCluster;
    const running: RealProgram[] = [];
    beforeAll(async () => {
      if (missing !== undefined) return;
      cluster = await startCluster();
      const [securePort, healthPort, metricsPort] = await freePorts(3);
      const options = ["--namespace", namespace, "--create-namespace"];
      const reached = forwardsServices
        ? `webhook.serviceAnnotations.drover\\.dev/forward-to=127.0.0.1:${securePort}`
        : `webhook.url.host=localhost:${securePort}`;
      const values = [`--set=${reached}`, "--set=startupapicheck.enabled=false"];
      const installed = await cluster.run(softwarePath("helm"), [
        "install",
        "cert-manager",
        linkChart(cluster.folder),
        ...options,
        ...values,
      ]);
      expect({ code: installed.code, installed }).toEqual({ code: 0, installed });
      const account = (name: string): Promise<string> => cluster.kubeconfigOf(namespace, name);
      const start = (name: string, args: readonly string[]): unknown => running.push(cluster.start(name, softwarePath(name), args));
      start("cert-manager-webhook", [
        `--kubeconfig=${await account("cert-manager-webhook")}`,
        `--secure-port=${securePort}`,
        `--healthz-port=${healthPort}`,
        `--dynamic-serving-ca-secret-namespace=${namespace}`,
        "--dynamic-serving-ca-secret-name=cert-manager-webhook-ca",
        `--dynamic-serving-dns-names=cert-manager-webhook.${namespace}.svc,localhost`,
      ]);
      start("cert-manager-cainjector", [
        `--kubeconfig=${await account("cert-manager-cainjector")}`,
        "--leader-election-namespace=kube-system",
      ]);
      start("cert-manager-controller", [
        `--kubeconfig=${await account("cert-manager")}`,
        `--cluster-resource-namespace=${namespace}`,
        "--leader-election-namespace=kube-system",
        `--metrics-listen-address=127.0.0.1:${metricsPort}`,
      ]);
    }, 180_000);
    afterAll(() => cluster?.stop(), 60_000);
    beforeEach((context) => {
      if (missing !== undefined) context.skip(missing);
    });

    const object = (kind: string, name: string, spec: object): object => ({
      apiVersion: group,
      kind,
      metadata: { name, namespace: "default" },
      spec,
    });
    const secret = async (name: string, key: string): Promise<string> =>
      Buffer.from(await cluster.kubectl("get", "secret", name, "-o", `jsonpath={.data.${key.replace(".", "\\.")}}`), "base64").toString(
        "utf8",
      );

    it("has its CA injected into its webhooks", async () => {
      for (const kind of ["validatingwebhookconfiguration", "mutatingwebhookconfiguration"])
        await cluster.eventually(/^LS0t/, "get", kind, "cert-manager-webhook", "-o", "jsonpath={.webhooks[0].clientConfig.caBundle}");
    });

    it("refuses an invalid Issuer in its webhook", async () => {
      await expect(cluster.apply(object("Issuer", "nothing", {}))).rejects.toThrow(
        'admission webhook "webhook.cert-manager.io" denied the request: spec: Required value: at least one issuer must be configured',
      );
    });

    it("issues a self-signed CA certificate, and with it a certificate for a server", async () => {
      await cluster.apply(
        object("Issuer", "self-signed", { selfSigned: {} }),
        object("Certificate", "ca", { isCA: true, commonName: "Shop CA", secretName: "ca", issuerRef: { name: "self-signed" } }),
        object("Issuer", "ca", { ca: { secretName: "ca" } }),
        object("Certificate", "web", { dnsNames: ["shop.example.com"], secretName: "web", issuerRef: { name: "ca" } }),
      );
      await cluster.kubectl("wait", "--for=condition=Ready", "certificate/ca", "certificate/web", "issuer/ca", "--timeout=90s");
      const [ca, web] = [new X509Certificate(await secret("ca", "tls.crt")), new X509Certificate(await secret("web", "tls.crt"))];
      expect([ca.subject, ca.ca, web.subjectAltName, web.verify(ca.publicKey)]).toEqual(["CN=Shop CA", true, "DNS:shop.example.com", true]);
      // Requests are approved by the controller through a subresource of verb "approve".
      expect(await cluster.kubectl("get", "certificaterequests", "--no-headers")).toMatch(
        /^ca-\S+ +True +True +self-signed [^]*\nweb-\S+ +True +True +ca /,
      );
      expect(
        await cluster.kubectl(
          "get",
          "events",
          "--field-selector=involvedObject.kind=Certificate,involvedObject.name=web",
          "-o",
          "jsonpath={.items[*].reason}",
        ),
      ).toMatch(/Issuing .*Requested.* Issuing/);
    });

    it("injects the CA of a certificate into a webhook of others", async () => {
      await cluster.apply({
        apiVersion: "admissionregistration.k8s.io/v1",
        kind: "ValidatingWebhookConfiguration",
        metadata: { name: "shop", annotations: { "cert-manager.io/inject-ca-from": "default/web" } },
        webhooks: [
          {
            name: "shop.example.com",
            admissionReviewVersions: ["v1"],
            sideEffects: "None",
            clientConfig: { url: "https://127.0.0.1:1/" },
            rules: [{ apiGroups: ["shop.example.com"], apiVersions: ["*"], operations: ["CREATE"], resources: ["*"] }],
          },
        ],
      });
      const injected = await cluster.eventually(
        /^LS0t/,
        "get",
        "validatingwebhookconfiguration",
        "shop",
        "-o",
        "jsonpath={.webhooks[0].clientConfig.caBundle}",
      );
      expect(Buffer.from(injected, "base64").toString("utf8")).toBe(await secret("ca", "tls.crt"));
    });

    it("issues again when the Secret is deleted, and lets its requests go with the Certificate", async () => {
      const before = await secret("web", "tls.crt");
      await cluster.kubectl("delete", "secret", "web");
      await cluster.eventually(/^LS0t/, "get", "secret", "web", "-o", "jsonpath={.data.tls\\.crt}");
      expect(await secret("web", "tls.crt")).not.toBe(before);
      await cluster.kubectl("delete", "certificate", "web");
      await cluster.eventually(/^ca-\S+\n$/, "get", "certificaterequests", "-o", "custom-columns=NAME:.metadata.name", "--no-headers");
    });

    it("has all the rights it needs from the roles of its chart", () => {
      for (const program of running) expect(program.tail(100_000)).not.toMatch(/forbidden|cannot (?:list|watch|get|create|update|patch)/i);
    });

    it("refuses what its webhook cannot check any more", async () => {
      const [webhook] = running;
      if (webhook !== undefined) await cluster.end(webhook);
      await expect(cluster.apply(object("Issuer", "late", { selfSigned: {} }))).rejects.toThrow(
        /Internal error occurred: failed calling webhook "webhook\.cert-manager\.io": failed to call webhook: Post "https:\S+\/mutate\?timeout=10s": dial tcp \S+: connect: connection refused/,
      );
    });
  },
);
