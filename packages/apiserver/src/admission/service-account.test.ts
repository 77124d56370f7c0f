import type { JsonObject } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { testServer } from "../testing/test-server.ts";
import type { TestAnswer, TestServer } from "../testing/test-server.ts";

const pods = "/api/v1/namespaces/default/pods";
const accounts = "/api/v1/namespaces/default/serviceaccounts";
const container = { name: "c", image: "i" };

interface Stage extends Omit<TestServer, "run"> {
  readonly run: (spec?: JsonObject, metadata?: JsonObject) => Promise<TestAnswer>;
}

/** With the account `default`, if it is given. */
async function stage(account?: JsonObject): Promise<Stage> {
  const server = await testServer({ admissionPlugins: { enable: ["ServiceAccount"] } });
  if (account !== undefined)
    await server.call("POST", accounts, { ...account, metadata: { name: "default", ...(account["metadata"] as object) } });
  const run: Stage["run"] = (spec = {}, metadata = {}) =>
    server.call("POST", pods, { metadata: { name: "p", ...metadata }, spec: { containers: [container], ...spec } });
  return { ...server, run };
}

describe("the admission plug-in ServiceAccount", () => {
  it("gives a pod the account default, and a volume with its token", async () => {
    const { run } = await stage({ imagePullSecrets: [{ name: "registry" }] });
    const { object } = await run({ initContainers: [container, { ...container, name: "d" }].slice(1) });
    const spec = object["spec"] as { volumes: { name: string }[]; containers: object[] };
    const name = spec.volumes[0]?.name ?? "";
    expect(name).toMatch(/^kube-api-access-[a-z0-9]{5}$/);
    const volumeMounts = [{ name, readOnly: true, mountPath: "/var/run/secrets/kubernetes.io/serviceaccount" }];
    expect(spec).toMatchObject({
      serviceAccountName: "default",
      serviceAccount: "default",
      imagePullSecrets: [{ name: "registry" }],
      containers: [{ volumeMounts }],
      initContainers: [{ volumeMounts }],
    });
    expect(spec.volumes).toEqual([
      {
        name,
        projected: {
          sources: [
            { serviceAccountToken: { expirationSeconds: 3607, path: "token" } },
            { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } },
            { downwardAPI: { items: [{ path: "namespace", fieldRef: { apiVersion: "v1", fieldPath: "metadata.namespace" } }] } },
          ],
          defaultMode: 420,
        },
      },
    ]);
  });

  it("mounts no token where the pod or its account does not want it, or something else is mounted", async () => {
    const { run, call } = await stage({ automountServiceAccountToken: false });
    const volumesOf = (answer: TestAnswer): unknown => (answer.object["spec"] as JsonObject)["volumes"];
    expect(volumesOf(await run())).toBeUndefined();
    expect(volumesOf(await run({ automountServiceAccountToken: true }, { name: "q" }))).toHaveLength(1);
    await call("POST", accounts, { metadata: { name: "robot" } });
    expect(volumesOf(await run({ automountServiceAccountToken: false, serviceAccountName: "robot" }, { name: "r" }))).toBeUndefined();
    const volumeMounts = [{ name: "own", mountPath: "/var/run/secrets/kubernetes.io/serviceaccount" }];
    const own = { serviceAccountName: "robot", volumes: [{ name: "own", emptyDir: {} }], containers: [{ ...container, volumeMounts }] };
    expect(volumesOf(await run(own, { name: "s" }))).toHaveLength(1);
  });

  it("refuses a pod whose account does not exist", async () => {
    const { run } = await stage({});
    const { status, object } = await run({ serviceAccountName: "nobody" });
    expect([status, object["message"]]).toEqual([
      403,
      'pods "p" is forbidden: error looking up service account default/nobody: serviceaccount "nobody" not found',
    ]);
  });

  it("waits for the account default of a new namespace, for a bounded time", async () => {
    const { run, call, clock } = await stage();
    const waiting = run();
    await call("POST", accounts, { metadata: { name: "default" } });
    expect((await waiting).status).toBe(201);
    await call("DELETE", `${accounts}/default`);
    const late = run({}, { name: "", generateName: "q-" });
    await clock.advance(2000);
    expect((await late).object["message"]).toBe(
      'pods "q-" is forbidden: error looking up service account default/default: serviceaccount "default" not found',
    );
  });

  it("changes no mirror pod, and lets it refer to no account and no secret", async () => {
    const { run } = await stage({});
    const mirror = { annotations: { "kubernetes.io/config.mirror": "x" } };
    const { status, object } = await run({ nodeName: "n" }, mirror);
    expect([status, (object["spec"] as JsonObject)["serviceAccountName"]]).toEqual([201, undefined]);
    const messages = [
      (await run({ serviceAccountName: "default" }, mirror)).object["message"],
      (await run({ imagePullSecrets: [{ name: "s" }] }, mirror)).object["message"],
      (await run({ volumes: [{ name: "t", projected: { sources: [{ serviceAccountToken: { path: "t" } }] } }] }, mirror)).object["message"],
    ];
    expect(messages).toEqual([
      'pods "p" is forbidden: a mirror pod may not reference service accounts',
      'pods "p" is forbidden: a mirror pod may not reference secrets',
      'pods "p" is forbidden: a mirror pod may not use ServiceAccountToken volume projections',
    ]);
  });

  it("restricts a pod to the secrets of its account, if that says so", async () => {
    const { run } = await stage({
      metadata: { annotations: { "kubernetes.io/enforce-mountable-secrets": "true" } },
      secrets: [{ name: "known" }],
      imagePullSecrets: [{ name: "registry" }],
    });
    const why = async (spec: JsonObject): Promise<unknown> => (await run(spec)).object["message"];
    const variable = (name: string): JsonObject => ({ name: "X", valueFrom: { secretKeyRef: { name, key: "k" } } });
    expect(await why({ volumes: [{ name: "v", secret: { secretName: "other" } }] })).toBe(
      'pods "p" is forbidden: volume with secret.secretName="other" is not allowed because service account default does not reference that secret',
    );
    expect(await why({ containers: [{ ...container, env: [variable("other")] }] })).toContain(
      'container c with envVar X referencing secret.secretName="other" is not allowed',
    );
    expect(await why({ imagePullSecrets: [{ name: "other" }] })).toContain('imagePullSecrets[0].name="other" is not allowed');
    expect((await run({ containers: [{ ...container, env: [variable("known")] }] })).status).toBe(201);
  });
});
