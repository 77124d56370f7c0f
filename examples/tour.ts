/**
 * `npm run tour`: shows the parts of Drover one by one, each with a few real calls. Servers are scripted and time is virtual; `npm start`
 * starts a whole cluster.
 */
import { createHash } from "node:crypto";
import { styleText } from "node:util";
import { Deployment } from "@drover/api/apps/v1";
import { ConfigMap } from "@drover/api/core/v1";
import { schemaFor } from "@drover/api/schemas";
import { createCluster, createInformer, listWatcher } from "@drover/cache";
import { ScriptedApi, soakCache } from "@drover/cache/testing";
import { createClient, updateWithRetry } from "@drover/client";
import { controllerBuilder, createTape, done, explain, why } from "@drover/controller";
import { jsonResponse, scriptedTransport, statusResponse } from "@drover/client/testing";
import {
  applyDefaults,
  applyMergePatch,
  applyStrategicMergePatch,
  compileSchema,
  decodeJson,
  encodeJson,
  newConflict,
  newInvalid,
  objectKey,
  parseSelector,
  printFieldErrors,
  prune,
  Quantity,
  selectorFromLabelSelector,
  sleep,
  stepBackoff,
  validate,
  type Backoff,
  type JsonObject,
  type Runtime,
  type Schema,
} from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { createQueue } from "@drover/workqueue";
import { Ingress, Service } from "drover/kinds";
import { harness } from "drover/testing";
import { app, WebApp } from "./web-app/web-app.ts";

const say = (text = ""): void => void process.stdout.write(`${text}\n`);
const stop = (title: string): void => say(`\n${styleText("bold", title)}`);
const show = (name: string, value: string): void => say(`  ${styleText("dim", name.padEnd(26))} ${value}`);

const web: Deployment = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web", namespace: "shop", labels: { app: "web" } },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: "web" } },
    template: {
      metadata: { labels: { app: "web" } },
      spec: {
        containers: [
          { name: "app", image: "shop:1", resources: { requests: { cpu: "250m", memory: "192Mi" } } },
          { name: "proxy", image: "proxy:9", resources: { requests: { cpu: "0.1", memory: "64Mi" } } },
        ],
      },
    },
  },
};

function kinds(): void {
  stop("A kind is a value that carries its type");
  show(
    "Deployment",
    `${Deployment.plural}.${Deployment.group}/${Deployment.version}, ${Deployment.scope}, short names ${Deployment.shortNames.join(" ")}`,
  );
  show(
    "subresources",
    Object.entries(Deployment.subresources)
      .map(([name, { kind, verbs }]) => `${name} → ${kind} (${verbs.join(" ")})`)
      .join(", "),
  );
}

function patches(): void {
  stop("A strategic merge patch uses the list keys of the server's schema");
  const schema = schemaFor(Deployment);
  const patch = { spec: { template: { spec: { containers: [{ name: "app", image: "shop:2" }] } } } };
  const object = decodeJson(encodeJson(web)) as JsonObject;
  const images = (patched: unknown): string =>
    (patched as Deployment).spec?.template.spec?.containers.map(({ name, image }) => `${name}=${image}`).join(" ") ?? "";
  show("before", images(object));
  show("merge patch", `${images(applyMergePatch(object, patch))}   (the proxy is gone)`);
  if (schema !== undefined) show("strategic merge patch", images(applyStrategicMergePatch(object, patch, schema)));
}

function words(): void {
  stop("Selectors and quantities parse and print as the server's do");
  const selector = parseSelector("tier notin (cache,batch), app in (web, api),!legacy");
  show("canonical", selector.toString());
  show("matches { app: web }", String(selector.matches({ app: "web" })));
  show("the Deployment's selector", selectorFromLabelSelector(web.spec?.selector).toString());
  const requests = (resource: string): string =>
    (web.spec?.template.spec?.containers ?? [])
      .map(({ resources }) => Quantity.parse(resources?.requests?.[resource] ?? 0))
      .reduce((sum, quantity) => sum.add(quantity))
      .toString();
  show("requests of one pod", `cpu ${requests("cpu")}, memory ${requests("memory")}`);
}

function json(): void {
  stop("JSON keeps integers beyond 2^53");
  const text = '{"data":{"__proto__":"just a key","big":9007199254740993}}';
  show("input", text);
  show("JSON.parse and back", JSON.stringify(JSON.parse(text)));
  show("decodeJson and back", encodeJson(decodeJson(text)));
}

function schemas(): void {
  stop("A custom resource is pruned, defaulted and validated, with the server's messages");
  const schema: Schema = {
    type: "object",
    properties: {
      spec: {
        type: "object",
        required: ["image"],
        properties: {
          image: { type: "string", pattern: "^[a-z]+(:[0-9]+)?$" },
          replicas: { type: "integer", minimum: 0, default: 1 },
          mode: { type: "string", enum: ["fast", "safe"] },
        },
      },
    },
  };
  const compiled = compileSchema(schema);
  const sent = {
    apiVersion: "demo.drover.dev/v1",
    kind: "WebApp",
    metadata: { name: "shop" },
    spec: { image: "Shop!", mode: "quick", colour: "red" },
  };
  const { value, pruned } = prune(sent, compiled);
  const defaulted = applyDefaults(value, compiled);
  show("unknown, so pruned", pruned.join(", "));
  show("spec after defaults", encodeJson((defaulted as JsonObject)["spec"] ?? null));
  const errors = validate(defaulted, compiled);
  show("422", newInvalid({ group: "demo.drover.dev", kind: "WebApp" }, "shop", errors).message ?? printFieldErrors(errors));
}

/** Three workers retry with jittered backoff until a random number lets them succeed; all time comes from the manual clock. */
async function run({ clock, random, log, uid }: Runtime): Promise<void> {
  const worker = async (name: string): Promise<void> => {
    const chance = random.stream(name);
    let backoff: Backoff = { duration: 1000, factor: 2, jitter: 0.5, steps: 12, cap: 3_600_000 };
    for (let attempt = 1; chance.next() > 0.15; attempt++) {
      const [delayMs, next] = stepBackoff(backoff, chance);
      backoff = next;
      log.info("failed, trying again", { worker: name, attempt, delayMs: Math.round(delayMs) });
      await sleep(clock, delayMs);
    }
    log.info("done", { worker: name, uid: uid() });
  };
  await Promise.all(["a", "b", "c"].map(worker));
}

async function seeds(): Promise<void> {
  stop("A whole run is a function of a seed");
  const story = async (seed: number): Promise<string> => {
    const runtime = testRuntime({ seed });
    const over = run(runtime);
    await runtime.clock.runAll();
    await over;
    const { entries } = runtime.log;
    const digest = createHash("sha256").update(JSON.stringify(entries)).digest("hex").slice(0, 8);
    return `${entries.length} log lines, ${Math.round(runtime.clock.monotonic() / 60_000)} minutes of virtual time, digest ${digest}`;
  };
  for (const seed of [7, 7, 8]) show(`seed ${seed}`, await story(seed));
}

/** Updates a Deployment despite a conflict, and shows the requests. */
async function client(): Promise<void> {
  stop("The client is typed by the kind, and retries conflicts");
  const { clock, log, random } = testRuntime();
  const live = (version: string): Deployment => ({ ...web, metadata: { ...web.metadata, resourceVersion: version } });
  const server = scriptedTransport([
    jsonResponse(live("7")),
    statusResponse(newConflict({ group: "apps", resource: "deployments" }, "web", "the object has been modified")),
    jsonResponse(live("8")),
    jsonResponse({ ...live("9"), spec: { ...web.spec, replicas: 5 } }),
  ]);
  const shop = createClient({ transport: server, clock, log, namespace: "shop" });
  const updating = updateWithRetry(
    shop,
    Deployment,
    "web",
    (draft) => {
      if (draft.spec !== undefined) draft.spec.replicas = 5;
    },
    { random },
  );
  await clock.runAll();
  const { metadata, spec } = await updating;
  show("replicas, version", `${spec?.replicas}, ${metadata.resourceVersion}`);
  show("requests", server.requests.map(({ method, pathname }) => `${method} ${pathname.split("/").slice(-2).join("/")}`).join(", "));
}

/** The path of every controller: watch → cache → handler → queue → worker. */
async function pipeline(): Promise<void> {
  stop("From a watch to a worker: the cache follows the server, the queue hands out each key once");
  const { clock, ...runtime } = testRuntime();
  const api = new ScriptedApi({ clock, random: runtime.random });
  const put = (name: string, colour: string): void =>
    void api.put({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "shop" }, data: { colour } });
  const queue = createQueue({ clock });
  const maps = createInformer({
    source: listWatcher({ transport: api.transport, clock, kind: ConfigMap }),
    runtime: { clock, ...runtime },
  });
  maps.addHandler(({ key, type }) => queue.addWith(key, { cause: type }), { name: "to the queue" });
  const over = new AbortController();
  const running = maps.run(over.signal);
  const worked = (): string => {
    const keys: string[] = [];
    for (let work = queue.tryGet(); work !== undefined; work = queue.tryGet()) {
      keys.push(`${work.key} (${work.causes.join(", ")})`);
      queue.done(work.key);
    }
    return keys.join("; ") || "nothing to do";
  };
  put("a", "red");
  put("b", "red");
  await clock.advance(1000);
  show("at the start", worked());
  put("a", "green");
  put("a", "blue");
  await clock.advance(1000);
  show("two changes, one key", worked());
  api.halfOpen();
  api.remove("shop/b");
  await clock.advance(60_000);
  show("a dead connection, 1 min", worked());
  await clock.advance(5 * 60_000);
  show("… detected by the cache", `${worked()}; lists ${api.count("list")}, watches ${api.count("watch")}`);
  over.abort();
  await clock.runUntil(() => true);
  await running;
}

/** The same path in a controller that explains its reconciles afterwards. */
async function reconcile(): Promise<void> {
  stop("A controller reports why it ran, which field changed, and what failed");
  const runtime = testRuntime();
  const { clock } = runtime;
  const api = new ScriptedApi({ clock, random: runtime.random });
  const put = (colour: string): void =>
    void api.put({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "shop" }, data: { colour } });
  const cluster = createCluster({ runtime, transport: api.transport, namespace: "shop", informers: { audit: false } });
  const tape = createTape(runtime);
  let failures = 1;
  const painter = controllerBuilder({ cluster, name: "painter" })
    .for(ConfigMap)
    .options({ tape })
    .reconcileObject(({ data }) => {
      if (data?.["colour"] === "blue" && failures-- > 0) throw new Error("there is no blue left");
      return done;
    });
  const over = new AbortController();
  const running = Promise.all([cluster.run(over.signal), painter.run(over.signal)]);
  put("red");
  await clock.advance(1000);
  put("blue");
  await clock.advance(1000);
  for (const line of explain(why(tape, { key: objectKey("a", "shop"), controller: "painter", inspector: painter }))) say(`  ${line}`);
  over.abort();
  await clock.runUntil(() => true);
  await running;
}

async function operate(): Promise<void> {
  stop("An operator is a few pure functions; its test runs on an API server in the same process (examples/web-app)");
  await using t = await harness(app);
  const status = async (): Promise<string> =>
    (await t.get(WebApp, "shop")).status?.conditions?.map(({ type, status: is, message }) => `${type} ${is}: ${message}`).join("; ") ?? "";
  await t.create(WebApp, { metadata: { name: "shop" }, spec: { image: "shop:1", host: "shop.example.com", replicas: 2 } });
  await t.settled();
  const made = await Promise.all(
    [Deployment, Service, Ingress].map(
      async (kind) => `${kind.kind} ${(await t.getOrUndefined(kind as typeof Service, "shop")) === undefined ? "missing" : "created"}`,
    ),
  );
  show("children", `${made.join(", ")} (${await status()})`);
  await t.status(Deployment, "shop", { replicas: 2, readyReplicas: 2 });
  await t.settled();
  show("when pods are ready", `Ingress for ${(await t.get(Ingress, "shop")).spec?.rules?.[0]?.host ?? "no host"} (${await status()})`);
  await t.patch(Deployment, "shop", { spec: { replicas: 7 } });
  await t.settled();
  show("after a scale to 7", `${(await t.get(Deployment, "shop")).spec?.replicas} again`);
  await t
    .create(WebApp, { metadata: { name: "none" }, spec: { image: "shop:1", host: "x.example.com", replicas: 0 } })
    .catch((error: unknown) => show("rejected by its rule", (error as Error).message));
}

async function soak(): Promise<void> {
  stop("The same cache on a server that drops, delays and repeats events, compacts and restarts, by seed");
  for (const seed of [1, 2]) {
    const { events, watches, lists, compactions, restarts, differences } = await soakCache({ seed, events: 2_000 });
    show(
      `seed ${seed}`,
      `${events} writes, ${watches} watches, ${lists} lists, ${compactions} compactions, ${restarts} restarts: ${differences.length} differences between cache and server`,
    );
  }
}

say(
  styleText("bold", "Drover.") +
    " The parts one by one: values, the client, the cache, the queue, a controller, an operator. Every line comes from a real call.",
);
kinds();
patches();
words();
json();
schemas();
await seeds();
await client();
await pipeline();
await reconcile();
await operate();
await soak();
say(
  `\nNext: ${styleText("cyan", "npm start")} for a cluster with kubectl, ${styleText("cyan", "docs/guide/README.md")} for your own operator, ${styleText("cyan", "ARCHITECTURE.md")} for the packages, ${styleText("cyan", "docs/benchmarks.md")} for figures.\n`,
);
