/** Random roles, bindings, users and requests: a real server and ours, both in mode RBAC, decide alike. */
import { createApiServer } from "@drover/apiserver";
import { nodeHost } from "@drover/apiserver/node";
import { testRuntime } from "@drover/machinery/testing";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { realServerMissing, startRealServer } from "../servers/real-server.ts";
import type { RealRequest, RealServer } from "../servers/real-server.ts";

const isLong = process.env["DROVER_LONG"] === "1";
const setUpCount = isLong ? 10_000 : 40;
/** Set-ups that are on the servers at the same time, apart by the names of users, groups and roles. */
const batchSize = 20;
const reviewCount = 12;

const base = "/apis/rbac.authorization.k8s.io/v1";
const apiGroup = "rbac.authorization.k8s.io";
const namespaces = ["one", "two"];
const label = "drover.dev/batch";

type Send = (request: RealRequest) => Promise<{ readonly status: number; readonly body: string }>;

const some = (...values: readonly string[]): fc.Arbitrary<string[]> =>
  fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 3 });
const resourceRule = fc.record({
  verbs: some("get", "list", "create", "*"),
  apiGroups: some("", "apps", "*"),
  resources: some("pods", "pods/log", "deployments", "*/scale", "deployments/scale", "*"),
  resourceNames: fc.oneof(fc.constant([]), some("a", "b")),
});
const pathRule = fc.record({ verbs: some("get", "post", "*"), nonResourceURLs: some("/healthz", "/healthz/*", "/api", "/api*", "*") });
const namespace = fc.constantFrom(...namespaces);
const roleName = fc.constantFrom("r0", "r1");
const subject = fc.record({
  kind: fc.constantFrom("User", "User", "Group", "ServiceAccount"),
  name: fc.constantFrom("x", "y"),
  namespace,
});
const setUp = fc.record({
  clusterRoles: fc.uniqueArray(
    fc.record({
      name: roleName,
      rules: fc.array(fc.oneof({ weight: 3, arbitrary: resourceRule }, pathRule), { minLength: 1, maxLength: 3 }),
    }),
    {
      selector: ({ name }) => name,
      minLength: 1,
      maxLength: 2,
    },
  ),
  roles: fc.uniqueArray(fc.record({ name: roleName, namespace, rules: fc.array(resourceRule, { minLength: 1, maxLength: 3 }) }), {
    selector: ({ name, namespace: where }) => `${where}/${name}`,
    minLength: 1,
    maxLength: 2,
  }),
  clusterBindings: fc.array(fc.record({ to: roleName, subjects: fc.array(subject, { minLength: 1, maxLength: 3 }) }), {
    minLength: 1,
    maxLength: 2,
  }),
  bindings: fc.array(
    fc.record({
      namespace,
      kind: fc.constantFrom("Role", "ClusterRole"),
      to: roleName,
      subjects: fc.array(subject, { minLength: 1, maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 2 },
  ),
  reviews: fc.array(
    fc.record({
      user: fc.constantFrom("x", "y", "account one x", "account two y"),
      groups: fc.uniqueArray(fc.constantFrom("x", "y"), { maxLength: 2 }),
      what: fc.oneof(
        { weight: 4, arbitrary: resourceAttributes() },
        fc.record({
          nonResourceAttributes: fc.record({
            verb: fc.constantFrom("get", "post"),
            path: fc.constantFrom("/healthz", "/healthz/x", "/api", "/apis", "/x"),
          }),
        }),
      ),
    }),
    { minLength: reviewCount, maxLength: reviewCount },
  ),
});

type SetUp = typeof setUp extends fc.Arbitrary<infer T> ? T : never;

function resourceAttributes(): fc.Arbitrary<object> {
  return fc.record({
    resourceAttributes: fc.record({
      verb: fc.constantFrom("get", "list", "create", "delete"),
      group: fc.constantFrom("", "apps", "batch"),
      resource: fc.constantFrom("pods", "deployments"),
      subresource: fc.constantFrom("", "", "log", "scale"),
      name: fc.constantFrom("", "a", "c"),
      namespace: fc.constantFrom("", ...namespaces),
    }),
  });
}

interface Created {
  readonly path: string;
  readonly body: object;
}

/** The objects of a set-up; `id` keeps them apart from others. */
function objectsOf({ clusterRoles, roles, clusterBindings, bindings }: Omit<SetUp, "reviews">, id: string): readonly Created[] {
  const meta = (name: string): object => ({ name: `${id}-${name}`, labels: { [label]: "1" } });
  const subjectsOf = (subjects: SetUp["bindings"][number]["subjects"]): readonly object[] =>
    subjects.map(({ kind, name, namespace: where }) =>
      kind === "ServiceAccount" ? { kind, name: `${id}-${name}`, namespace: where } : { apiGroup, kind, name: `${id}-${name}` },
    );
  return [
    ...clusterRoles.map(({ name, rules }) => ({ path: `${base}/clusterroles`, body: { metadata: meta(name), rules } })),
    ...roles.map(({ name, namespace: where, rules }) => ({
      path: `${base}/namespaces/${where}/roles`,
      body: { metadata: meta(name), rules },
    })),
    ...clusterBindings.map(({ to, subjects }, index) => ({
      path: `${base}/clusterrolebindings`,
      body: {
        metadata: meta(String(index)),
        roleRef: { apiGroup, kind: "ClusterRole", name: `${id}-${to}` },
        subjects: subjectsOf(subjects),
      },
    })),
    ...bindings.map(({ namespace: where, kind, to, subjects }, index) => ({
      path: `${base}/namespaces/${where}/rolebindings`,
      body: { metadata: meta(String(index)), roleRef: { apiGroup, kind, name: `${id}-${to}` }, subjects: subjectsOf(subjects) },
    })),
  ];
}

const everything = { verbs: ["*"], apiGroups: ["*"], resources: ["*"] };
/** Created after all others of its kind: a server that decides by the last of them knows all. */
const last = (id: string): readonly Created[] =>
  objectsOf(
    {
      clusterRoles: [{ name: "r0", rules: [{ ...everything, resourceNames: [] }] }],
      roles: [{ name: "r0", namespace: "one", rules: [{ ...everything, resourceNames: [] }] }],
      clusterBindings: [{ to: "r0", subjects: [{ kind: "User", name: "x", namespace: "" }] }],
      bindings: [{ namespace: "one", kind: "Role", to: "r0", subjects: [{ kind: "User", name: "y", namespace: "" }] }],
    },
    id,
  );

async function review(send: Send, spec: object): Promise<{ readonly allowed: boolean; readonly reason?: string }> {
  const body = JSON.stringify({ apiVersion: "authorization.k8s.io/v1", kind: "SubjectAccessReview", spec });
  const path = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
  const answer = await send({ method: "POST", path, headers: { "content-type": "application/json" }, body });
  expect(answer.status, answer.body).toBe(201);
  return (JSON.parse(answer.body) as { readonly status: { readonly allowed: boolean } }).status;
}

async function create(send: Send, objects: readonly Created[]): Promise<void> {
  const answers = await Promise.all(
    objects.map(({ path, body }) =>
      send({ method: "POST", path, headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    ),
  );
  for (const { status, body } of answers) expect(status, body).toBe(201);
}

async function clear(send: Send): Promise<void> {
  const collections = [
    "clusterrolebindings",
    "clusterroles",
    ...namespaces.flatMap((where) => [`namespaces/${where}/rolebindings`, `namespaces/${where}/roles`]),
  ];
  for (const collection of collections)
    await send({ method: "DELETE", path: `${base}/${collection}?labelSelector=${encodeURIComponent(label)}` });
}

/** The specs of the reviews of a set-up. */
function specsOf({ reviews }: SetUp, id: string): readonly object[] {
  return reviews.map(({ user, groups, what }) => {
    const [, where, account] = /^account (\w+) (\w+)$/.exec(user) ?? [];
    return {
      user: where === undefined ? `${id}-${user}` : `system:serviceaccount:${where}:${id}-${account}`,
      groups: groups.map((group) => `${id}-${group}`),
      ...what,
    };
  });
}

describe("random set-ups in mode RBAC", () => {
  let real: RealServer;
  let ours: Send;
  beforeAll(async () => {
    if (realServerMissing !== undefined) return;
    real = await startRealServer();
    const server = await createApiServer({ runtime: testRuntime(), host: nodeHost, authorizationModes: ["RBAC"] });
    ours = async ({ headers = {}, ...request }) => {
      const { status, body } = await server.handle({ ...request, headers });
      return { status, body: body as string };
    };
    for (const send of [ours, real.send])
      await create(
        send,
        namespaces.map((name) => ({ path: "/api/v1/namespaces", body: { metadata: { name } } })),
      );
  }, 90_000);
  afterAll(() => (realServerMissing === undefined ? real.stop() : undefined), 30_000);

  it("are decided alike by both servers", { timeout: isLong ? 3_600_000 : 60_000 }, async (ctx) => {
    if (realServerMissing !== undefined) ctx.skip(realServerMissing);
    const setUps = fc.sample(setUp, { numRuns: setUpCount, seed: Number(process.env["DROVER_SEED"] ?? 1) });
    let allowed = 0;
    for (let from = 0; from < setUps.length; from += batchSize) {
      const batch = setUps.slice(from, from + batchSize).map((one, index) => ({ one, id: `s${from + index}` }));
      const end = `end${from}`;
      for (const send of [ours, real.send]) {
        await create(
          send,
          batch.flatMap(({ one, id }) => objectsOf(one, id)),
        );
        await create(send, last(end));
      }
      for (const user of ["x", "y"]) {
        const spec = { user: `${end}-${user}`, resourceAttributes: { verb: "get", resource: "pods", namespace: "one" } };
        await expect.poll(async () => (await review(real.send, spec)).allowed, { timeout: 10_000, interval: 5 }).toBe(true);
      }
      const specs = batch.flatMap(({ one, id }) => specsOf(one, id));
      const [ourAnswers, theirAnswers] = await Promise.all(
        [ours, real.send].map((send) => Promise.all(specs.map(async (spec) => ({ spec, allowed: (await review(send, spec)).allowed })))),
      );
      expect(ourAnswers).toEqual(theirAnswers);
      allowed += theirAnswers?.filter((answer) => answer.allowed).length ?? 0;
      for (const send of [ours, real.send]) await clear(send);
    }
    // Both kinds of decisions are many.
    const share = allowed / (setUps.length * reviewCount);
    expect(share).toBeGreaterThan(0.05);
    expect(share).toBeLessThan(0.8);
  });
});
