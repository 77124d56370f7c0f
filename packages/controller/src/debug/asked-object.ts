/**
 * Reads which object a question is about.
 *
 *     kind, namespace, name → askedObject → Kind, key, its controllers
 */
import { objectKey, splitObjectKey } from "@drover/machinery";
import type { Kind, ObjectKey } from "@drover/machinery";
import { DebugProblem } from "./debug-problem.ts";
import type { DebuggedController, DebugSubject } from "./debug-subject.ts";

/** The object of a question. */
export interface AskedObject {
  readonly kind: Kind;
  readonly key: ObjectKey;
  /** Controllers that reconcile the kind, or the one that was named. */
  readonly controllers: readonly DebuggedController[];
}

/** Throws a `DebugProblem` that names the parameter and the fix. */
export function askedObject(subject: DebugSubject, query: URLSearchParams): AskedObject {
  const kind = askedKind(subject, required(query, "kind"));
  const name = required(query, "name");
  if (name.includes("/")) throw new DebugProblem(400, `name is ${quoted(name)}, but names have no slash`, "namespace=…&name=…");
  const namespace = kind.scope === "Cluster" ? "" : (query.get("namespace") ?? subject.namespace);
  const controllers = subject.controllers.filter((each) => each.kind === kind);
  const named = query.get("controller");
  if (named === null) return { kind, key: objectKey(name, namespace), controllers };
  const chosen = subject.controllers.filter(({ controller }) => controller.name === named);
  if (chosen.length === 0)
    throw new DebugProblem(
      400,
      `${subject.name} has no controller ${quoted(named)}`,
      `one of ${listed(subject.controllers.map(({ controller }) => controller.name))}`,
    );
  return { kind, key: objectKey(name, namespace), controllers: chosen };
}

/** Finds a watched kind by its name, plural, singular or short name, as kubectl does; ".group" behind it if several have that name. */
function askedKind({ kinds, name }: DebugSubject, word: string): Kind {
  const [first = "", ...rest] = word.toLowerCase().split(".");
  const group = rest.join(".");
  const found = kinds.filter(
    (kind) => kindWords(kind).includes(first) && (rest.length === 0 || group === kind.group || group === `${kind.version}.${kind.group}`),
  );
  const [only, other] = found;
  if (only === undefined)
    throw new DebugProblem(404, `${name} watches no kind ${quoted(word)}`, `it watches ${listed(kinds.map(kindName))}`);
  if (other !== undefined)
    throw new DebugProblem(400, `${name} watches several kinds ${quoted(word)}`, `one of ${listed(found.map(kindName))}`);
  return only;
}

/** Returns the words for a kind, in lower case. */
export const kindWords = ({ kind, plural, singular, shortNames }: Kind): readonly string[] => [
  ...new Set([kind.toLowerCase(), plural, singular, ...shortNames]),
];

/** Returns where else an object of this name is, for a message. */
export function elsewhere({ cacheOf }: DebugSubject, { kind, key }: Pick<AskedObject, "kind" | "key">): string | undefined {
  const { name } = splitObjectKey(key);
  const others = (cacheOf(kind)?.keys() ?? []).filter((other) => other !== key && other.endsWith(`/${name}`));
  const [first] = others;
  if (first === undefined) return undefined;
  const namespaces = others.slice(0, 5).map((other) => splitObjectKey(other).namespace);
  return `there is one in namespace ${namespaces.join(", ")}${others.length > 5 ? ", …" : ""}: use -n ${namespaces[0] ?? ""}`;
}

const kindName = ({ group, plural }: Kind): string => (group === "" ? plural : `${plural}.${group}`);

function required(query: URLSearchParams, name: string): string {
  const value = query.get(name) ?? "";
  if (value === "") throw new DebugProblem(400, `the parameter ${name} is missing`, "?kind=deployments.apps&namespace=default&name=web");
  return value;
}

const listed = (names: readonly string[]): string => (names.length === 0 ? "none" : names.slice(0, 40).join(", "));
const quoted = (text: string): string => JSON.stringify(text.slice(0, 100));
