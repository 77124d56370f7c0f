/** Random roles, bindings, users and requests: a real server and ours, both in mode RBAC, decide alike. */
import type { JsonObject } from "@drover/machinery";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { realServerMissing } from "../servers/real-server.ts";
import { inTurns, longCases, report, seedOf, startDecidingServers } from "./decisions.ts";
import type { Ask, DecidingServers } from "./decisions.ts";

const isLong = process.env["DROVER_LONG"] === "1";
const setUpCount = isLong ? longCases() : 40;
/** Set-ups that are on the servers at the same time, apart by the names of users, groups and roles. */
const batchSize = 40;
const reviewCount = 10;
const atOnce = 16;

const base = "/apis/rbac.authorization.k8s.io/v1";
const apiGroup = "rbac.authorization.k8s.io";
const namespaces = ["one", "two"];
const label = "drover.dev/batch";

const some = (...values: readonly string[]): fc.Arbitrary<string[]> =>
  fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 3 });
const resourceRule = fc.record({
  verbs: some("get", "list", "create", "*"),
  apiGroups: some("", "apps", "*"),
  resources: some("pods", "pods/log", "deployments", "*/scale", "deployments/scale", "*"),
  resourceNames: fc.oneof(fc.constant<string[]>([]), some("a", "b")),
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

function resourceAttributes(): fc.Arbitrary<JsonObject> {
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
  readonly body: JsonObject;
}

/** The objects of a set-up; `id` keeps them apart from others. */
function objectsOf({ clusterRoles, roles, clusterBindings, bindings }: Omit<SetUp, "reviews">, id: string): readonly Created[] {
  const meta = (name: string): JsonObject => ({ name: `${id}-${name}`, labels: { [label]: "1" } });
  const subjectsOf = (subjects: SetUp["bindings"][number]["subjects"]): JsonObject[] =>
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

async function allows(ask: Ask, spec: JsonObject): Promise<boolean> {
  const review = { apiVersion: "authorization.k8s.io/v1", kind: "SubjectAccessReview", spec };
  const { status, message, body } = await ask("POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews", review);
  expect(status, message).toBe(201);
  return (body["status"] as { readonly allowed: boolean }).allowed;
}

async function create(ask: Ask, objects: readonly Created[]): Promise<void> {
  await inTurns(objects, atOnce, async ({ path, body }) => {
    const { status, message } = await ask("POST", path, body);
    expect(status, message).toBe(201);
  });
}

async function clear(ask: Ask): Promise<void> {
  const collections = [
    "clusterrolebindings",
    "clusterroles",
    ...namespaces.flatMap((where) => [`namespaces/${where}/rolebindings`, `namespaces/${where}/roles`]),
  ];
  await inTurns(collections, atOnce, (collection) => ask("DELETE", `${base}/${collection}?labelSelector=${encodeURIComponent(label)}`));
}

/** The specs of the reviews of a set-up. */
function specsOf({ reviews }: SetUp, id: string): readonly JsonObject[] {
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
  let servers: DecidingServers;
  beforeAll(async () => {
    if (realServerMissing !== undefined) return;
    servers = await startDecidingServers("RBAC");
    for (const ask of [servers.ours, servers.real])
      await create(
        ask,
        namespaces.map((name) => ({ path: "/api/v1/namespaces", body: { metadata: { name } } })),
      );
  }, 90_000);
  afterAll(() => (realServerMissing === undefined ? servers.stop() : undefined), 30_000);

  it(`are decided alike by both servers: ${setUpCount}`, { timeout: isLong ? 3_600_000 : 60_000 }, async (ctx) => {
    if (realServerMissing !== undefined) ctx.skip(realServerMissing);
    const { ours, real } = servers;
    const setUps = fc.sample(setUp, { numRuns: setUpCount, seed: seedOf() });
    let allowed = 0;
    for (let from = 0; from < setUps.length; from += batchSize) {
      const batch = setUps.slice(from, from + batchSize).map((one, index) => ({ one, id: `s${from + index}` }));
      const end = `end${from}`;
      await Promise.all(
        [ours, real].map(async (ask) => {
          await create(
            ask,
            batch.flatMap(({ one, id }) => objectsOf(one, id)),
          );
          await create(ask, last(end));
        }),
      );
      for (const user of ["x", "y"]) {
        const spec = { user: `${end}-${user}`, resourceAttributes: { verb: "get", resource: "pods", namespace: "one" } };
        await expect.poll(() => allows(real, spec), { timeout: 10_000, interval: 5 }).toBe(true);
      }
      const specs = batch.flatMap(({ one, id }) => specsOf(one, id));
      const [ourAnswers, theirAnswers] = await Promise.all(
        [ours, real].map((ask) => inTurns(specs, atOnce, async (spec) => ({ spec, allowed: await allows(ask, spec) }))),
      );
      expect(ourAnswers).toEqual(theirAnswers);
      allowed += theirAnswers?.filter((answer) => answer.allowed).length ?? 0;
      await Promise.all([ours, real].map(clear));
    }
    // Both kinds of decisions are many.
    const decisions = setUps.length * reviewCount;
    expect(allowed / decisions).toBeGreaterThan(0.05);
    expect(allowed / decisions).toBeLessThan(0.8);
    report(`random RBAC: ${setUps.length} set-ups, ${decisions} decisions (${allowed} allowed), all alike on both servers`);
  });
});
