/**
 * What feeds what: kinds, controllers, and what their runs write.
 *
 *     DebugSubject, tape → topologyPage → DebugTopology
 */
import { printGroupKind } from "@drover/machinery";
import { kindWords } from "./asked-object.ts";
import type { TapedCall } from "../tape/run-record.ts";
import type { DebugSubject } from "./debug-subject.ts";

/** Requests of one controller to one resource. */
export interface WrittenResource {
  readonly method: string;
  /** "deployments.apps", "pods", "widgets.shop.example.com/status" */
  readonly resource: string;
  readonly count: number;
}

/** A controller and its neighbours. */
export interface ControllerTopology {
  readonly name: string;
  readonly kind?: string;
  /** Kinds that it declares to own. */
  readonly owns: readonly string[];
  /** Its sources. */
  readonly watches: readonly { readonly name: string; readonly synced: boolean }[];
  /** What its runs wrote, as far as the tape reaches back; the most frequent first. */
  readonly writes: readonly WrittenResource[];
}

/** The answer of /debug/drover/topology. */
export interface DebugTopology {
  readonly at: number;
  /** All watched kinds. */
  readonly kinds: readonly string[];
  /** The same, each with the words by which it can be asked for, in lower case: kind, plural, singular, short names. */
  readonly resources: readonly { readonly group: string; readonly kind: string; readonly names: readonly string[] }[];
  readonly controllers: readonly ControllerTopology[];
}

/** Resources listed per controller. */
const writesMax = 50;

/** Returns the graph. Takes time in proportion to the calls on the tape. */
export function topologyPage({ clock, kinds, controllers, tape }: DebugSubject): DebugTopology {
  const calls = tape?.calls(Infinity) ?? [];
  return {
    at: clock.now(),
    kinds: kinds.map(printGroupKind),
    resources: kinds.map((each) => ({ group: each.group, kind: each.kind, names: kindWords(each) })),
    controllers: controllers.map(({ controller, kind, owns = [] }) => ({
      name: controller.name,
      ...(kind === undefined ? {} : { kind: printGroupKind(kind) }),
      owns: owns.map(printGroupKind),
      watches: controller.state().watches.map(({ name, isSynced }) => ({ name, synced: isSynced })),
      writes: writesOf(calls.filter((call) => call.controller === controller.name)),
    })),
  };
}

function writesOf(calls: readonly TapedCall[]): readonly WrittenResource[] {
  const counts = new Map<string, WrittenResource>();
  for (const { call } of calls) {
    if (call.method === "GET") continue;
    const resource = resourceOf(call.path);
    const name = `${call.method} ${resource}`;
    counts.set(name, { method: call.method, resource, count: (counts.get(name)?.count ?? 0) + 1 });
  }
  return [...counts.values()].toSorted((left, right) => right.count - left.count).slice(0, writesMax);
}

/** "/apis/apps/v1/namespaces/web/deployments/shop/status" → "deployments.apps/status" */
function resourceOf(path: string): string {
  const [, group = "", resource = path, subresource] =
    /^\/(?:api|apis\/([^/]+))\/[^/]+(?:\/namespaces\/[^/]+(?=\/[^/]+))?\/([^/]+)(?:\/[^/]+(?:\/(.+))?)?$/.exec(path) ?? [];
  return `${resource}${group === "" ? "" : `.${group}`}${subresource === undefined ? "" : `/${subresource}`}`;
}
