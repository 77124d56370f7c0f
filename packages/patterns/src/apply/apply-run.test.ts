/** One apply on the embedded server: the order of its requests, and what follows from failures, waits, dry runs and aborts. */
import { createApiServer } from "@drover/apiserver";
import type { ApiServer } from "@drover/apiserver";
import { nodeHost } from "@drover/apiserver/node";
import { ConfigMap, Namespace, Secret, ServiceAccount } from "@drover/api/core/v1";
import { isForbidden, newForbidden } from "@drover/machinery";
import type { HttpRequest, HttpResponse, Transport } from "@drover/machinery";
import { ManualClock, testRuntime } from "@drover/machinery/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runApply } from "./apply-run.ts";
import type { RunResult } from "./apply-run.ts";
import type { ApplySet } from "./apply-set.ts";
import { applyScene, configMap, desired, requestWords } from "./apply-set-scene.ts";
import type { ApplyScene } from "./apply-set-scene.ts";
import { isForeignOwnerError } from "./foreign-owner-error.ts";

const set: ApplySet = { name: "web" };
const account = (name: string) => desired(ServiceAccount, { metadata: { name } });
const secret = (name: string) => desired(Secret, { metadata: { name }, stringData: { a: "b" } });
const kept = { isDryRun: false };
const changes = ({ steps }: RunResult): readonly string[] =>
  steps.map(({ type, change: { kind, name } }) => `${type} ${kind.kind} ${name}`);
const messages = ({ errors }: RunResult): readonly string[] => errors.map(({ message }) => message);

/** Answers matching requests as given, and passes the others on. */
const answering =
  (next: Transport, matches: (words: string) => boolean, answer: (request: HttpRequest) => Promise<HttpResponse>): Transport =>
  (request) =>
    matches(requestWords(request)) ? answer(request) : next(request);

const forbidden = (resource: string, name: string): Promise<HttpResponse> =>
  Promise.resolve({
    status: 403,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(newForbidden({ group: "", resource }, name, "not allowed")),
  });

describe("runApply", () => {
  const runtime = testRuntime({ clock: new ManualClock() });
  let server: ApiServer;
  let count = 0;
  beforeAll(async () => {
    server = await createApiServer({ runtime, host: nodeHost });
  });
  afterAll(() => server.close());

  const sceneOn = (transport: Transport = server.handle): Promise<ApplyScene> => applyScene(transport, runtime, `run-${count++}`);

  it("records the kinds first, applies by rank, prunes in reverse order, and then forgets the kinds", async () => {
    const { owner, context, sent } = await sceneOn();
    await runApply(set, await owner(), [secret("key"), account("runner")], context(), kept);
    expect(sent()).toEqual(["PATCH configmaps/owner", "PATCH serviceaccounts/runner", "PATCH secrets/key"]);
    const emptied = await runApply(set, await owner(), [], context(), kept);
    expect(changes(emptied)).toEqual(["deleted Secret key", "deleted ServiceAccount runner"]);
    expect(sent()).toEqual(["DELETE secrets/key", "DELETE serviceaccounts/runner", "PATCH configmaps/owner"]);
    expect([emptied.isSettled, emptied.owner.metadata.annotations]).toEqual([true, undefined]);
  });

  it("applies the other objects after a failure, keeps its API reason, and prunes nothing", async () => {
    const transport = answering(
      server.handle,
      (words) => words === "PATCH secrets/key",
      () => forbidden("secrets", "key"),
    );
    const { owner, context, others, namespace } = await sceneOn(transport);
    await runApply(set, await owner(), [configMap("old")], context(), kept);
    const result = await runApply(set, await owner(), [secret("key"), configMap("page")], context(), kept);
    expect(changes(result)).toEqual(["created ConfigMap page"]);
    expect(messages(result)).toEqual([`Secret ${namespace}/key: secrets "key" is forbidden: not allowed`]);
    expect([isForbidden(result.errors[0]), result.isSettled]).toEqual([true, false]);
    expect((await others.get(ConfigMap, "old")).metadata.name).toBe("old");
  });

  it("keeps an object that is made once, also if the cache has not seen it, and refuses that of another owner", async () => {
    const { owner, context, others } = await sceneOn();
    const once = (value: string) => ({ ...desired(Secret, { metadata: { name: "key" }, data: { a: value } }), isOnce: true });
    await runApply(set, await owner(), [once("Zmlyc3Q=")], context(), kept);
    for (const members of [undefined, (): readonly never[] => []]) {
      const again = await runApply(
        set,
        await owner(),
        [once("b3RoZXI=")],
        { ...context(), ...(members === undefined ? {} : { members }) },
        kept,
      );
      expect(changes(again)).toEqual(["unchanged Secret key"]);
    }
    expect((await others.get(Secret, "key")).data).toEqual({ a: "Zmlyc3Q=" });
    await others.create(Secret, { metadata: { name: "theirs" } });
    const refused = await runApply(set, await owner(), [{ ...secret("theirs"), isOnce: true }], context(), kept);
    expect(refused.errors.map(isForeignOwnerError)).toEqual([true]);
  });

  it("refuses a forced apply of an old leader that arrives after the next leader has changed the object (SEC13)", async () => {
    let isHeld = false;
    let arrive: (() => Promise<HttpResponse>) | undefined;
    const transport = answering(
      server.handle,
      (words) => isHeld && words === "PATCH configmaps/page",
      // The lease is lost while the request is on its way: it arrives, but its sender does not wait for the response.
      (request) => {
        arrive = () => server.handle(request);
        return Promise.reject(new Error("lease lost"));
      },
    );
    const { owner, context, others } = await sceneOn(transport);
    const page = (colour: string) => desired(ConfigMap, { metadata: { name: "page" }, data: { colour } });
    await runApply(set, await owner(), [page("white")], context(), kept);
    isHeld = true;
    await runApply(set, await owner(), [page("old")], context(), kept);
    isHeld = false;
    await runApply(set, await owner(), [page("new")], context(), kept);
    expect((await arrive?.())?.status).toBe(409);
    expect((await others.get(ConfigMap, "page")).data).toEqual({ colour: "new" });
  });

  it("applies an object again that changed between the read and the write (SEC13)", async () => {
    let changes409 = 0;
    const transport: Transport = async (request) => {
      if (changes409 > 0 && requestWords(request) === "PATCH configmaps/page" && (request.body as string).includes("new")) {
        changes409--;
        await others.patch(ConfigMap, "page", { type: "merge", body: { metadata: { labels: { at: String(changes409) } } } });
      }
      return server.handle(request);
    };
    const { owner, context, others, sent } = await sceneOn(transport);
    const page = (colour: string) => desired(ConfigMap, { metadata: { name: "page" }, data: { colour } });
    await runApply(set, await owner(), [page("white")], context(), kept);
    sent();
    changes409 = 2;
    const result = await runApply(set, await owner(), [page("new")], context(), kept);
    expect([messages(result), sent()]).toEqual([[], Array.from({ length: 3 }, () => "PATCH configmaps/page")]);
    expect((await others.get(ConfigMap, "page")).data).toEqual({ colour: "new" });
  });

  it("names the object of every error, also if the message of the error contains it", async () => {
    let words = "";
    const transport = answering(
      server.handle,
      (request) => request === "PATCH configmaps/page",
      () => Promise.reject(new Error(`${words} is busy`)),
    );
    const { owner, context, namespace } = await sceneOn(transport);
    words = `ConfigMap ${namespace}/page`;
    const result = await runApply(set, await owner(), [configMap("page")], context(), kept);
    expect(messages(result)).toEqual([expect.stringMatching(new RegExp(`^${words}: .*${words} is busy`, "u"))]);
  });

  it("passes on a ForeignOwnerError, which names its object itself", async () => {
    const { owner, others, context, namespace } = await sceneOn();
    await others.create(ConfigMap, { metadata: { name: "taken" } });
    const { errors } = await runApply(set, await owner(), [configMap("taken")], context(), kept);
    expect(errors.map((error) => isForeignOwnerError(error) && error.object)).toEqual([`ConfigMap ${namespace}/taken`]);
  });

  it("makes the objects of a failed namespace wait, and prunes nothing meanwhile", async () => {
    const transport = answering(
      server.handle,
      (words) => words.startsWith("PATCH namespaces/"),
      () => forbidden("namespaces", "far"),
    );
    const { owner, context, others } = await sceneOn(transport);
    const wide: ApplySet = { ...set, scope: "cluster" };
    await runApply(wide, await owner(), [configMap("old")], context(), kept);
    const far = desired(ConfigMap, { metadata: { name: "page", namespace: "far" } });
    const result = await runApply(wide, await owner(), [far, desired(Namespace, { metadata: { name: "far" } })], context(), kept);
    expect(result.steps.map(({ type, change }) => [type, change.why])).toEqual([["waiting", "waits for Namespace far, which failed"]]);
    expect(result.isSettled).toBe(false);
    expect((await others.get(ConfigMap, "old")).metadata.name).toBe("old");
  });

  it("skips a kind whose members cannot be listed, and applies the others", async () => {
    const transport = answering(
      server.handle,
      (words) => words === "GET secrets",
      () => forbidden("secrets", ""),
    );
    const { owner, context, sent } = await sceneOn(transport);
    const result = await runApply(set, await owner(), [secret("key"), configMap("page")], context(), kept);
    expect(changes(result)).toEqual(["created ConfigMap page"]);
    expect(messages(result)[0]).toMatch(/^looking for members of kind Secret: /);
    expect(sent()).toEqual(["PATCH configmaps/owner", "PATCH configmaps/page"]);
  });

  it("sends only dry runs with isDryRun, and writes neither members nor inventory", async () => {
    const { owner, context, sent, others } = await sceneOn();
    const before = await owner();
    const result = await runApply(set, before, [configMap("page")], context(), { isDryRun: true });
    expect(changes(result)).toEqual(["created ConfigMap page"]);
    expect(sent()).toEqual(["PATCH configmaps/page?dryRun"]);
    expect([result.owner, (await others.list(ConfigMap)).items.length]).toEqual([before.object, 1]);
  });

  it("rejects with the signal's reason on abort, and sends nothing afterwards", async () => {
    const ending = new AbortController();
    const reason = new Error("the run is over");
    const transport: Transport = async (request) => {
      const response = await server.handle(request);
      if (requestWords(request) === "PATCH configmaps/a") ending.abort(reason);
      return response;
    };
    const { owner, context, sent } = await sceneOn(transport);
    const applied = runApply(set, await owner(), [configMap("a"), configMap("b")], context({ signal: ending.signal }), kept);
    await expect(applied).rejects.toBe(reason);
    expect(sent()).toEqual(["PATCH configmaps/owner", "PATCH configmaps/a"]);
  });
});
