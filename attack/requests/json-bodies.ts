/** Objects, patches and options in JSON, with hostile values at random places. */
import type { Draw } from "./draw.ts";
import { bytesOf, names } from "./hostile-request.ts";
import type { FramedRequest } from "./hostile-request.ts";
import { stringText, valueText } from "./hostile-text.ts";
import { subjects } from "./objects.ts";
import type { Subject } from "./objects.ts";
import { queryText } from "./request-paths.ts";

const tokens: readonly string[] = [
  ["metadata", "name", "namespace", "labels", "annotations", "uid", "resourceVersion", "generation", "finalizers", "ownerReferences"],
  ["managedFields", "deletionTimestamp", "spec", "status", "kind", "apiVersion", "items", "data", "replicas", "selector", "template"],
].flat();

/** A request with a JSON body for one of the subjects. */
export function jsonRequest(draw: Draw): FramedRequest {
  const subject = draw.of(subjects);
  const name = draw.of(names);
  const one = `${subject.path}/${name}${draw.oneIn(6) ? draw.of(["/status", "/scale", "/ephemeralcontainers", "/resize", "/finalize"]) : ""}`;
  const query = draw.oneIn(3) ? queryText(draw) : "";
  const type = (value: string): FramedRequest["headers"] => [["Content-Type", value]];
  const body = (text: string): Uint8Array => (draw.oneIn(4) ? draw.mutated(bytesOf(text), tokens) : bytesOf(text));
  const create = (): FramedRequest => ({
    wire: "framed",
    method: "POST",
    path: subject.path + query,
    headers: type("application/json"),
    body: body(objectText(draw, subject, name)),
  });
  if (subject.isReview === true) return create();
  const patch = (contentType: string, text: string): FramedRequest => ({
    wire: "framed",
    method: "PATCH",
    path: one + query,
    headers: type(contentType),
    body: body(text),
  });
  return draw.rule<FramedRequest>([
    create,
    create,
    () => ({
      wire: "framed",
      method: "PUT",
      path: one + query,
      headers: type("application/json"),
      body: body(objectText(draw, subject, name)),
    }),
    () => patch("application/json-patch+json", jsonPatchText(draw)),
    () => patch("application/merge-patch+json", objectText(draw, subject, name)),
    () => patch("application/strategic-merge-patch+json", strategicText(draw, subject, name)),
    () => patch("application/apply-patch+yaml", objectText(draw, subject, name)),
    () => ({
      wire: "framed",
      method: "DELETE",
      path: (draw.oneIn(6) ? subject.path : one) + query,
      headers: type("application/json"),
      body: body(optionsText(draw)),
    }),
  ]);
}

/** The object of a subject with up to three hostile values. */
export function objectText(draw: Draw, { apiVersion, kind, body }: Subject, name: string): string {
  const object = structuredClone({ apiVersion, kind, metadata: { name, labels: { app: "hostile" } }, ...body }) as Tree;
  const texts = new Map<string, string>();
  for (let count = draw.int(4); count > 0; count--) {
    const key = `@${texts.size}@`;
    texts.set(key, valueText(draw));
    plant(draw, object, key);
  }
  const { metadata } = object;
  if (draw.oneIn(8) && typeof metadata === "object" && metadata !== null) {
    (metadata as Tree)[draw.of(tokens)] = "@m@";
    texts.set("@m@", valueText(draw));
  }
  return JSON.stringify(object).replaceAll(/"(@\w@)"/g, (whole, key: string) => texts.get(key) ?? whole);
}

interface Tree {
  [key: string]: unknown;
}

/** Replaces a random part of the object, or adds one. */
function plant(draw: Draw, root: Tree, value: string): void {
  let here: Tree = root;
  for (;;) {
    const keys = Object.keys(here);
    if (keys.length === 0 || draw.oneIn(8)) {
      here[draw.oneIn(2) ? draw.of(tokens) : "x"] = value;
      return;
    }
    const key = draw.of(keys);
    const next = here[key];
    if (typeof next !== "object" || next === null || draw.oneIn(5)) {
      here[key] = value;
      return;
    }
    here = next as Tree;
  }
}

const pointers: readonly string[] = [
  "",
  "/",
  "/metadata",
  "/metadata/name",
  "/metadata/labels",
  "/metadata/labels/a~1b",
  "/metadata/labels/~",
  "/metadata/annotations/x",
  "/spec",
  "/spec/replicas",
  "/spec/template/spec/containers/0",
  "/spec/template/spec/containers/-",
  "/spec/template/spec/containers/-1",
  "/spec/containers/99999999999999999999",
  "/spec/ports/01",
  "/data/k",
  "/data/__proto__",
  "/__proto__/polluted",
  "/constructor/prototype/polluted",
  "/metadata/managedFields",
  "/metadata/uid",
  "x",
  "/data/\u0000",
];

function jsonPatchText(draw: Draw): string {
  const operation = (): string => {
    const op = draw.of(["add", "remove", "replace", "move", "copy", "test", "test", "add", "", "ADD"]);
    const from = draw.oneIn(2) ? `,"from":${JSON.stringify(draw.of(pointers))}` : "";
    const value = draw.oneIn(5) ? "" : `,"value":${valueText(draw, 3)}`;
    return `{"op":"${op}","path":${draw.oneIn(8) ? stringText(draw) : JSON.stringify(draw.of(pointers))}${from}${value}}`;
  };
  // Copies of copies grow exponentially.
  const doubling =
    '{"op":"add","path":"/data","value":{"a":"x"}},' + Array(20).fill('{"op":"copy","from":"/data","path":"/data/a"}').join();
  return draw.oneIn(20) ? `[${doubling}]` : `[${draw.some(draw.oneIn(20) ? 300 : 4, operation).join()}]`;
}

function strategicText(draw: Draw, subject: Subject, name: string): string {
  const directive = draw.of([
    '"$patch":"delete"',
    '"$patch":"replace"',
    '"$patch":"nonsense"',
    '"$patch":1',
    '"$retainKeys":["a"]',
    '"$retainKeys":1',
    '"$deleteFromPrimitiveList/finalizers":["a"]',
    '"$setElementOrder/containers":[{"name":"a"}]',
    '"$setElementOrder/containers":1',
    '"$setElementOrder/ports":[{"containerPort":1},{"containerPort":1}]',
  ]);
  const text = objectText(draw, subject, name);
  const at = [...text.matchAll(/\{/g)].map(({ index }) => index);
  const place = draw.of(at) + 1;
  return `${text.slice(0, place)}${directive}${text[place] === "}" ? "" : ","}${text.slice(place)}`;
}

function optionsText(draw: Draw): string {
  const fields = draw.some(4, () =>
    draw.of([
      '"propagationPolicy":"Foreground"',
      '"propagationPolicy":"Nowhere"',
      '"orphanDependents":true',
      '"gracePeriodSeconds":-1',
      '"gracePeriodSeconds":99999999999999',
      '"preconditions":{"uid":"x"}',
      '"preconditions":{"resourceVersion":"-1"}',
      '"dryRun":["All","None"]',
      `"dryRun":${valueText(draw, 3)}`,
      '"ignoreStoreReadErrorWithClusterBreakingPotential":true',
      `"kind":${stringText(draw)}`,
      `"apiVersion":${stringText(draw)}`,
      `"x":${valueText(draw, 2)}`,
    ]),
  );
  return `{${fields.join()}}`;
}
