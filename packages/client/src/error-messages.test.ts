/**
 * Messages for newcomers: each names the problem and the fix.
 */
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { Pod } from "@drover/api/core/v1";
import { Secret, newForbidden, newUnauthorized, errorText } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { createClient } from "./verbs/client.ts";
import { DiscoveryClient } from "./discovery/discovery-client.ts";
import { DynamicMapper } from "./discovery/dynamic-mapper.ts";
import type { ClusterAccess } from "./kubeconfig/cluster-access.ts";
import { findAccess } from "./kubeconfig/find-access.ts";
import type { KubeconfigOverrides } from "./kubeconfig/overrides.ts";
import { memoryHost } from "./testing/memory-host.ts";
import type { MemoryFile } from "./testing/memory-host.ts";
import { jsonResponse, scriptedTransport, statusResponse, textResponse } from "./testing/scripted-transport.ts";
import type { Script } from "./testing/scripted-transport.ts";
import { clusterTransport } from "./transport/cluster-transport.ts";
import { nodeTransport } from "./transport/node-transport.ts";

const messageOf = async (work: () => Promise<unknown>): Promise<string> => work().then(() => "it worked", errorText);

describe("messages about a kubeconfig", () => {
  const written = ({ cluster = "", user = "token: x" } = {}): string => `current-context: prod
contexts: [{ name: prod, context: { cluster: c, user: u } }, { name: old, context: { cluster: gone, user: u } }]
clusters: [{ name: c, cluster: { server: "https://h:6443", ${cluster} } }]
users: [{ name: u, user: { ${user} } }]`;
  const home = "/home/ada/.kube/config";
  const read = (file: MemoryFile | undefined, overrides: KubeconfigOverrides = {}, env = {}): Promise<string> =>
    messageOf(() =>
      findAccess({ host: memoryHost(file === undefined ? {} : { [home]: file }, { env }), log: testRuntime().log, overrides }),
    );

  it.each<[string, MemoryFile | undefined, KubeconfigOverrides, string, string?]>([
    [
      "none at all",
      undefined,
      {},
      "no configuration has been provided: KUBECONFIG is not set, this is not a pod with a service account, and ~/.kube/config is missing or empty; set KUBECONFIG to the path of a kubeconfig",
      "DRV0301",
    ],
    ["not ours to read", { fails: "denied" }, {}, "~/.kube/config: is not readable by this user; check its owner and mode", "DRV0304"],
    ["a context that is not there", written(), { context: "prd" }, 'there is no context "prd"; known contexts: "prod", "old"', "DRV0302"],
    [
      "a context that leads nowhere",
      written(),
      { context: "old" },
      'there is no cluster "gone", which the context "old" names; known clusters: "c"',
    ],
    [
      "no current context",
      written().replace("current-context: prod", ""),
      {},
      'there is no current-context, and no context was given; give one, or set current-context; known contexts: "prod", "old"',
      "DRV0301",
    ],
    [
      "a cluster without a server",
      "current-context: x\ncontexts: [{ name: x, context: { cluster: c } }]\nclusters: [{ name: c, cluster: {} }]",
      {},
      '~/.kube/config: clusters[0] ("c"): has no server; add server: https://host:port',
      "DRV0301",
    ],
    [
      "a server with a password",
      written().replace("https://h", "https://me:pass@h"),
      {},
      '~/.kube/config: clusters[0] ("c").cluster.server: contains a user name; remove it, and set username and password of the user',
    ],
    [
      "a file that is not there",
      written({ cluster: "certificate-authority: ca.crt" }),
      {},
      '~/.kube/config: clusters[0] ("c"): certificate-authority: ~/.kube/ca.crt does not exist; check the path',
    ],
    [
      "a token file that is not there",
      written({ user: "tokenFile: t" }),
      {},
      '~/.kube/config: users[0] ("u"): tokenFile: ~/.kube/t cannot be read; check that it exists and is readable',
      "DRV0304",
    ],
    [
      "broken base64",
      written({ user: "client-certificate-data: YQ==, client-key-data: abc" }),
      {},
      '~/.kube/config: users[0] ("u").user.client-key-data: is not base64; encode the file with `base64 -w0`, or name it in the field without -data',
    ],
    [
      "an invalid namespace",
      written(),
      { namespace: "My_Shop" },
      '~/.kube/config: contexts[0] ("prod"): namespace "My_Shop" is not a valid name of a namespace; use lower-case letters, digits and dashes',
    ],
    [
      "another file",
      "apiVersion: v1\nkind: Pod\n",
      {},
      '~/.kube/config: kind is "Pod", so this is not a kubeconfig; kubeconfigs have kind: Config and apiVersion: v1',
    ],
    [
      "a text with a mistake",
      "users:\n- name: u\n  user: { token: @x }",
      {},
      "~/.kube/config: yaml: line 3, column 18: found character that cannot start any token; check the indentation there, and put text with special characters in quotes",
    ],
  ])("with %s", async (_, file, overrides, message, code = "DRV0303") => {
    expect(await read(file, overrides)).toBe(`${message} [${code}]`);
  });

  it("in KUBECONFIG that does not exist", async () => {
    expect(await read(undefined, {}, { KUBECONFIG: "/nope" })).toBe(
      "no configuration has been provided: the files of KUBECONFIG are missing or empty (/nope); check the variable [DRV0301]",
    );
  });
});

describe("messages about a response", () => {
  const ask = (script: Script): Promise<unknown> =>
    createClient({ ...testRuntime(), transport: scriptedTransport(script), namespace: "shop" })
      .get(Pod, "web")
      .catch((error: unknown) => error);
  it("403: the server says who may not do what; the error names the operation", async () => {
    expect(
      await ask([statusResponse(newForbidden({ group: "", resource: "pods" }, "web", 'User "ada" cannot get resource "pods"'))]),
    ).toMatchObject({ message: 'pods "web" is forbidden: User "ada" cannot get resource "pods"', attempt: "get pods/web in shop" });
  });
  it("401: for example an expired token", async () => {
    expect(await ask([statusResponse(newUnauthorized("Unauthorized"))])).toMatchObject({
      message: "Unauthorized",
      attempt: "get pods/web in shop",
      cause: {
        message:
          "the server rejected our credentials: check the user of the context; if its token or certificate has expired, log in again",
      },
    });
  });
  it("a web page: a proxy in front of the server", async () => {
    expect(await ask([textResponse("<html>Log in", { headers: { "content-type": "text/html" } })])).toMatchObject({
      message: 'get pods/web in shop: the server answered 200 with text/html instead of JSON: "<html>Log in"',
    });
  });
  it("a kind that the server does not have", async () => {
    const runtime = testRuntime();
    const transport = scriptedTransport(() =>
      jsonResponse(
        { kind: "APIGroupDiscoveryList", apiVersion: "apidiscovery.k8s.io/v2", items: [] },
        { headers: { "content-type": "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList" } },
      ),
    );
    expect(await messageOf(() => new DynamicMapper(new DiscoveryClient(transport, runtime), runtime).mappingFor("podz"))).toBe(
      'the server doesn\'t have a resource type "podz"',
    );
  });
});

describe("messages about a failed connection", () => {
  const go = (access: Partial<ClusterAccess>): Promise<string> =>
    messageOf(async () => {
      const runtime = testRuntime();
      const transport = clusterTransport(
        { server: "https://127.0.0.1:1", trust: {}, credentials: {}, namespace: "shop", ...access },
        { ...runtime, host: memoryHost(), isPair: () => true, connect: nodeTransport, userAgent: "test" },
      );
      try {
        await createClient({ ...runtime, transport, namespace: "shop" }).get(Pod, "web");
      } finally {
        transport.close();
      }
    });
  it.each<[string, Partial<ClusterAccess>, RegExp]>([
    [
      "without a listener",
      {},
      /^get pods\/web in shop: connect to 127\.0\.0\.1:1: it refused the connection \(is the server running, and is this its port\?\)$/,
    ],
    [
      "with authorities that are none",
      { trust: { ca: { kind: "inline", pem: "nonsense" } } },
      /^get pods\/web in shop: the certificate authority contains no complete certificate in PEM; check certificate-authority in the kubeconfig$/,
    ],
    [
      "with a program that is missing",
      {
        credentials: {
          exec: {
            apiVersion: "client.authentication.k8s.io/v1",
            command: "aws",
            args: new Secret([]),
            env: [],
            interactiveMode: "Never",
            installHint: "brew install awscli",
          },
        },
      },
      /^get pods\/web in shop: the credential plugin aws could not be started: it does not exist[^]*install it, or add its directory to PATH[^]*brew install awscli$/,
    ],
    [
      "with an expired id token",
      {
        credentials: {
          oidc: { issuerUrl: "https://issuer", clientId: "me", idToken: new Secret(`e30.${btoa('{"exp":1}').replaceAll("=", "")}.x`) },
        },
      },
      /the id token of https:\/\/issuer expired at 1970-01-01T00:00:01Z, and there is no refresh token to renew it; log in again$/,
    ],
    [
      "with two words for a token",
      { credentials: { token: new Secret("a b") } },
      /^the token contains a space, a line break or another character that a header cannot contain; remove it$/,
    ],
  ])("%s", async (_, access, message) => {
    expect(await go(access)).toMatch(message);
  });

  it("to a server without TLS", async () => {
    const server = createServer((socket) => socket.once("data", () => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    expect(await go({ server: `https://127.0.0.1:${(server.address() as AddressInfo).port}` })).toMatch(
      /it does not speak TLS on this port; check http and https in the server's address$/,
    );
    server.close();
  });
});
