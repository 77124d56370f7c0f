/**
 * `npm start` while there is no cluster to start: a walk through the ground floor, each stop a few lines of real calls.
 * When the embedded API server stands, `npm start` runs that instead.
 */
import { createHash } from "node:crypto";
import { styleText } from "node:util";
import { Deployment } from "@drover/api/apps/v1";
import { schemaFor } from "@drover/api/schemas";
import {
  applyDefaults, applyMergePatch, applyStrategicMergePatch, compileSchema, decodeJson, encodeJson, newInvalid, parseSelector, printFieldErrors, prune, Quantity, selectorFromLabelSelector,
  sleep, stepBackoff, validate, type Backoff, type JsonObject, type Runtime, type Schema,
} from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";

const say = (text = ""): void => void process.stdout.write(`${text}\n`);
const stop = (title: string): void => say(`\n${styleText("bold", title)}`);
const show = (name: string, value: string): void => say(`  ${styleText("dim", name.padEnd(26))} ${value}`);

const web: Deployment = {
  apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web", namespace: "shop", labels: { app: "web" } },
  spec: {
    replicas: 3, selector: { matchLabels: { app: "web" } },
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
  stop("A kind is a value, and the value knows the type");
  show("Deployment", `${Deployment.plural}.${Deployment.group}/${Deployment.version}, ${Deployment.scope}, short names ${Deployment.shortNames.join(" ")}`);
  show("subresources", Object.entries(Deployment.subresources).map(([name, { kind, verbs }]) => `${name} → ${kind} (${verbs.join(" ")})`).join(", "));
}

function patches(): void {
  stop("A patch is merged with the keys of the server's own schema");
  const schema = schemaFor(Deployment);
  const patch = { spec: { template: { spec: { containers: [{ name: "app", image: "shop:2" }] } } } };
  const object = decodeJson(encodeJson(web)) as JsonObject;
  const images = (patched: unknown): string => (patched as Deployment).spec?.template.spec?.containers.map(({ name, image }) => `${name}=${image}`).join(" ") ?? "";
  show("before", images(object));
  show("merge patch", `${images(applyMergePatch(object, patch))}   (the proxy is gone)`);
  if (schema !== undefined) show("strategic merge patch", images(applyStrategicMergePatch(object, patch, schema)));
}

function words(): void {
  stop("Selectors and quantities read, print and count as the server's do");
  const selector = parseSelector("tier notin (cache,batch), app in (web, api),!legacy");
  show("canonical", selector.toString());
  show("matches { app: web }", String(selector.matches({ app: "web" })));
  show("the Deployment's selector", selectorFromLabelSelector(web.spec?.selector).toString());
  const requests = (resource: string): string => (web.spec?.template.spec?.containers ?? [])
    .map(({ resources }) => Quantity.parse(resources?.requests?.[resource] ?? 0)).reduce((sum, quantity) => sum.add(quantity)).toString();
  show("requests of one pod", `cpu ${requests("cpu")}, memory ${requests("memory")}`);
}

function json(): void {
  stop("JSON loses nothing");
  const text = '{"data":{"__proto__":"just a key","big":9007199254740993}}';
  show("what came", text);
  show("JSON.parse and back", JSON.stringify(JSON.parse(text)));
  show("decodeJson and back", encodeJson(decodeJson(text)));
}

function schemas(): void {
  stop("A custom resource is pruned, defaulted and judged in the server's words");
  const schema: Schema = {
    type: "object",
    properties: {
      spec: {
        type: "object", required: ["image"],
        properties: { image: { type: "string", pattern: "^[a-z]+(:[0-9]+)?$" }, replicas: { type: "integer", minimum: 0, default: 1 }, mode: { type: "string", enum: ["fast", "safe"] } },
      },
    },
  };
  const compiled = compileSchema(schema);
  const sent = { apiVersion: "demo.drover.dev/v1", kind: "WebApp", metadata: { name: "shop" }, spec: { image: "Shop!", mode: "quick", colour: "red" } };
  const { value, pruned } = prune(sent, compiled);
  const defaulted = applyDefaults(value, compiled);
  show("unknown, so pruned", pruned.join(", "));
  show("spec after defaults", encodeJson((defaulted as JsonObject)["spec"] ?? null));
  const errors = validate(defaulted, compiled);
  show("422", newInvalid({ group: "demo.drover.dev", kind: "WebApp" }, "shop", errors).message ?? printFieldErrors(errors));
}

/** Three workers retry with jittered backoff until chance lets them through; all time is the manual clock's. */
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
    return `${entries.length} log lines, ${Math.round(runtime.clock.monotonic() / 60_000)} minutes of its own time, digest ${digest}`;
  };
  for (const seed of [7, 7, 8]) show(`seed ${seed}`, await story(seed));
}

say(styleText("bold", "Drover, the ground floor.") + " There is no cluster to start yet; this is what stands so far.");
kinds();
patches();
words();
json();
schemas();
await seeds();
say(`\nNext: ${styleText("cyan", "npm test")}, ${styleText("cyan", "ARCHITECTURE.md")} for the map, ${styleText("cyan", "npm run bench -- wire")} for numbers.`);
