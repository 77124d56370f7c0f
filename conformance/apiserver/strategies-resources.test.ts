/** Valid and invalid objects of kinds that run no pods, and changes of them: a real server compared with our strategies. */
import type { Service } from "@drover/api/core/v1";
import { apiVersionOf, applyMergePatch, deepCopy, fieldErrorCause, isJsonObject } from "@drover/machinery";
import type { FieldError, JsonObject, JsonValue, Kind, KubeObject, Status, StatusCause } from "@drover/machinery";
import { ManualClock } from "@drover/machinery/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setDefaultsOf } from "../../packages/apiserver/src/builtin/defaults/defaults.ts";
import { rulesOf } from "../../packages/apiserver/src/builtin/rules.ts";
import { resourceStrategies } from "../../packages/apiserver/src/builtin/strategies/resource-strategies.ts";
import type { ServiceAllocator } from "../../packages/apiserver/src/builtin/strategies/service/service-allocator.ts";
import { builtInCodec } from "../../packages/apiserver/src/codec/built-in-codec.ts";
import type { Strategy } from "../../packages/apiserver/src/registry/strategy.ts";
import { StatusError } from "../../packages/apiserver/src/status-error.ts";
import { recordsScene } from "../../packages/apiserver/src/testing/records-scene.ts";
import { bodyOf, kindOf, pathOf, sendObject, tryObject } from "./kind-requests.ts";
import { minimalObjects } from "./minimal-objects.ts";
import { realServer, realServerMissing } from "../servers/real-server.ts";
import type { RealServer } from "../servers/real-server.ts";
import type { ResourceCase } from "./strategies-resources-case.ts";
import { coreCases } from "./strategies-resources-core.ts";
import { otherCases } from "./strategies-resources-others.ts";
import { serviceCases } from "./strategies-resources-services.ts";

let server: RealServer;
let allocator: ServiceAllocator;
beforeAll(async () => {
  if (realServerMissing !== undefined) return;
  server = await realServer();
  ({ allocator } = await recordsScene());
  await learn({ metadata: { name: "kubernetes" }, spec: { clusterIP: "10.0.0.1", clusterIPs: ["10.0.0.1"], ipFamilies: ["IPv4"] } });
}, 90_000);
afterAll(() => (realServerMissing === undefined ? server.stop() : undefined), 30_000);

/** Records what a stored Service has. */
async function learn(service: Service): Promise<void> {
  await (
    await allocator.allocate(deepCopy(service), undefined, { dryRun: false })
  )("written");
}

/** The answer: the object without metadata, or the causes of the refusal. */
type Outcome = { readonly object: JsonValue } | { readonly refusal: readonly (StatusCause | string)[] };

const context = { now: 0, user: { name: "admin", uid: "admin", groups: ["system:masters", "system:authenticated"] }, dryRun: false };

function patchedBy(target: JsonObject, patch: JsonObject | undefined): JsonObject {
  const result = patch === undefined ? target : applyMergePatch(target, patch);
  return isJsonObject(result) ? result : {};
}

/** Each cause once, sorted: Go iterates maps in random order, and the server reports some causes twice. */
function refusalOf(causes: readonly StatusCause[] | undefined, message: string): Outcome {
  if (causes === undefined) return { refusal: [message] };
  const texts = new Map(causes.map((cause) => [JSON.stringify([cause.field, cause.reason, cause.message]), cause]));
  return { refusal: [...texts].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, cause]) => cause) };
}

function outcomeOf({ status, answer }: { readonly status: number; readonly answer: JsonObject }, sent: JsonObject): Outcome {
  if (status < 300) return { object: comparable(answer, sent) };
  const { details, message = "" } = answer as unknown as Status;
  return refusalOf(details?.causes, message);
}

/** Without metadata and without random or time-dependent values. */
function comparable(object: JsonObject, sent: JsonObject): JsonObject {
  const { metadata: _, ...rest } = deepCopy(object);
  const text = JSON.stringify(rest, (key, value: JsonValue) => {
    if (key === "lastPhaseTransitionTime" || key === "lastTransitionTime" || key === "lastUpdateTime") return "now";
    const isChosen =
      (key === "nodePort" || key === "healthCheckNodePort" || key === "clusterIP") &&
      !JSON.stringify(sent).includes(JSON.stringify(value)) &&
      value !== "None";
    return isChosen
      ? "chosen"
      : key === "clusterIPs" && Array.isArray(value)
        ? value.map((address) => (JSON.stringify(sent).includes(JSON.stringify(address)) ? address : "chosen"))
        : value;
  });
  return JSON.parse(text) as JsonObject;
}

const strategyOf = (key: string): Strategy => resourceStrategies({ allocator }).get(key) ?? {};
const asObject = (object: JsonObject): KubeObject => object as unknown as KubeObject;
const codecOf = (kind: Kind) => builtInCodec(kind, setDefaultsOf(kind, { clock: new ManualClock() }));

interface Steps {
  readonly prepare: () => void;
  readonly validate: () => readonly FieldError[];
}

/** Answers like a verb that allocates what the write needs before it validates, which is the order of the real server. */
async function judge(
  object: JsonObject,
  sent: JsonObject,
  old: JsonObject | undefined,
  strategy: Strategy,
  { prepare, validate }: Steps,
): Promise<Outcome> {
  try {
    prepare();
    const finish = await strategy.begin?.(asObject(object), old === undefined ? undefined : asObject(old), context);
    const causes = validate().map(fieldErrorCause);
    await finish?.("failed");
    if (causes.length > 0) return refusalOf(causes, "");
    strategy.canonicalize?.(asObject(object));
    return { object: comparable(object, sent) };
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return refusalOf(error.status.details?.causes, error.status.message ?? "");
  }
}

async function judgeCreate(kind: Kind, key: string, body: JsonObject): Promise<Outcome> {
  const { object } = codecOf(kind).decodeBody(JSON.stringify(body), "application/json");
  const empty = builtInCodec(kind, () => {}).decodeValue({ apiVersion: apiVersionOf(kind), kind: kind.kind }).object;
  if (Object.hasOwn(kind.subresources, "status") && rulesOf(kind).keepsStatusOnCreate !== true) {
    if (empty["status"] === undefined) delete object["status"];
    else object["status"] = empty["status"];
  }
  if (kind.scope === "Namespaced") (object["metadata"] as JsonObject)["namespace"] = "default";
  const strategy = strategyOf(key);
  return judge(object, body, undefined, strategy, {
    prepare: () => strategy.prepareForCreate?.(asObject(object), context),
    validate: () => strategy.validate?.(asObject(object)) ?? [],
  });
}

async function judgeUpdate(kind: Kind, key: string, body: JsonObject, old: JsonObject, at: string): Promise<Outcome> {
  const { object: decoded } = codecOf(kind).decodeBody(JSON.stringify(body), "application/json");
  const object =
    at === "status"
      ? { ...deepCopy(old), metadata: decoded["metadata"] ?? {}, ...(decoded["status"] === undefined ? {} : { status: decoded["status"] }) }
      : decoded;
  if (at === "" && Object.hasOwn(kind.subresources, "status") && old["status"] !== undefined) object["status"] = deepCopy(old["status"]);
  const strategy = strategyOf(key);
  const update = at === "" ? strategy : (strategy.subresources?.[at] ?? {});
  return judge(object, { ...body, old }, at === "" ? old : undefined, at === "" ? strategy : {}, {
    prepare: () => update.prepareForUpdate?.(asObject(object), asObject(old), context),
    validate: () => update.validateUpdate?.(asObject(object), asObject(old)) ?? [],
  });
}

/** Deletes an object at once, without waiting for finalizers. */
async function remove(path: string): Promise<void> {
  await server.send({
    method: "PATCH",
    path,
    headers: { "content-type": "application/merge-patch+json" },
    body: JSON.stringify({ metadata: { finalizers: null } }),
  });
  const { status, body } = await server.send({ method: "DELETE", path });
  if (status < 300 && path.startsWith("/api/v1/namespaces/") && path.split("/").length === 5) {
    await server.send({
      method: "PUT",
      path: `${path}/finalize`,
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...(JSON.parse(body) as JsonObject), spec: {} }),
    });
  }
}

async function compare({ kind: key, object, update, at = "" }: ResourceCase, index: number): Promise<void> {
  const kind = kindOf(key);
  const body = bodyOf(kind, patchedBy(minimalObjects[key] ?? {}, object), `strategies-resources-${index}`);
  const isService = key === "/v1/Service";
  const path = pathOf(kind);
  const { name = "" } = asObject(body).metadata;
  if (update === undefined) {
    const answer = await tryObject(server, "POST", `${path}${isService ? "" : "?dryRun=All"}`, body);
    if (isService && answer.status < 300) await sendObject(server, "DELETE", `${path}/${name}`);
    expect(await judgeCreate(kind, key, body)).toEqual(outcomeOf(answer, body));
    return;
  }
  const old = await sendObject(server, "POST", path, body);
  try {
    if (isService) await learn(old as unknown as Service);
    const changed = patchedBy(old, update);
    const answer = await tryObject(server, "PUT", `${path}/${name}${at === "" ? "" : `/${at}`}`, changed);
    expect(await judgeUpdate(kind, key, changed, old, at)).toEqual(outcomeOf(answer, { ...changed, old }));
  } finally {
    if (isService) await allocator.release(old as unknown as Service);
    await remove(`${path}/${name}`);
  }
}

describe.skipIf(realServerMissing !== undefined)("strategies of kinds without pods, compared with a real server", () => {
  it.each([...serviceCases, ...coreCases, ...otherCases].map((one, index) => ({ ...one, index })))(
    "$kind $title",
    async ({ index, ...one }) => compare(one, index),
  );
});
