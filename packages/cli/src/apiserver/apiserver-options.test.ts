import { describe, expect, it } from "vitest";
import { readApiserverOptions } from "./apiserver-options.ts";
import type { ApiserverOptions } from "./apiserver-options.ts";
import { serverFlags } from "./server-flags.ts";

const read = (...words: readonly string[]): ApiserverOptions => {
  const options = readApiserverOptions(words);
  if (typeof options === "string") throw new Error(options);
  return options;
};

describe("flags of drover apiserver", () => {
  it("accept what envtest of controller-runtime 0.24 passes, without a warning", () => {
    const words = [
      "--allow-privileged=true",
      "--authorization-mode=RBAC",
      "--bind-address=127.0.0.1",
      "--cert-dir=/tmp/k8s_test_framework_1",
      "--client-ca-file=/tmp/k8s_test_framework_1/client-cert-auth-ca.crt",
      "--disable-admission-plugins=ServiceAccount",
      "--etcd-servers=http://127.0.0.1:35119",
      "--secure-port=44571",
      "--service-account-issuer=https://127.0.0.1:44571/",
      "--service-account-key-file=/tmp/k8s_test_framework_1/sa-signer.crt",
      "--service-account-signing-key-file=/tmp/k8s_test_framework_1/sa-signer.key",
      "--service-cluster-ip-range=10.0.0.0/24",
    ];
    expect(read(...words)).toMatchObject({
      host: "127.0.0.1",
      port: 44_571,
      certDir: "/tmp/k8s_test_framework_1",
      authorizationModes: ["RBAC"],
      disableAdmissionPlugins: ["ServiceAccount"],
      storage: { etcd: "http://127.0.0.1:35119", prefix: "/registry" },
      serviceAccountIssuer: "https://127.0.0.1:44571/",
      keyFiles: ["/tmp/k8s_test_framework_1/sa-signer.crt"],
      serviceCidr: "10.0.0.0/24",
      warnings: [],
    });
  });

  it("have the defaults of kube-apiserver, except that it listens on loopback and stores in memory", () => {
    expect(read()).toMatchObject({
      host: "127.0.0.1",
      port: 6443,
      authorizationModes: ["AlwaysAllow"],
      storage: undefined,
      tls: undefined,
    });
  });

  it.each([
    ["--etcd-prefix=a/b --etcd-servers=http://127.0.0.1:1", { storage: { etcd: "http://127.0.0.1:1", prefix: "/a/b" } }],
    ["--data=here", { storage: { folder: "here" } }],
    ["--tls-min-version=VersionTLS13", { tlsMinVersion: "TLSv1.3" }],
    ["--anonymous-auth=false", { anonymous: false }],
    ["--authorization-mode=Node,RBAC --anonymous-auth", { authorizationModes: ["Node", "RBAC"], anonymous: true }],
    ["--enable-admission-plugins=AlwaysPullImages,NodeRestriction", { enableAdmissionPlugins: ["AlwaysPullImages", "NodeRestriction"] }],
    ["--runtime-config=batch/v1=true,v1=true,api/alpha=false", { requiredApis: ["batch/v1", "v1"], warnings: [] }],
    ["--min-request-timeout=60", { watchTimeoutMs: 60_000 }],
    ["--insecure-port=0 -v=4 --profiling=false --watch-cache --event-ttl=1h0m0s", { warnings: [] }],
    ["--api-audiences=https://a --service-account-issuer=https://a", { serviceAccountIssuer: "https://a" }],
    ["--exit-with-parent=17", { parent: 17 }],
  ])("%s are understood", (line, options) => expect(read(...line.split(" "))).toMatchObject(options));

  it.each([
    [
      "--feature-gates=WatchList=true",
      "warning: --feature-gates has no effect: features are those that Kubernetes 1.36 enables by default",
    ],
    ["--max-requests-inflight=5", "warning: --max-requests-inflight has no effect: requests are not limited in number"],
    ["--requestheader-client-ca-file=a", "warning: --requestheader-client-ca-file has no effect: no request of a front proxy is accepted"],
    ["--runtime-config=api/all=true", "warning: --runtime-config=api/all=true has no effect: the server has the APIs that Kubernetes 1.36"],
  ])("%s loses its meaning, which is reported", (word, warning) => {
    expect(read(word).warnings).toEqual([expect.stringContaining(warning)]);
  });

  it.each([
    ["--encryption-provider-config=f", "drover apiserver has no flag --encryption-provider-config"],
    ["--oidc-issuer-url=u", "drover apiserver has no flag --oidc-issuer-url"],
    ["--authorization-webhook-config-file=f", "drover apiserver has no flag --authorization-webhook-config-file"],
    ["--admission-control-config-file=f", "drover apiserver has no flag --admission-control-config-file"],
    ["--tls-cipher-suites=a", "drover apiserver has no flag --tls-cipher-suites"],
    ["--allow-privileged=false", "--allow-privileged=false is not supported: privileged containers cannot be refused"],
    ["--insecure-port=8080", "--insecure-port=8080 is not supported: there is no port without TLS"],
    ["--tls-min-version=VersionTLS10", "--tls-min-version=VersionTLS10 is not supported: VersionTLS12 or VersionTLS13"],
    ["--audit-log-mode=blocking-strict", "--audit-log-mode=blocking-strict is not supported"],
    ["--event-ttl=2h", "--event-ttl=2h is not supported: events are kept for 1h"],
    [
      "--authorization-mode=RBAC,Webhook",
      '--authorization-mode needs some of AlwaysAllow, Node, RBAC, separated by commas, not "RBAC,Webhook"',
    ],
    ["--anonymous-auth=true", "--anonymous-auth=true with --authorization-mode=AlwaysAllow lets everyone do everything"],
    ["--bind-address=localhost", '--bind-address needs an address such as 127.0.0.1 or ::1, not "localhost"'],
    ["--advertise-address=a", '--advertise-address needs an address such as 127.0.0.1, not "a"'],
    ["--secure-port=70000", '--secure-port needs a number from 0 to 65535, not "70000"'],
    ["--tls-cert-file=a", "--tls-cert-file has no effect alone"],
    ["--tls-private-key-file=a", "--tls-private-key-file has no effect alone"],
    ["--service-account-key-file=a", "--service-account-key-file needs --service-account-signing-key-file"],
    ["--service-account-issuer=a --service-account-issuer=b", "--service-account-issuer can be given once, not 2 times"],
    ["--api-audiences=x", "--api-audiences=x is not supported: tokens are for the issuer, https://kubernetes.default.svc"],
    ["--service-cluster-ip-range=10.0.0.0/24,fd00::/108", "--service-cluster-ip-range takes one range, but got also fd00::/108"],
    ["--etcd-servers=https://127.0.0.1:1", "--etcd-servers needs the URL of the etcd of drover envtest"],
    ["--etcd-servers=http://a:1,http://b:1", "--etcd-servers takes one URL, not 2"],
    ["--etcd-servers=http://a:1 --data=b", "--etcd-servers and --data exclude each other"],
    ["--etcd-prefix=a", "--etcd-prefix has no effect without --etcd-servers"],
    ["--runtime-config=batch/v1=false", "--runtime-config=batch/v1=false is not supported: APIs cannot be turned off"],
    ["--runtime-config=batch/v1=maybe", '--runtime-config needs entries such as batch/v1=true, not "batch/v1=maybe"'],
    ["--audit-log-path=a", "--audit-log-path has no effect alone"],
    ["--exit-with-parent=me", "--exit-with-parent=me is not supported: a process id"],
  ])("%s are refused by name", (line, message) => expect(() => read(...line.split(" "))).toThrow(message));

  it("each have a meaning, an effect, and no value that it refuses without a reason", () => {
    for (const [name, { help, only }] of Object.entries(serverFlags)) {
      expect(help, name).not.toBe("");
      if (only !== undefined) expect(only.otherwise, name).not.toBe("");
    }
  });
});
